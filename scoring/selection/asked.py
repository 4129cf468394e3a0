"""What is asked of a selection."""

from dataclasses import dataclass

from scoring.selection.matrix import Matrix
from scoring.selection.measures import Weights
from scoring.selection.selectors import Problem, selector, size_of
from simulator.events.errors import InputError

DRAWS = 1_000
BOOTSTRAP = 200
_MOST = 100_000


@dataclass(frozen=True)
class Asked:
    """What is asked of a selection.

    Attributes:
        fraction: Share of the episodes.
        selector: Name of one of our selectors.
        seed: Of everything that is drawn.
        draws: Subsets that a drawing baseline draws.
        bootstrap: Resamples of the episodes for the chosen selector.
        weights: Weights of Ψ.
        tested: Whether the evidence may be tested for significance.
    """

    fraction: float = 0.2
    selector: str = "psi"
    seed: int = 0
    draws: int = DRAWS
    bootstrap: int = BOOTSTRAP
    weights: Weights = Weights()
    tested: bool = True

    def check(self) -> None:
        """Refuse what cannot be done.

        Raises:
            InputError: naming the option.
        """
        selector(self.selector)
        size_of(self.fraction, 1)
        for name, least in (("draws", 1), ("bootstrap", 0)):
            if not least <= getattr(self, name) <= _MOST:
                raise InputError(f"give a number from {least} to {_MOST:,}", field=name)

    def problem(self, matrix: Matrix, fraction: float | None = None) -> Problem:
        """Return the question put to a selector, of another fraction if one is given."""
        share = self.fraction if fraction is None else fraction
        return Problem(matrix, size_of(share, len(matrix.episodes)), self.weights)
