"""Paths: the places in which a copy of dropped content can survive, and reach an agent again."""

from collections.abc import Collection

STORES = {
    "replay": "replay_window",
    "retrieval": "chunks",
    "summary": "summaries",
    "facts": "facts",
}
"""Memory to the path of its items; what a memory that is not named here holds has its own name."""

ANSWER, ARGUMENT, WORLD = "answer", "argument", "world"
"""How an agent uses content: what it ends a decision with, a call that ran, a change it made."""

WORKING_CONTEXT, TOOL_RESULTS, AGENT_WORDS = "working_context", "tool_results", "agent_words"
PROMPT_CACHE, WORLD_COPIES = "prompt_cache", "world_copies"
BLOCK, MEMORY_PROMPT = "block", "memory_prompt"
OUTSIDE = frozenset((WORKING_CONTEXT, TOOL_RESULTS, AGENT_WORDS, PROMPT_CACHE, WORLD_COPIES))
"""Paths of what no memory holds."""

ANY = "any"
"""All paths together, each thing counted once; the paths need not add up to it."""

ORDER = (
    ANY,
    WORKING_CONTEXT,
    TOOL_RESULTS,
    AGENT_WORDS,
    *STORES.values(),
    "statements",
    "entries",
    "core",
    "archive",
    BLOCK,
    MEMORY_PROMPT,
    PROMPT_CACHE,
    WORLD_COPIES,
    ANSWER,
    ARGUMENT,
    WORLD,
)
"""Paths in the order of tables; others come last, by name."""


def place(path: str) -> tuple[int, str]:
    """Return what a path is sorted by."""
    return (ORDER.index(path) if path in ORDER else len(ORDER)), path


def path_of_item(memory: str, item: str, sources: Collection[str]) -> str:
    """Return the path of something that a memory holds.

    A line that stands for one event is called as the event is, so the two halves of `hybrid` can
    be told apart; and `paging` names its items by where they are.
    """
    if memory == "hybrid":
        return STORES["retrieval" if item in sources else "facts"]
    if memory == "paging":
        return "core" if item.startswith("core") else "archive"
    return STORES.get(memory, memory)


def path_of_surface(role: str, called: bool) -> str:
    """Return the path of something in the working context; `called` is what a call returned."""
    if role == "assistant":
        return AGENT_WORDS
    return TOOL_RESULTS if called else WORKING_CONTEXT
