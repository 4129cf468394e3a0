"""The contract test of the memory port, for built-in memories and for anybody's own.

`check_memory` makes memories with the given function, plays small stories into them and returns
the promises that were broken, one sentence each; an empty list is a pass. Embeddings come from
the lexical embedder; completions from a function of the caller's.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product

from memories.embedders.lexical import LexicalEmbedder, LexicalOptions
from memories.tool_contract import broken_tools, broken_use, tries
from simulator.effects.memory import Ask, Block, Item, Memory, MemorySetup, Reach, Tooled, Used
from simulator.effects.options import Options, read_options
from simulator.effects.prompts import Completion, Prompt, Usage
from simulator.effects.steps import CallTool, Complete, Effect, Result, perform
from simulator.events import GLOBAL, Surface
from simulator.events.errors import InputError
from simulator.events.times import DAY, parse_time
from simulator.events.tokens import count_tokens

Make = Callable[[MemorySetup], Memory]
Write = Callable[[Prompt], str]

_START = parse_time("2025-03-03T09:00")
_BUDGETS = (0, 1, 5, 8, 13, 21, 34, 55, 89, 144, 233, 1000)
_QUERY = "What is the refund amount for order O-1042?"
_FIRST = "$137.25"
"""Nothing but the story's `u1` says this."""
_SCOPES = (GLOBAL, "alpha", "beta")


def echo_notes(prompt: Prompt) -> str:
    """Complete as a plain memory model would that copies what it is shown, line by line."""
    old = prompt.block.splitlines()[1:]
    return "\n".join([*old, *(surface.text for surface in prompt.context)]) or "Nothing."


@dataclass
class _Player:
    """A memory under test and the simplest driver for its effects."""

    memory: Memory
    write: Write
    embedder: LexicalEmbedder = field(default_factory=lambda: LexicalEmbedder(LexicalOptions()))

    def absorb(self, *parts: list[Surface]) -> "_Player":
        for part in parts:
            perform(self.memory.absorb(part), self._handle)
        return self

    def read(self, scope: str = GLOBAL, budget: int | None = 1000, shown: str = "") -> Block:
        ask = Ask(_QUERY, budget, scope, _START + 9 * DAY, frozenset(shown.split()))
        return perform(self.memory.read(ask), self._handle)

    def withdraw(self, *sources: str, reach: Reach = "lineage") -> None:
        perform(self.memory.forget(frozenset(sources), "withdrawn", reach), self._handle)

    def delete(self, *sources: str, reach: Reach = "lineage") -> None:
        perform(self.memory.forget(frozenset(sources), "deleted", reach), self._handle)

    def regrant(self, *sources: str) -> None:
        perform(self.memory.regrant(frozenset(sources)), self._handle)

    def held(self) -> list[Item]:
        return list(self.memory.holdings())

    def carried(self) -> set[str]:
        """Return the events that something contains which may be shown."""
        return {source for item in self.held() if not item.hidden for source in item.sources}

    def use_all(self, ask: Ask) -> Iterator[tuple[str, Used]]:
        """Try every tool of the memory in every way; yield what each use came to."""
        memory = self.memory
        if isinstance(memory, Tooled):
            for tool, arguments in tries(memory, _QUERY):
                yield tool, perform(memory.use(tool, arguments, ask), self._handle)

    def _handle(self, effect: Effect) -> Result:
        if isinstance(effect, Complete):
            text = self.write(effect.prompt)
            usage = Usage(input=count_tokens(str(effect.prompt)), output=count_tokens(text))
            return Completion(text=text, finish="stop", usage=usage)
        if isinstance(effect, CallTool):
            raise AssertionError(f"a memory must not call tools, but it called {effect.tool!r}")
        return list(self.embedder.embed(effect.texts))


def _said(name: str, text: str, scope: str = GLOBAL, role: str = "user", at: int = 0) -> Surface:
    values = {"id": name, "role": role, "text": text, "scope": scope, "time": _START + at * DAY}
    return Surface.model_validate(values)


def story() -> list[Surface]:
    """Return one session whose every sentence could be remembered, over three scopes."""
    return [
        _said("u1", "The refund amount for order O-1042 is $137.25."),
        _said("u2", "The return code for order O-2001 is RMA-48213.", "alpha"),
        _said("u3", "The callback number for order O-3001 is 555-0142.", "beta"),
        _said("a1", "I have noted all of that.", role="assistant"),
        _said("t1", "Order O-1042 was delivered on March 12.", role="tool"),
        _said("u10", "Ship order O-1042 to 12 Elm Street.", at=1),
        _said("u11", "The refund amount for order O-1042 is now $150.00.", at=2),
    ]


def check_memory(make: Make, write: Write = echo_notes, budgeted: bool = True) -> list[str]:
    """Return the promises of the memory port that memories made by `make` break.

    Args:
        make: Makes a fresh memory, options already bound.
        write: Answers its completions, for memories that use a model.
        budgeted: False for a control arm that ignores the budget on purpose.
    """
    broken: list[str] = []
    promises = [each for each in _PROMISES if budgeted or each is not _keeps_budget]
    for number, promise in enumerate(promises):
        made: list[Memory] = []

        def fresh(trial: str = "x", made: list[Memory] = made, number: int = number) -> _Player:
            memory = make(MemorySetup(trial=f"contract/{number}/{trial}", has_model=True))
            made.append(memory)
            return _Player(memory, write)

        try:
            broken.extend(promise(fresh))
        except Exception as error:  # anybody's code runs here, and it may raise anything
            rule = promise.__name__.strip("_").replace("_", " ")
            broken.append(f"while checking {rule!r} the memory raised {error!r}")
        for memory in made:
            memory.close()
    return broken


Fresh = Callable[..., _Player]


def _is_deterministic(fresh: Fresh) -> Iterator[str]:
    first = fresh("first").absorb(story())
    second = fresh("second").absorb(story())
    if first.held() != second.held():
        yield "two instances hold different items after the same transcript"
    if any(first.read(scope) != second.read(scope) for scope in _SCOPES):
        yield "two instances give different blocks after the same transcript"
    if first.read() != first.read():
        yield "a second read of the same memory gives another block"


def _is_alone(fresh: Fresh) -> Iterator[str]:
    one, other = fresh("one"), fresh("one")
    one.absorb(story())
    if other.held() or other.read().items:
        yield "an instance sees what another one absorbed"
    other.absorb(story()[:1])
    before = one.held()
    other.delete("u1")
    if one.held() != before:
        yield "forgetting in one instance changes another one"


def _keeps_budget(fresh: Fresh) -> Iterator[str]:
    player = fresh().absorb(story())
    for budget in _BUDGETS:
        tokens = player.read(budget=budget).tokens
        if tokens > budget:
            yield f"a block has {tokens} tokens with a budget of {budget}"


def _keeps_scope(fresh: Fresh) -> Iterator[str]:
    near = [_said(f"b{n}", f"Order O-1042: refund amount ${n}1.00.", "beta") for n in range(1, 21)]
    mine = _said("m1", "The refund amount for order O-1042 is $500.00.", "alpha")
    scopes = {surface.id: surface.scope for surface in [*near, mine]}
    player = fresh().absorb([mine, *near])
    block = player.read("alpha")
    if any(scopes.get(source) == "beta" for shown in block.items for source in shown.sources):
        yield "a block for scope 'alpha' shows an item of scope 'beta'"
    alone = fresh("alone").absorb([mine])
    if _texts(block) != _texts(alone.read("alpha")):
        yield "items of another scope push out items of the asked one"


def _repeats_nothing(fresh: Fresh) -> Iterator[str]:
    player = fresh().absorb(story())
    shown = "u1 u10 u11 t1"
    for each in player.read(shown=shown).items:
        if set(each.sources) <= set(shown.split()):
            yield f"the block repeats {each.item!r}, which the working context shows"


def _names_sources(fresh: Fresh) -> Iterator[str]:
    player = fresh().absorb(story())
    known = {surface.id for surface in story()}
    items = player.held()
    if len({item.id for item in items}) != len(items):
        yield "two items share an id"
    for item in items:
        if not item.sources or not item.sources <= known:
            yield f"item {item.id!r} has sources {sorted(item.sources)}, which were not absorbed"
    held = {item.id for item in items}
    for shown in player.read().items:
        if shown.item not in held:
            yield f"the block shows {shown.item!r}, which is not held"
        if "\n" in shown.text:
            yield f"the block shows {shown.item!r} on more than one line"


def _withdraws(fresh: Fresh) -> Iterator[str]:
    player = fresh().absorb(story())
    before, held = player.read(), player.held()
    player.withdraw("u11", "u1")
    if any({"u1", "u11"} & set(shown.sources) for shown in player.read().items):
        yield "a block shows what was withdrawn"
    if any(bool(item.sources & {"u1", "u11"}) != item.hidden for item in player.held()):
        yield "holdings mark other items as hidden than those from withdrawn events"
    player.regrant("u1")
    if any("u11" in shown.sources for shown in player.read().items):
        yield "granting one event again shows an item from an event that is still withdrawn"
    player.regrant("u11")
    if player.read() != before or player.held() != held:
        yield "after withdrawing and granting again the memory is not as before"


def _deletes(fresh: Fresh) -> Iterator[str]:
    player = fresh().absorb(story())
    player.delete("u1")
    if any("u1" in item.sources for item in player.held()):
        yield "a deleted event is still held"
    if any("u1" in shown.sources for shown in player.read().items):
        yield "a block shows what was deleted"
    player.regrant("u1")
    if any("u1" in item.sources for item in player.held()):
        yield "granting a deleted event again brings it back"


def _spares_digests(fresh: Fresh) -> Iterator[str]:
    player = fresh().absorb(story())
    before, held = player.read(), player.held()
    player.withdraw("u1", "u11", reach="index")
    for item in player.held():
        if item.hidden != (not item.derived and not item.sources.isdisjoint(("u1", "u11"))):
            yield (
                f"with the reach 'index' {item.id!r} is {'hidden' if item.hidden else 'shown'}, "
                f"and {'a digest' if item.derived else 'no digest'}"
            )
    player.regrant("u1", "u11")
    if player.read() != before or player.held() != held:
        yield "after withdrawing with the reach 'index' and granting again it is not as before"
    player.delete("u1", reach="index")
    names = {item.id for item in held if item.derived or "u1" not in item.sources}
    if {item.id for item in player.held()} != names:
        yield "deleting with the reach 'index' erases something else than the direct records"


def _keeps_out(fresh: Fresh) -> Iterator[str]:
    """What was forgotten may still be in the working context, and comes at the next boundary."""
    player = fresh()
    player.withdraw("u1")
    player.delete("u11")
    player.absorb(story())
    if any({"u1", "u11"} & set(shown.sources) for shown in player.read().items):
        yield "a block shows what was absorbed after it had been forgotten"
    for item in player.held():
        if "u11" in item.sources or ("u1" in item.sources and not item.hidden):
            yield f"{item.id!r} was absorbed after it was forgotten, and is held and not hidden"


def _rebuilds(fresh: Fresh) -> Iterator[str]:
    player = fresh().absorb(story())
    before, held, carried = player.read(), player.held(), player.carried()
    player.withdraw("u1", "u11")
    lost = carried - player.carried() - {"u1", "u11"}
    player.absorb([surface for surface in story() if surface.id in lost])
    if any({"u1", "u11"} & set(shown.sources) for shown in player.read().items):
        yield "absorbing again what was lost with something brings that back, too"
    player.regrant("u1", "u11")
    if player.read() != before or player.held() != held:
        yield "after withdrawing, absorbing again what was lost, and granting it is not as before"


def _tells_ids_apart(fresh: Fresh) -> Iterator[str]:
    one = {frozenset(("u10",)), frozenset(("u11",))}
    player = fresh().absorb(story())
    before = [item for item in player.held() if item.sources in one]
    player.delete("u1")
    if [item for item in player.held() if item.sources in one] != before:
        yield "deleting 'u1' also deletes items that come from 'u10' or 'u11' alone"


def _ignores_unknown(fresh: Fresh) -> Iterator[str]:
    player = fresh().absorb(story())
    before = (player.read(), player.held())
    player.delete("nobody")
    player.withdraw("nothing")
    player.regrant("never")
    if (player.read(), player.held()) != before:
        yield "forgetting an id that no item came from changes something"


def _bears_emptiness(fresh: Fresh) -> Iterator[str]:
    player = fresh()
    if player.read().items or player.held():
        yield "a new memory is not empty"
    player.absorb([])
    if player.read().items or player.held():
        yield "an empty transcript leaves something behind"
    player.memory.close()
    player.memory.close()  # a driver may close twice when a trial fails


def _refuses_unknown_options(fresh: Fresh) -> Iterator[str]:
    options = type(fresh().memory).Options
    try:
        read_options(options, {"no_such_option": 1}, "memory")
    except InputError:
        return
    yield f"{options.__name__} accepts an unknown option; derive it from {Options.__qualname__}"


def _has_sound_tools(fresh: Fresh) -> Iterator[str]:
    memory = fresh().memory
    if isinstance(memory, Tooled):
        yield from broken_tools(memory)


def _keeps_the_contract_in_tools(fresh: Fresh) -> Iterator[str]:
    for number, (scope, budget) in enumerate([*product(_SCOPES, (8, 34, 1000))]):
        player = fresh(str(number)).absorb(story())
        ask = Ask(_QUERY, budget, scope, _START + 9 * DAY, frozenset(("u11",)))
        for tool, used in player.use_all(ask):
            yield from broken_use(tool, used, ask, player.held())


def _forgets_what_tools_moved(fresh: Fresh) -> Iterator[str]:
    ask = Ask(_QUERY, 1000, GLOBAL, _START + 9 * DAY)
    first, second = fresh("first").absorb(story()), fresh("second").absorb(story())
    if [*first.use_all(ask)] != [*second.use_all(ask)] or first.held() != second.held():
        yield "the same uses of tools come to different things in two instances"
    for name, player in (("withdrawn", first), ("deleted", second)):
        player.withdraw("u1") if name == "withdrawn" else player.delete("u1")
        used = [used for _, used in player.use_all(ask)]
        if any(_FIRST in each.render() for each in used) or _FIRST in player.read().render():
            yield f"after tools moved it, what was {name} is still given back"
        held = [item for item in player.held() if not item.hidden]
        if any("u1" in item.sources or _FIRST in item.text for item in held):
            yield f"after tools moved it, what was {name} is still held and not hidden"


def _texts(block: Block) -> list[str]:
    return [shown.text for shown in block.items]


_PROMISES: tuple[Callable[[Fresh], Iterator[str]], ...] = (
    _is_deterministic,
    _is_alone,
    _keeps_budget,
    _keeps_scope,
    _repeats_nothing,
    _names_sources,
    _withdraws,
    _deletes,
    _spares_digests,
    _keeps_out,
    _rebuilds,
    _tells_ids_apart,
    _ignores_unknown,
    _bears_emptiness,
    _has_sound_tools,
    _keeps_the_contract_in_tools,
    _forgets_what_tools_moved,
    _refuses_unknown_options,
)
