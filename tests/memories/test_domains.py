"""The patterns of a domain: what they read, what they leave alone, and that options reach them."""

import re
from typing import Any

import pytest

from environments.assistant import Assistant
from environments.itops import Itops
from environments.support import Support
from memories.extraction.domains import VOCABULARIES, DomainName
from memories.extraction.quality import extract
from memories.facts import Facts, FactsOptions
from memories.hybrid import Hybrid, HybridOptions
from simulator.effects.memory import MemorySetup
from simulator.events.errors import InputError

WORLDS: dict[DomainName, Any] = {"support": Support, "itops": Itops, "assistant": Assistant}


def facts(setup: MemorySetup, **options: Any) -> Facts:
    made = {"implementation": "domain", "dates": False, **options}
    return Facts(FactsOptions.model_validate(made), setup)


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("Reimburse $45.00 on O-1042.", "o-1042 | refund amount | $45.00"),
        ("Collect it at 12 Elm Road, order O-7.", "o-7 | pickup address | 12 elm road"),
        (
            "Ring C-31 back? No: callback C-31 at 201-555-0143.",
            "c-31 | callback number | 201-555-0143",
        ),
        ("O-9 comes back under RMA-40021.", "o-9 | return code | rma-40021"),
        ("SVC-8 needs 512 MB of memory.", "svc-8 | memory limit | 512 mb"),
        ("Page PGR-10001 about INC-4.", "inc-4 | pager | pgr-10001"),
        ("TCK-5 was fixed in v3.1.4.", "tck-5 | fixed version | v3.1.4"),
        ("SVC-8 fails over at 04:30.", "svc-8 | failover start | 04:30"),
        ("Guest CON-2 gets BDG-77001.", "con-2 | visitor badge | bdg-77001"),
        ("EVT-3: dial 201-555-0143.", "evt-3 | dial-in number | 201-555-0143"),
        ("Hold BKG-6 under CNF-20202.", "bkg-6 | confirmation code | cnf-20202"),
    ],
)
def test_attributes_of_a_trade_are_read(say: Any, said: str, fact: str) -> None:
    assert fact in extract([say("u1", said)], VOCABULARIES["all"].read)


@pytest.mark.parametrize(
    "said",
    [
        "Is the refund for O-1042 $45.00?",
        "What if SVC-8 got 512 MB of memory?",
        "The carrier of O-1042 is Norpost.",  # plain words, which no tool of the trade takes
        "We meet on March 12.",
        "The reference of the parcel is AB-40021.",
    ],
)
def test_nothing_else_is_read(say: Any, said: str) -> None:
    assert extract([say("u1", said)], VOCABULARIES["all"].read) == frozenset()


def test_a_revision_takes_the_place_and_the_dead_value_is_none(
    bench: Any, say: Any, setup: MemorySetup
) -> None:
    memory = facts(setup)
    bench.absorb(memory, say("u1", "The refund on O-1 is $5.00."))
    bench.absorb(memory, say("u2", "For O-1 it is $7.00 instead of $5.00."))
    assert bench.lines(memory, "refund O-1") == ["order O-1: refund amount = $7.00"]


def test_a_domain_reads_its_own_attributes_only(bench: Any, say: Any, setup: MemorySetup) -> None:
    told = [say("u1", "Refund $5.00 on O-1."), say("u2", "SVC-8 needs 512 MB of memory.")]
    read = {}
    for domain in ("all", "support", "itops", "assistant"):
        memory = facts(setup, domain=domain)
        bench.absorb(memory, *told)
        read[domain] = sorted(line.partition(":")[0] for line in bench.lines(memory))
    assert read == {
        "all": ["order O-1", "service SVC-8"],
        "support": ["order O-1"],
        "itops": ["service SVC-8"],
        "assistant": [],
    }


def test_hybrid_hands_the_domain_to_its_facts(bench: Any, say: Any, setup: MemorySetup) -> None:
    for domain, expected in (("support", 2), ("itops", 1)):
        memory = Hybrid(
            HybridOptions.model_validate({"extractor": "domain", "domain": domain}), setup
        )
        bench.absorb(memory, say("u1", "Refund $5.00 on O-1."))
        # The fact and the line, or the line alone.
        assert len(list(memory.holdings())) == expected
        memory.close()


def test_a_domain_without_its_patterns_is_refused(setup: MemorySetup) -> None:
    for implementation in ("pattern", "model"):
        with pytest.raises(ValueError, match="domain 'itops' goes with implementation 'domain'"):
            FactsOptions.model_validate({"implementation": implementation, "domain": "itops"})
    with pytest.raises((ValueError, InputError), match="goes with"):
        Hybrid(HybridOptions(domain="itops"), setup)


@pytest.mark.parametrize("domain", WORLDS)
def test_every_form_of_a_tool_parameter_is_known(domain: DomainName) -> None:
    """The vocabulary covers its trade: each example in a schema is an id or a value of it."""
    known = VOCABULARIES[domain]
    forms = [each.form for each in known.attributes]
    forms += [rf"{prefix}-\d+" for prefix in known.subjects]
    writing = [tool for tool in WORLDS[domain].tools if not tool.read_only]
    examples = {
        example
        for tool in writing
        for parameter in tool.parameters["properties"].values()
        for example in parameter["examples"]
    }
    fits = re.compile("|".join(f"(?:{each})" for each in forms)).fullmatch
    assert len(examples) >= 6
    assert [each for each in sorted(examples) if not fits(each)] == []
