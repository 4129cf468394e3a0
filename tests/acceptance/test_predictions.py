"""An independent account of the readers' rules predicts every decision from the logged prompt."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from scoring.run import Run
from simulator.effects.registry import names
from tests.acceptance import stage
from tests.acceptance.predict import LENT, UNKNOWN, Action, predict

READERS = ("first", "last", "dated")


def acted(decision: stage.Decision) -> Iterator[tuple[str, Action]]:
    """Yield the prompt of each completion of a decision and what was done after it."""
    prompt = None
    for event in decision.events:
        if event.kind == "completion" and event.body["role"] == "agent_model":
            prompt = decision.trial.text(event.body["rendered"])
        elif event.kind == "tool_call" and prompt is not None:
            yield prompt, (event.body["tool"], event.body["arguments"])
        elif event.kind in ("answer", "clarification", "refusal", "error") and prompt is not None:
            yield prompt, (event.kind, event.body.get("text"))


def model_of(decision: stage.Decision) -> str:
    return str(decision.trial.opened["options"]["model"])


def test_every_action_is_predicted(readers_run: Run) -> None:
    counts: Counter[str] = Counter()
    for decision in stage.decisions(readers_run):
        counts["decisions"] += 1
        for prompt, done in acted(decision):
            expected = predict(model_of(decision), prompt)
            assert done == expected, f"{decision.trial.name} {decision.id}\n{prompt}"
            counts["unknown" if done == UNKNOWN else done[0]] += 1
    assert counts["decisions"] >= 1000
    # Neither side agrees by always saying the same.
    assert counts["unknown"] > 100 and counts["answer"] > 100 and counts["issue_refund"] > 50


def test_the_readers_are_told_apart(readers_run: Run) -> None:
    """There are enough prompts on which their rules lead to different acts."""
    prompts = {prompt for decision in stage.decisions(readers_run) for prompt, _ in acted(decision)}
    acts = [{reader: str(predict(reader, each)) for reader in READERS} for each in prompts]
    for one, other in combinations(READERS, 2):
        assert sum(each[one] != each[other] for each in acts) >= 5, (one, other)


def test_the_prompts_show_the_logged_block(readers_run: Run) -> None:
    shown = 0
    for decision in stage.decisions(readers_run):
        for prompt, _ in acted(decision):
            section = f"\n\n## Memory\n{decision.block}\n\n## " if decision.block else ""
            assert section in prompt
            assert (prompt.count("\n\n## Memory\n") == 1) is bool(decision.block)
            shown += bool(decision.block)
    assert shown > 1000


def test_every_memory_is_read(readers_run: Run) -> None:
    blocks: defaultdict[str, list[bool]] = defaultdict(list)
    for decision in stage.decisions(readers_run):
        blocks[decision.trial.opened["options"]["memory"]].append(bool(decision.block))
    assert sorted(blocks) == names("memory")
    assert [name for name, held in blocks.items() if not any(held)] == ["none"]


SAME = ("instructions", "examples", "context", "request", "max_tokens", "seed")


def without_lent(text: str) -> str:
    """Return tool lines, or a prompt, without the tools that a memory lends."""
    return "\n".join(line for line in text.split("\n") if not LENT.match(line))


def test_arms_differ_in_what_the_memory_gives_alone(readers_run: Run) -> None:
    """At the first decision of an episode; the readers differ in no byte of it either.

    What a memory gives is its block and, where it has any, its own tools.

    Every arm draws the same numbers there, however many calls it has made before.
    """
    groups: defaultdict[tuple[str, str], list[tuple[Any, ...]]] = defaultdict(list)
    blocks: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    seen: set[tuple[str, str]] = set()
    for decision in stage.decisions(readers_run):
        episode = decision.id.partition("/")[0]
        if (decision.trial.name, episode) in seen:
            continue
        seen.add((decision.trial.name, episode))
        first = decision.first
        assert first is not None
        place = decision.trial.arc, episode
        rendered = decision.trial.text(first["rendered"])
        block = decision.trial.text(first["block"])
        if block:
            rendered = rendered.replace(f"## Memory\n{block}\n\n", "", 1)
        shown = without_lent(rendered), without_lent(decision.trial.text(first["tools"]))
        groups[place].append((*shown, *(first[name] for name in SAME)))
        blocks[place].add(block)
    arms = len(readers_run.manifest.arms)
    assert arms == 3 * (len(stage.memories()) + 2)
    for place, prompts in groups.items():
        assert len(prompts) == arms
        assert len(set(prompts)) == 1, place
    # From the second session on the blocks do differ, or the test would say nothing.
    assert sum(len(each) > 3 for each in blocks.values()) > len(blocks) // 2
