"""The ledger: what a block shows at which budget, what becomes of entries, and what is forgotten.

Lines have neither dates nor speakers here, so that their tokens can be counted by hand.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.ledger import PRIORITIES, Ledger, LedgerOptions
from simulator.effects.memory import Ask, Item, MemorySetup
from simulator.effects.steps import Effect, Result, perform
from simulator.events import GLOBAL, Surface

Say = Callable[..., Surface]


def make(setup: MemorySetup, **options: Any) -> Ledger:
    plain = {"dates": False, "provenance": False}
    return Ledger(LedgerOptions.model_validate(plain | options), setup)


def document(say: Say, name: str, thing: str, text: str, **at: Any) -> Surface:
    head = f'document {thing} "Terms", version v1 of v1, owner P-1, approval not needed'
    return say(name, f"{head}: {text}", role="tool", **at)


CONSTRAINT = "constraint: Never call Ada."
OBLIGATION = "obligation: Remember to thank Bob."
NOTICE = "notice: DOC-7 was deleted."
QUOTATION = "quotation: Quote the fee rule verbatim."
PASSAGE = "DOC-8: The fee rule may change."
FIGURE = "order O-1: refund amount = $5"
LIFT = "lift: You may phone Carl now."
LIFTED = "lifted constraint: Do not phone Carl."
REST = "Hello Dora."
ALL = [CONSTRAINT, OBLIGATION, NOTICE, QUOTATION, PASSAGE, FIGURE, LIFT, LIFTED, REST]


@pytest.fixture
def full(bench: Any, say: Say, setup: MemorySetup) -> Ledger:
    """A ledger with one line of each priority, and more of the last but one; told out of order."""
    memory = make(setup)
    bench.absorb(
        memory,
        say("u7", "Hello Dora."),
        say("u5", "Do not phone Carl."),
        say("u6", "You may phone Carl now."),
        say("u4", "The refund for order O-1 is $5."),
        document(say, "t1", "DOC-8", "The fee rule may change."),
        say("u3", "Quote the fee rule verbatim."),
        say("n1", "DOC-7 was deleted.", role="system"),
        say("u2", "Remember to thank Bob."),
        say("u1", "Never call Ada."),
    )
    return memory


# Header 5. Each line with its break: constraint 1 + 3+1+4, obligation 1 + 3+1+2+4, notice 1 + 8,
# quotation 1 + 3+1+4+2+1, passage 1 + 10, figure 1 + 10, lift 1 + 8, lifted 1 + 1+3+1+5, rest 1 + 3.
@pytest.mark.parametrize(
    ("budget", "lines"),
    [
        (8, []),
        (9, [REST]),
        (13, [REST]),
        (14, [CONSTRAINT]),
        (17, [CONSTRAINT]),
        (18, [CONSTRAINT, REST]),
        (23, [CONSTRAINT, NOTICE]),  # the obligation costs 11 and is passed over
        (25, [CONSTRAINT, OBLIGATION]),
        (34, ALL[:3]),
        (45, [*ALL[:3], PASSAGE]),
        (46, ALL[:4]),
        (57, ALL[:5]),
        (68, ALL[:6]),
        (77, ALL[:7]),
        (88, ALL[:8]),
        (91, ALL[:8]),
        (92, ALL),
        (None, ALL),
    ],
)
def test_a_budget_is_filled_by_priority(
    bench: Any, full: Ledger, budget: int | None, lines: list[str]
) -> None:
    block = bench.read(full, "Go on.", budget=budget)
    assert [shown.text for shown in block.items] == lines
    assert budget is None or block.tokens <= budget


def test_what_is_shown_is_what_the_priorities_say(full: Ledger) -> None:
    groups = full.ranked(Ask("Go on.", None, GLOBAL, 0))
    assert list(groups) == list(PRIORITIES)
    assert [len(groups[each]) for each in PRIORITIES] == [1, 1, 1, 2, 0, 2, 2, 1]


def test_within_a_priority_the_newest_comes_first(bench: Any, say: Say, setup: MemorySetup) -> None:
    memory = make(setup)
    bench.absorb(memory, say("u1", "Never call Ada."), say("u2", "Never call Bob.", day=1))
    assert bench.lines(memory) == ["constraint: Never call Bob.", "constraint: Never call Ada."]
    bench.absorb(memory, say("u3", "Never call Ada.", day=2))
    # Said again in the same words: once is enough.
    assert bench.lines(memory) == ["constraint: Never call Ada.", "constraint: Never call Bob."]


def test_figures_that_the_request_or_a_duty_needs_come_first(
    bench: Any, say: Say, setup: MemorySetup
) -> None:
    memory = make(setup)
    bench.absorb(
        memory,
        document(say, "t1", "DOC-1", "Termination costs $90. Training costs $80. Paint costs $70."),
        say("u1", "Make sure the report gives the termination fee."),
    )
    lines = bench.lines(memory, "What about the paint?")
    assert lines[1:] == [
        "DOC-1: Paint costs $70.",
        "DOC-1: Termination costs $90.",
        "DOC-1: Training costs $80.",
    ]


@pytest.mark.parametrize(
    ("dates", "provenance", "line"),
    [
        (True, True, "[2025-03-03] constraint by user: Never call Ada."),
        (True, False, "[2025-03-03] constraint: Never call Ada."),
        (False, True, "constraint by user: Never call Ada."),
    ],
)
def test_a_line_says_when_and_whose(
    bench: Any, say: Say, setup: MemorySetup, dates: bool, provenance: bool, line: str
) -> None:
    memory = make(setup, dates=dates, provenance=provenance)
    bench.absorb(memory, say("u1", "Never call Ada."))
    assert bench.lines(memory) == [line]


def test_a_sentence_that_points_back_brings_the_one_before(
    bench: Any, say: Say, setup: MemorySetup
) -> None:
    memory = make(setup)
    bench.absorb(memory, say("u1", "Norlin is in a hurry. Do not write to them before Friday."))
    assert bench.lines(memory)[0] == (
        "constraint: Norlin is in a hurry. Do not write to them before Friday."
    )


@pytest.mark.parametrize("role", ["assistant", "tool"])
def test_only_people_and_the_platform_bind(
    bench: Any, say: Say, setup: MemorySetup, role: str
) -> None:
    memory = make(setup)
    bench.absorb(memory, say("x1", "Never call Ada. Remember to thank Bob.", role=role))
    kinds = {each.kind for each, _, _ in memory.book.visible(Ask("", None, GLOBAL, 0))}
    assert kinds == set()


def test_a_document_binds_nobody(bench: Any, say: Say, setup: MemorySetup) -> None:
    memory = make(setup)
    bench.absorb(
        memory,
        document(say, "t1", "DOC-1", "The tenant must not sublet."),
        say("d1", "Document House rules: Never smoke in the hall.", role="system"),
    )
    assert bench.lines(memory) == [
        "DOC-1: The tenant must not sublet.",
        "House rules: Never smoke in the hall.",
    ]


def test_an_order_that_is_carried_out_at_once_is_no_duty(
    bench: Any, say: Say, setup: MemorySetup
) -> None:
    memory = make(setup)
    text = "Please complete the packet and make sure the fee is in there."
    call = Surface(id="c1", role="assistant", text="submit()", time=0, tool="submit", call="k")
    bench.absorb(memory, say("u1", text), call)
    assert [line for line in bench.lines(memory) if "obligation" in line] == []
    waiting = make(setup)
    bench.absorb(waiting, say("u1", text), say("u2", "Hello Dora."))
    assert bench.lines(waiting)[0] == f"obligation: {text}"


# --- what becomes of entries


@pytest.mark.parametrize(
    ("bound", "said", "first"),
    [
        ("Send nothing before I have approved the list.", "The list is approved.", "lift:"),
        ("Send nothing before I have approved the list.", "I'll approve the list soon.", "constr"),
        ("Send nothing before I have approved the list.", "You can send mails now.", "lift:"),
        ("Send nothing before I have approved the list.", "Is the list approved?", "constr"),
        ("Leave the invoice of March alone.", "You may pay the invoice of April now.", "constr"),
        ("Leave the invoice of March alone.", "That rule no longer applies.", "lift:"),
        ("Remember to thank Bob.", "Forget about thanking Bob.", "lift:"),
        ("Never mail P-10.", "You may mail P-1 now.", "constr"),
    ],
)
def test_what_lifts_and_what_does_not(
    bench: Any, say: Say, setup: MemorySetup, bound: str, said: str, first: str
) -> None:
    memory = make(setup)
    bench.absorb(memory, say("u1", bound))
    bench.absorb(memory, say("u2", said, day=1))
    assert bench.lines(memory)[0].startswith(first)


def test_a_lifted_constraint_binds_again_when_its_lift_is_forgotten(
    bench: Any, say: Say, setup: MemorySetup
) -> None:
    memory = make(setup)
    bench.absorb(memory, say("u5", "Do not phone Carl."), say("u6", "You may phone Carl now."))
    assert bench.lines(memory) == [LIFT, LIFTED]
    bench.forget(memory, "withdrawn", "u6")
    assert bench.lines(memory) == ["constraint: Do not phone Carl."]
    bench.regrant(memory, "u6")
    assert bench.lines(memory) == [LIFT, LIFTED]
    bench.forget(memory, "deleted", "u6")
    assert bench.lines(memory) == ["constraint: Do not phone Carl."]


def test_a_new_plan_takes_the_place_of_the_old_one(
    bench: Any, say: Say, setup: MemorySetup
) -> None:
    memory = make(setup)
    bench.absorb(memory, say("u1", "Do not pay the crane invoice before Monday."))
    bench.absorb(memory, say("u2", "Actually, do not pay the crane invoice at all.", day=1))
    assert bench.lines(memory) == [
        "constraint: Actually, do not pay the crane invoice at all.",
        "superseded constraint: Do not pay the crane invoice before Monday.",
    ]
    old = next(item for item in memory.holdings() if item.id == "u1:0")
    assert old.replaced_by == "u2:0"


def call_and_result(text: str, result: str, tool: str = "draft_mail") -> list[Surface]:
    common = {"time": 9, "tool": tool, "call": "k1"}
    return [
        Surface.model_validate({"id": "c1", "role": "assistant", "text": text, **common}),
        Surface.model_validate({"id": "r1", "role": "tool", "text": result, **common}),
    ]


DUTY = "When you are done, mail the parking costs to P-7."


@pytest.mark.parametrize(
    ("tool", "call", "result", "done"),
    [
        ("send_draft", 'x(to="P-7", text="parking costs $5")', "the mail to P-7 was sent", True),
        ("send_draft", 'x(to="P-8", text="parking costs $5")', "the mail to P-8 was sent", False),
        ("send_draft", 'x(to="P-7", text="parking costs $5")', "error: mail is down", False),
        ("send_draft", 'x(to="P-7", text="hello")', "the mail to P-7 was sent", False),
        ("read_document", 'x(id="P-7")', "the mail on parking costs to P-7 was sent", False),
    ],
)
def test_a_duty_is_fulfilled_when_its_work_is_reported(
    bench: Any, say: Say, setup: MemorySetup, tool: str, call: str, result: str, done: bool
) -> None:
    memory = make(setup)
    bench.absorb(memory, say("u1", DUTY), *call_and_result(call, result, tool))
    lines = bench.lines(memory)
    assert (f"fulfilled obligation: {DUTY}" in lines) == done
    assert (f"obligation: {DUTY}" in lines) != done
    assert (f"report: {result}" in lines) == done


@pytest.mark.parametrize(
    ("said", "done"),
    [
        ("I mailed the parking costs to P-7.", True),
        ("I will mail the parking costs to P-7.", False),
        ("I could not mail the parking costs to P-7.", False),
        ("I mailed P-7.", False),
    ],
)
def test_the_agents_own_words_report(
    bench: Any, say: Say, setup: MemorySetup, said: str, done: bool
) -> None:
    memory = make(setup)
    bench.absorb(memory, say("u1", DUTY), say("a1", said, role="assistant", day=1))
    assert (f"fulfilled obligation: {DUTY}" in bench.lines(memory)) == done


def test_a_duty_to_an_old_value_goes_with_it(bench: Any, say: Say, setup: MemorySetup) -> None:
    memory = make(setup)
    bench.absorb(memory, say("u1", "Remember to tell Bob that the refund for order O-1 is $5."))
    assert bench.lines(memory) == [
        "obligation: Remember to tell Bob that the refund for order O-1 is $5."
    ]
    bench.absorb(memory, say("u2", "The refund for order O-1 is now $7.", day=1))
    assert bench.lines(memory) == ["order O-1: refund amount = $7"]


# --- documents, corrections, quotations


def test_a_correction_corrects_the_statement_of_the_document(
    bench: Any, say: Say, setup: MemorySetup
) -> None:
    memory = make(setup)
    bench.absorb(
        memory,
        document(say, "t1", "DOC-1", "The unit price is $4.10. The deposit is $300."),
        document(say, "t2", "DOC-2", "The crane costs $4.10 an hour."),
        say("u1", "The unit price is not $4.10 but $3.90.", day=1),
    )
    corrected = "DOC-1, corrected: The unit price is $3.90."
    assert bench.lines(memory) == [
        corrected,
        "DOC-1: The deposit is $300.",
        "DOC-2: The crane costs $4.10 an hour.",
    ]
    held = {item.text: item for item in memory.holdings()}
    assert held[corrected].sources == {"t1", "u1"}
    assert held["DOC-1: The unit price is $4.10."].replaced_by == held[corrected].id
    bench.forget(memory, "withdrawn", "u1")
    assert "DOC-1: The unit price is $4.10." in bench.lines(memory)
    bench.regrant(memory, "u1")
    bench.forget(memory, "withdrawn", "t1")
    # What the user said may still be used; what only the document said may not.
    assert bench.lines(memory)[:1] == ["correction: The unit price is not $4.10 but $3.90."]
    assert not any("DOC-1" in line for line in bench.lines(memory))


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("The unit price is now $3.90.", "DOC-1, corrected: The unit price is $3.90."),
        (
            "DOC-1 has a typo, the price should read $3.90.",
            "DOC-1, corrected: The unit price is $3.90.",
        ),
        ("The unit price is $3.90.", "DOC-1, corrected: The unit price is $3.90."),
        ("The rival's unit price is $3.90.", "DOC-1: The unit price is $4.10."),
        ("Sorry, the fare is $3.90.", "DOC-1: The unit price is $4.10."),
        ("The unit price is up to 5 percent too high.", "DOC-1: The unit price is $4.10."),
    ],
)
def test_which_sentences_correct(
    bench: Any, say: Say, setup: MemorySetup, said: str, line: str
) -> None:
    memory = make(setup)
    paper = document(say, "t1", "DOC-1", "The unit price is $4.10. Parking costs $12 a day.")
    bench.absorb(memory, paper, say("u1", said, day=1))
    assert line in bench.lines(memory)


def test_a_second_correction_corrects_the_first(bench: Any, say: Say, setup: MemorySetup) -> None:
    memory = make(setup)
    bench.absorb(
        memory,
        document(say, "t1", "DOC-1", "The unit price is $4.10."),
        say("u1", "The unit price is not $4.10 but $3.90.", day=1),
        say("u2", "The unit price is not $3.90 but $3.80.", day=2),
    )
    assert bench.lines(memory) == ["DOC-1, corrected: The unit price is $3.80."]
    bench.forget(memory, "deleted", "u2")
    assert bench.lines(memory) == ["DOC-1, corrected: The unit price is $3.90."]


def test_a_document_read_again_is_corrected_again(bench: Any, say: Say, setup: MemorySetup) -> None:
    memory = make(setup)
    bench.absorb(memory, say("u1", "The unit price is not $4.10 but $3.90."))
    bench.absorb(memory, document(say, "t1", "DOC-1", "The unit price is $4.10.", day=1))
    assert bench.lines(memory) == ["DOC-1, corrected: The unit price is $3.90."]


def test_the_latest_version_of_a_document_counts(bench: Any, say: Say, setup: MemorySetup) -> None:
    memory = make(setup)
    texts = {2: "The fee is $9.", 1: "The fee is $8."}
    for version, text in texts.items():
        head = f'document DOC-1 "Fees", version v{version} of v2, owner P-1, approval not needed'
        bench.absorb(memory, say(f"t{version}", f"{head}: {text}", role="tool", day=3 - version))
    assert bench.lines(memory) == ["DOC-1: The fee is $9."]
    bench.forget(memory, "deleted", "t2")
    assert bench.lines(memory) == ["DOC-1: The fee is $8."]


@pytest.mark.parametrize("first", ["document", "request"])
def test_a_request_to_quote_has_its_passage_word_for_word(
    bench: Any, say: Say, setup: MemorySetup, first: str
) -> None:
    memory = make(setup)
    text = (
        "The lease runs for two years; it renews\nunless either side gives notice. "
        "The tenant shall paint the hall. Pets may be kept."
    )
    told = [
        document(say, "t1", "DOC-1", text),
        say("u1", "Quote the renewal clause word for word."),
    ]
    bench.absorb(memory, *(told if first == "document" else told[::-1]))
    assert bench.lines(memory, budget=60)[:2] == [
        "quotation: Quote the renewal clause word for word.",
        "DOC-1: The lease runs for two years; it renews unless either side gives notice.",
    ]


# --- notices


def test_a_notice_closes_the_document_that_it_names(
    bench: Any, say: Say, setup: MemorySetup
) -> None:
    memory = make(setup)
    bench.absorb(
        memory,
        document(say, "t1", "DOC-1", "The fee is $9."),
        document(say, "t10", "DOC-10", "The deposit is $8."),
    )
    bench.absorb(memory, say("w1", "You have no access to DOC-1 any more.", role="system", day=1))
    assert bench.lines(memory) == [
        "notice: You have no access to DOC-1 any more.",
        "DOC-10: The deposit is $8.",
    ]
    assert [item.hidden for item in memory.holdings() if "DOC-1:" in item.text] == [True]
    bench.absorb(memory, say("g1", "Access to DOC-1 was granted again.", role="system", day=2))
    assert bench.lines(memory) == [
        "DOC-1: The fee is $9.",
        "DOC-10: The deposit is $8.",
        "notice: Access to DOC-1 was granted again.",
        "lifted notice: You have no access to DOC-1 any more.",
    ]


def test_a_sentence_in_the_rest_is_closed_with_its_document(
    bench: Any, say: Say, setup: MemorySetup
) -> None:
    memory = make(setup)
    bench.absorb(memory, document(say, "t1", "DOC-1", "The paint was green."))
    assert bench.lines(memory) == ["DOC-1: The paint was green."]
    bench.absorb(memory, say("w1", "Your access to DOC-1 was revoked.", role="system"))
    assert bench.lines(memory) == ["notice: Your access to DOC-1 was revoked."]
    assert [item.hidden for item in memory.holdings()] == [False, True]


def test_a_notice_of_one_scope_closes_nothing_of_another(
    bench: Any, say: Say, setup: MemorySetup
) -> None:
    memory = make(setup)
    for scope in ("alpha", "beta"):
        bench.absorb(memory, document(say, f"t-{scope}", "DOC-1", "The fee is $9.", scope=scope))
    bench.absorb(memory, say("w1", "DOC-1 was deleted.", role="system", scope="alpha"))
    assert bench.lines(memory, scope="alpha") == ["notice: DOC-1 was deleted."]
    assert bench.lines(memory, scope="beta") == ["DOC-1: The fee is $9."]


def test_it_knows_what_it_may_no_longer_say_without_holding_it(
    bench: Any, say: Say, setup: MemorySetup
) -> None:
    memory = make(setup)
    bench.absorb(memory, document(say, "t1", "DOC-1", "The fee is $9."))
    bench.absorb(memory, say("x1", "DOC-1 was deleted from the drive.", role="system"))
    done = bench.forget(memory, "deleted", "t1")
    assert done.erased == ("t1:0",)
    assert bench.lines(memory) == ["notice: DOC-1 was deleted from the drive."]
    assert [item.text for item in memory.holdings()] == bench.lines(memory)
    bench.absorb(memory, document(say, "t1", "DOC-1", "The fee is $9."))
    assert bench.lines(memory) == ["notice: DOC-1 was deleted from the drive."]


# --- the rest, and forgetting at large


def test_the_rest_is_limited_and_keeps_what_looks_binding(
    bench: Any, say: Say, setup: MemorySetup
) -> None:
    memory = make(setup, max_rest_tokens=16)
    bench.absorb(memory, say("u1", "The wine was good."), say("u2", "The music was loud."))
    # Header 5, each line 1 + 5: one of them fits, of equals the newer; time ties by order.
    assert len(bench.lines(memory)) == 1
    none = make(setup, max_rest_tokens=0)
    bench.absorb(none, say("u1", "The wine was good."))
    assert bench.lines(none) == []


def test_u1_is_not_u10(bench: Any, say: Say, setup: MemorySetup) -> None:
    memory = make(setup)
    bench.absorb(memory, say("u1", "Never call Ada."), say("u10", "Never call Bob."))
    bench.forget(memory, "deleted", "u1")
    assert bench.lines(memory) == ["constraint: Never call Bob."]


def test_what_is_withdrawn_before_it_is_absorbed_stays_hidden(
    bench: Any, say: Say, setup: MemorySetup
) -> None:
    memory = make(setup)
    bench.forget(memory, "withdrawn", "u1")
    bench.absorb(memory, say("u1", "Never call Ada."))
    assert bench.lines(memory) == []
    bench.regrant(memory, "u1")
    assert bench.lines(memory) == ["constraint: Never call Ada."]


TEMPLATES = (
    ("user", "Never call {mark}."),
    ("user", "Remember to thank {mark}."),
    ("user", "You may call {mark} now."),
    ("user", "Quote the rule about {mark} verbatim."),
    ("user", "The refund for order {mark}-{n} is ${n}."),
    ("user", "The {mark} fee is not $7 but ${n}."),
    ("user", "The fee is now ${n}, says {mark}."),
    ("user", "Hello {mark}."),
    ("assistant", "I thanked {mark}."),
    ("tool", 'document DOC-{n} "X", version v1 of v1: The fee of {mark} is $7. It may rise.'),
    ("tool", "status: open, owner: {mark}"),
    ("system", "DOC-{n} was deleted, says {mark}."),
    ("system", "Access to DOC-{n} was granted again, says {mark}."),
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), st.sampled_from(TEMPLATES), st.integers(1, 3)),
        st.tuples(
            st.sampled_from(["withdrawn", "deleted", "regrant"]),
            st.just(("", "")),
            st.integers(0, 9),
        ),
    ),
    min_size=1,
    max_size=14,
)


def unasked(effect: Effect) -> Result:
    raise AssertionError(effect)


def mark(number: int) -> str:
    return f"Zq{chr(97 + number // 26)}{chr(97 + number % 26)}x"


def marks_in(text: str, said: int) -> set[str]:
    return {f"u{at}" for at in range(said) if mark(at) in text}


@settings(max_examples=150, deadline=None)
@given(STEPS, st.integers(0, 200))
def test_a_block_keeps_its_budget_and_shows_nothing_hidden_or_forgotten(
    steps: list[tuple[str, tuple[str, str], int]], budget: int
) -> None:
    memory = Ledger(LedgerOptions(), MemorySetup("x", False))
    said = 0
    withdrawn: set[str] = set()
    deleted: set[str] = set()
    for what, (role, template), number in steps:
        source = frozenset({f"u{number}"})
        if what == "say":
            text = template.format(mark=mark(said), n=number)
            values = {"id": f"u{said}", "role": role, "text": text, "time": said}
            perform(memory.absorb([Surface.model_validate(values)]), unasked)
            said += 1
        elif what == "regrant":
            perform(memory.regrant(source), unasked)
            withdrawn -= source
        else:
            before = {item.id: item for item in memory.holdings()}
            how: Any = what
            perform(memory.forget(source, how), unasked)
            after = {item.id for item in memory.holdings()}
            # Collateral loss is nil: only what contains the source is gone.
            lost = set(before) - after
            assert all(before[name].sources & source for name in lost)
            (withdrawn if what == "withdrawn" else deleted).update(source)
        check(memory, said, withdrawn, deleted, budget)


def check(memory: Ledger, said: int, withdrawn: set[str], deleted: set[str], budget: int) -> None:
    held: dict[str, Item] = {item.id: item for item in memory.holdings()}
    for item in held.values():
        assert marks_in(item.text, said) <= item.sources, item
        assert not item.sources & deleted
        assert item.hidden or not item.sources & withdrawn
        assert item.replaced_by is None or item.replaced_by in held
    for limit in (budget, None):
        block = perform(memory.read(Ask("What is the fee?", limit, GLOBAL, 99)), unasked)
        assert limit is None or block.tokens <= limit
        for shown in block.items:
            assert not held[shown.item].hidden
            assert not marks_in(shown.text, said) & (deleted | withdrawn)
            assert set(shown.sources) == held[shown.item].sources


def test_the_block_of_the_document_is_the_one_of_its_story(
    bench: Any, say: Say, setup: MemorySetup
) -> None:
    memory = Ledger(LedgerOptions(), setup)
    renewal = (
        "This contract renews for 12 months unless either party\ngives notice by 30 September."
    )
    bench.absorb(
        memory,
        document(say, "t1", "DOC-1001", "Norlin charges finance $4.10 a unit."),
        document(say, "t2", "DOC-1002", f"{renewal} To leave the contract costs two monthly fees."),
        document(
            say, "t4", "DOC-1004", "We used 5,210 units. The unit price was $3.20 on average."
        ),
        say("u1", "Do not send anything to P-2009 before I have approved the shortlist."),
        say("u2", "When you are done, say what it would cost to leave the contract."),
        say("u3", "Quote the renewal clause word for word."),
        say("u4", "Do not show the figures to Petra."),
        say("u5", "Norlin was founded in the north and is a pleasure to work with."),
        say("u6", "Petra may see the figures now.", day=1),
        say("u7", "The unit price in DOC-1004 is wrong, it should be $3.40.", day=1),
    )
    notice = "You have no access to DOC-1001 any more, it belongs to another department."
    bench.absorb(memory, say("w1", notice, role="system", day=2))
    shown = bench.read(memory, "Finalize the recommendation on the unit price.").render()
    page = Path(__file__).parents[2] / "docs" / "memories.md"
    assert f"```text\n{shown}\n```" in page.read_text(encoding="utf-8"), shown
