"""`memtrial explain`."""

from collections.abc import Iterator

from runs.commands.output import print_json
from scoring.admissibility import query_aware
from scoring.matching import Finding, Occurrence, find
from scoring.scorers import SCORER
from scoring.yesno import decide
from simulator.events.errors import InputError

LEXICAL = "lexical: how the text is written, not what it entails"


def explain(
    text: str, phrase: str | None, prompt: str | None, decision: bool, as_json: bool
) -> None:
    """Explain what a text says of a phrase, or whether it decides.

    Raises:
        InputError: when it is not exactly one of the two.
    """
    if decision is (phrase is not None):
        raise InputError("explain needs either --phrase or --decision", field="phrase")
    if decision and prompt is not None:
        raise InputError("--prompt goes with --phrase, not with --decision", field="prompt")
    if phrase is None:
        explain_decision(text, as_json)
    else:
        explain_phrase(phrase, text, prompt, as_json)


def explain_phrase(phrase: str, text: str, prompt: str | None, as_json: bool) -> None:
    """Print what a text says of a phrase, occurrence by occurrence."""
    found = find(phrase, text, prompt or "")
    gated = None if prompt is None else query_aware(phrase, prompt, ())
    if as_json:
        print_json(
            {
                "verdict": found.verdict,
                "reason": found.reason,
                "occurrences": [each._asdict() for each in found.occurrences],
                "inflected": [each._asdict() for each in found.inflected],
                "query_aware": gated,
                "rule": LEXICAL,
                "scorer": SCORER,
            }
        )
        return
    print("\n".join(_lines(found, gated)))


def explain_decision(text: str, as_json: bool) -> None:
    """Print whether a text says yes or no, and why."""
    found = decide(text)
    if as_json:
        told = {"decision": found.decision, "reason": found.reason}
        print_json({**told, "rule": LEXICAL, "scorer": SCORER})
        return
    print(f"{found.decision or 'undecided'}: {found.reason}\n({LEXICAL})")


def _lines(found: Finding, gated: str | None) -> Iterator[str]:
    yield f"{found.verdict}: {found.reason}"
    for each in found.occurrences:
        yield from _shown(each, each.verdict)
    for each in found.inflected:
        yield from _shown(each, f"inflected, decides nothing ({each.verdict})")
    if gated is not None:
        yield f"\nunder the query-aware gate: inadmissible, {gated}"
    yield f"\n({LEXICAL})"


def _shown(each: Occurrence, what: str) -> Iterator[str]:
    """Yield a place's clause with carets under the phrase, and the reason."""
    # Every white space is one column, so that the carets stand right.
    clause = "".join(" " if char.isspace() else char for char in each.clause)
    yield f"\n{each.start}-{each.end}  {what}"
    yield f"  {clause}"
    yield "  " + " " * (each.start - each.clause_start) + "^" * (each.end - each.start)
    yield f"  {each.reason}"
