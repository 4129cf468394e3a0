"""What every model back end must do: run `check_model` in a test of your own.

def test_my_model() -> None:
    check_model(lambda: MyModel(MyModel.Options()))
"""

from collections.abc import Callable

from simulator.effects.environment import Tool
from simulator.effects.prompts import Completion, Prompt
from simulator.events import Surface, canonical_json
from simulator.events.faults import Fault
from simulator.models.port import CompletionRequest, Model
from simulator.models.rendering import RENDERERS

MAX_TOKENS = 48

_TOOL = Tool(
    name="close_ticket",
    description="Close a support ticket.",
    parameters={
        "type": "object",
        "properties": {"ticket": {"type": "string", "examples": ["T-12"]}},
        "required": ["ticket"],
        "additionalProperties": False,
    },
    read_only=False,
)
_PROMPTS = (
    Prompt(
        instructions="Act on the request.",
        tools=(_TOOL,),
        examples=('Close ticket T-90.\nAction: close_ticket(ticket="T-90")',),
        block="From earlier sessions:\n[2025-03-03] ticket T-31: state = open",
        context=(Surface(id="e/m", role="user", text="Good morning.", time=1_741_000_000_000),),
        request="Close ticket T-31.",
    ),
    Prompt(instructions="Answer in one line.", request="What is the state of ticket T-31?"),
)


def check_model(make: Callable[[], Model]) -> None:
    """Check a model against its port; `make` returns a new one each time.

    Raises:
        AssertionError: naming the promise that is broken.
    """
    model = make()
    try:
        check_identity(model, make)
        check_usage(model)
        check_long_prompt(model)
    finally:
        model.close()
        model.close()  # closing twice must do no harm
    if model.deterministic:
        check_determinism(make)


def check_identity(model: Model, make: Callable[[], Model]) -> None:
    """Check that a model says what it is: storable, stable, without a path."""
    assert model.renderer in RENDERERS, f"unknown renderer {model.renderer!r}"
    identity = canonical_json(model.identity())
    assert identity == canonical_json(model.identity()), "the identity changes between calls"
    other = make()
    same = identity == canonical_json(other.identity())
    other.close()
    assert same, "two models of the same options have different identities"
    assert "/home/" not in identity and ":\\\\" not in identity, "the identity holds a path"


def check_usage(model: Model) -> None:
    """Check text, finish and usage of calls with and without tools and a previous prompt."""
    for prompt in _PROMPTS:
        first = model.complete(_request(model, prompt, previous=""))
        if first.service is None:
            assert first.usage.cached == 0, (
                "tokens are cached although there was no previous prompt"
            )
        rendered = RENDERERS[model.renderer](prompt)
        again = model.complete(_request(model, prompt, previous=rendered))
        assert again.usage.input == first.usage.input, "equal prompts have different input counts"
        if again.service is None:  # an endpoint tells what it took from its own cache
            assert again.usage.cached == again.usage.input, "an equal previous prompt is all cached"
        for completion in (first, again):
            _check_completion(model, completion)


def _check_completion(model: Model, completion: Completion) -> None:
    usage = completion.usage
    assert usage.input > 0, "a prompt has no tokens"
    assert 0 <= usage.cached <= usage.input, "more tokens cached than read"
    assert 0 <= usage.reasoning <= usage.output, "more reasoning tokens than produced"
    assert usage.output > 0 or not completion.text, "a text that took no tokens"
    assert model.scripted or usage.output <= MAX_TOKENS, "more tokens than asked for"
    canonical_json(completion.text)


def check_long_prompt(model: Model) -> None:
    """Check that a very long prompt is read or is an overflow, and the next call works."""
    long = Prompt(instructions="Read all of it.", request="one two three four " * 50_000)
    try:
        model.complete(_request(model, long, previous=""))
    except Fault as fault:
        blame = (fault.culprit, fault.fault)
        assert blame == ("model", "overflow"), f"a long prompt is a fault {blame}"
    model.complete(_request(model, _PROMPTS[0], previous=""))


def check_determinism(make: Callable[[], Model]) -> None:
    """Check that two new models answer equal requests equally."""
    left, right = make(), make()
    for prompt in _PROMPTS:
        request = _request(left, prompt, previous="")
        assert left.complete(request) == right.complete(request), "equal requests, other answers"
    left.close()
    right.close()


def _request(model: Model, prompt: Prompt, previous: str) -> CompletionRequest:
    rendered = RENDERERS[model.renderer](prompt)
    return CompletionRequest(prompt, rendered, previous, MAX_TOKENS, seed=7)
