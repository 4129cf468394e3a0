"""The analysis of a run: what was declared, tested, confirmed, and what nothing follows from."""

import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from scipy.stats import kendalltau

from scoring.analysis.checking import check_analysis, known_of
from scoring.analysis.declared import (
    ARM_KEYS,
    METRICS,
    WHERE_KEYS,
    Analysis,
    Family,
    Hypothesis,
)
from scoring.analysis.gates import ENDINGS, NO_STATEMENT
from scoring.analysis.metrics import MEASURES
from scoring.analysis.pairing import pairs
from scoring.analysis.seeds import noise_floor
from scoring.analysis.stability import kendall
from scoring.compare import compare
from scoring.keys import Gold, Key, Probe, SaysCheck
from scoring.planting import Planting
from scoring.run import Run
from scoring.statistics import Unit
from simulator.events.errors import InputError
from simulator.events.recorded import AnalysisDeclared, ErrorRecorded, MemoryChanged, MemoryRead

MODEL = {"agent_model": {"scripted": False}}
COLUMNS = (
    "analyses",
    "hypotheses",
    "seeds",
    "stability",
    "controls",
    "uninformative",
    "full_replay",
)
MEMORIES = ("none", "facts", "retrieval", "replay")
UNBUDGETED = {"token_budget": None, "memory_options": {"implementation": "unbudgeted"}}

UNREADABLE = {"name": "h", "first": {"memory": "a"}, "second": {"memory": "b"}}

Maker = Callable[..., Any]


def asked(dependent: bool = True, **more: Any) -> Probe:
    return Probe(
        id="p1",
        kind="recall" if dependent else "independent",
        decision="ask/d",
        dependent=dependent,
        checks=(SaysCheck(phrase="45"),),
        **more,
    )


@pytest.fixture
def right(play: Any) -> Any:
    return play(text="It is 45.")


@pytest.fixture
def wrong(play: Any) -> Any:
    return play(text="It is 40.")


@pytest.fixture
def study(maker: Maker, right: Any, wrong: Any) -> Callable[..., Run]:
    """Return a function that writes a run: memory to the outcome in each arc, `1` is right.

    An arc's generation seed is 7, or what `made` says of it.
    """

    def write(
        outcomes: dict[str, str],
        declared: dict[str, Any] | None = None,
        model: str = "llama-cpp",
        made: Sequence[int] = (),
        identities: dict[str, Any] = MODEL,
        **suite: Any,
    ) -> Run:
        run = maker(**suite, models=[{"name": model, "options": {}}])
        add_arms(run, outcomes, model)
        arcs = len(next(iter(outcomes.values())))
        for number in range(arcs):
            run.arc(f"a{number:02}", [asked()])
            seed = made[number] if made else 7
            give_seed(run, f"a{number:02}", seed)
            for memory, row in outcomes.items():
                act = right if row[number] == "1" else wrong
                run.play(f"a{number:02}", f"{memory}+{model}", 0, act, identities=identities)
        return opened(run, declared)

    return write


def add_arms(run: Any, memories: Any, model: str) -> None:
    for memory in memories:
        options = UNBUDGETED if memory == "replay" else {}
        run.arm(f"{memory}+{model}", memory=memory, model=model, **options)


def give_seed(run: Any, arc: str, seed: int) -> None:
    key = Key.model_validate({**run.keys[arc].model_dump(), "origin": f"ladder seed={seed}"})
    run.keys[arc] = key
    run.arcs[arc]["key"] = key.hash


def opened(run: Any, declared: dict[str, Any] | None) -> Run:
    if declared is not None:
        whole = Analysis.model_validate(declared).dumped()
        run.more = [AnalysisDeclared(declared=whole)]
    written: Run = run.write()
    return written


def hypothesis(name: str = "h", **more: Any) -> dict[str, Any]:
    first, second = {"memory": "facts"}, {"memory": "retrieval"}
    return {"name": name, "first": first, "second": second, **more}


def own(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [row for row in found["hypotheses"] if row["kind"] == "own"]


ALL, NO = "1" * 8, "0" * 8


def test_a_declared_hypothesis_is_tested_in_its_family(study: Callable[..., Run]) -> None:
    # Eight arcs: facts right everywhere, retrieval in none: all 8 differences are +1.
    declared = {
        "hypotheses": [
            hypothesis("up", direction="higher"),
            hypothesis("down", direction="lower"),
            hypothesis("two", second={"memory": "none"}),
        ],
        "families": [],
    }
    run = study({"none": NO, "facts": ALL, "retrieval": NO, "replay": ALL}, declared)
    with run:
        found = compare([run])
    up, down, two = found["hypotheses"]
    assert [row["status"] for row in (up, down, two)] == ["declared"] * 3
    assert (up["first"], up["second"]) == ("facts+llama-cpp", "retrieval+llama-cpp")
    # One-sided 1/2^8, two-sided 2/2^8, and every pattern counts for the wrong direction.
    assert [row["p"] for row in (up, down, two)] == [1 / 256, 1.0, 2 / 256]
    # Holm over three: 3/256, then 2 × 2/256, then 1.
    assert [row["p_holm"] for row in (up, two, down)] == [3 / 256, 4 / 256, 1.0]
    assert [row["family_size"] for row in (up, down, two)] == [3, 3, 3]
    # The other directions: Holm over two, 2 × 1/256 for the wrong statement, 1 for the right one.
    assert [row["p_opposite_holm"] for row in (up, down, two)] == [1.0, 2 / 256, None]
    assert [row["verdict"] for row in (up, down, two)] == ["shown", "refuted", "higher"]
    assert (up["difference"], up["pairs"], up["clusters"], up["dropped"]) == (1.0, 8, 8, 0)
    (told,) = found["analyses"]
    assert (told["status"], told["run"]) == ("declared", "run")
    assert len(told["hash"]) == 64


@pytest.mark.parametrize(
    ("facts", "retrieval", "verdict", "p", "opposite"),
    [
        # Five arcs differ, all one way: 1/2^5 that way, and every pattern counts for the other.
        ("11111000", NO, "shown", 1 / 32, 1.0),
        (NO, "11111000", "refuted", 1.0, 1 / 32),
        # Four say too little either way: 1/2^4 is not below 0.05.
        ("11110000", NO, "not shown", 1 / 16, 1.0),
        (NO, "11110000", "not shown", 1.0, 1 / 16),
        # Three against two: of 32 patterns 16 sum up to 1 or more, 26 to 1 or less.
        ("11100000", "00011000", "not shown", 16 / 32, 26 / 32),
        (NO, NO, "not shown", 1.0, 1.0),
    ],
)
def test_a_direction_is_shown_refuted_or_neither(
    study: Callable[..., Run], facts: str, retrieval: str, verdict: str, p: float, opposite: float
) -> None:
    declared = {"families": [], "hypotheses": [hypothesis(direction="higher")]}
    with study({"facts": facts, "retrieval": retrieval, "replay": ALL}, declared) as run:
        (row,) = compare([run])["hypotheses"]
    assert (row["verdict"], row["p"], row["p_opposite_holm"]) == (verdict, p, opposite)


def test_default_families_hold_each_memory_against_none_and_replay(
    study: Callable[..., Run],
) -> None:
    with study({"none": NO, "facts": ALL, "retrieval": NO, "replay": ALL}, {}) as run:
        rows = compare([run])["hypotheses"]
    told = [(row["first_memory"], row["second_memory"], row["family_size"]) for row in rows]
    assert sorted(told) == [
        ("facts", "none", 3),
        ("facts", "replay", 2),
        ("replay", "none", 3),
        ("retrieval", "none", 3),
        ("retrieval", "replay", 2),
    ]
    assert {row["status"] for row in rows} == {"declared"}


def test_scripted_readers_are_shown_without_p_and_never_tested(study: Callable[..., Run]) -> None:
    declared = {"hypotheses": [hypothesis(direction="higher")]}
    outcomes = {"none": NO, "facts": ALL, "retrieval": NO}
    with study(outcomes, declared, "last", identities={"agent_model": {"scripted": True}}) as run:
        found = compare([run], power=True)
    for row in found["hypotheses"]:
        assert (row["p"], row["p_holm"], row["verdict"], row["power"]) == (None,) * 4
    (row,) = own(found)
    assert row["difference"] == 1.0
    assert not any("control" in warning for warning in found["warnings"])
    assert any("no power is told" in warning for warning in found["warnings"])


def test_what_is_asked_later_is_exploratory_and_in_families_of_its_own(
    study: Callable[..., Run],
) -> None:
    declared = {"hypotheses": [hypothesis("planned")]}
    outcomes = {"none": NO, "facts": ALL, "retrieval": NO, "replay": ALL}
    with study(outcomes, declared) as run:
        same = compare([run], analysis=Analysis.model_validate(declared))
        changed = Analysis.model_validate(
            {"hypotheses": [hypothesis("planned", direction="higher")]}
        )
        later = compare([run], analysis=changed)
    assert [row["status"] for row in own(same)] == ["declared"]
    assert [row["status"] for row in own(later)] == ["declared", "exploratory"]
    assert [row["p"] for row in own(later)] == [2 / 256, 1 / 256]
    assert [row["family_size"] for row in own(later)] == [1, 1]
    # The default families were declared already and are not asked twice.
    assert len(later["hypotheses"]) == len(same["hypotheses"]) + 1
    assert [each["status"] for each in later["analyses"]] == ["declared", "exploratory"]


def test_a_run_that_declared_nothing_readable_is_exploratory(study: Callable[..., Run]) -> None:
    with study({"none": NO, "facts": ALL}) as run:
        assert {row["status"] for row in compare([run])["hypotheses"]} == {"exploratory"}


@pytest.mark.parametrize(
    "declared",
    [
        {"primary": "facts against none"},
        {"hypotheses": [{"name": "h", "first": {"memry": "a"}, "second": {"memory": "b"}}]},
        {"hypotheses": [{**UNREADABLE, "where": {"teir": "hard"}}]},
        {"hypotheses": [{**UNREADABLE, "metric": "tsr"}]},
        {"hypotheses": [{**UNREADABLE, "name": "two\nlines"}]},
        ["a list"],
        "a text",
    ],
)
def test_a_log_with_an_analysis_of_any_other_form_is_still_read(
    maker: Maker, right: Any, declared: Any
) -> None:
    made = maker()
    made.arm("none")
    made.arc("a", [asked()])
    made.play("a", "none", 0, right)
    made.more = [AnalysisDeclared(declared=declared)]
    with made.write() as run:
        found = compare([run])
    assert found["analyses"][0]["status"] == "exploratory"
    assert any("not in the form" in warning for warning in found["warnings"])


def test_a_finding_is_confirmed_only_where_both_seeds_show_it(study: Callable[..., Run]) -> None:
    # Arcs 0-7 were made with seed 7, arcs 8-15 with seed 8, which was named in advance.
    made = [7] * 8 + [8] * 8
    declared = {
        "confirm_seed": 8,
        "families": [],
        "hypotheses": [
            hypothesis("both", second={"memory": "none"}, family="a"),
            hypothesis("first only", family="b"),
        ],
    }
    outcomes = {
        "none": NO + NO,
        "facts": ALL + ALL,
        "retrieval": NO + "11110000",
        "replay": ALL * 2,
    }
    with study(outcomes, declared, made=made) as run:
        both, first_only = compare([run])["hypotheses"]
        rows = compare([run], ["generation_seed"])["rows"]
    assert (both["clusters"], both["verdict"], both["confirmed"]) == (8, "higher", True)
    assert both["confirmation"]["clusters"] == 8
    assert both["confirmation"]["p_holm"] == 2 / 256
    assert first_only["verdict"] == "higher"
    # Four of eight arcs differ in the second half: p = 2/2^4, no finding.
    assert first_only["confirmation"]["p"] == 2 / 16
    assert (first_only["confirmation"]["verdict"], first_only["confirmed"]) == ("tie", False)
    assert [row["generation_seed"] for row in rows] == [7, 8]


def test_a_hypothesis_counts_the_decisions_that_it_names(
    maker: Maker, right: Any, wrong: Any
) -> None:
    run = maker()
    add_arms(run, MEMORIES, "llama-cpp")
    for tier, arc in (("easy", "e"), ("hard", "h1"), ("hard", "h2")):
        run.arc(arc, [asked()], tier=tier)
        for memory in MEMORIES:
            act = right if memory == "facts" and tier == "hard" else wrong
            run.play(arc, f"{memory}+llama-cpp", 0, act, identities=MODEL)
    declared = {
        "families": [],
        "hypotheses": [
            hypothesis("hard", where={"tier": "hard"}),
            hypothesis("any", where={"tier": ["easy", "hard"]}),
        ],
    }
    split = Analysis.model_validate({**declared, "by": ["tier"]})
    with opened(run, declared) as played:
        hard, either = compare([played])["hypotheses"]
        cells = own(compare([played], analysis=split))[2:]
    assert (hard["pairs"], hard["difference"]) == (2, 1.0)
    assert (either["pairs"], either["difference"]) == (3, pytest.approx(2 / 3))
    told = [(row["name"], row["cell"]["tier"], row["difference"]) for row in cells]
    assert told == [("hard", "hard", 1.0), ("any", "easy", 0.0), ("any", "hard", 1.0)]


def test_corrupted_arcs_count_only_where_they_are_named(
    maker: Maker, right: Any, wrong: Any
) -> None:
    run = maker()
    add_arms(run, ("facts", "retrieval"), "llama-cpp")
    for arc, corruption in (("a", "none"), ("a-stale", "stale:0.3")):
        run.arc(arc, [asked()], cluster="a")
        run.arcs[arc]["corruption"] = corruption
        for memory in ("facts", "retrieval"):
            act = right if memory == "facts" and corruption == "none" else wrong
            run.play(arc, f"{memory}+llama-cpp", 0, act, identities=MODEL)
    stale = {"corruption": "stale:0.3"}
    declared = {"hypotheses": [hypothesis("clean"), hypothesis("stale", where=stale)]}
    with opened(run, declared) as played:
        clean, corrupted = own(compare([played]))
    assert (clean["pairs"], clean["difference"]) == (1, 1.0)
    assert (corrupted["pairs"], corrupted["difference"]) == (1, 0.0)


def test_use_is_compared_where_both_blocks_held_everything(maker: Maker, play: Any) -> None:
    gold = (Gold(name="amount", value="45"),)
    run = maker()
    add_arms(run, ("facts", "retrieval"), "llama-cpp")
    plays = {
        "facts": [("45", "It is 45."), ("45", "It is 45."), ("45", "It is 45.")],
        "retrieval": [("45", "It is 40."), ("", "It is 45."), ("45", "It is 45.")],
    }
    for number in range(3):
        run.arc(f"a{number}", [asked(gold=gold)])
        for memory, (block, text) in ((m, rows[number]) for m, rows in plays.items()):
            act = play(block=block, text=text)
            run.play(f"a{number}", f"{memory}+llama-cpp", 0, act, identities=MODEL)
    declared = {"hypotheses": [hypothesis("ignored", metric="ignore_rate", direction="lower")]}
    with opened(run, declared) as played:
        (row,) = own(compare([played]))
    # Arc 1 counts for facts alone; of the other two, retrieval ignored one and facts none.
    assert (row["pairs"], row["dropped"], row["difference"]) == (2, 1, -0.5)


def test_a_failed_control_takes_the_verdicts_back(study: Callable[..., Run], play: Any) -> None:
    declared = {"hypotheses": [hypothesis()]}
    outcomes = {"none": NO, "facts": ALL, "retrieval": NO, "replay": "11100000"}
    with study(outcomes, declared) as run:
        found = compare([run])
    (control,) = found["controls"]
    assert (control["tsr_dependent"], control["passed"]) == (0.375, False)
    assert (control["right"], control["wrong"], control["n"]) == (3, 5, 8)
    (row,) = own(found)
    assert (row["p"], row["verdict"], row["control_passed"]) == (2 / 256, "no statement", False)
    assert {pair["verdict"] for pair in found["pairs"]} == {"no statement"}
    assert any("no statement about memories follows" in each for each in found["warnings"])


def test_a_control_at_the_threshold_passes(study: Callable[..., Run]) -> None:
    outcomes = {"none": NO, "facts": ALL, "retrieval": NO, "replay": "11110000"}
    with study(outcomes, {"hypotheses": [hypothesis()]}) as run:
        found = compare([run])
    assert found["controls"][0]["passed"] is True
    assert own(found)[0]["verdict"] == "higher"


def test_an_analysis_asked_later_has_its_own_threshold(study: Callable[..., Run]) -> None:
    # The control is right in five of eight arcs: enough for the declared half, not for 0.7.
    outcomes = {"none": NO, "facts": ALL, "retrieval": NO, "replay": "11111000"}
    declared = {"hypotheses": [hypothesis()], "families": []}
    stricter = Analysis.model_validate({**declared, "control_threshold": 0.7})
    with study(outcomes, declared) as run:
        found = compare([run], analysis=stricter)
    assert [(row["control_passed"], row["verdict"]) for row in own(found)] == [
        (True, "higher"),
        (False, NO_STATEMENT),
    ]
    (control,) = found["controls"]
    assert (control["threshold"], control["passed"]) == (0.5, True)


def test_what_is_asked_of_a_run_that_declared_nothing_takes_the_place_of_the_default(
    study: Callable[..., Run],
) -> None:
    outcomes = {"none": NO, "facts": ALL, "retrieval": NO, "replay": "11111000"}
    later = {"hypotheses": [hypothesis()], "families": [], "control_threshold": 0.7}
    with study(outcomes) as run:
        found = compare([run], analysis=Analysis.model_validate(later))
    (row,) = found["hypotheses"]
    assert (row["status"], row["verdict"]) == ("exploratory", NO_STATEMENT)
    assert found["controls"][0]["threshold"] == 0.7
    assert [each["status"] for each in found["analyses"]] == ["exploratory"]


def test_models_are_held_against_each_other_only_where_both_pass_their_control(
    maker: Maker, right: Any, wrong: Any
) -> None:
    rates = {
        "llama-cpp": {"none": "0000", "facts": "1111", "replay": "1111"},
        "openai": {"none": "0000", "facts": "1000", "replay": "1000"},
    }
    sides = {
        name: {"memory": "facts", "model": model}
        for name, model in (("first", "llama-cpp"), ("second", "openai"))
    }
    declared = {"families": [], "hypotheses": [{"name": "h", **sides}]}
    run = two_models(maker, right, wrong, rates)
    with opened(run, declared) as played:
        (row,) = compare([played])["hypotheses"]
    # The first passes with 1.0, the second fails with 0.25.
    assert (row["difference"], row["control_passed"], row["verdict"]) == (0.75, False, NO_STATEMENT)


def test_a_control_tells_who_cannot_act_from_who_will_not(maker: Maker, play: Any) -> None:
    run = maker()
    add_arms(run, ("replay",), "llama-cpp")
    ends = [
        play(text="It is 45."),
        play(text="It is 40."),
        play(outcome="refusal", text="I cannot."),
        play(outcome="clarification", text="Which one?"),
        play(outcome="refusal", text="No.", calls=(("refund", {}, True, []),)),
        play(error=("model", "unparsable")),
        play(error=("agent", "step_cap")),
        play(error=("environment", "crash")),
    ]
    for number, act in enumerate(ends):
        run.arc(f"a{number}", [asked()])
        run.play(f"a{number}", "replay+llama-cpp", 0, act, identities=MODEL)
    with run.write() as played:
        (control,) = compare([played])["controls"]
    counts = ("right", "wrong", "did_not_act", "model_error", "other_error")
    # Three asked or refused; two errors are the model's side's, one is not.
    assert [control[name] for name in counts] == [1, 1, 3, 2, 1]
    assert sum(control[name] for name in counts) == control["n"] == 8


def test_a_model_without_a_control_is_warned_of(study: Callable[..., Run]) -> None:
    with study({"none": NO, "facts": ALL}, {}) as run:
        found = compare([run])
    assert found["controls"][0]["passed"] is None
    assert any("has no unbudgeted replay control" in each for each in found["warnings"])


def test_five_arcs_can_never_show_a_declared_difference(study: Callable[..., Run]) -> None:
    declared = {"hypotheses": [hypothesis("two"), hypothesis("one", direction="higher")]}
    outcomes = {"none": "00000", "facts": "11111", "retrieval": "00000", "replay": "11111"}
    with study(outcomes, declared) as run:
        found = compare([run])
    assert [row["verdict"] for row in own(found)] == ["tie", "not shown"]
    # Two tests, the best of which can reach 1/2^5: 2/32 = 0.0625.
    assert any("hypotheses: with 2 tests" in w and "is 0.0625" in w for w in found["warnings"])


def test_power_says_how_many_clusters_a_difference_needs(study: Callable[..., Run]) -> None:
    declared = {"hypotheses": [hypothesis()], "families": []}
    outcomes = {"none": "00000", "facts": "11111", "retrieval": "00000", "replay": "11111"}
    with study(outcomes, declared) as run:
        (plain,) = compare([run])["hypotheses"]
        found = compare([run], power=True)
    (row,) = found["hypotheses"]
    assert (plain["clusters_needed"], plain["power"]) == (None, None)
    assert (row["clusters_needed"], row["power"]) == (6, 1.0)  # 2/2^6 is the first below 0.05
    assert not any("no power is told" in warning for warning in found["warnings"])


def test_seed_gaps_and_the_noise_floor(maker: Maker, right: Any, wrong: Any) -> None:
    run = maker(seeds=[1, 2])
    add_arms(run, ("facts", "none"), "llama-cpp")
    outcomes = {"a": (right, wrong), "b": (right, wrong), "c": (wrong, right), "d": (right, right)}
    for number, (arc, ends) in enumerate(outcomes.items()):
        run.arc(arc, [asked()])
        give_seed(run, arc, number % 2)
        for seed, act in enumerate(ends, 1):
            run.play(arc, "facts+llama-cpp", seed, act, identities=MODEL)
            run.play(arc, "none+llama-cpp", seed, wrong, identities=MODEL)
    with run.write() as played:
        facts, none = compare([played])["seeds"]
    assert facts["tsr_by_trial_seed"] == {"1": 0.75, "2": 0.5}
    assert facts["trial_gap"] == 0.25
    # Seed 0 made a and c: 1 + 1 of 4; seed 1 made b and d: 1 + 2 of 4.
    assert facts["tsr_by_generation_seed"] == {"0": 0.5, "1": 0.75}
    assert facts["generation_gap"] == 0.25
    # Differences by arc are +1, +1, -1, 0. Of the 8 patterns of three signs, 2 sum to 3 and 6 to 1,
    # so 95 % of the sizes do not lie below 3/4.
    assert facts["noise_floor"] == 0.75
    assert (none["deterministic"], none["trial_gap"], none["noise_floor"]) == (True, None, None)


def test_the_noise_floor_of_replicates() -> None:
    one = {("a", "p"): Unit("a", 1.0), ("b", "p"): Unit("b", 0.0)}
    assert noise_floor([one]) is None
    assert noise_floor([one, one]) == 0.0
    other = {("a", "p"): Unit("a", 0.0), ("b", "p"): Unit("b", 0.0)}
    assert noise_floor([one, other]) == 0.5  # one cluster of two differs, whatever its sign


def test_arms_played_once_on_arcs_of_one_seed_have_no_gap(study: Callable[..., Run]) -> None:
    with study({"none": NO, "facts": ALL}, {}) as run:
        assert compare([run])["seeds"] == []


def two_models(maker: Maker, right: Any, wrong: Any, rates: dict[str, dict[str, str]]) -> Any:
    run = maker(models=[{"name": name, "options": {}} for name in rates])
    for model, memories in rates.items():
        add_arms(run, memories, model)
    for number in range(4):
        run.arc(f"a{number}", [asked()])
        for model, memories in rates.items():
            for memory, row in memories.items():
                act = right if row[number] == "1" else wrong
                run.play(f"a{number}", f"{memory}+{model}", 0, act, identities=MODEL)
    return run


def test_premium_and_order_across_models(maker: Maker, right: Any, wrong: Any) -> None:
    rates = {
        "llama-cpp": {"none": "0000", "facts": "1111", "retrieval": "1100"},
        "openai": {"none": "0000", "facts": "1000", "retrieval": "1110"},
    }
    with two_models(maker, right, wrong, rates).write() as run:
        found = compare([run])
    (stable,) = found["stability"]
    assert stable["models"] == ["llama-cpp", "openai"]
    # Means of the arms: 0.5 and 1/3.
    premiums = {each["memory"]: each for each in stable["premiums"]}
    assert premiums["facts"]["premium"] == pytest.approx((0.5 + (0.25 - 1 / 3)) / 2)
    assert premiums["facts"]["lowest"] == pytest.approx(0.25 - 1 / 3)
    assert premiums["facts"]["highest"] == pytest.approx(0.5)
    assert sum(each["premium"] for each in stable["premiums"]) == pytest.approx(0.0)
    # none < retrieval < facts against none < facts < retrieval: two of three pairs agree.
    assert stable["orders"]["mean_tau"] == pytest.approx(1 / 3)
    assert stable["orders"]["same_order"] == 0.0


def test_hypotheses_are_asked_once_a_model(maker: Maker, right: Any, wrong: Any) -> None:
    rates = {
        "llama-cpp": {"facts": "1111", "retrieval": "1100", "replay": "1111"},
        "openai": {"facts": "1000", "retrieval": "1110", "replay": "1111"},
    }
    declared = {"hypotheses": [hypothesis()], "families": []}
    with opened(two_models(maker, right, wrong, rates), declared) as run:
        rows = compare([run])["hypotheses"]
    told = [(row["model"], row["difference"], row["family_size"]) for row in rows]
    assert told == [("llama-cpp", 0.5, 1), ("openai", -0.5, 1)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([1, 2, 3, 4], [4, 3, 2, 1]),
        ([1, 1, 2, 3], [2, 1, 1, 3]),
        ([0.1, 0.5, 0.5], [0.2, 0.9, 0.3]),
    ],
)
def test_tau_agrees_with_scipy(first: list[float], second: list[float]) -> None:
    assert kendall(first, second) == pytest.approx(kendalltau(first, second).statistic)
    assert kendall(first, [1.0] * len(first)) is None


def test_cells_at_the_floor_or_the_ceiling_are_not_informative(
    maker: Maker, right: Any, wrong: Any
) -> None:
    run = maker()
    memories = ("none", "facts", "retrieval")
    add_arms(run, memories, "last")
    ends = {"easy": "11", "medium": "10", "hard": "00"}
    for tier, outcomes in ends.items():
        run.arc(tier, [asked()], tier=tier)
        for memory, end in zip(memories, "0" + outcomes, strict=True):
            run.play(tier, f"{memory}+last", 0, right if end == "1" else wrong)
    with run.write() as played:
        found = compare([played])
    told = [(cell["tier"], cell["why"], cell["arms"]) for cell in found["uninformative"]]
    assert told == [("easy", "ceiling", 2), ("hard", "floor", 2)]
    assert any("2 of 3 cells are not informative" in each for each in found["warnings"])


def test_h25_arms_with_unequal_settings_are_flagged(maker: Maker, right: Any) -> None:
    run = maker()
    run.arc("a", [asked()])
    base = {"memory": "retrieval", "model": "llama-cpp"}
    run.arm("one", **base, embedder="lexical", embedder_options={"dimension": 256})
    run.arm("two", **base, embedder="minilm", token_budget=512)
    run.arm(
        "three", "summary", "llama-cpp", implementation="model", memory_model="m", embedder=None
    )
    run.arm("four", "summary", "llama-cpp", implementation="extractive", memory_model="n")
    for arm in run.arms:
        quantized = {"scripted": False, "quantization": "Q4_K_M" if arm == "one" else "Q8_0"}
        run.play("a", arm, 0, right, identities={"agent_model": quantized})
        run.identities[arm] = {"agent_model": quantized}
    with run.write() as played:
        warnings = compare([played])["warnings"]
    assert listed(warnings, "embedders") == {"lexical(dimension=256)", "minilm"}
    assert listed(warnings, "memory models") == {"m", "n"}
    assert listed(warnings, "token budgets") == {"256", "512"}
    assert listed(warnings, "quantisations") == {"Q4_K_M", "Q8_0"}
    assert listed(warnings, "summarisers") == {"summary/model by m", "summary/extractive by n"}


def listed(warnings: list[str], what: str) -> set[str]:
    (found,) = [each for each in warnings if each.startswith(f"unequal {what} (")]
    return set(found.partition(" (")[2].rpartition(")")[0].split(", "))


def test_an_unequal_memory_side_between_models_is_flagged(
    maker: Maker, right: Any, wrong: Any
) -> None:
    rates = {"llama-cpp": {"none": "0000", "facts": "1111"}, "openai": {"none": "0000"}}
    with two_models(maker, right, wrong, rates).write() as run:
        told = "\n".join(compare([run])["warnings"])
    assert "the memory side is not the same for every model" in told
    equal = {model: {"none": "0000", "facts": "1111"} for model in rates}
    with two_models(lambda **s: maker("other", **s), right, wrong, equal).write() as run:
        told = "\n".join(compare([run])["warnings"])
    assert "memory side" not in told
    assert "unequal" not in told


def test_the_unbudgeted_control_is_no_unequal_budget(study: Callable[..., Run]) -> None:
    with study({"none": NO, "facts": ALL, "replay": ALL}, {}) as run:
        assert not any("unequal" in warning for warning in compare([run])["warnings"])


@pytest.mark.parametrize(("given", "warned"), [(2, True), (1, False)])
def test_a_k_that_covers_the_store_is_warned_of(maker: Maker, given: int, warned: bool) -> None:
    def item(name: str, hidden: bool = False) -> dict[str, Any]:
        return {"id": name, "text": name, "sources": [], "saw": [], "hidden": hidden}

    run = maker()
    run.arm("retrieval", memory="retrieval")
    run.arc("a", [asked()])
    tape = run.tape("a", "retrieval")
    written = (item("i1"), item("i2"), item("i3"), item("i4", hidden=True))
    tape.emit(MemoryChanged(why="absorb", written=written, gone=(), held=4))
    # Three are shown; one goes, two are left, and the fourth stays hidden.
    tape.emit(MemoryChanged(why="absorb", written=(), gone=("i3",), held=3))
    items = tuple({"item": f"i{n}", "text": "x", "sources": [], "rank": n} for n in range(given))
    block = tape.recorder.blob("x")
    tape.emit(MemoryRead(query="q", budget=256, block=block, tokens=1, items=items))
    tape.emit(ErrorRecorded(culprit="model", fault="crash", message="m", decision=None, fatal=True))
    with run.write() as played:
        found = compare([played])
    assert [(row["reads"], row["whole"]) for row in found["full_replay"]] == [(1, int(warned))]
    told = any("retrieval has become full replay" in each for each in found["warnings"])
    assert told is warned


ARMS: dict[str, dict[str, Any]] = {
    "facts+last": {"memory": "facts", "model": "last", "token_budget": 256},
    "none+last": {"memory": "none", "model": "last", "token_budget": 256},
    "facts+api": {
        "memory": "facts",
        "model": "openai",
        "model_options": {"model": "gpt-x"},
        "token_budget": None,
    },
}
KEYS = [
    Key(arc="a", domain="support", tier="hard", cluster="a", probes=(asked(),), origin=origin)
    for origin in ("ladder seed=7", "ladder seed=8")
]
KEYS.append(
    Key(arc="b", domain="itops", tier="easy", cluster="b", probes=(asked(),), origin=KEYS[0].origin)
)


@pytest.mark.parametrize(
    ("sides", "says"),
    [
        (({"memory": "facts"}, {"memory": "none"}), "differ in more than"),
        (({"arm": "facts+last"}, {"memory": "facts"}), "both sides name the same"),
        (({"latency": "slow"}, {"latency": "slow"}), "both sides name the same"),
    ],
)
def test_a_hypothesis_that_tells_no_sides_apart_is_refused(
    sides: tuple[dict[str, Any], dict[str, Any]], says: str
) -> None:
    named = {"name": "h", "first": sides[0], "second": sides[1]}
    arms = {
        "none+last": {**ARMS["none+last"], "latency": "typical"},
        "facts+last": {**ARMS["facts+last"], "latency": "slow"},
    }
    with pytest.raises(InputError, match=says):
        check_analysis(Analysis.model_validate({"hypotheses": [named]}), arms, known_of(KEYS))


@pytest.mark.parametrize("family", ["none", "replay"])
def test_a_family_that_was_asked_for_and_is_empty_is_refused(family: Family) -> None:
    arms = {"facts+last": ARMS["facts+last"]}
    check_analysis(Analysis(), arms, known_of(KEYS))  # the default asks for what there is
    with pytest.raises(InputError, match=f"the family '{family}' is empty") as refused:
        check_analysis(Analysis(families=(family,)), arms, known_of(KEYS))
    assert refused.value.field == "analysis.families.0"
    second = {"memory": family, "model": "last", "token_budget": None}
    check_analysis(
        Analysis(families=(family,)),
        {**arms, "second": second},
        known_of(KEYS),
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"families": ["none", "none"]},
        {"by": ["tier", "tier"]},
        {"confirm_seed": "8"},
        {"confirm_seed": True},
        {"control_threshold": True},
        {"control_threshold": 1.01},
        {"hypotheses": [hypothesis(where={"tier": []})]},
        {"hypotheses": [hypothesis(where={"tier": ["hard", 1.5]})]},
        {"hypotheses": [hypothesis(where={"tier": True})]},
        {"hypotheses": [hypothesis(first={"token_budget": True})]},
        {"hypotheses": [hypothesis(first={})]},
        {"hypotheses": [hypothesis(), hypothesis()]},
    ],
)
def test_what_no_analysis_can_be_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Analysis.model_validate(wrong)


@pytest.mark.parametrize(
    ("changed", "field", "says"),
    [
        ({"metric": "tsr_dependant"}, "metric", "unknown metric 'tsr_dependant'; did you mean"),
        ({"first": {"memry": "facts"}}, "first.memry", "did you mean 'memory'"),
        (
            {"first": {"memory": "fact"}},
            "first.memory",
            "unknown memory 'fact'; did you mean 'facts'",
        ),
        ({"second": {"model": "gpt-y"}}, "second.model", "did you mean 'gpt-x'"),
        ({"second": {"token_budget": 255}}, "second.token_budget", "did you mean '256'"),
        ({"second": {"memory": "none", "model": "gpt-x"}}, "second", "no arm"),
        ({"where": {"teir": "hard"}}, "where.teir", "did you mean 'tier'"),
        ({"where": {"tier": ["hard", "esay"]}}, "where.tier", "unknown tier 'esay'"),
        (
            {"first": {"model": "last"}, "second": {"token_budget": 256}},
            "",
            "the same arms stand on both sides",
        ),
        ({"where": {"tier": "hard", "corruption": "stale"}}, "where.corruption", "known: none"),
        ({"where": {"domain": "itops", "tier": "hard"}}, "where", "no decision is all of this"),
        ({"metric": "tsr_independent"}, "metric", "does without an earlier session"),
        ({"metric": "compliance"}, "metric", "is about what was planted and still binds"),
        ({"metric": "ignore_rate"}, "metric", "needs two memories"),
        ({"first": {"token_budget": "256"}}, "first.token_budget", "write 256, a number"),
        ({"second": {"memory": "facts", "model": "gpt-x"}}, None, "compares no two arms"),
    ],
)
def test_a_hypothesis_about_what_is_not_played_is_refused(
    changed: dict[str, Any], field: str | None, says: str
) -> None:
    good = {"name": "h", "first": {"model": "last"}, "second": {"memory": "none"}}
    check_analysis(Analysis.model_validate({"hypotheses": [good]}), ARMS, known_of(KEYS))
    if field is None:
        changed = {"first": {"memory": "none"}, "second": {"memory": "facts", "agent": "x"}}
        arms = {name: {**options, "agent": "x", "latency": name} for name, options in ARMS.items()}
    else:
        arms = ARMS
    with pytest.raises(InputError, match=says) as refused:
        check_analysis(
            Analysis.model_validate({"hypotheses": [{**good, **changed}]}), arms, known_of(KEYS)
        )
    place = "analysis.hypotheses.0"
    assert refused.value.field == (f"{place}.{field}" if field else place)


def test_compliance_is_asked_of_what_was_planted_in_a_single_session() -> None:
    planting = Planting(events=("s1/m1",))
    planted = asked(dependent=False).model_copy(update={"planting": planting})
    key = KEYS[0].model_copy(update={"probes": (planted,)})
    good = {"name": "h", "first": {"model": "last"}, "second": {"memory": "none"}}
    asks = Analysis.model_validate({"hypotheses": [{**good, "metric": "compliance"}]})
    check_analysis(asks, ARMS, known_of([key]))
    lifted = planted.model_copy(update={"planting": planting.model_copy(update={"lifted": True})})
    with pytest.raises(InputError, match="still binds"):
        check_analysis(asks, ARMS, known_of([key.model_copy(update={"probes": (lifted,)})]))


def test_a_model_is_named_by_back_end_or_by_what_it_loads() -> None:
    for name in ("openai", "gpt-x"):
        named = {
            "name": "h",
            "first": {"model": name},
            "second": {"model": "last", "memory": "facts"},
        }
        check_analysis(Analysis.model_validate({"hypotheses": [named]}), ARMS, known_of(KEYS))


@pytest.mark.parametrize(
    ("seed", "keys", "says"),
    [(9, KEYS, "no arc was generated with seed 9"), (7, KEYS[:1], "every arc has this seed")],
)
def test_a_seed_of_confirmation_that_sets_nothing_apart_is_refused(
    seed: int, keys: list[Key], says: str
) -> None:
    with pytest.raises(InputError, match=says) as refused:
        check_analysis(Analysis(confirm_seed=seed), ARMS, known_of(keys))
    assert refused.value.field == "analysis.confirm_seed"
    check_analysis(Analysis(confirm_seed=8), ARMS, known_of(KEYS))


@pytest.mark.parametrize(
    ("origin", "seed"),
    [
        ("ladder seed=7", 7),
        ("ladder seed=-3 paraphrase", -3),
        ("authored", None),
        ("statebench dev.jsonl seed=4", None),
        ("ladder seed=7x", None),
    ],
)
def test_the_generation_seed_is_read_from_the_origin(origin: str, seed: int | None) -> None:
    key = Key(arc="a", domain="d", cluster="c", probes=(), origin=origin)
    assert key.generation_seed == seed


DOCS = Path(__file__).parents[2] / "docs"


def test_every_metric_has_its_measure() -> None:
    assert tuple(MEASURES) == METRICS


def test_every_key_metric_and_verdict_is_documented() -> None:
    text = (DOCS / "statistics.md").read_text(encoding="utf-8")
    named = [
        *Analysis.model_fields,
        *Hypothesis.model_fields,
        *METRICS,
        *ENDINGS[1:4],
        NO_STATEMENT,
    ]
    for name in (*named, *ARM_KEYS, *WHERE_KEYS, *COLUMNS):
        assert f"`{name}`" in text, name


def test_the_example_of_the_docs_is_an_analysis_of_six_memories() -> None:
    text = (DOCS / "statistics.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```toml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    analysis = Analysis.model_validate(tomllib.loads(example)["analysis"])
    memories = ("none", "replay", "retrieval", "summary", "facts", "hybrid")
    arms = {each: {"memory": each, "model": "m", "token_budget": 256} for each in memories}
    keys = [
        Key(arc=tier, domain="d", cluster=tier, tier=tier, probes=(asked(),))
        for tier in ("medium", "hard")
    ]
    check_analysis(analysis, arms, known_of(keys))
    found = [pairs(each, arms) for each in analysis.hypotheses]
    assert found == [[("summary", "retrieval")], [("facts", "retrieval")], [("hybrid", "facts")]]
