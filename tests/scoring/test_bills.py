"""Cost tables by any factors: rows sum to the totals exactly, whatever the rows stand for."""

from collections.abc import Callable
from decimal import Decimal
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.bills import BY, FACTORS, cost_table, costs
from scoring.costs import AMOUNTS, Charge, Line, priced_call
from scoring.keys import Probe, SaysCheck
from scoring.prices import Band, PublicPrices, Rate
from scoring.pricing import Pricing
from simulator.events.errors import InputError

PRICED = Pricing(PublicPrices(), "gpt-4.1-mini")
SCRIPTED = {"agent_model": {"model": "scripted:last", "scripted": True}}
PROBES = [
    Probe(
        id=f"p{n}",
        kind="recall",
        decision=f"{name}/d",
        dependent=True,
        checks=(SaysCheck(phrase="45"),),
    )
    for n, name in enumerate(("one", "two"))
]


def rate(nanos: tuple[int, int, int], known: bool) -> Rate:
    """Return a rate of so many nano-USD a million tokens; without `known`, none for output."""
    read, cached, written = (Decimal(each).scaleb(-9) for each in nanos)
    return Rate("m", (Band(-1, read, cached, written if known else None),))


@st.composite
def calls(draw: st.DrawFn) -> list[tuple[tuple[str, ...], tuple[int, int, int]]]:
    """Draw calls: arm, purpose, arc, episode, and input, cached and output tokens."""
    count = st.integers(0, 10**9)
    read = draw(st.lists(st.tuples(count, count, count), min_size=1, max_size=12))
    places = st.tuples(*(st.sampled_from(each) for each in ("AB", ("act", "write"), "xy", "12")))
    return [(draw(places), (a + b, a, c)) for a, b, c in read]


nano = st.integers(0, 10**15)
rates = st.dictionaries(
    st.sampled_from("AB"), st.tuples(nano, nano, nano, st.booleans()), min_size=2
)


@given(calls(), rates, st.lists(st.sampled_from(list(FACTORS)), min_size=1, unique=True))
def test_rows_by_any_factors_sum_to_the_totals_to_the_last_digit(
    made: Any, rates: Any, by: list[str]
) -> None:
    charges, owed, lost = [], 0, 0
    mute: set[tuple[str, str]] = set()  # lines with a call that has no price
    for (arm, purpose, _, _), (_, _, written) in made:
        if written and not rates[arm][3]:
            mute.add((arm, purpose))
    for (arm, purpose, arc, episode), tokens in made:
        read, cached, written = tokens
        *nanos, known = rates[arm]
        paid = rate((nanos[0], nanos[1], nanos[2]), known)
        spent = priced_call(tokens, tokens, paid, rate((1, 1, 1), True))
        line = Line(purpose, "agent_model")
        charges.append(Charge(arm, arc, 0, episode, line, spent))
        if (arm, purpose) in mute:
            lost += read + written
        else:  # in 10^-15 USD, with integers alone
            owed += (read - cached) * nanos[0] + cached * nanos[1] + written * nanos[2]
    found = cost_table(charges, PRICED, by)
    rows = found["rows"]
    usd = [Decimal(row["usd"]) for row in rows if row["usd"] is not None]
    assert sum(int(each.scaleb(15)) for each in usd) == owed
    assert all(each == each.quantize(Decimal(1).scaleb(-15)) for each in usd)
    if usd:
        assert int(Decimal(found["total_usd"]).scaleb(15)) == owed
    else:
        assert found["total_usd"] is None
    assert sum(row["unpriced_tokens"] for row in rows) == found["unpriced_tokens"] == lost
    assert found["complete"] is (lost == 0)
    for column, at in (("input_tokens", 0), ("cached_tokens", 1), ("output_tokens", 2)):
        whole = sum(tokens[at] for _, tokens in made)
        assert sum(row[column] for row in rows) == found[f"total_{column}"] == whole
    assert sum(row["calls"] for row in rows) == found["total_calls"] == len(made)


@given(calls(), rates)
def test_the_totals_do_not_depend_on_what_the_rows_stand_for(made: Any, rates: Any) -> None:
    charges = [
        Charge(
            arm,
            arc,
            0,
            episode,
            Line(purpose, "agent_model"),
            priced_call(tokens, tokens, rate(rates[arm][:3], rates[arm][3]), rate((7, 3, 9), True)),
        )
        for (arm, purpose, arc, episode), tokens in made
    ]
    names = ("arm", "purpose", "arc", "episode")
    groupings = chain.from_iterable(combinations(names, size) for size in range(1, 5))
    tables = [cost_table(charges, PRICED, by) for by in groupings]
    totals = [{key: each[key] for key in each if key.startswith("total")} for each in tables]
    assert all(each == totals[0] for each in totals)


def played(maker: Callable[..., Any]) -> Any:
    """Write a trial of a planting session and two others, with a call in each that is priced."""
    made = maker()
    made.arc("a1", PROBES)
    made.arm("arm")
    tape = made.tape("a1", "arm", identities={**SCRIPTED, "memory_model": SCRIPTED["agent_model"]})
    for name, read in (("plant", 0), ("one", 1000), ("two", 3000)):
        tape.session(name)
        if read:
            tape.completion((read, 0, 0), "act")
        tape.boundary()
        tape.completion((100, 0, 10), "write", "memory_model")  # at the end of the session
    return made.write()


def test_costs_by_episode(maker: Callable[..., Any]) -> None:
    with played(maker) as run:
        found = costs(run, by=("arm", "purpose", "episode"))
        whole = costs(run)
    columns = ("arm", "purpose", "episode", "calls", "input_tokens", "output_tokens", "usd_as_if")
    assert [tuple(row[name] for name in columns) for row in found["rows"]] == [
        # gpt-4.1-mini: $0.4 a million read, $1.6 a million written.
        ("arm", "act", "one", 1, 1000, 0, "0.0004"),
        ("arm", "act", "two", 1, 3000, 0, "0.0012"),
        ("arm", "write", "one", 1, 100, 10, "0.000056"),
        ("arm", "write", "plant", 1, 100, 10, "0.000056"),
        ("arm", "write", "two", 1, 100, 10, "0.000056"),
    ]
    assert found["total_usd_as_if"] == whole["total_usd_as_if"] == "0.001768"
    assert [tuple(row)[:3] for row in whole["rows"]] == [BY] * 2


def test_a_run_is_priced_again_by_another_book_and_nothing_of_it_changes(
    maker: Callable[..., Any], tmp_path: Path
) -> None:
    book = tmp_path / "book.toml"
    with played(maker) as run:
        before = (run.folder / "events.db").read_bytes()
        # 4300 read and 30 written: 4300 × 10 + 30 × 40 = 44200; 4300 × 0.5 + 30 × 4 = 2270.
        for read, written, expected in ((10, 40, "0.0442"), (0.5, 4, "0.00227")):
            prices = f'[models."gpt-4.1-mini"]\ninput = {read}\noutput = {written}\n'
            book.write_text(f"date = 2026-03-01\n{prices}", encoding="utf-8")
            assert costs(run, book)["total_usd_as_if"] == expected
        assert (run.folder / "events.db").read_bytes() == before


@pytest.mark.parametrize(
    ("by", "message"),
    [
        (("arm", "episodes"), "by: unknown factor 'episodes'; did you mean 'episode'?"),
        ((), "by: name at least one factor, each once"),
        (("arm", "arm"), "by: name at least one factor, each once"),
    ],
)
def test_unknown_factors_are_refused(by: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError) as raised:
        cost_table([], PRICED, by)
    assert str(raised.value) == message


def test_what_has_no_price_has_a_row_of_its_own() -> None:
    priced = rate((10**9, 10**9, 10**9), True)  # a dollar a million
    tokens = (1_000_000, 0, 0)
    charges = [
        Charge(
            arm, "x", 0, "1", Line("act", "agent_model"), priced_call(tokens, tokens, paid, hosted)
        )
        for arm, paid, hosted in (("A", priced, priced), ("B", None, priced))
    ]
    found = cost_table(charges, PRICED, ("purpose",))
    assert [(row["usd"], row["usd_as_if"], row["unpriced_tokens"]) for row in found["rows"]] == [
        (None, "1", 1_000_000),
        ("1", "1", 0),
    ]
    assert (found["total_usd"], found["total_usd_as_if"]) == ("1", "2")
    assert {name for name in found if name.startswith("total_usd")} == {
        f"total_{name}" for name in AMOUNTS
    }
