"""What ends a run early by its user's own wish."""

from decimal import Decimal


class OutOfMoney(BaseException):
    """The next call might cost more than is left; no part of a trial may catch it.

    Attributes:
        bound: What the call may cost at most, USD.
    """

    def __init__(self, bound: Decimal) -> None:
        super().__init__(bound)
        self.bound = bound


class SpendingStopped(Exception):
    """The run stopped before it would have overspent; the message says where it stands."""


class ControlFailed(Exception):
    """Models failed their replay control and played nothing else; the message says which."""
