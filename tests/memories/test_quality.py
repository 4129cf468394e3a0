"""The extractor on phrasings written by hand; the documented figures are asserted here."""

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from memories.quality import Phrasing, Quality, extract, measure
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


if __name__ == "__main__":
    q=measure(phrasings())
    print(len(phrasings()), q.right,q.wrong,q.missed,q.precision,q.recall); print("\n".join(q.listing))
