"""Outcomes of decisions written by hand, each with the one name that it must get."""

import itertools
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.acting import read_only_tools
from scoring.decisions import CallRecord, DecisionRecord
from scoring.keys import (
    CalledCheck,
    Check,
    Corrupted,
    Forbidden,
    Gold,
    Key,
    NotCalledCheck,
    Probe,
    Revision,
    SaysCheck,
)
from scoring.outcomes import OUTCOMES, Acting, acting, outcome, outcome_columns
from scoring.shown import shown
from scoring.verdicts import judge
from simulator.events.folding import fold

ORDER = "O-1042"
RIGHT = {"order_id": ORDER, "amount": "$45.00"}
REFUND = CalledCheck(tool="issue_refund", arguments=RIGHT)
LOOKED = ("get_order", {"order_id": ORDER})


def refund(amount: str, order: str = ORDER) -> tuple[str, dict[str, Any]]:
    return "issue_refund", {"order_id": order, "amount": amount}


def probe(*checks: Check, gold: str = "$45.00", **more: Any) -> Probe:
    told = {"kind": "update", "decision": "e/d", "dependent": True, **more}
    return Probe(
        id="p",
        gold=(Gold(name="amount", value=gold),),
        checks=checks or (REFUND,),
        forbidden=more.pop("forbidden", (Forbidden(value="$40.00", failure="resurrection"),)),
        **{name: value for name, value in told.items() if name != "forbidden"},
    )


def key(asked: Probe, **more: Any) -> Key:
    return Key(arc="a", domain="support", cluster="a", probes=(asked,), **more)


def record(*calls: tuple[str, dict[str, Any]], **more: Any) -> DecisionRecord:
    """Return a decision that made these calls; those in `failed` were refused by their tool."""
    failed = more.pop("failed", ())
    told = {"outcome": "answer", "text": "Done.", "environment": "support", **more}
    made = tuple(
        CallRecord(tool, arguments, (), number not in failed, "", number)
        for number, (tool, arguments) in enumerate(calls)
    )
    request = more.pop("request", f"Please issue the refund for order {ORDER}.")
    return DecisionRecord("t", "e/d", **{"request": request, **told}, calls=made)


def came_to(done: DecisionRecord, asked: Probe | None = None, **of_key: Any) -> str:
    asked = asked or probe()
    return outcome(judge(done, asked), key(asked, **of_key))


def did(done: DecisionRecord, asked: Probe | None = None, **of_key: Any) -> Acting:
    asked = asked or probe()
    return acting(judge(done, asked), key(asked, **of_key))


STALE = (Corrupted(event="e/m9", kind="contradictory", name="amount", value="$71.00"),)

ACTS: list[tuple[str, DecisionRecord]] = [
    ("fresh", record(refund("$45.00"))),
    ("fresh", record(LOOKED, refund("$45.00"))),
    ("stale", record(refund("$40.00"))),
    ("stale", record(refund("$40.00"), outcome="clarification", text="Was that right?")),
    ("blended", record(refund("$42.50"))),
    ("blended", record(refund("42.50"))),
    ("other value", record(refund("$42.51"))),
    ("other value", record(refund("€42.50"))),
    ("other value", record(refund("$39.99"))),
    ("other value", record(refund("$45.00", order="O-7777"))),
    ("other value", record(refund("$39.99"), outcome="clarification", text="Was that right?")),
    ("other value", record(refund("$39.99"), outcome="refusal", text="I will not go on.")),
    ("other value", record(refund("$39.99"), failed=(0,), text="That did not work.")),
    ("asked", record(outcome="clarification", text="How much?")),
    ("asked", record(LOOKED, outcome="clarification", text="Is it $40.00?")),
    ("refused", record(outcome="refusal", text="I cannot do that.")),
    ("refused", record(text="I do not know.")),
    ("refused", record(LOOKED, text="The refund is $45.00.")),
    ("error", record(outcome="error", text="")),
    ("error", record(refund("$40.00"), outcome="error", text="")),
    ("error", DecisionRecord("t", "e/d", "Please.", environment="support")),
]


@pytest.mark.parametrize(("name", "done"), ACTS, ids=lambda each: str(each)[:40])
def test_an_act_has_the_outcome_that_it_should(name: str, done: DecisionRecord) -> None:
    assert came_to(done) == name


def test_wrong_actions_and_abstentions_share_no_name() -> None:
    """Whatever else a decision does, a wrong act is never under `asked` or `refused`."""
    wrong = ["$40.00", "$42.50", "$71.00", "$39.99"]
    endings = [("answer", "Done."), ("clarification", "Right?"), ("refusal", "No more.")]
    acted, silent = set(), set()
    for ending, text in endings:
        told = {"outcome": ending, "text": text}
        acted |= {came_to(record(refund(each), **told), corrupted=STALE) for each in wrong}
        silent.add(came_to(record(**told), corrupted=STALE))
    assert acted == {"stale", "blended", "corrupted", "other value"}
    assert silent == {"asked", "refused"}


def test_a_value_that_was_put_in_is_corrupted_even_where_it_once_held() -> None:
    again = (Corrupted(event="e/m9", kind="stale", name="amount", value="$40.00"),)
    done = record(refund("$40.00"))
    assert came_to(done) == "stale"
    assert came_to(done, corrupted=again) == "corrupted"
    assert came_to(record(refund("$71.00")), corrupted=STALE) == "corrupted"
    assert came_to(record(refund("$71.00"))) == "other value"
    # The mean of $45.00 and $71.00 is a blend like any other.
    assert came_to(record(refund("$58.00")), corrupted=STALE) == "blended"


def test_a_mix_of_three_values_is_blended_and_a_coincidence_with_the_request_is_not() -> None:
    asked = probe(
        forbidden=tuple(
            Forbidden(value=value, failure="resurrection") for value in ("$40.00", "$20.00")
        )
    )
    # (45 + 40 + 20) / 3 = 35; (45 + 20) / 2 = 32.50.
    assert came_to(record(refund("$35.00")), asked) == "blended"
    assert came_to(record(refund("$32.50")), asked) == "blended"
    assert came_to(record(refund("$30.00")), asked) == "other value"
    named = f"The total of {ORDER} is $35.00. Please issue the agreed refund."
    assert came_to(record(refund("$35.00"), request=named), asked) == "other value"


def test_a_mean_that_falls_between_two_cents_is_blended_at_both() -> None:
    asked = probe(forbidden=(Forbidden(value="$40.01", failure="resurrection"),))
    # (45.00 + 40.01) / 2 = 42.505
    shown = [came_to(record(refund(f"$42.{cents}")), asked) for cents in (49, 50, 51, 52)]
    assert shown == ["other value", "blended", "blended", "other value"]


def test_numbers_have_means_and_codes_have_none() -> None:
    check = CalledCheck(tool="set", arguments={"port": 9090})
    port = probe(check, gold="9090", forbidden=(Forbidden(value="8080", failure="resurrection"),))
    assert came_to(record(("set", {"port": 8585})), port) == "blended"
    assert came_to(record(("set", {"port": 8080})), port) == "stale"
    code = probe(check, gold="v4", forbidden=(Forbidden(value="v2", failure="resurrection"),))
    assert came_to(record(("set", {"port": "v3"})), code) == "other value"


def test_one_argument_with_both_values_is_a_mix_and_one_that_rules_the_old_out_is_not() -> None:
    check = CalledCheck(
        tool="redirect_order", arguments={"order_id": ORDER, "address": "1 Elm Row"}
    )
    asked = probe(
        check, gold="1 Elm Row", forbidden=(Forbidden(value="9 Oak Way", failure="resurrection"),)
    )

    def to(address: str) -> str:
        call = ("redirect_order", {"order_id": ORDER, "address": address})
        return came_to(record(call), asked)

    assert to("1 Elm Row") == "fresh"
    assert to("9 Oak Way") == "stale"
    assert to("9 Oak Way and 1 Elm Row") == "blended"
    assert to("1 Elm Row, not 9 Oak Way") == "other value"


def test_revisions_reach_back_and_a_value_that_returned_is_fresh() -> None:
    revisions = (
        Revision(event="e/m2", was="$20.00", now="$40.00"),
        Revision(event="e/m3", was="$40.00", now="$45.00"),
    )
    asked = probe(forbidden=())
    assert came_to(record(refund("$20.00")), asked, revisions=revisions) == "stale"
    assert came_to(record(refund("$40.00")), asked, revisions=revisions) == "stale"
    returned = (*revisions, Revision(event="e/m4", was="$45.00", now="$20.00"))
    back = probe(CalledCheck(tool="issue_refund"), gold="$20.00", forbidden=())
    assert came_to(record(refund("$20.00")), back, revisions=returned) == "fresh"


def test_questions_are_judged_by_their_answer() -> None:
    asked = probe(SaysCheck(phrase="$45.00"))

    def answer(text: str, ending: str = "answer") -> str:
        return came_to(record(outcome=ending, text=text, request="What was agreed?"), asked)

    assert answer("It is $45.00.") == "fresh"
    assert answer("It is $40.00.") == "stale"
    assert answer("It is $42.50.") == "blended"
    assert answer("It is $12.00.") == "other value"
    assert answer("I do not know.") == "refused"
    assert answer("I’m not sure about that.") == "refused"
    assert answer("Is it $40.00?", "clarification") == "asked"
    assert answer("I may not say $40.00.", "refusal") == "refused"


def test_an_answer_that_repeats_the_question_does_not_act_on_what_it_names() -> None:
    asked = probe(SaysCheck(phrase="$45.00"))
    request = "Is it $40.00?"
    assert came_to(record(text="Is it $40.00?", request=request), asked) == "other value"
    assert came_to(record(text="Yes, $40.00.", request=request), asked) == "stale"


def test_where_the_environment_is_missing_a_changed_world_tells_acts_from_look_ups() -> None:
    assert read_only_tools("nowhere") is None
    told: dict[str, Any] = {"environment": "nowhere", "text": "I do not know."}
    look = record(("find", {"id": "7"}), before={"a": 1}, after={"a": 1}, **told)
    wrote = record(("put", {"id": "7"}), before={"a": 1}, after={"a": 2}, **told)
    assert [came_to(each) for each in (look, wrote)] == ["refused", "other value"]
    assert did(wrote).reverified is None


def test_reverified_is_a_look_up_that_answered_before_the_first_writing_call() -> None:
    assert did(record(LOOKED, refund("$40.00"))).reverified is True
    assert did(record(refund("$40.00"), LOOKED)).reverified is False
    assert did(record(LOOKED, refund("$40.00"), failed=(0,))).reverified is False
    assert did(record(LOOKED)).reverified is None


def test_quoted_not_acted() -> None:
    assert did(record(LOOKED, text="The refund is $45.00.")).quoted is True
    assert did(record(refund("$40.00"), text="I refunded $45.00.")).quoted is True
    assert did(record(refund("$45.00"), text="I refunded $45.00.")).quoted is False
    assert did(record(text="It is not $45.00.")).quoted is False
    assert did(record(outcome="clarification", text="Shall I pay $45.00?")).quoted is True
    assert did(record(outcome="error", text="")).quoted is None
    assert did(record(text="$45.00"), probe(SaysCheck(phrase="$45.00"))).quoted is None


def test_acting_on_a_corrupted_value_is_counted_whatever_the_outcome() -> None:
    assert did(record(refund("$71.00"))).corrupted is None
    assert did(record(refund("$71.00")), corrupted=STALE).corrupted is True
    assert did(record(refund("$45.00")), corrupted=STALE).corrupted is False
    both = did(record(refund("$71.00"), refund("$45.00")), corrupted=STALE)
    assert (both.outcome, both.corrupted) == ("fresh", True)
    barred = NotCalledCheck(tool="issue_refund", arguments={"amount": "$71.00"})
    two = did(record(refund("$71.00"), refund("$45.00")), probe(REFUND, barred), corrupted=STALE)
    assert (two.outcome, two.corrupted) == ("corrupted", True)
    assert did(record(), corruption="stale:0.3").corrupted is False


def test_columns_by_hand() -> None:
    """Worked example of `docs/metrics.md`."""
    found = [
        did(record(refund("$45.00"), text="I refunded $45.00."), corrupted=STALE),
        did(record(LOOKED, refund("$71.00")), corrupted=STALE),
        did(record(text="The refund is $45.00."), corrupted=STALE),
        did(record(outcome="clarification", text="How much?"), corrupted=STALE),
    ]
    columns = outcome_columns(found)
    assert {name: each["n"] for name, each in columns["outcomes"].items() if each["n"]} == {
        "fresh": 1,
        "corrupted": 1,
        "refused": 1,
        "asked": 1,
    }
    assert columns["outcomes"]["fresh"]["share"] == 0.25
    assert columns["answered_without_act"] == 1
    assert (columns["corrupted_used"], columns["n_corrupted_used"]) == (1, 4)
    assert (columns["reverified"], columns["n_reverified"]) == (1, 2)
    assert (columns["quoted_not_acted"], columns["n_quoted_not_acted"]) == (1, 4)
    nothing = outcome_columns([])
    assert nothing["outcomes"]["stale"] == {"n": 0, "share": None}
    assert nothing["reverified_rate"] is None


AMOUNTS = ["$45.00", "$40.00", "$42.50", "$71.00", "$39.99"]
DECISIONS = st.builds(
    lambda calls, ending, failed: record(
        *calls, outcome=ending, text="" if ending == "error" else "I see $45.00.", failed=failed
    ),
    st.lists(st.sampled_from([LOOKED, *map(refund, AMOUNTS)]), max_size=3),
    st.sampled_from(["answer", "clarification", "refusal", "error"]),
    st.sets(st.integers(0, 2)),
)


@given(st.lists(DECISIONS, min_size=1, max_size=12))
def test_every_decision_has_one_outcome_and_shares_add_up(made: list[DecisionRecord]) -> None:
    asked = probe()
    named = key(asked, corrupted=STALE)
    found = [acting(judge(each, asked), named) for each in made]
    columns = outcome_columns(found)["outcomes"]
    assert list(columns) == list(OUTCOMES)
    assert sum(each["n"] for each in columns.values()) == len(made)
    assert sum(each["share"] for each in columns.values()) == pytest.approx(1.0)
    fresh = Counter(judge(each, asked).success for each in made)[True]
    assert columns["fresh"]["n"] == fresh
    assert columns["error"]["n"] == sum(each.errored for each in made)


def item(name: str, text: str) -> dict[str, Any]:
    return {"item": name, "text": text, "sources": [], "rank": None, "distance": None}


def test_what_the_block_held_and_where() -> None:
    texts = ["Hello.", "The refund was $40.00.", "It is $45.00 now.", "So $45.00."]
    done = record(
        block="\n".join(texts), items=tuple(item(str(at), text) for at, text in enumerate(texts))
    )
    found = shown(judge(done, probe()), key(probe()))
    assert found is not None
    assert (found.needed, found.had, found.ranks, found.sibling) == (1, True, (3,), True)
    bare = shown(judge(record(block="$450.00"), probe()), key(probe()))
    assert bare is not None
    assert (bare.had, bare.ranks, bare.sibling) == (False, (), False)
    assert shown(judge(done, probe().model_copy(update={"gold": ()})), key(probe())) is None


def test_ranks_agree_with_a_plain_search() -> None:
    texts = ["$45.00", "$40.00", "nothing"]
    for order in itertools.permutations(texts):
        items = tuple(item(str(at), text) for at, text in enumerate(order))
        found = shown(judge(record(block="\n".join(order), items=items), probe()), key(probe()))
        assert found is not None
        assert found.ranks == (1 + [fold(text) for text in order].index("$45.00"),)
