"""Carries out what the platform announces, as far as the arm's forgetting mode goes, and audits it.

| | `off` | `index` | `lineage` |
|---|---|---|---|
| the memory is told | no | of the announced events | of all that contain them |
| the working context | stays | stays | has tombstones |
| the last prompts | count as cached | count as cached | do not, where they held it |
"""

from dataclasses import dataclass

from simulator.effects.memory import Reach
from simulator.engine.audit import Holder, Search, in_context, in_memory, in_world
from simulator.engine.clock import Process
from simulator.engine.forgotten import Change
from simulator.engine.keeper import Heard, Keeper, Loss
from simulator.engine.performer import Performer
from simulator.engine.scene import Scene
from simulator.engine.world import World
from simulator.events import Surface
from simulator.events.recorded import ResidueAudited
from simulator.events.scripted import Notice, is_event
from simulator.events.tokens import count_tokens


@dataclass(frozen=True)
class Notices:
    """Where an announcement reaches: the working context, the prompts, the memory."""

    scene: Scene
    world: World
    performer: Performer
    keeper: Keeper

    def carry_out(self, notice: Notice, sources: tuple[str, ...], cause: str) -> Process[None]:
        """Forget, or have back, what an announcement is about; then record what is left of it.

        Raises:
            Fault: when the memory cannot forget.
        """
        forgotten = self.scene.forgotten
        events = tuple(filter(is_event, sources))
        change = forgotten.hear(notice, frozenset(events))
        changed = self._rewrite() if forgotten.removes else []
        if forgotten.removes and notice != "granted":
            self._uncache(Search(forgotten, events))
        loss = Loss()
        if forgotten.mode != "off":
            loss = yield from self.keeper.notice(self._heard(notice, events, change), cause)
        if notice != "granted" or forgotten.removes:
            self._audit(notice, events, changed, loss, cause)

    def _rewrite(self) -> list[Surface]:
        """Set up tombstones in the working context and take down others; return what changed."""
        before, context = list(self.scene.context), self.scene.context
        context[:] = [self.scene.forgotten.as_shown(each) for each in before]
        return [now for was, now in zip(before, context, strict=True) if was.text != now.text]

    def _uncache(self, search: Search) -> None:
        for role, last in self.performer.last_prompts:
            holder = Holder("prompt_cache", role, last.events, last.rendered)
            if search.origins(holder)[0]:
                self.performer.last_prompts.drop(role)

    def _heard(self, notice: Notice, events: tuple[str, ...], change: Change) -> list[Heard]:
        """Return what the memory is told; through lineage of everything that contains the events."""
        forgotten = self.scene.forgotten
        if not forgotten.removes:
            return [Heard(notice, frozenset(events), "index")]
        reach: Reach = "lineage"
        if notice == "granted":
            free = frozenset(events) - forgotten.origins.keys()
            return [Heard(notice, free | change.freed, reach)]
        if notice == "withdrawn":
            return [Heard(notice, change.hidden.union(events), reach)]
        told = [Heard(notice, change.erased.union(events), reach)]
        # What was from this and from something withdrawn comes back with the latter.
        return [*told, Heard("withdrawn", change.hidden, reach)] if change.hidden else told

    def _audit(
        self,
        notice: Notice,
        events: tuple[str, ...],
        changed: list[Surface],
        loss: Loss,
        cause: str,
    ) -> None:
        forgotten = self.scene.forgotten
        search = Search(forgotten, () if notice == "granted" else events)
        residues, hidden = search.entries(
            [
                *in_context(self.scene.context, forgotten),
                *in_memory(self.keeper.held.values()),
                *(
                    Holder("prompt_cache", role, last.events, last.rendered)
                    for role, last in self.performer.last_prompts
                ),
                *in_world(self.world.state, forgotten.written),
            ]
        )
        gone = forgotten.origins.keys()
        surfaces = forgotten.lineage.surfaces
        self.scene.record(
            ResidueAudited(
                why=notice,
                forgetting=forgotten.mode,
                sources=events,
                carriers=tuple(search.carriers()),
                residues=tuple(residues),
                hidden=tuple(hidden),
                removed=tuple(each.id for each in changed if each.id in gone),
                restored=tuple(each.id for each in changed if each.id not in gone),
                rebuilt=loss.rebuilt,
                rebuilt_tokens=sum(count_tokens(surfaces[name].text) for name in loss.rebuilt),
                lost=loss.lost,
            ),
            [cause],
        )
