"""Pass matrices: which reference model passed which episode, and what each episode is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from simulator.events.errors import InputError, nearest

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NO_TIER = "none"
"""Label of an episode without a tier."""


@dataclass(frozen=True)
class Cell:
    """One verdict: did this model pass this episode?

    Attributes:
        model: Name of the model, or of the arm.
        episode: Name of the episode.
        passed: The verdict.
        risk: Label of the episode: its risk, or what stands for it.
        tier: Its difficulty, `NO_TIER` for none.
        features: Static features of the episode, by name.
        file: File that says so, for messages.
        line: Its line.
    """

    model: str
    episode: str
    passed: bool
    risk: str
    tier: str = NO_TIER
    features: Mapping[str, float] = field(default_factory=dict)
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True)
class Matrix:
    """Passes of M reference models on E episodes. No cell is missing.

    Attributes:
        models: Their names.
        episodes: Their names.
        passed: The verdicts, shape (M, E).
        risks: Risk of each episode.
        tiers: Tier of each episode.
        features: Static features that every episode has, each of shape (E,).
    """

    models: tuple[str, ...]
    episodes: tuple[str, ...]
    passed: Bools = field(repr=False)
    risks: tuple[str, ...] = field(repr=False)
    tiers: tuple[str, ...] = field(repr=False)
    features: Mapping[str, Floats] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Check it.

        Raises:
            InputError: for fewer than two models, no episode, or parts of unequal length.
        """
        models, episodes = len(self.models), len(self.episodes)
        if models < 2:
            raise InputError(f"a ranking needs at least two reference models; here is {models}")
        if not episodes:
            raise InputError("there is no episode to choose from")
        lengths = {len(self.risks), len(self.tiers), *map(len, self.features.values())}
        if self.passed.shape != (models, episodes) or lengths != {episodes}:
            raise InputError("every model and every label needs exactly one entry an episode")

    @cached_property
    def counts(self) -> Ints:
        """Episodes that each model passes, shape (M,)."""
        found: Ints = self.passed.sum(axis=1, dtype=np.int64)
        return found

    @cached_property
    def rates(self) -> Floats:
        """Pass rate of each model, shape (M,)."""
        return self.counts / len(self.episodes)

    @cached_property
    def item_rates(self) -> Floats:
        """Share of models that pass each episode, shape (E,)."""
        found: Floats = self.passed.mean(axis=0)
        return found

    @cached_property
    def risk_names(self) -> tuple[str, ...]:
        """The risks, sorted."""
        return tuple(sorted(set(self.risks)))

    @cached_property
    def risk_codes(self) -> Ints:
        """Place of each episode's risk in `risk_names`, shape (E,)."""
        return _codes(self.risks, self.risk_names)

    @cached_property
    def stratum_names(self) -> tuple[tuple[str, str], ...]:
        """The pairs of risk and tier that occur, sorted."""
        return tuple(sorted(set(zip(self.risks, self.tiers, strict=True))))

    @cached_property
    def stratum_codes(self) -> Ints:
        """Place of each episode's pair in `stratum_names`, shape (E,)."""
        return _codes(list(zip(self.risks, self.tiers, strict=True)), self.stratum_names)

    def stratum_shares(self, chosen: Ints) -> Floats:
        """Return for each episode which share of its pair of risk and tier is chosen, shape (E,)."""
        codes = self.stratum_codes
        whole = np.bincount(codes)
        shares: Floats = (np.bincount(codes[chosen], minlength=len(whole)) / whole)[codes]
        return shares

    @property
    def high(self) -> int:
        """How many models count as high-risk: max(2, 40 %), rounded, and never all of them."""
        models = len(self.models)
        return min(max(2, (4 * models + 5) // 10), models - 1)

    def without(self, model: int) -> "Matrix":
        """Return the matrix of all other models.

        Raises:
            InputError: when only one would be left.
        """
        names = self.models[:model] + self.models[model + 1 :]
        return self._with(names, np.delete(self.passed, model, axis=0))

    def only(self, models: Sequence[int]) -> "Matrix":
        """Return the matrix of these models alone."""
        return self._with(tuple(self.models[at] for at in models), self.passed[list(models)])

    def _with(self, models: tuple[str, ...], passed: Bools) -> "Matrix":
        return Matrix(models, self.episodes, passed, self.risks, self.tiers, self.features)

    def drawn(self, episodes: Ints) -> "Matrix":
        """Return the matrix of these episodes; one that is drawn again is an episode of its own."""
        return Matrix(
            self.models,
            tuple(f"{self.episodes[at]}#{place}" for place, at in enumerate(episodes)),
            self.passed[:, episodes],
            tuple(self.risks[at] for at in episodes),
            tuple(self.tiers[at] for at in episodes),
            {name: values[episodes] for name, values in self.features.items()},
        )


def _codes(labels: Sequence[object], names: Sequence[object]) -> Ints:
    places = {name: place for place, name in enumerate(names)}
    return np.array([places[label] for label in labels], dtype=np.int64)


@dataclass(frozen=True)
class NewModel:
    """A model outside the reference set, on whatever episodes it was given.

    Attributes:
        name: Its name.
        passed: Episode to its verdict.
    """

    name: str
    passed: Mapping[str, bool]


def assemble(cells: Iterable[Cell], new: Sequence[str] = ()) -> tuple[Matrix, list[NewModel]]:
    """Return verdicts as the matrix of the reference models, and the models that are `new`.

    Models and episodes are sorted by name, so that the order of the cells says nothing. A
    feature that not every episode has is left out.

    Raises:
        InputError: for a verdict that is given twice, models that disagree on what an episode is,
            a reference model without a verdict on some episode, fewer than two of them, or a new
            model that is unknown or named twice.
    """
    verdicts: dict[str, dict[str, Cell]] = {}
    known: dict[str, Cell] = {}
    for cell in cells:
        of_model = verdicts.setdefault(cell.model, {})
        if cell.episode in of_model:
            message = f"{cell.model!r} has the episode {cell.episode!r} twice"
            raise _fault(cell, message, of_model[cell.episode])
        of_model[cell.episode] = cell
        _check_same(known.setdefault(cell.episode, cell), cell)
    _check_new(new, verdicts)
    models = sorted(name for name in verdicts if name not in new)
    _check_enough(models, known)
    episodes = sorted({episode for name in models for episode in verdicts[name]})
    for name in models:
        _check_complete(name, verdicts, episodes)
    matrix = Matrix(
        tuple(models),
        tuple(episodes),
        np.array([[verdicts[m][e].passed for e in episodes] for m in models], dtype=bool),
        tuple(known[each].risk for each in episodes),
        tuple(known[each].tier for each in episodes),
        _features([known[each].features for each in episodes]),
    )
    outside = [NewModel(n, {e: cell.passed for e, cell in verdicts[n].items()}) for n in new]
    return matrix, outside


def _features(of_episodes: Sequence[Mapping[str, float]]) -> dict[str, Floats]:
    names = set.intersection(*(set(each) for each in of_episodes)) if of_episodes else set()
    return {
        name: np.array([each[name] for each in of_episodes], dtype=np.float64)
        for name in sorted(names)
    }


def _check_same(first: Cell, cell: Cell) -> None:
    for name in ("risk", "tier", "features"):
        if getattr(first, name) != getattr(cell, name):
            message = f"{cell.model!r} and {first.model!r} disagree on the episode {cell.episode!r}"
            raise _fault(cell, message, first, name)


def _check_new(new: Sequence[str], verdicts: Mapping[str, object]) -> None:
    for place, name in enumerate(new):
        if name not in verdicts:
            raise InputError(f"there is no model {name!r}{nearest(name, verdicts)}", field="new")
        if name in new[:place]:
            raise InputError(f"{name!r} is named twice", field="new")


def _check_enough(models: Sequence[str], known: Mapping[str, Cell]) -> None:
    """Say here where the verdicts came from, which a matrix no longer knows."""
    if len(models) < 2:
        here = f"{len(models)}: {models[0]!r}" if models else "0"
        raise InputError(
            f"a ranking needs at least two reference models; here is {here}",
            file=next((cell.file for cell in known.values()), None),
            field="model",
        )


def _check_complete(
    model: str, verdicts: Mapping[str, Mapping[str, Cell]], episodes: Sequence[str]
) -> None:
    """Point to another model's verdict on the first episode that this one lacks."""
    missing = [episode for episode in episodes if episode not in verdicts[model]]
    if missing:
        other = next(given[missing[0]] for given in verdicts.values() if missing[0] in given)
        raise InputError(
            f"{model!r} has no verdict on {len(missing)} of {len(episodes)} episodes, such as "
            f"{missing[0]!r}, which {other.model!r} has here; every reference model needs every "
            "episode (--new MODEL takes one out of the reference set)",
            file=other.file,
            line=other.line,
            field="episode",
        )


def _fault(cell: Cell, message: str, first: Cell, name: str | None = None) -> InputError:
    where = f"; the first is on line {first.line}" if first.line is not None else ""
    same = first.file == cell.file or first.file is None
    of_file = "" if same else f"{' of' if where else '; the first is in'} {first.file}"
    return InputError(f"{message}{where}{of_file}", file=cell.file, line=cell.line, field=name)
