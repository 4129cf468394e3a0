"""Who may see what in the workspace at this moment, and what an announcement makes of it."""

from environments.records import has, put_all, refused
from environments.workspace_world import SYSTEMS
from simulator.effects.environment import Announced, ToolOutcome
from simulator.events import Json
from simulator.events.errors import InputError, nearest
from simulator.events.scripted import Notice


def may_read(world: Json, document: str) -> bool:
    """Return whether the agent may read a document: it is there, not withdrawn, and a right."""
    gone = has(world, "deleted", document) or has(world, "withdrawn", document)
    return not gone and right(world, document) is not None


def right(world: Json, document: str) -> str | None:
    """Return the right that the agent's person has to a document: `read`, `edit` or None."""
    entry = world["documents"][document]
    if entry["owner"] == world["me"]:
        return "edit"
    found: str | None = entry.get("rights", {}).get(world["me"])
    return found


def closed_to(world: Json, document: str) -> ToolOutcome | None:
    """Return the error for a document that cannot be seen, None for one that can.

    Every version of a document and every use of it is under the same right.
    """
    if has(world, "deleted", document):
        return refused(f"document {document} was deleted")
    if not may_read(world, document):
        return refused(f"you have no access to document {document}")
    return None


def out_of_reach(world: Json, system: str) -> ToolOutcome | None:
    """Return the error for a system that was withdrawn."""
    return (
        refused(f"you have no access to the {system}") if has(world, "withdrawn", system) else None
    )


def parts(world: Json, document: str) -> list[str]:
    """Return a document and all its parts, their parts included, in the order of the drive."""
    found = {document}
    while True:
        more = {
            name
            for name, entry in world["documents"].items()
            if entry.get("within") in found and name not in found
        }
        if not more:
            return [name for name in world["documents"] if name in found]
        found |= more


def deletions(world: Json, documents: list[str], now: int) -> list[Json]:
    """Return the changes that delete documents which are not deleted yet."""
    new = [name for name in documents if not has(world, "deleted", name)]
    return put_all(world, "deleted", dict.fromkeys(new, now))


def announced(world: Json, notice: Notice, sources: tuple[str, ...], now: int) -> Announced:
    """Return what an announcement would do: it covers the parts of each document it names.

    A deleted document stays deleted, whatever is granted.

    Raises:
        InputError: for what is neither a document nor a system, and for a system to be deleted.
    """
    things = list(dict.fromkeys(thing for each in sources for thing in _covered(world, each)))
    if notice == "deleted":
        for system in filter(SYSTEMS.__contains__, things):
            raise InputError(f"{system} is no document, and only documents are deleted")
        return Announced(things=tuple(things), changes=tuple(deletions(world, things, now)))
    here = [each for each in things if not has(world, "deleted", each)]
    if notice == "withdrawn":
        new = [each for each in here if not has(world, "withdrawn", each)]
        changes = put_all(world, "withdrawn", dict.fromkeys(new, now))
    else:
        changes = _grants(world, here)
    return Announced(things=tuple(things), changes=tuple(changes))


def _covered(world: Json, source: str) -> list[str]:
    if source in SYSTEMS:
        return [source]
    documents = world.get("documents", {})
    if source not in documents:
        known = [*documents, *SYSTEMS]
        raise InputError(f"there is no {source!r} in this world{nearest(source, known)}")
    return parts(world, source)


def _grants(world: Json, things: list[str]) -> list[Json]:
    """Return the changes that end withdrawals, and give a right to read where there is none."""
    back = [each for each in things if has(world, "withdrawn", each)]
    changes: list[Json] = [{"op": "remove", "path": f"/withdrawn/{each}"} for each in back]
    for name in things:
        if name not in SYSTEMS and right(world, name) is None:
            changes += _right_to_read(world, name)
    return changes


def _right_to_read(world: Json, document: str) -> list[Json]:
    place = f"/documents/{document}/rights"
    me = world["me"]
    if "rights" in world["documents"][document]:
        return [{"op": "add", "path": f"{place}/{me}", "value": "read"}]
    return [{"op": "add", "path": place, "value": {me: "read"}}]
