"""`memtrial trace --at`: one position of a trial, for people."""

from collections.abc import Iterator, Sequence

from runs.commands.plain import plain, short
from simulator.events import Json, canonical_json
from simulator.events.times import show_time

_ITEMS = 40
_LINES = 30
_WORLD = 800


def lines(found: Json) -> Iterator[str]:
    """Yield the lines that tell what stood at a position."""
    at = found["at"]
    last = found["events"] - 1
    yield f"trial {plain(found['trial'])}"
    yield f"as event {at['position']} of {last} left it: {_named(at)}, {at['time']}"
    yield ""
    yield from _memory(found["memory"])
    yield ""
    yield from _context(found["context"])
    yield ""
    yield from _world(found["world"])
    if found["replayed"] is not None:
        yield ""
        yield from _replayed(found["replayed"])


def _memory(memory: Json) -> Iterator[str]:
    if memory["as_of"] is None:
        yield "memory: nothing was written yet"
    else:
        counts = [f"{memory['held']} held"]
        counts += [f"{memory[name]} {name}" for name in ("hidden", "history", "gone")]
        yield f"memory as of event {memory['as_of']}: {', '.join(counts)}"
    if memory["pending"] is not None:
        yield f"  (it is at work here: event {memory['pending']} tells what that came to)"
    yield from _limited([list(_item(each)) for each in memory["items"]], _ITEMS, "items")


def _item(item: Json) -> Iterator[str]:
    yield f"  {item['state']:<8}{short(item['text'])}   ({plain(item['id'])})"
    for step in item["steps"]:
        by = f" by {', '.join(map(plain, step['by']))}" if step["by"] else ""
        failed = ", which failed" if step["why"] == "fault" else ""
        yield f"          {step['what']}{by} at {step['position']}: {_causes(step)}{failed}"
    for source in item["sources"]:
        yield f"          from {_named(source)}"


def _causes(step: Json) -> str:
    return " <- ".join(_named(cause) for cause in step["causes"]) or "no cause is recorded"


def _named(event: Json) -> str:
    """Return an event's id, kind and text; the id of an event that has no name is its position."""
    text = f" {short(event['text'], 80)!r}" if event["text"] else ""
    return f"{plain(event['id'])} {event['kind'] or 'unknown'}{text}"


def _context(context: Sequence[Json]) -> Iterator[str]:
    yield f"working context: {len(context)} surfaces"
    told = [
        [f"  [{show_time(each['time'])}] {each['role']}: {short(each['text'])}   ({each['id']})"]
        for each in context
    ]
    yield from _limited(told, _LINES, "surfaces")


def _world(world: Json) -> Iterator[str]:
    yield f"world: {world['bytes']} bytes, {len(world['patches'])} changes so far"
    told = [
        [f"  {each['position']}: {short(canonical_json(each['patch']))} <- {_calls(each['call'])}"]
        for each in world["patches"]
    ]
    yield from _limited(told, _LINES, "changes")
    yield f"  {short(canonical_json(world['state']), _WORLD)}"


def _calls(calls: Sequence[Json]) -> str:
    return ", ".join(_named(call) for call in calls)


def _replayed(replayed: Json) -> Iterator[str]:
    if replayed["agrees"]:
        what = "nothing" if replayed["as_of"] is None else "exactly this"
        yield f"re-executed up to there: the memory holds {what}"
        return
    yield "re-executed up to there, the memory does not hold what the log says:"
    told = [[f"  {plain(each)}"] for each in replayed["differences"]]
    yield from _limited(told, _LINES, "differences")


def _limited(blocks: Sequence[Sequence[str]], most: int, what: str) -> Iterator[str]:
    for block in blocks[:most]:
        yield from block
    if len(blocks) > most:
        yield f"  and {len(blocks) - most} more {what}; --json has all"
