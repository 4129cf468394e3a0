"""`memtrial diff`."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from runs.commands.output import print_json, print_table
from runs.commands.plain import plain, short
from runs.diff.addresses import open_sides
from runs.diff.comparing import compare
from runs.diff.decisions import PARTS, differing
from simulator.events import Json, canonical_json

_ITEMS = 24
_PROMPT = 60
_CAUSES = 30
_DECISIONS = 60

_WHATS = {
    "changed": "the same event, with other content",
    "instead": "one event instead of another",
    "only_a": "an event that only A has",
    "only_b": "an event that only B has",
    "order": "the same events in another order",
}
_ITEM_WHATS = {"moved": "moved", "changed": "changed", "only_a": "only A", "only_b": "only B"}


def diff(folder: Path, names: list[str], as_json: bool) -> None:
    """Print where trials part, each compared with the first."""
    with open_sides(folder, names) as sides:
        found = compare(sides)
    if as_json:
        print_json(found)
        return
    first, *others = found["trials"]
    for other, comparison in zip(others, found["comparisons"], strict=True):
        print("\n".join(_heading(first, other, comparison)))
        if not comparison["same"]:
            print("\n".join(_parting(comparison["first"])))
        decision, acted = comparison["decision"], comparison["acted"]
        if decision is not None:
            print("\n".join(_decision("first decision that differs", decision)))
        if acted is not None and acted["id"] != decision["id"]:
            print("\n".join(_decision("first decision with another act", acted)))
        print()
        _print_decisions(comparison["decisions"])
        print()
    if len(others) > 1:
        _print_overview(found)


def _heading(first: Json, other: Json, comparison: Json) -> Iterator[str]:
    yield f"A  {plain(first['trial'])}   ({plain(first['run'])})"
    yield f"B  {plain(other['trial'])}   ({plain(other['run'])})"
    for each in comparison["given"]:
        yield f"   given: {each['setting']}: {_value(each['a'])} -> {_value(each['b'])}"
    counts = comparison["events"]
    told = f"{counts['same']} events the same, {counts['changed']} changed"
    told += f", {counts['only_a']} only in A, {counts['only_b']} only in B"
    yield f"   {told}; {counts['at_another_time']} at another time"
    if comparison["same"]:
        yield "   no event differs"


def _parting(first: Json) -> Iterator[str]:
    yield ""
    yield f"first difference: {_WHATS[first['what']]}"
    for name in ("a", "b"):
        event = first[name]
        if event is not None:
            yield f"  {name.upper()} event {event['position']}, {plain(event['key'])}: {_said(event)}"
    yield from _items(first["items"])
    if not first["items"]:
        for field in first["fields"]:
            yield f"  {field['field']}: {_value(field['a'])} -> {_value(field['b'])}"
    yield from _prompt(first["prompt"])
    yield from _causes(first["causes"])


def _decision(title: str, decision: Json) -> Iterator[str]:
    yield ""
    yield f"{title}: {plain(decision['id'])} ({', '.join(decision['parts'])})"
    if {"action", "outcome"} & set(decision["parts"]):
        for name in ("a", "b"):
            yield from (f"  {name.upper()} {line}" for line in _acts(decision[name]))
    if "block" in decision["parts"]:
        same = sum(pair["what"] == "same" for pair in decision["items"])
        yield f"  memory block, {same} items the same:"
        yield from _items([pair for pair in decision["items"] if pair["what"] != "same"])
    for name in ("only_a", "only_b"):
        for event in decision["context"][name]:
            yield f"  session, only {name[-1].upper()}: {_named(event)}"
    yield from _prompt(decision["prompt"])
    yield from _causes(decision["causes"])


def _prompt(lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield "  prompt:"
        yield from _limited([f"    {plain(line)}" for line in lines], _PROMPT, "lines")


def _acts(outcome: Json) -> Iterator[str]:
    if outcome is None:
        yield "has no such decision"
        return
    for call in outcome["calls"]:
        failed = "" if call["ok"] else ", which failed"
        yield f"called {plain(call['tool'])}({_value(call['arguments'])}){failed}"
    yield f"{outcome['outcome']}: {short(outcome['text'])}"


def _items(pairs: Sequence[Json]) -> Iterator[str]:
    yield from _limited([line for pair in pairs for line in _item(pair)], _ITEMS, "lines")


def _item(pair: Json) -> Iterator[str]:
    what = _ITEM_WHATS[pair["what"]]
    places = " -> ".join(str(place) for place in pair["places"] if place is not None)
    a, b = pair["a"], pair["b"]
    if a is not None and b is not None and a["text"] != b["text"]:
        yield f"    {what:<8}{places}: {short(a['text'])}"
        yield f"    {'':<8}{'':<{len(places)}}  {short(b['text'])}"
    else:
        yield f"    {what:<8}{places}: {short((a or b)['text'])}{_marks(a, b)}"


def _marks(a: Json, b: Json) -> str:
    """Return in what two items of the same text differ, or where one came from."""
    if a is None or b is None:
        return f"   <- {', '.join(map(plain, (a or b)['sources']))}"
    states = [_state(each) for each in (a, b)]
    return f"   ({states[0]} -> {states[1]})" if states[0] != states[1] else ""


def _state(item: Mapping[str, Json]) -> str:
    if item.get("hidden"):
        return "hidden"
    return "history" if item.get("replaced_by") else "held"


def _causes(causes: Json) -> Iterator[str]:
    for name in ("a", "b"):
        if causes[name]:
            yield f"  what led there in {name.upper()}:"
            told = [f"    {'  ' * link['depth']}{_link(link)}" for link in causes[name]]
            yield from _limited(told, _CAUSES, "causes")


def _link(link: Json) -> str:
    relation = f"{link['relation']} " if link["relation"] else ""
    if link["again"]:
        return f"{relation}{plain(link['id'])}, as above"
    if link["kind"] == "item":
        return f"{relation}{plain(link['id'])}{_quoted(link)}"
    return f"{relation}{_named(link)}"


def _named(event: Json) -> str:
    return f"{plain(event['id'])} {event['kind'] or 'unknown'}{_quoted(event)}"


def _said(event: Json) -> str:
    return f"{event['kind']}{_quoted(event)}"


def _quoted(event: Json) -> str:
    return f" {short(event['text'])!r}" if event["text"] else ""


def _value(value: Json) -> str:
    return short(value if isinstance(value, str) else canonical_json(value))


def _print_decisions(rows: Sequence[Json]) -> None:
    columns = ("decision", *PARTS, "A", "B")
    shown = rows[:_DECISIONS]
    table = [
        [plain(row["id"]), *(row[part] for part in PARTS), _ended(row["a"]), _ended(row["b"])]
        for row in shown
    ]
    print_table("decisions", columns, table, text=columns, wrap=("A", "B"))
    if len(rows) > len(shown):
        print(f"and {len(rows) - len(shown)} more decisions; --json has all")


def _ended(outcome: Json) -> str | None:
    if outcome is None:
        return None
    calls = ", ".join(plain(call["tool"]) for call in outcome["calls"])
    text = f"{outcome['outcome']} {short(outcome['text'], 60)!r}"
    return f"{calls}; {text}" if calls else text


def _print_overview(found: Json) -> None:
    """Print for each decision in what every trial differs from the first."""
    names = [
        f"{chr(ord('B') + n)}" if n < 25 else str(n + 2) for n in range(len(found["comparisons"]))
    ]
    told: dict[str, list[str]] = {}
    for place, comparison in enumerate(found["comparisons"]):
        for row in comparison["decisions"]:
            cells = told.setdefault(row["id"], [""] * len(names))
            cells[place] = " ".join(differing(row)) or "same"
    table = [[plain(decision), *cells] for decision, cells in list(told.items())[:_DECISIONS]]
    title = "what differs from the first trial"
    print_table(title, ("decision", *names), table, text=("decision", *names))
    for name, trial in zip(names, found["trials"][1:], strict=True):
        print(f"{name} is {plain(trial['trial'])}")


def _limited(lines: Sequence[str], most: int, what: str) -> Iterator[str]:
    yield from lines[:most]
    if len(lines) > most:
        yield f"    and {len(lines) - most} more {what}; --json has all"
