"""Lets a model put the sentences of generated arcs into other words."""

from collections.abc import Callable, Sequence

from probes.ladder.paraphrase import MAX_TOKENS, Paraphrased, paraphrase
from probes.scenario import Scenario
from runs.arms import effective_part, named_fault, part_named
from simulator.effects.prompts import Prompt
from simulator.engine.parts import make
from simulator.engine.sources import LiveSources
from simulator.events.faults import Fault
from simulator.models.port import CompletionRequest, Model
from simulator.models.rendering import RENDERERS

FIELD = "paraphrase-model"


def rewrite(
    scenarios: Sequence[Scenario], model: str, report: Callable[[int, int], None]
) -> Paraphrased:
    """Return the scenarios with sentences in the words of a model, `NAME[,option=value,…]`.

    Raises:
        InputError: when there is no such model, or it cannot be made.
    """
    spec = effective_part("model", part_named(model, FIELD), FIELD)
    with named_fault("model", spec.name):
        made: Model = make("model", spec)
    try:
        return paraphrase(scenarios, _Asker(made), spec.name, report)
    finally:
        made.close()


class _Asker:
    """Asks a model, one prompt after another."""

    def __init__(self, model: Model) -> None:
        # It is the only model of these sources, so it has an agent's model's place.
        self._sources = LiveSources({"agent_model": model}, None)
        self._render = RENDERERS[model.renderer]
        self._previous = ""

    def __call__(self, prompt: Prompt, seed: int) -> str | None:
        rendered = self._render(prompt)
        request = CompletionRequest(prompt, rendered, self._previous, MAX_TOKENS, seed)
        self._previous = rendered
        try:
            return self._sources.complete("agent_model", request).text
        except Fault:
            return None
