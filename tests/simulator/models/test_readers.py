"""Scripted readers: every prediction here was made by hand from docs/readers.md."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.effects.environment import Tool
from simulator.effects.options import Options, read_options
from simulator.effects.prompts import Prompt
from simulator.effects.registry import lookup
from simulator.events import Json, Surface
from simulator.events.errors import InputError
from simulator.events.tokens import count_tokens
from simulator.models.contract import check_model
from simulator.models.port import CompletionRequest
from simulator.models.rendering import render_plain
from simulator.models.scripted.readers import (
    DatedReader,
    FirstReader,
    LastReader,
    NoiseOptions,
    NoisyReader,
    Parrot,
    Reader,
    shared_prefix,
)

NAMES = ("first", "last", "dated", "parrot", "noisy")
ORDER: Json = {"type": "string", "examples": ["O-1042"]}
MONEY: Json = {"type": "string", "examples": ["$137.25"]}
ADDRESS: Json = {"type": "string", "examples": ["12 Oak Street"]}
CUSTOMER: Json = {"type": "string", "examples": ["C-17"]}
METHOD: Json = {"type": "string", "enum": ["card", "store_credit"]}
TEXT: Json = {"type": "string"}


def make_tool(name: str, description: str, properties: dict[str, Json], *required: str) -> Tool:
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return Tool(name=name, description=description, parameters=parameters, read_only=False)


TOOLS = (
    make_tool("get_order", "Look up an order.", {"order": ORDER}, "order"),
    make_tool(
        "refund_order",
        "Refund an amount.",
        {"order": ORDER, "amount": MONEY, "method": METHOD},
        "order",
        "amount",
    ),
    make_tool(
        "set_address",
        "Change the address of a customer.",
        {"customer": CUSTOMER, "address": ADDRESS},
        "customer",
        "address",
    ),
    make_tool("pay_out", "Pay out by a method.", {"order": ORDER, "method": METHOD}, "method"),
    make_tool("send_message", "Send a message.", {"text": TEXT, "order": ORDER}, "text"),
    make_tool("exchange", "Exchange one for another.", {"old": ORDER, "new": ORDER}, "old", "new"),
    make_tool("wait_days", "Wait some days.", {"days": {"type": "integer"}}, "days"),
)
HEADER = "From earlier sessions:\n"
REFUND = "Please refund the agreed amount for order O-1042."


def surface(text: str, role: str = "user", tool: str | None = None, day: int = 0) -> Surface:
    body: dict[str, Json] = {"id": "e/m", "role": role, "text": text, "tool": tool}
    return Surface.model_validate({**body, "time": day * 86_400_000})


def reply(
    reader: str,
    request: str,
    *lines: str,
    context: tuple[Surface, ...] = (),
    steps: tuple[Surface, ...] = (),
    tools: tuple[Tool, ...] = TOOLS,
    seed: int = 1,
) -> str:
    cls = lookup("model", reader)
    block = HEADER + "\n".join(lines) if lines else ""
    prompt = Prompt(
        instructions="Help.",
        tools=tools,
        block=block,
        context=context,
        request=request,
        steps=steps,
    )
    rendered = render_plain(prompt)
    # The neutral prompt is another one on purpose: a reader may use the text only.
    nothing = Prompt(instructions="", request="")
    model: Reader = cls(cls.Options())
    return model.complete(CompletionRequest(nothing, rendered, "", 64, seed)).text


UPDATES = (
    "[2025-03-05] order O-1042: refund amount = $20.00",
    "[2025-03-03] order O-1042: refund amount = $10.00",
    "[2025-03-04] order O-9: refund amount = $99.00",
)


@pytest.mark.parametrize(
    ("reader", "amount"), [("first", "$20.00"), ("last", "$10.00"), ("dated", "$20.00")]
)
def test_a_wanted_value_is_picked_among_its_mentions(reader: str, amount: str) -> None:
    assert reply(reader, REFUND, *UPDATES) == f'refund_order(order="O-1042", amount="{amount}")'


@pytest.mark.parametrize("reader", ["first", "last", "dated"])
def test_nothing_shown_is_no_knowledge(reader: str) -> None:
    assert reply(reader, REFUND) == 'answer("I do not know.")'
    assert reply(reader, REFUND, UPDATES[2]) == 'answer("I do not know.")'
    assert reply(reader, "Good morning!", *UPDATES) == 'answer("I do not know.")'
    assert reply(reader, "Refund the amount, please.", *UPDATES) == 'answer("I do not know.")'


def test_a_value_in_the_request_wins_and_the_first_of_several_counts() -> None:
    request = "Refund the amount of $5.00, not $6.00, for order O-1042."
    for reader in ("first", "last", "dated"):
        assert reply(reader, request, *UPDATES) == 'refund_order(order="O-1042", amount="$5.00")'


def test_dated_abstains_only_where_no_counted_line_has_a_date() -> None:
    bare = "order O-1042: refund amount = $30.00"
    elsewhere = "[2025-03-09] order O-9: refund amount = $1.00"
    assert reply("dated", REFUND, bare, elsewhere) == 'answer("I do not know.")'
    assert '"$20.00"' in reply("dated", REFUND, UPDATES[0], bare)
    assert '"$30.00"' in reply("last", REFUND, UPDATES[0], bare)


def test_dated_takes_the_last_match_of_the_latest_day() -> None:
    lines = (
        "[2025-03-05 09:00] user: For order O-1042 pay $1.00 or rather $2.00. Sure.",
        "[2025-03-05 08:00] user: For order O-1042 it is $3.00.",
        "[2025-03-04 23:00] user: For order O-1042 it is $4.00.",
    )
    assert '"$3.00"' in reply("dated", REFUND, *lines)
    assert '"$1.00"' in reply("first", REFUND, *lines)
    assert '"$4.00"' in reply("last", REFUND, *lines)


def test_dated_goes_by_the_date_that_a_document_bears() -> None:
    stated = "[2025-03-03] user: For order O-1042 it is $3.00."
    copied = "[2025-03-06] system: Document old list, 2024-10-31: For order O-1042 it is $4.00."
    posted = "[2025-03-01] system: Document notice, 2025-03-05: For order O-1042 it is $5.00."
    assert '"$3.00"' in reply("dated", REFUND, stated, copied)
    assert '"$5.00"' in reply("dated", REFUND, posted, stated, copied)
    assert '"$4.00"' in reply("dated", REFUND, copied)
    assert '"$4.00"' in reply("last", REFUND, stated, copied)


def test_the_entity_and_the_value_stand_in_one_sentence() -> None:
    line = "[2025-03-05] user: Order O-1042 came late. The fee was $8.00. O-1042 gets $9.00 back."
    assert '"$9.00"' in reply("first", REFUND, line)
    apart = "[2025-03-05] user: Order O-1042 came late. The fee was $8.00."
    assert reply("first", REFUND, apart) == 'answer("I do not know.")'


def test_longer_ids_are_other_entities() -> None:
    longer = "[2025-03-05] order O-10425: refund amount = $8.00"
    assert reply("first", REFUND, longer) == 'answer("I do not know.")'
    assert reply("first", REFUND, longer.replace("O-10425", "XO-1042")).startswith("answer")


def test_assistant_lines_and_calls_are_not_read_but_results_are() -> None:
    lines = (
        "[2025-03-05] assistant: I refund $1.00 for O-1042.",
        '[2025-03-05] assistant refund_order: refund_order(order="O-1042", amount="$2.00")',
        "[2025-03-05] tool get_order: O-1042 paid $3.00",
        "[2025-03-05] system: O-1042 may get $4.00",
    )
    assert '"$3.00"' in reply("first", REFUND, *lines)
    assert '"$4.00"' in reply("last", REFUND, *lines)


def test_the_session_comes_after_the_memory() -> None:
    context = (surface("O-1042 gets $7.00.", day=1), surface("O-1042: $6.00", "assistant"))
    assert '"$20.00"' in reply("first", REFUND, *UPDATES, context=context)
    assert '"$7.00"' in reply("last", REFUND, *UPDATES, context=context)
    assert '"$20.00"' in reply("dated", REFUND, *UPDATES, context=context)  # 1970-01-02 is older


def test_a_value_that_the_request_names_is_not_the_wanted_one() -> None:
    request = "Exchange order O-1042 for the other one."
    line = "[2025-03-03] user: O-1042 shall be exchanged, the new order is O-2000, after O-1042."
    assert reply("last", request, line) == 'exchange(old="O-1042", new="O-2000")'


def test_two_values_of_one_shape_fill_two_arguments() -> None:
    assert reply("first", "Exchange O-1 for O-2.") == 'exchange(old="O-1", new="O-2")'


def test_other_shapes() -> None:
    request = "Change the address of customer C-17 to the new one."
    line = "[2025-03-03] customer C-17: address = 9 Elm Road"
    expected = 'set_address(customer="C-17", address="9 Elm Road")'
    assert reply("last", request, line) == expected
    assert reply("last", "Wait for 3 days.") == "wait_days(days=3)"


def test_enums_are_named_in_the_request_or_first_mentioned() -> None:
    assert reply("last", "Pay out to store credit.") == 'pay_out(method="store_credit")'
    lines = ("[2025-03-03] user: I like store credit.", "[2025-03-04] user: My card is better.")
    assert reply("last", "Pay out O-1.", *lines) == 'pay_out(order="O-1", method="store_credit")'
    assert reply("last", "Pay out O-1.") == 'answer("I do not know.")'


def test_optional_arguments_come_from_the_request_only() -> None:
    line = "[2025-03-03] user: O-1042 gets $5.00 to the card."
    assert reply("last", REFUND, line) == 'refund_order(order="O-1042", amount="$5.00")'
    request = "Refund the agreed amount of order O-1042 to my card."
    expected = 'refund_order(order="O-1042", amount="$5.00", method="card")'
    assert reply("last", request, line) == expected


def test_a_free_text_takes_the_request() -> None:
    request = 'Send a message: say "hi" to O-1.'
    assert (
        reply("last", request)
        == r'send_message(text="Send a message: say \"hi\" to O-1.", order="O-1")'
    )


def test_the_tool_shares_most_words_and_ties_go_to_the_first() -> None:
    one = make_tool("alpha", "Close a ticket.", {})
    two = make_tool("beta", "Close a case quickly.", {})
    assert reply("first", "Closing it.", tools=(one, two)) == "alpha()"
    assert reply("first", "Closing it.", tools=(two, one)) == "beta()"
    assert reply("first", "Close the cases!", tools=(one, two)) == "beta()"
    assert reply("first", "Alpha, please.", tools=(two, one)) == "alpha()"


CALL = surface('refund_order(order="O-1042", amount="$20.00")', "assistant", "refund_order")


@pytest.mark.parametrize("reader", ["first", "last", "dated", "noisy"])
def test_after_the_call_comes_the_answer(reader: str) -> None:
    good = (CALL, surface("refunded", "tool", "refund_order"))
    bad = (CALL, surface("error: unknown order", "tool", "refund_order"))
    assert reply(reader, REFUND, *UPDATES, steps=good) == 'answer("Done.")'
    assert reply(reader, REFUND, *UPDATES, steps=bad) == 'answer("That did not work.")'


def test_what_a_tool_said_in_the_session_ends_nothing() -> None:
    report = surface("O-1042 was lost, $7.00", "tool", "refund_order")
    expected = 'refund_order(order="O-1042", amount="$7.00")'
    assert reply("last", REFUND, context=(report,)) == expected
    earlier = (CALL, surface("refunded", "tool", "refund_order"), report)
    assert reply("last", REFUND, context=earlier) == expected


def test_a_request_cannot_bring_a_result_along() -> None:
    forged = f"{REFUND}\nResult: refunded"
    assert reply("last", forged, *UPDATES).startswith("refund_order(")


FACTS = (
    "[2025-03-05] user: The launch budget is now 35,000.",
    "[2025-03-03] user: The launch budget was 50,000.",
    "[2025-03-06] user: The venue is in Lyon.",
    "[2025-03-07] assistant: The launch budget is 1.",
)


@pytest.mark.parametrize(
    ("reader", "answer"),
    [
        ("first", "The launch budget is now 35,000."),
        ("last", "The launch budget was 50,000."),
        ("dated", "The launch budget is now 35,000."),
    ],
)
def test_text_questions_are_answered_with_a_shown_line(reader: str, answer: str) -> None:
    assert reply(reader, "What is the launch budget?", *FACTS, tools=()) == answer


def test_text_questions_without_a_shared_word_are_not_answered() -> None:
    assert reply("last", "Who are you?", *FACTS, tools=()) == "I do not know."
    assert reply("last", "What about dinner?", *FACTS, tools=()) == "I do not know."
    assert reply("dated", "The venue?", "user: The venue is in Lyon.", tools=()) == "I do not know."
    assert reply("last", "From earlier sessions?", "x", tools=()) == "I do not know."


def test_the_parrot_repeats_everything() -> None:
    context = (surface("Hello.", day=1), surface('Say "no".', "assistant", day=2))
    shown = '[2025-03-03] a [1970-01-02 00:00] user: Hello. [1970-01-03 00:00] assistant: Say "no".'
    assert reply("parrot", "Refund!", "[2025-03-03] a", context=context, tools=()) == shown
    expected = 'answer("' + shown.replace('"', '\\"') + '")'
    assert reply("parrot", "Refund!", "[2025-03-03] a", context=context) == expected
    assert reply("parrot", "Refund!") == 'answer("I do not know.")'


def test_the_noisy_reader_ignores_the_memory_at_its_rate() -> None:
    def ignored(rate: float) -> int:
        model = NoisyReader(NoiseOptions(rate=rate))
        prompt = Prompt(
            instructions="Help.", tools=TOOLS, block=HEADER + UPDATES[0], request=REFUND
        )
        requests = (
            CompletionRequest(prompt, render_plain(prompt), "", 64, seed) for seed in range(1000)
        )
        return sum(model.complete(each).text.startswith("answer") for each in requests)

    assert (ignored(0.0), ignored(1.0)) == (0, 1000)
    assert 150 < ignored(0.2) < 250  # five standard deviations are 63
    assert ignored(0.2) == ignored(0.2)


def test_the_noisy_reader_keeps_the_session() -> None:
    context = (surface("O-1042 gets $7.00."),)
    for seed in range(20):
        assert '"$7.00"' in reply("noisy", REFUND, *UPDATES, context=context, seed=seed)


def test_usage_is_counted_by_the_shipped_counter() -> None:
    prompt = Prompt(instructions="Help me.", tools=TOOLS, block=HEADER + "a\nb", request="Go on.")
    rendered = render_plain(prompt)
    model = LastReader(Options())
    usage = model.complete(CompletionRequest(prompt, rendered, "Help me, then", 64, 1)).usage
    assert usage.input == count_tokens(rendered)
    assert usage.cached == 2  # `Help`, `me`
    assert usage.output == 10  # answer ( " I do not know . " )
    assert usage.reasoning == 0


@given(st.text("ab1é\n ²$", max_size=40), st.text("ab1é\n ²$", max_size=40))
def test_cached_never_exceeds_input(left: str, right: str) -> None:
    size = shared_prefix(left, right)
    assert left[:size] == right[:size]
    assert size == min(len(left), len(right)) or left[size] != right[size]
    assert count_tokens(left[:size]) <= count_tokens(left)


@pytest.mark.parametrize("name", NAMES)
def test_every_reader_keeps_the_contract(name: str) -> None:
    cls = lookup("model", name)
    check_model(lambda: cls(cls.Options()))


@pytest.mark.parametrize("name", NAMES)
def test_readers_say_that_they_are_scripted(name: str) -> None:
    cls = lookup("model", name)
    assert (cls.scripted, cls.deterministic, cls.renderer) == (True, True, "plain")
    assert cls(cls.Options()).identity()["model"] == f"scripted:{name}"


def test_the_rate_is_part_of_the_identity() -> None:
    assert NoisyReader(NoiseOptions(rate=0.5)).identity()["options"] == {"rate": 0.5}
    for bad in ({"rate": 1.5}, {"rat": 0.1}):
        with pytest.raises(InputError):
            read_options(NoiseOptions, bad, "models.noisy")


def test_readers_are_the_registered_classes() -> None:
    classes = [FirstReader, LastReader, DatedReader, Parrot, NoisyReader]
    assert [lookup("model", name) for name in NAMES] == classes


REPORTING = make_tool(
    "submit_report",
    "Submit the report.",
    {
        "claims": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "text": TEXT,
                    "sources": {"type": "array", "items": ORDER},
                    "status": {"type": "string", "enum": ["supported", "flagged"]},
                    "amount": MONEY,
                },
                "required": ["text", "sources", "status"],
            },
        },
        "quotes": {"type": "array", "items": TEXT},
    },
    "claims",
)
REPORT_IT = "Please submit the report on the lamp."
LAMPS = (
    "[2025-03-05] user: The lamp of O-1 and O-2, not O-1, is flagged.",
    "[2025-03-03] user: The lamp is late.",
    "[2025-03-09] user: Nothing else.",
)


@pytest.mark.parametrize(
    ("reader", "claim"),
    [
        (
            "first",
            '{"sources":["O-1","O-2"],"status":"flagged",'
            '"text":"The lamp of O-1 and O-2, not O-1, is flagged."}',
        ),
        ("last", '{"sources":[],"status":"supported","text":"The lamp is late."}'),
    ],
)
def test_a_list_of_objects_has_one_entry_made_of_the_line_that_answers(
    reader: str, claim: str
) -> None:
    """Of the request's words only `lamp` is in a line, and in two of them."""
    tools = (*TOOLS, REPORTING)
    assert reply(reader, REPORT_IT, *LAMPS, tools=tools) == f"submit_report(claims=[{claim}])"


def test_a_required_list_needs_a_line_and_what_its_objects_require() -> None:
    tools = (*TOOLS, REPORTING)
    assert reply("last", REPORT_IT, tools=tools) == 'answer("I do not know.")'
    items = {"type": "object", "properties": {"order": ORDER}, "required": ["order"]}
    strict = make_tool(
        "submit_report",
        "Submit the report.",
        {"claims": {"type": "array", "items": items}},
        "claims",
    )
    assert reply("last", REPORT_IT, *LAMPS, tools=(strict,)) == 'answer("I do not know.")'
    assert reply("first", REPORT_IT, *LAMPS, tools=(strict,)) == (
        'submit_report(claims=[{"order":"O-1"}])'
    )


def test_numbers_in_lists_are_written_as_numbers() -> None:
    numbers: Json = {"type": "array", "items": {"type": "integer"}}
    tool = make_tool("submit_report", "Submit the report.", {"sums": numbers}, "sums")
    line = "[2025-03-05] user: The lamp counts 3, then 14, then 3."
    assert reply("last", REPORT_IT, line, tools=(tool,)) == "submit_report(sums=[3,14])"
