"""Faults can always be recorded, and survive being made anew."""

from simulator.events.faults import Fault


def test_a_fault_says_who_what_and_why() -> None:
    fault = Fault("model", "overflow", "9 tokens too many", "raw")
    assert str(fault) == "model overflow: 9 tokens too many"
    again = type(fault)(*fault.args)
    assert vars(again) == vars(fault)


def test_a_lone_surrogate_is_escaped_once() -> None:
    fault = Fault("agent", "crash", "odd \ud800 ü", "\udfff")
    assert (fault.message, fault.detail) == ("odd \\ud800 ü", "\\udfff")
    assert vars(type(fault)(*fault.args)) == vars(fault)
