"""Stand-ins: what is asked in a dry run in the place of a model that costs money or minutes.

A stand-in is no model and none is loaded for it. It reads the prompt that the model would get,
and answers in the form that is wanted, so that the trial takes the course that it would take if
the model did its task.
"""

from collections.abc import Sequence

from memories.extraction.dictation import WRITE_FACTS, written_facts
from memories.extraction.factbook import Factbook
from memories.extraction.noting import note_all
from memories.sentences import sentences, states
from memories.shelf import Shelf
from memories.words import value_words
from simulator.effects.options import Options
from simulator.effects.prompts import Completion, Prompt, Usage
from simulator.engine.arm import PartSpec
from simulator.events import GLOBAL
from simulator.events.tokens import count_tokens
from simulator.models.openai.options import OpenAIOptions
from simulator.models.openai.request import offered_tools
from simulator.models.port import CompletionRequest
from simulator.models.scripted.readers import LastReader, shared_prefix
from simulator.models.scripted.reading import read_prompt


class StandIn:
    """Answers in the place of one model.

    Args:
        spec: The model.
        length: Output tokens of each of its completions; None counts what is written here.
    """

    def __init__(self, spec: PartSpec, length: int | None) -> None:
        self._spec = spec
        self._length = length

    def complete(self, request: CompletionRequest) -> Completion:
        """Answer a prompt; usage is counted with the suite's own counter."""
        limit = min(self._length or request.max_tokens, request.max_tokens)
        text = self.reply(request, limit)
        written = min(self._length or count_tokens(text), request.max_tokens)
        beside = beside_prompt(self._spec, request)
        shared = shared_prefix(request.rendered, request.previous)
        cached = beside + count_tokens(request.rendered[:shared]) if request.previous else 0
        read = beside + count_tokens(request.rendered)
        # A prefix may end inside a word, whose parts count more than the whole.
        usage = Usage(input=read, cached=min(cached, read), output=written)
        return Completion(text=text, finish="stop", usage=usage)

    def reply(self, request: CompletionRequest, limit: int) -> str:
        """Return what is said, in about `limit` tokens where that is open."""
        raise NotImplementedError


class Actor(StandIn):
    """Acts as the reader `last` does: one call in the form of the tools, then an answer."""

    def __init__(self, spec: PartSpec, length: int | None) -> None:
        super().__init__(spec, length)
        self._reader = LastReader(Options())

    def reply(self, request: CompletionRequest, limit: int) -> str:
        return self._reader.reply(read_prompt(request.rendered), request.seed)


class Scribe(StandIn):
    """Writes a memory down: facts where these are asked for by their schema, else sentences.

    Facts are what the patterns of the memory `facts` find. Sentences are copied, of the old notes
    and of the session: those with most ids, amounts and dates, and of equals the newest, until
    `limit` tokens are written.
    """

    def reply(self, request: CompletionRequest, limit: int) -> str:
        prompt = request.prompt
        if WRITE_FACTS in prompt.tools:
            rows = _facts(prompt)
            kept = _fitting([written_facts([row]) for row in rows], limit)
            return written_facts([rows[at] for at in kept])
        lines = _sentences(prompt)
        return "\n".join(lines[at] for at in _fitting(lines, limit)) or "none"


class Grader(StandIn):
    """Judges every answer to be right, in one word."""

    def reply(self, request: CompletionRequest, limit: int) -> str:
        return "pass"


def _facts(prompt: Prompt) -> list[tuple[str, str, str]]:
    book = Factbook(Shelf(), dates=False)
    note_all([each.model_copy(update={"scope": GLOBAL}) for each in prompt.context], book)
    facts = [fact for tool in (False, True) for fact in book.lookup(GLOBAL, tool)]
    return [(fact.entity or "-", fact.attribute, fact.value) for fact in facts]


def _sentences(prompt: Prompt) -> list[str]:
    old = prompt.block.splitlines()[1:]  # the first line is a heading
    said = (sentence for surface in prompt.context for sentence in sentences(surface.text))
    return [*old, *filter(states, said)]


def _fitting(lines: Sequence[str], limit: int) -> list[int]:
    """Return the places of the lines that say most and fit, in order; always the first of them."""
    newest_first = reversed(range(len(lines)))
    kept: list[int] = []
    for at in sorted(newest_first, key=lambda at: -len(value_words(lines[at]))):
        limit -= count_tokens(lines[at]) + 1
        if limit < 0 and kept:
            break
        kept.append(at)
    return sorted(kept)


def beside_prompt(spec: PartSpec, request: CompletionRequest) -> int:
    """Return the tokens that a back end sends beside the rendered prompt.

    An endpoint with native tools is sent each of them, and one for each way to end a decision. It
    bills them in a form of its own, near a signature and a description a tool.
    """
    if spec.name != "openai":
        return 0
    tools = offered_tools(OpenAIOptions.model_validate(spec.options), request)
    return count_tokens("\n".join(tool.signature for tool in tools))
