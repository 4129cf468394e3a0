"""Other words by a model: taken only where a check of the words finds nothing changed."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from probes.ladder import ladder, phrasing, varied
from probes.ladder.paraphrase import first_line, paraphrase, prompt_for, statements
from probes.ladder.rewording import LONGEST, Wording
from probes.linting.lint import lint
from probes.scenario import read_folder
from runs.commands.generate import Wanted, generate
from runs.rewriting import rewrite
from simulator.effects.prompts import Prompt
from simulator.events.errors import InputError
from simulator.models.scripted.shapes import shape_of_example
from tests.probes.arcs import ENVIRONMENTS, environment_of, texts
from tests.probes.rephraser import rephrased

MODEL = "tests.probes.rephraser:Rephraser"
FACT = "the refund agreed for order O-1042"
SHAPES = [shape_of_example(each) for each in ("O-9041", "C-9007", "$87.40", "907 Test Road")]


def fault(sentence: str, other: str) -> str | None:
    fact = re.search(re.escape(FACT), sentence, re.IGNORECASE)
    assert fact is not None
    return Wording(sentence, fact[0], frozenset({"O-1042"}), SHAPES).fault(other)


SAME = [
    (
        "The refund agreed for order O-1042 is $12.00.",
        "For order O-1042 the agreed refund: $12.00.",
    ),
    (
        "The refund agreed for order O-1042 is $12.00 instead of $15.00.",
        "For order O-1042 the agreed refund is $12.00 instead of $15.00.",
    ),
    (
        "The refund agreed for order O-1042 is not $15.00 but $12.00.",
        "For order O-1042 the agreed refund is not $15.00 but $12.00.",
    ),
    (
        "The refund agreed for order O-1042 changes from $15.00 to $12.00.",
        "For order O-1042 the agreed refund changed from $15.00 to $12.00.",
    ),
    (
        "Formerly the refund agreed for order O-1042 was $15.00.",
        "The refund agreed for order O-1042 used to be $15.00.",
    ),
    (
        "They reversed it, the refund agreed for order O-1042 is $15.00 again.",
        "The refund agreed for order O-1042 is back at $15.00.",
    ),
    (
        "From 3 March on, the refund agreed for order O-1042 is $15.00.",
        "The agreed refund for order O-1042 is $15.00 from 3 March on.",
    ),
    (
        "A late report came in: since 21 February the refund agreed for order O-1042 is $15.00.",
        "Since 21 February, says an overdue form, the agreed refund for order O-1042 is $15.00.",
    ),
]

CHANGED = [
    # Another value, id or date.
    (SAME[0][0], "The refund agreed for order O-1042 is $12.01.", "other values or ids"),
    (SAME[0][0], "The refund agreed for order O-1043 is $12.00.", "other values or ids"),
    (SAME[0][0], "The refund agreed is $12.00.", "other values or ids"),
    (SAME[0][0], "The refund agreed for order O-1042 is $12.00, once $9.00.", "other values or"),
    (SAME[0][0], "The refund agreed for orders O-1042 and O-1042 is $12.00.", "other values or"),
    (SAME[6][0], "From 4 March on, the refund agreed for order O-1042 is $15.00.", "dates differ"),
    (SAME[6][0], "From 3 April on, the refund agreed for order O-1042 is $15.00.", "dates differ"),
    # Another fact.
    (SAME[0][0], "The fee for order O-1042 is $12.00.", "calls the fact something else"),
    # A turned meaning with all words and values in place.
    (SAME[1][0], "The refund agreed for order O-1042 is $15.00 instead of $12.00.", "of the value"),
    (SAME[1][0], "Instead of $12.00 the refund agreed for order O-1042 is $15.00.", "of the value"),
    (SAME[2][0], "The refund agreed for order O-1042 is $15.00, not $12.00.", "of the value"),
    (SAME[3][0], "The refund agreed for order O-1042 changes to $15.00 from $12.00.", "of the val"),
    # A meaning that is lost, or comes in.
    (SAME[4][0], "The refund agreed for order O-1042 is $15.00.", "of the value"),
    (SAME[5][0], "The refund agreed for order O-1042 is $15.00.", "of the value"),
    (SAME[6][0], "The refund agreed for order O-1042 is $15.00, 3 March.", "of the value"),
    (SAME[7][0], "From 21 February on the refund agreed for order O-1042 is $15.00.", "of the val"),
    (SAME[0][0], "The refund agreed for order O-1042 is not $12.00.", "of the value"),
    (SAME[0][0], "The refund agreed for order O-1042 isn't $12.00.", "of the value"),
    (SAME[0][0], "The refund agreed for order O-1042 is perhaps $12.00.", "of the value"),
    (SAME[0][0], "The refund agreed for order O-1042 is $12.00 since today.", "of the value"),
    # No sentence.
    (SAME[0][0], "", "empty"),
    (SAME[0][0], SAME[0][0], "the same"),
    (SAME[0][0], "Is the refund agreed for order O-1042 $12.00?", "more than one statement"),
    (SAME[0][0], f"{SAME[0][0]} Good bye.", "more than one statement"),
    (SAME[0][0], SAME[0][0].replace("is", "is" + " so" * LONGEST), "too long"),
]


@pytest.mark.parametrize(("sentence", "other"), SAME)
def test_other_words_for_the_same_are_taken(sentence: str, other: str) -> None:
    assert fault(sentence, other) is None


@pytest.mark.parametrize(("sentence", "other", "why"), CHANGED)
def test_what_may_say_something_else_is_refused(sentence: str, other: str, why: str) -> None:
    assert why in (fault(sentence, other) or "")


@pytest.mark.parametrize("act", list(phrasing.FRAMES))
def test_a_denial_of_any_frame_is_refused(act: phrasing.Act) -> None:
    for frame in phrasing.FRAMES[act]:
        sentence = frame.format(
            fact=FACT, Fact=FACT.capitalize(), value="$12.00", old="$15.00", day="3 March"
        )
        assert fault(sentence, first_line(rephrased(sentence, "well"))) is None
        for word in ("is", "was", "were", "has", "became", "returns", "changes", "stays"):
            denied = re.sub(rf"\b{word}\b", f"{word} not", sentence, count=1)
            if denied != sentence:
                assert fault(sentence, denied) is not None


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_every_stating_sentence_is_asked_about_and_nothing_else(environment: str) -> None:
    for arc in ladder(environment, 7, 6, distractors=1):
        found = {each.event: each.wording for each in statements(arc)}
        probes = arc.key.probes
        stating = {event for each in probes for gold in each.gold for event in gold.evidence}
        stating |= {event for each in probes for old in each.forbidden for event in old.evidence}
        assert stating <= set(found)
        said = texts(arc)
        for event, wording in found.items():
            assert wording.text == said[event]
            assert wording.fact.lower() in wording.text.lower()
            assert wording.fault(f"By the way, {wording.text}") is None
        assert len(found) < len(said) / 3


def asked(way: str) -> Callable[[Prompt, int], str | None]:
    return lambda prompt, seed: rephrased(prompt.request, way)


def test_taken_sentences_stand_in_the_scenario_and_it_stays_sound() -> None:
    clean = ladder("support", 7, 3, distractors=1)
    done = paraphrase(clean, asked("well"), "mine")
    assert done.sentences == done.accepted > 30 and not done.kept
    for arc, before in zip(done.scenarios, clean, strict=True):
        stating = {each.event for each in statements(before)}
        was, now = texts(before), texts(arc)
        assert {event for event in now if now[event] != was[event]} == stating
        assert all(now[event].startswith("By the way, ") for event in stating)
        assert arc.key.origin == f"{before.key.origin} paraphrase=mine"
        assert arc.key.probes == before.key.probes and arc.script.world == before.script.world
        assert arc.script.hash != before.script.hash
        assert varied(arc.key, 0) == before  # non-interference is still looked at
    assert lint(done.scenarios) == []


@pytest.mark.parametrize(
    ("way", "why"),
    [
        ("other value", "it has other values or ids|its dates differ"),
        ("chatty", "it is more than one statement"),
        ("silent", "it is empty"),
    ],
)
def test_refused_sentences_stay_as_they_were_and_are_counted(way: str, why: str) -> None:
    clean = ladder("support", 7, 2)
    done = paraphrase(clean, asked(way), "mine")
    assert done.accepted == 0 and set(done.kept) == set(why.split("|"))
    assert done.kept.total() == done.sentences
    assert [texts(each) for each in done.scenarios] == [texts(each) for each in clean]


def test_a_call_that_fails_is_no_sentence() -> None:
    done = paraphrase(ladder("support", 7, 1), lambda prompt, seed: None, "mine")
    assert done.kept == {"the model failed": done.sentences}


def test_the_first_line_of_an_answer_counts_without_its_quotes() -> None:
    assert first_line('\n  "It is so."  \nmore') == "It is so."
    assert first_line("“It is so.”") == "It is so." and first_line(" \n") == ""
    assert prompt_for("It is so.").request == "It is so."


def command(out: Path, **changes: object) -> Wanted:
    settings: dict[str, object] = {
        "out": out,
        "seed": 7,
        "environment": "support",
        "arcs": 1,
        "tiers": "easy,hard",
        "dependent": 0.4,
        "distractors": 0,
        "corruption": "none",
        "rate": None,
        "corruption_mode": "event",
        "paraphrase_model": f"{MODEL},way=in turn",
    }
    return Wanted(**settings | changes)  # type: ignore[arg-type]


def test_the_command_freezes_the_texts_and_tells_how_many(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    generate(command(tmp_path / "arcs", corruption="none,stale", rate=0.5), as_json=True)
    told = json.loads(capsys.readouterr().out)
    counts = told["paraphrased"]
    assert counts["sentences"] == counts["accepted"] + sum(counts["kept"].values())
    assert 0 < counts["accepted"] < counts["sentences"]
    assert set(counts["kept"]) == {"it says something else of the value"}
    made = read_folder(tmp_path / "arcs")
    assert sorted(each.script.arc for each in made) == sorted(told["scenarios"])
    assert len(made) == 4 and lint(made) == []
    said = [text for each in made for text in texts(each).values()]
    assert sum(text.startswith("By the way, ") for text in said) == 2 * counts["accepted"]
    generate(command(tmp_path / "again", corruption="none,stale", rate=0.5), as_json=False)
    assert read_folder(tmp_path / "again") == made
    out = capsys.readouterr().out
    assert f"{counts['accepted']} of {counts['sentences']} sentences" in out
    assert "kept as they were: it says something else of the value" in out


def test_a_model_that_always_fails_leaves_all_sentences(tmp_path: Path) -> None:
    clean = ladder("support", 7, 1)
    done = rewrite(clean, f"{MODEL},way=broken", lambda done, of: None)
    assert done.accepted == 0 and set(done.kept) == {"the model failed"}


@pytest.mark.local
def test_a_real_model_is_asked_and_its_sentences_are_counted() -> None:
    clean = ladder("support", 7, 1, ["easy"])
    done = rewrite(clean, "llama-cpp", lambda done, of: None)
    assert done.sentences == done.accepted + done.kept.total() > 0
    assert "the model failed" not in done.kept
    assert lint(done.scenarios) == []


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("lats", "unknown model 'lats'; did you mean 'last'"),
        (f"{MODEL},way", "NAME,option=value"),
        (f"{MODEL},way=loud", "'way'"),
    ],
)
def test_an_unknown_model_is_refused_before_anything_is_written(
    tmp_path: Path, model: str, says: str
) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        generate(command(tmp_path / "arcs", paraphrase_model=model), as_json=False)
    assert not (tmp_path / "arcs").exists()


def test_environments_have_shapes_to_look_for() -> None:
    for name in ENVIRONMENTS:
        assert len(environment_of(name).tools) >= 6
