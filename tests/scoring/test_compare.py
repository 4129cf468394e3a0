import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from scoring.compare import compare
from scoring.keys import CalledCheck, Gold, Probe, SaysCheck
from simulator.events.errors import InputError

CONTRACT = [
    "memory", "implementation", "model", "domain", "tier", "token_budget", "compaction",
    "forgetting", "corruption", "probe_kind", "risk", "n", "errors", "tsr_dependent",
    "tsr_dependent_ci", "tsr_independent", "use_rate_values", "use_rate_all", "ignore_rate",
    "smh", "camu", "compliance", "lift", "residues", "presentations", "exposures",
    "exposure_upper95", "collateral_loss", "retention", "pass_rate", "pass_rate_safety",
    "tokens", "usd", "usd_as_if",
]  # fmt: skip


def asked(number: int, dependent: bool = True, **more: Any) -> Probe:
    return Probe(
        id=f"p{number}",
        kind="recall" if dependent else "independent",
        decision=f"ask{number}/d",
        dependent=dependent,
        checks=(SaysCheck(phrase="45"),),
        **more,
    )


def sha(run: Any) -> str:
    return hashlib.sha256((run.folder / "events.db").read_bytes()).hexdigest()


@pytest.fixture
def right(play: Any) -> Any:
    return play(text="It is 45.", usage=(100, 0, 10))


@pytest.fixture
def wrong(play: Any) -> Any:
    return play(text="It is 40.", usage=(100, 0, 10))


def test_every_column_of_the_contract_is_there(
    maker: Callable[..., Any], right: Any, wrong: Any
) -> None:
    made = maker()
    made.arc("a1", [asked(1), asked(2, False)])
    made.arm("none")
    made.play("a1", "none", 0, wrong, right)
    with made.write() as run:
        (row,) = compare([run])["rows"]
    assert [name for name in CONTRACT if name not in row] == []
    shown = {name: row[name] for name in CONTRACT[:14]}
    assert shown == {
        "memory": "none",
        "implementation": "standard",
        "model": "last",
        "domain": "support",
        "tier": "easy",
        "token_budget": 256,
        "compaction": "forced",
        "forgetting": "off",
        "corruption": "none",
        "probe_kind": None,
        "risk": None,
        "n": 2,
        "errors": 0,
        "tsr_dependent": 0.0,
    }
    assert row["tsr_dependent_ci"] == [0.0, pytest.approx(0.975)]
    assert row["tsr_independent"] == 1.0
    assert (row["tokens"], row["tokens_by_purpose"], row["episodes"]) == (220, {"act": 220}, 3)
    # 200 × $0.4/M + 20 × $1.6/M
    assert (row["usd"], row["usd_as_if"]) == ("0", "0.000112")
    assert row["evidence"] == "scripted"
    assert row["use_rate_values"] is None
    assert row["use_rate_all"] is None
    assert row["ignore_rate"] is None


def test_ag_h06_errors_are_in_the_denominator_and_shown_beside_it(
    maker: Callable[..., Any], play: Any, right: Any, wrong: Any
) -> None:
    made = maker()
    made.arc("a1", [asked(number) for number in range(10)])
    made.arm("none")
    failed = play(error=("model", "unparsable"))
    made.play("a1", "none", 0, *([right] * 7), wrong, failed, failed)
    with made.write() as run:
        (row,) = compare([run])["rows"]
    assert (row["n"], row["n_dependent"], row["errors"]) == (10, 10, 2)
    assert row["tsr_dependent"] == 0.7
    assert row["tsr_dependent_without_errors"] == 7 / 8


def test_decisions_never_reached_count_as_errors(maker: Callable[..., Any], right: Any) -> None:
    made = maker()
    made.arc("a1", [asked(1), asked(2)])
    made.arm("none")
    made.play("a1", "none", 0, right)
    with made.write() as run:
        (row,) = compare([run])["rows"]
    assert (row["n"], row["errors"], row["tsr_dependent"]) == (2, 1, 0.5)


def test_skipped_probes_leave_numerator_and_denominator_with_their_reasons(
    maker: Callable[..., Any], right: Any
) -> None:
    made = maker()
    made.arc(
        "a1",
        [
            asked(1),
            asked(2, excluded="no evidence"),
            asked(3, excluded="no evidence"),
            asked(4, not_scorable="silence passes"),
        ],
    )
    made.arm("none")
    made.play("a1", "none", 0, right, right, right, right)
    with made.write() as run:
        (row,) = compare([run])["rows"]
    assert (row["n"], row["excluded"], row["not_scorable"]) == (1, 2, 1)
    assert row["excluded_reasons"] == {"no evidence": 2}
    assert row["not_scorable_reasons"] == {"silence passes": 1}


def test_use_rates_by_hand(maker: Callable[..., Any], play: Any) -> None:
    gold = (Gold(name="amount", value="45.00"), Gold(name="order", value="K-7"))
    check = CalledCheck(tool="refund", arguments={"amount": "45.00", "order": "K-7"})

    def probe(number: int) -> Probe:
        return Probe(
            id=f"p{number}",
            kind="compose",
            decision=f"ask{number}/d",
            dependent=True,
            gold=gold,
            checks=(check,),
        )

    def call(ok: bool, **arguments: str) -> Any:
        return (("refund", arguments, ok, []),)

    made = maker()
    made.arc("a1", [probe(number) for number in range(5)])
    made.arm("facts", memory="facts")
    both = "amount 45.00, order K-7"
    made.play(
        "a1",
        "facts",
        0,
        play(block=both, calls=call(True, amount="45.00", order="K-7")),  # 2 of 2, all
        play(block=both, calls=call(True, amount="45.00", order="K-8")),  # 1 of 2, not all
        play(block="order K-7", calls=call(True, order="K-7")),  # 1 of 1, gold not complete
        play(block=both, calls=call(False, amount="45.00", order="K-7")),  # 0 of 2: not executed
        play(block=both, error=("model", "unparsable")),  # left out: an error ignores nothing
    )
    with made.write() as run:
        (row,) = compare([run])["rows"]
    assert (row["n_use_values"], row["use_rate_values"]) == (7, 4 / 7)
    assert (row["n_use_all"], row["use_rate_all"]) == (3, 1 / 3)
    assert row["ignore_rate"] == pytest.approx(2 / 3)
    assert row["tsr_dependent"] == 1 / 5


def test_values_in_the_working_context_are_no_use_of_memory(
    maker: Callable[..., Any], play: Any
) -> None:
    probe = asked(1, gold=(Gold(name="amount", value="45"),))
    made = maker()
    made.arc("a1", [probe], requests={"ask1/d": "Was it 45?"})
    made.arm("facts", memory="facts")
    made.play("a1", "facts", 0, play(block="amount 45", text="It is 45."))
    with made.write() as run:
        (row,) = compare([run])["rows"]
    assert (row["n_use_values"], row["n_use_all"], row["use_rate_values"]) == (0, 0, None)


def two_memories(maker: Callable[..., Any], right: Any, wrong: Any, **arm: Any) -> Any:
    """Twelve arcs: `facts` is right on all, `none` on none; `facts` also pays for writing."""
    made = maker(
        models=[{"name": arm.get("model", "last"), "options": {}}],
        memories=[{"name": "none", "options": {}}, {"name": "facts", "options": {}}],
    )
    made.arm("b-none", **arm)
    made.arm("a-facts", memory="facts", **arm)
    return made


def test_camu_is_the_gain_per_extra_dollar_of_an_episode(
    maker: Callable[..., Any], right: Any, wrong: Any
) -> None:
    made = two_memories(maker, right, wrong)
    for arc in ("a1", "a2"):
        made.arc(arc, [asked(1)])
        made.play(arc, "b-none", 0, wrong)
        tape = made.tape(arc, "a-facts")
        tape.session("plant")
        tape.completion((1000, 0, 0), "write", "memory_model")
        tape.session("ask1")
        tape.decide("ask1/d", "Please pay it.", right)
    with made.write() as run:
        none, facts = compare([run])["rows"]
    assert (none["memory"], facts["memory"]) == ("none", "facts")
    # Writing costs 1000 × $0.4/M = $0.0004 an arc of 2 episodes: $0.0002 an episode.
    assert facts["camu"] == pytest.approx(1.0 / 0.0002)
    assert none["camu"] is None


def test_camu_is_none_where_memory_costs_nothing_more(
    maker: Callable[..., Any], right: Any, wrong: Any
) -> None:
    made = two_memories(maker, right, wrong)
    made.arc("a1", [asked(1)])
    made.play("a1", "b-none", 0, wrong)
    made.play("a1", "a-facts", 0, right)
    with made.write() as run:
        assert [row["camu"] for row in compare([run])["rows"]] == [None, None]


def test_pairs_of_a_real_model_are_tested_and_scripted_ones_are_not(
    maker: Callable[..., Any], right: Any, wrong: Any
) -> None:
    found = []
    for model, identity in (
        ("last", {"scripted": True}),
        ("llama-cpp", {"scripted": False}),
    ):
        made = two_memories(lambda m=model, **suite: maker(m, **suite), right, wrong, model=model)
        for number in range(12):
            made.arc(f"a{number}", [asked(1)])
            for arm, act in (("b-none", wrong), ("a-facts", right)):
                made.play(f"a{number}", arm, 0, act, identities={"agent_model": identity})
        with made.write() as run:
            found.append(compare([run]))
    scripted, local = (each["pairs"] for each in found)
    assert [(pair["arm"], pair["against"], pair["difference"]) for pair in local] == [
        ("a-facts", "b-none", 1.0)
    ]
    assert (local[0]["pairs"], local[0]["clusters"], local[0]["dropped"]) == (12, 12, 0)
    assert local[0]["p"] == local[0]["p_holm"] == 2 / 2**12
    # All clusters agree: at most 1 - 0.025^(1/12) = 0.2647 of all others may lie as low as -1.
    assert local[0]["difference_ci"] == [pytest.approx(1 - 2 * 0.26465, abs=1e-4), 1.0]
    assert local[0]["verdict"] == "higher"
    assert (scripted[0]["p"], scripted[0]["p_holm"], scripted[0]["verdict"]) == (None,) * 3
    assert [row["evidence"] for row in found[1]["rows"]] == ["local model"] * 2


def test_ag_h06_pairs_use_shared_decisions_and_count_the_dropped(
    maker: Callable[..., Any], play: Any, right: Any, wrong: Any
) -> None:
    made = two_memories(maker, right, wrong)
    failed = play(error=("model", "unparsable"))
    for number, (none, facts) in enumerate([(wrong, right), (failed, right), (wrong, failed)]):
        made.arc(f"a{number}", [asked(1)])
        made.play(f"a{number}", "b-none", 0, none)
        made.play(f"a{number}", "a-facts", 0, facts)
    with made.write() as run:
        (pair,) = compare([run])["pairs"]
    assert (pair["pairs"], pair["dropped"], pair["difference"]) == (1, 2, 1.0)


def test_few_clusters_are_warned_of(maker: Callable[..., Any], right: Any, wrong: Any) -> None:
    made = two_memories(maker, right, wrong, model="llama-cpp")
    for number in range(5):
        made.arc(f"a{number}", [asked(1)])
        for arm, act in (("b-none", wrong), ("a-facts", right)):
            made.play(f"a{number}", arm, 0, act, identities={"agent_model": {}})
    with made.write() as run:
        found = compare([run])
    assert found["pairs"][0]["verdict"] == "tie"
    assert "none can be significant" in found["warnings"][0]


def test_a_deterministic_arm_with_several_seeds_counts_once_and_warns(
    maker: Callable[..., Any], right: Any, wrong: Any
) -> None:
    made = maker()
    made.arm("same")
    made.arm("varied", memory="replay")
    for arc in ("a1", "a2"):
        made.arc(arc, [asked(1)])
        for seed in (1, 2, 3):
            made.play(arc, "same", seed, right)
            made.play(arc, "varied", seed, wrong if (arc, seed) == ("a1", 2) else right)
    with made.write() as run:
        found = compare([run])
    same, varied = found["rows"]
    assert (same["n"], same["trials"], same["tokens"]) == (2, 2, 220)
    assert (varied["n"], varied["tsr_dependent"]) == (6, 5 / 6)
    assert found["warnings"] == [
        "same: the same under every trial seed, so 4 of its trials are repeats and are not counted"
    ]


def test_rows_stand_in_the_suites_order_never_by_score(
    maker: Callable[..., Any], right: Any, wrong: Any
) -> None:
    made = maker(
        models=[{"name": "last", "options": {}}],
        memories=[
            {"name": "none", "options": {}},
            {"name": "replay", "options": {}},
            {"name": "replay", "options": {"implementation": "unbudgeted"}},
        ],
    )
    made.arm("z-none")
    options = {"implementation": "unbudgeted", "keep": "newest"}
    made.arm("y-control", memory="replay", memory_options=options, token_budget=None)
    made.arm("b-replay", memory="replay", memory_options={"keep": "newest"}, token_budget=512)
    made.arm("c-replay", memory="replay", memory_options={"keep": "newest"}, token_budget=256)
    for tier in ("hard", "easy"):
        made.arc(tier, [asked(1)], tier=tier)
        for arm in made.arms:
            made.play(tier, arm, 0, right if arm == "c-replay" else wrong)
    with made.write() as run:
        found = [(row["tier"], row["arm"]) for row in compare([run])["rows"]]
    arms = ["z-none", "c-replay", "b-replay", "y-control"]
    assert found == [(tier, arm) for tier in ("easy", "hard") for arm in arms]


def test_grouping_by_named_factors(maker: Callable[..., Any], right: Any, wrong: Any) -> None:
    made = maker()
    made.arm("none")
    made.arm("facts", memory="facts")
    for tier in ("easy", "hard"):
        made.arc(tier, [asked(1), asked(2, False)], tier=tier)
        made.play(tier, "none", 0, wrong, right)
        made.play(tier, "facts", 0, right, right)
    with made.write() as run:
        by_tier = compare([run], ["tier"])["rows"]
        by_kind = compare([run], ["memory", "probe_kind"])["rows"]
        with pytest.raises(InputError, match="unknown factor 'memry'; did you mean 'memory'"):
            compare([run], ["memry"])
        with pytest.raises(InputError, match="at least one factor"):
            compare([run], [])
    assert [(row["tier"], row["memory"], row["n"]) for row in by_tier] == [
        ("easy", None, 4),
        ("hard", None, 4),
    ]
    assert [row["tsr_dependent"] for row in by_tier] == [0.5, 0.5]
    assert [(row["memory"], row["probe_kind"], row["n"], row["tokens"]) for row in by_kind] == [
        ("facts", "independent", 2, None),
        ("facts", "recall", 2, None),
        ("none", "independent", 2, None),
        ("none", "recall", 2, None),
    ]


def test_an_arc_may_mix_domains_and_clusters(
    maker: Callable[..., Any], right: Any, wrong: Any
) -> None:
    made = maker()
    made.arm("none")
    probes = [
        asked(1, domain="scope", cluster="t1"),
        asked(2, domain="scope", cluster="t2"),
        asked(3, domain="causality", cluster="t1"),
    ]
    made.arc("a1", probes)
    made.play("a1", "none", 0, right, wrong, right)
    with made.write() as run:
        rows = compare([run])["rows"]
        (whole,) = compare([run], ["memory"])["rows"]
    assert [(row["domain"], row["n"], row["clusters"], row["tokens"]) for row in rows] == [
        ("causality", 1, 1, None),
        ("scope", 2, 2, None),
    ]
    # Costs belong to trials, so only a row that holds whole trials can have them.
    assert (whole["domain"], whole["n"], whole["clusters"], whole["tokens"]) == (None, 3, 2, 330)


def test_unfinished_trials_are_counted_and_not_scored(
    maker: Callable[..., Any], right: Any
) -> None:
    made = maker()
    made.arm("none")
    made.arc("a1", [asked(1)])
    made.arc("a2", [asked(1)])
    made.play("a1", "none", 0, right)
    made.play("a2", "none", 0, right, sealed=False)
    with made.write() as run:
        found = compare([run])
    (row,) = found["rows"]
    assert (row["n"], row["trials"], row["unfinished"]) == (1, 1, 1)
    assert found["unfinished"] == ["a2/none/0"]
    assert row["evidence"] == "scripted"


def test_oracle_trials_are_marked_and_never_pooled_in_silence(
    maker: Callable[..., Any], right: Any
) -> None:
    made = maker()
    made.arm("none")
    made.arm("oracle", agent="tests:Oracle")
    made.arc("a1", [asked(1)])
    made.play("a1", "none", 0, right)
    made.play("a1", "oracle", 0, right, oracle=True)
    with made.write() as run:
        assert [row["evidence"] for row in compare([run])["rows"]] == ["scripted", "oracle"]
        assert compare([run], ["domain"])["rows"][0]["evidence"] == "oracle + scripted"


def test_several_runs_stand_side_by_side(maker: Callable[..., Any], right: Any) -> None:
    runs = []
    for name in ("one", "two"):
        made = maker(name)
        made.arm("none")
        made.arc("a1", [asked(1)])
        made.play("a1", "none", 0, right)
        runs.append(made.write())
    assert [row["run"] for row in compare(runs)["rows"]] == ["one", "two"]
    with pytest.raises(InputError, match="named twice"):
        compare([runs[0], runs[0]])
    for run in runs:
        run.close()


def test_sc_h05b_scoring_twice_is_the_same_and_leaves_the_log_byte_equal(
    maker: Callable[..., Any], right: Any, wrong: Any
) -> None:
    made = two_memories(maker, right, wrong)
    for number in range(3):
        made.arc(f"a{number}", [asked(1)])
        made.play(f"a{number}", "b-none", 0, wrong)
        made.play(f"a{number}", "a-facts", 0, right)
    with made.write() as run:
        before = sha(run)
        first = compare([run])
        assert compare([run]) == first
        assert sha(run) == before
