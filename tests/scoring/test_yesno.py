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
        # Not decisions.
        ("Now is the time.", None),
        ("I know that.", None),
        ("No. 5 is the gate.", None),
        ("no.5", None),
        ("No later than Friday.", None),
        ("No doubt it is fine.", None),
        ("No one knows.", None),
        ("Not sure.", None),
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
