"""How long the completions of stand-ins are taken to be."""

from dataclasses import dataclass, fields

from simulator.events import Json
from simulator.events.errors import InputError, nearest

_MOST = 1_000_000


@dataclass(frozen=True)
class Lengths:
    """Output tokens of each completion; None takes what the stand-in writes.

    Attributes:
        agent: Of the agent's model.
        memory: Of the model that a memory writes or reads with.
        judge: Of the judge.
    """

    agent: int | None = None
    memory: int | None = None
    judge: int | None = None

    def shown(self) -> dict[str, Json]:
        """Return what is assumed by whom it is assumed of."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


WHO = tuple(each.name for each in fields(Lengths))


def read_lengths(spec: str | None) -> Lengths:
    """Read `--output-tokens`: a number for everybody, or `agent=40,memory=160,judge=3`.

    Raises:
        InputError: when it is neither.
    """
    if spec is None:
        return Lengths()
    if "=" not in spec:
        return Lengths(**dict.fromkeys(WHO, _count(spec)))
    found: dict[str, int] = {}
    for part in spec.split(","):
        who, _, number = (text.strip() for text in part.partition("="))
        if who not in WHO:
            raise _refused(f"unknown model {who!r}{nearest(who, WHO)}")
        if who in found:
            raise _refused(f"{who!r} is named twice")
        found[who] = _count(number)
    return Lengths(**found)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text[:20]) <= _MOST:
        raise _refused(f"a number of tokens from 1 to {_MOST:,} is needed; got {text!r}")
    return int(text)


def _refused(what: str) -> InputError:
    return InputError(f"{what}; write 40, or agent=40,memory=160,judge=3", field="output-tokens")
