"""Scored rows as scored trials, so that the comparison of runs is the comparison of tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from runs.external.columns import Columns
from runs.external.rows import Row
from scoring.compare import Scored
from scoring.costs import Line, Spent, plus
from scoring.grouping import ARM_FACTORS, Setting
from scoring.metrics import Observed, Played
from scoring.prices import ZERO
from scoring.shown import Shown
from simulator.events import Json, canonical_json
from simulator.events.errors import InputError, nearest
from simulator.events.recorded import ManifestRecorded

EVIDENCE = "external"
NO_MEMORY = ("none", "C0")
FULL_REPLAY = ("replay",)
_SPENT_ON = Line("act", "agent_model")
"""A table does not say what its costs are for; nothing is told of it either."""


@dataclass(frozen=True)
class Roles:
    """Which arms have no memory, and unbudgeted full replay; None where there is none."""

    baseline: str | None
    control: str | None

    def memory(self, arm: str) -> str:
        """Return the memory of an arm: by its role, else its own name."""
        return {self.baseline: "none", self.control: "replay"}.get(arm, arm)


def roles(rows: Sequence[Row], columns: Columns) -> Roles:
    """Return which arm plays which part.

    Raises:
        InputError: for an arm that is not there, for one that plays both parts, and where there
            are costs and no arm without memory that they could be held against.
    """
    arms = list(dict.fromkeys(row.arm for row in rows))
    baseline = _role(arms, columns.baseline, NO_MEMORY, "baseline", columns.file)
    control = _role(arms, columns.control, FULL_REPLAY, "control", columns.file)
    if baseline is None and any(row.cost is not None for row in rows):
        raise InputError(
            f"no arm is called {' or '.join(NO_MEMORY)}, so there is none without memory to hold "
            f"costs against; name it with --baseline (arms: {', '.join(arms)}), or leave the "
            "costs out with --columns cost=",
            file=rows[0].line.file,
            line=rows[0].line.number,
            field="arm",
        )
    if baseline is not None and baseline == control:
        raise InputError(f"{control!r} cannot be baseline and control", field="control")
    for arm, role in (("none", baseline), ("replay", control)):
        if arm in arms and role not in (None, arm):
            raise InputError(f"an arm is called {arm!r}, so {role!r} cannot stand for it")
    return Roles(baseline, control)


def _role(
    arms: Sequence[str], named: str | None, usual: Sequence[str], field: str, file: str | None
) -> str | None:
    if named is None:
        return next((arm for arm in usual if arm in arms), None)
    if named not in arms:
        raise InputError(
            f"no arm is called {named!r}{nearest(named, arms)}", file=file, field=field
        )
    return named


def as_scored(rows: Sequence[Row], name: str, who: Roles) -> Scored:
    """Return rows as the scored trials of one run: a row is an episode with one decision.

    Raises:
        InputError: where an arm has an instance twice, or arms disagree on what depends.
    """
    _check_once(rows)
    trials: dict[tuple[str, str, int], _Trial] = {}
    arms: dict[str, Json] = {}
    arcs: dict[str, Json] = {}
    for row in rows:
        arm, arc = _arm_id(row, rows), _arc(row)
        arms.setdefault(arm, _options(row, who))
        arcs.setdefault(arc, {name: row.factors.get(name) for name in ("domain", "tier")})
        arcs[arc].update(cluster=row.cluster, corruption=_corruption(row))
        key = (arm, arc, int(row.factors.get("seed", 0)))
        trials.setdefault(key, _Trial()).add(row, arc)
    memories = dict.fromkeys(options["memory"] for options in arms.values())
    suite = {"name": name, "memories": [{"name": each, "options": {}} for each in memories]}
    setting = Setting(name, ManifestRecorded(suite=suite, arcs=arcs, arms=arms, packages={}))
    played = [trial.played(name, *key) for key, trial in trials.items()]
    return Scored((setting,), tuple((setting, each) for each in played), (), frozenset())


@dataclass
class _Trial:
    observed: list[Observed] = field(default_factory=list)
    tokens: int = 0
    cost: Decimal | None = ZERO

    def add(self, row: Row, arc: str) -> None:
        self.observed.append(_observed(row, arc))
        self.tokens += row.tokens or 0
        self.cost = plus(self.cost, row.cost)

    def played(self, run: str, arm: str, arc: str, seed: int) -> Played:
        spent = Spent(len(self.observed), self.tokens, usd=self.cost, usd_as_if=self.cost)
        return Played(
            run=run,
            arm=arm,
            arc=arc,
            seed=seed,
            evidence=EVIDENCE,
            episodes=len(self.observed),
            spent={_SPENT_ON: spent},
            observed=tuple(self.observed),
            signature="",
        )


def _observed(row: Row, arc: str) -> Observed:
    had, used = bool(row.had), bool(row.had and row.used)
    corrupted = _corruption(row) != "none"
    return Observed(
        arc=arc,
        probe=row.instance,
        seed=int(row.factors.get("seed", 0)),
        kind=str(row.factors.get("probe_kind", "")),
        domain=str(row.factors.get("domain", "")),
        cluster=row.cluster,
        dependent=row.dependent,
        skipped=None,
        why=None,
        success=row.success and not row.error,
        errored=row.error,
        memory_values=int(had),
        used_values=int(used),
        memory_only=had,
        stale=False,
        block_tokens=None,
        shown=None if row.had is None else Shown(1, row.had, (), False),
        clean=_arc_name(row, "none") if corrupted else None,
    )


def _corruption(row: Row) -> str:
    return str(row.factors.get("corruption", "none"))


def _arc(row: Row) -> str:
    return _arc_name(row, _corruption(row))


def _arc_name(row: Row, corruption: str) -> str:
    """Return a name for what shares a memory, the same for all arms."""
    named = [row.factors.get(name) for name in ("domain", "tier")]
    return canonical_json([row.cluster, *named, corruption])


def _arm_id(row: Row, rows: Sequence[Row]) -> str:
    """Return the arm's name, with whatever of its settings the table varies."""
    return "/".join([row.arm, *(str(value) for value in row.setting.values() if value is not None)])


def _options(row: Row, who: Roles) -> dict[str, Json]:
    memory = who.memory(row.arm)
    options: dict[str, Json] = {**dict.fromkeys(ARM_FACTORS), **row.setting}
    options["memory"] = memory
    options["implementation"] = "standard" if memory == row.arm else row.arm
    return options


def _check_once(rows: Iterable[Row]) -> None:
    seen: dict[str, Row] = {}
    depends: dict[str, Row] = {}
    for row in rows:
        instance = [row.factors.get("seed"), _arc(row), row.instance]
        first = depends.setdefault(canonical_json(instance), row)
        twin = seen.setdefault(canonical_json([row.arm, row.setting, *instance]), row)
        if twin is not row:
            message = f"{row.arm!r} has the instance {row.instance!r} twice; the first is"
            raise _fault(row, f"{message} {_where(twin, row)}", "instance")
        if first.dependent is not row.dependent:
            message = f"{row.arm!r} and {first.arm!r} disagree on whether it depends; the first is"
            raise _fault(row, f"{message} {_where(first, row)}", "dependent")


def _where(first: Row, row: Row) -> str:
    same = first.line.file == row.line.file
    return f"on line {first.line.number}" + ("" if same else f" of {first.line.file}")


def _fault(row: Row, message: str, field: str) -> InputError:
    return InputError(message, file=row.line.file, line=row.line.number, field=field)
