"""The extractor on phrasings written by hand; the documented figures are asserted here."""

from pathlib import Path

from ruamel.yaml import YAML

from memories.extraction.quality import Phrasing, Quality, extract, measure
from simulator.events import Surface
from simulator.events.times import parse_time

HERE = Path(__file__).parent
DAY = parse_time("2025-03-03T09:00")
ROLES = ("user", "assistant", "tool", "system")


def surface(number: int, said: str) -> Surface:
    role, _, text = said.partition(": ")
    if role not in ROLES:
        role, text = "user", said
    return Surface.model_validate({"id": f"e/{number}", "role": role, "text": text, "time": DAY})


def phrasings() -> list[Phrasing]:
    entries = YAML(typ="safe").load((HERE / "phrasings.yaml").read_text(encoding="utf-8"))
    return [
        Phrasing(
            name=entry["say"][-1],
            said=tuple(surface(number, said) for number, said in enumerate(entry["say"])),
            facts=frozenset(entry["facts"]),
        )
        for entry in entries
    ]


def test_at_least_forty_phrasings_some_of_which_state_nothing() -> None:
    assert len(phrasings()) >= 40
    assert sum(not phrasing.facts for phrasing in phrasings()) >= 10


def test_precision_and_recall_are_as_documented() -> None:
    quality = measure(phrasings())
    assert (quality.right, quality.wrong, quality.missed) == (69, 4, 10)
    document = (HERE.parents[1] / "docs" / "memories.md").read_text(encoding="utf-8")
    row = (
        f"| {len(phrasings())} | {quality.right} | {quality.wrong} | {quality.missed} "
        f"| {quality.precision:.2f} | {quality.recall:.2f} |"
    )
    assert row in document
    for line in quality.listing:
        assert f"- `{line}`" in document


def test_nothing_is_extracted_where_nothing_is_stated() -> None:
    empty = [phrasing for phrasing in phrasings() if not phrasing.facts]
    assert {phrasing.name: extract(phrasing.said) for phrasing in empty} == {
        phrasing.name: frozenset() for phrasing in empty
    }


def test_the_measure_counts_fact_by_fact() -> None:
    said = (surface(0, "The refund for O-1 is $5."),)
    wanted = frozenset(("O-1 | refund amount | $5", "O-1 | carrier | Norpost"))
    quality = measure([Phrasing("x", said, wanted), Phrasing("y", said, frozenset())])
    assert quality == Quality(
        right=1,
        wrong=1,
        missed=1,
        listing=("x: missed o-1 | carrier | norpost", "y: wrong o-1 | refund amount | $5"),
    )
    assert (quality.precision, quality.recall) == (0.5, 0.5)
    assert Quality(0, 0, 0, ()).precision == Quality(0, 0, 0, ()).recall == 1.0
