"""The audit of a forgetting: what is left of something that may no longer be used."""

from typing import ClassVar, Literal

from simulator.events.canonical import Json
from simulator.events.recording import Recorded

Forgetting = Literal["off", "index", "lineage"]
"""What a withdrawal or a deletion does: nothing (the agent hears of it), remove what came directly
from the source, or remove everything that contains it."""

TOMBSTONE = "(removed: this may no longer be used)"
"""Text of a surface of the working context whose content is forgotten; it says nothing of it."""


class ResidueAudited(Recorded):
    """What is left of something forgotten, right after it was.

    An entry has `path`, `holder` (id of an item or a surface, a model's role, or a JSON Pointer
    into the world) and `sources`, the events among the announced ones whose text it holds.

    Attributes:
        why: What was announced. After `granted` there is an audit with `lineage` only, which says
            what came back.
        forgetting: The mode: `off`, `index` or `lineage`.
        sources: Ids of the events that the announcement was about.
        carriers: What contains them in the agent's own making: `id` of the surface, `sources`.
        residues: What still holds them and may be shown: entries, each with `by`: `pedigree`, or
            `text` where only its words give it away.
        hidden: What holds them and is never shown: entries.
        removed: Ids of the surfaces of the working context that became tombstones.
        restored: Ids of the surfaces of the working context that are whole again.
        rebuilt: Ids of the events that the memory absorbed again.
        rebuilt_tokens: Tokens of these by the suite's counter.
        lost: Ids of the events that were not forgotten, were carried by something that could be
            shown, and are no longer: collateral loss.
    """

    kind: ClassVar[str] = "residue_audit"
    why: Literal["withdrawn", "deleted", "granted"]
    forgetting: Forgetting
    sources: tuple[str, ...]
    carriers: tuple[Json, ...]
    residues: tuple[Json, ...]
    hidden: tuple[Json, ...]
    removed: tuple[str, ...]
    restored: tuple[str, ...]
    rebuilt: tuple[str, ...]
    rebuilt_tokens: int
    lost: tuple[str, ...]
