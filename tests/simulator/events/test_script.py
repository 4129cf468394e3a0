"""Scripts: a copy with other fields has a hash of its own."""

from simulator.events import Episode, Script
from simulator.events.scripted import Decision


def test_a_changed_copy_does_not_keep_what_was_computed_before() -> None:
    ask = Decision(id="d1", at=0, request="Go on.")
    script = Script(
        arc="a", environment="support", world={}, episodes=(Episode(id="e1", events=(ask,)),)
    )
    before = script.hash
    copied = script.model_copy(update={"arc": "b"})
    made = Script(arc="b", environment="support", world={}, episodes=script.episodes)
    assert copied.hash == made.hash != before
    assert script.hash == before
