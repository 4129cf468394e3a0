import pytest

from scoring.yesno import decide


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("Yes.", "yes"),
        ("No.", "no"),
        ("yes", "yes"),
        ("NO!", "no"),
        ("No, you cannot.", "no"),
        ("No you cannot.", "no"),
        ("No - it was revoked.", "no"),
        ("No \u2014 it was revoked.", "no"),
        ("Yes you can.", "yes"),
        ("Sorry, no.", "no"),
        ("**Yes**, go ahead.", "yes"),
        ('"No."', "no"),
        ("Decision: no", "no"),
        ("Thanks for asking.\nYes, it is approved.", "yes"),
        ("No. It was revoked.", "no"),
        ("Yes. 5 of them.", "yes"),
        ("No, yes would be wrong.", "no"),
        ("Yes, there is no doubt.", "yes"),
        # A leading word, or a sentence that states the answer.
        ("No problem, yes, go ahead.", "yes"),
        ("Unfortunately no.", "no"),
        ("Well, definitely yes.", "yes"),
        ("The answer is no.", "no"),
        ("My final answer is **yes**.", "yes"),
        ("I'd say no, since it was revoked.", "no"),
        ("It's a firm no.", "no"),
        ("Right now, I would say yes.", "yes"),
        ("No way.", "no"),
        ("No thanks.", "no"),
        ("Yes, no problem.", "yes"),
        ("I know now: no.", "no"),
        # The first clear word decides.
        ("Yes. No, wait.", "yes"),
        # Not decisions.
        ("Now is the time.", None),
        ("I know that.", None),
        ("No. 5 is the gate.", None),
        ("no.5", None),
        ("No later than Friday.", None),
        ("No doubt it is fine.", None),
        ("No one knows.", None),
        ("Not sure.", None),
        ("I am not sure.", None),
        ("It is not approved.", None),
        ("Not approved yet.", None),
        ("Right now, the budget is $150,000 and the vendor is approved.", None),
        ("Yes and no.", None),
        ("no and yes", None),
        ("Yes-men abound.", None),
        ("'Yes' is not what I would say.", None),
        ("No is a strong word.", None),
        ("No approval is needed.", None),
        ("No longer valid.", None),
        ("No way to tell.", None),
        ("Nothing noted.", None),
        ("Please answer yes or no.", None),
        ("The answer is now known.", None),
        ("I cannot say yes.", None),
        ("It depends: yes or no.", None),
        ("yes/no", None),
        ("Yesterday we met.", None),
        ("No-one said so.", None),
        ("Nobody said so.", None),
        ("I have no idea.", None),
        ("", None),
        ("eyes", None),
    ],
)
def test_only_a_clear_word_at_the_start_of_a_clause_decides(
    text: str, decision: str | None
) -> None:
    assert decide(text).decision == decision


def test_the_reason_quotes_the_clause() -> None:
    assert "no" in decide("Well, no, thanks").reason


@pytest.mark.parametrize("piece", ["*", "-", "no ", "the ", "(", "\n", " ", "yes or "])
def test_a_hostile_text_is_read_too(piece: str) -> None:
    assert decide(piece * (100_000 // len(piece)) + " maybe").decision is None
