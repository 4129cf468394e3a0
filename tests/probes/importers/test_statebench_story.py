"""What is seen: the data's words in the data's order, recorded state as system text."""

from typing import Any

from probes.importers.statebench.story import Told, moment, tell

START = (20_423 * 1440 + 540) * 60_000  # 2025-12-01T09:00Z
MINUTE = 60_000


def shown(timeline: Any) -> list[tuple[int, str, str]]:
    return [
        ((item.at - START) // MINUTE, item.role, item.text)
        for item in tell(timeline)
        if isinstance(item, Told)
    ]


def test_everything_that_the_agent_would_have_is_told(kit: Any) -> None:
    timeline = kit.timeline(
        kit.turn(2, "Renew Acme.", "user"),
        kit.turn(3, "Renewed.", "assistant"),
        kit.write(3, "acme", "renewed"),
        kit.write(9, "acme_v2", "on hold", supersedes="acme"),
        kit.query(12, "Is Acme renewed?"),
        facts=({"key": "policy", "value": "No auto-renewal", "ts": "2025-12-01T08:00:00"},),
        notes=({"item_type": "task", "content": "renewals", "ts": "2025-12-01T09:00:00"},),
        alert="Mail is down",
    )
    identity = (
        "Recorded: user_name = Ada; authority = Buyer; department = Purchasing;"
        " organization = Northwind"
    )
    assert shown(timeline) == [
        (-60, "system", "Recorded: policy = No auto-renewal"),
        (0, "system", identity),
        (0, "system", "Recorded: alert = Mail is down"),
        (0, "system", "Working note: task = renewals"),
        (2, "user", "Renew Acme."),
        (3, "assistant", "Renewed."),
        (3, "system", "Recorded: acme = renewed"),
        (9, "system", "Recorded: acme_v2 = on hold (replaces acme)"),
    ]


def test_time_decides_the_order_and_the_file_decides_ties(kit: Any) -> None:
    timeline = kit.timeline(
        kit.turn(2, "A"), kit.turn(5, "B"), kit.write(1, "early", "C"), kit.turn(5, "D"),
        kit.query(9, "?"),
    )  # fmt: skip
    texts = [text for _, _, text in shown(timeline)][1:]
    assert texts == ["Recorded: early = C", "A", "B", "D"]
    times = [moment(item) for item in tell(timeline)]
    assert times == sorted(times)


def test_initial_entries_are_never_later_than_the_first_event(kit: Any) -> None:
    timeline = kit.timeline(
        kit.query(2, "Limit?"),
        facts=({"key": "limit", "value": "500", "ts": "2025-12-01T09:30:00"},),
    )
    story = tell(timeline)
    assert isinstance(story[1], Told) and story[1].text == "Recorded: limit = 500"
    assert story[1].at == moment(story[2]) == START + 2 * MINUTE


def test_the_importers_own_words_are_no_content(kit: Any) -> None:
    timeline = kit.timeline(
        kit.write(2, "b", "two", supersedes="a"),
        kit.query(3, "?"),
        notes=({"item_type": "task", "content": "sums", "ts": "2025-12-01T09:00:00"},),
    )
    told = [item for item in tell(timeline) if isinstance(item, Told)]
    assert [item.content for item in told[1:]] == [("sums",), ("b", "two")]
    assert told[0].content == ("Ada", "Buyer", "Purchasing", "Northwind")
    assert [item.keys for item in told] == [frozenset(), frozenset(), frozenset({"b"})]
