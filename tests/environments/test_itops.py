"""The operations team: what each tool does, refuses and says."""

import copy
from typing import Any

import jsonpatch
import pytest

from environments.contract import check_environment
from environments.itops import Itops
from simulator.events import Json
from simulator.events.errors import InputError

NOW = 1_740_992_400_000


def world() -> Json:
    return {
        "services": {
            "SVC-1042": {
                "name": "checkout-api",
                "version": "v2.3.4",
                "host": "node-1001.internal",
                "status": "healthy",
            },
            "SVC-1043": {
                "name": "login-cache",
                "version": "v3.0.1",
                "host": "node-1002.internal",
                "status": "frozen",
            },
        },
        "configurations": {
            "SVC-1042": {"memory": "2048 MB", "ceiling": "16000 MB"},
            "SVC-1043": {"memory": "1024 MB", "ceiling": "16000 MB"},
        },
        "versions": {"SVC-1042": ["v2.2.0"]},
        "incidents": {
            "INC-2001": {"service": "SVC-1042", "title": "slow responses", "state": "open"},
            "INC-2002": {"service": "SVC-1043", "title": "stale pages", "state": "resolved"},
        },
        "tickets": {
            "TCK-3001": {"service": "SVC-1042", "title": "wrong totals", "state": "open"},
            "TCK-3002": {"service": "SVC-1042", "title": "broken export", "state": "withdrawn"},
        },
    }


def called(state: Json, tool: str, **arguments: Any) -> tuple[bool, str, Json]:
    outcome = Itops().call(state, tool, arguments, NOW)
    return outcome.ok, outcome.text, jsonpatch.apply_patch(state, list(outcome.changes))


def test_the_contract_holds_for_an_empty_and_a_full_world() -> None:
    check_environment(Itops)
    check_environment(Itops, world())


FAILOVER = {"host": "node-4813.internal", "start": "22:35", "pager": "PGR-55821"}


@pytest.mark.parametrize(
    ("tool", "arguments", "place", "value"),
    [
        (
            "limit_memory",
            {"service_id": "SVC-1042", "memory": "4071 MB"},
            ("configurations", "SVC-1042"),
            {"memory": "4071 MB", "ceiling": "16000 MB"},
        ),
        (
            "escalate_incident",
            {"incident_id": "INC-2001", "pager": "PGR-55821"},
            ("escalations", "INC-2001"),
            "PGR-55821",
        ),
        (
            "deploy_release",
            {"service_id": "SVC-1042", "version": "v4.17.2", "host": "node-4813.internal"},
            ("deployments", "SVC-1042"),
            {"version": "v4.17.2", "host": "node-4813.internal"},
        ),
        (
            "close_ticket",
            {"ticket_id": "TCK-3001", "change": "CHG-40712", "version": "v4.17.2"},
            ("fixes", "TCK-3001"),
            {"change": "CHG-40712", "version": "v4.17.2"},
        ),
        (
            "fail_over_service",
            {"service_id": "SVC-1042", **FAILOVER},
            ("failovers", "SVC-1042"),
            FAILOVER,
        ),
    ],
)
def test_writes_put_the_value_where_checks_look_and_into_the_journal(
    tool: str, arguments: dict[str, str], place: tuple[str, str], value: Json
) -> None:
    before = world()
    ok, text, after = called(before, tool, **arguments)
    assert ok, text
    collection, name = place
    assert after[collection][name] == value
    assert after["journal"] == [{"service": "SVC-1042", "text": text, "at": NOW}]
    assert all(each in text for each in arguments.values())
    assert before == world()


def test_a_rollback_changes_the_version_and_keeps_what_ran() -> None:
    _, _, after = called(world(), "roll_back_service", service_id="SVC-1042", version="v1.0.9")
    assert after["services"]["SVC-1042"]["version"] == "v1.0.9"
    assert after["versions"]["SVC-1042"] == ["v2.2.0", "v2.3.4"]
    first = copy.deepcopy(world())
    del first["versions"]
    _, _, after = called(first, "roll_back_service", service_id="SVC-1042", version="v1.0.9")
    assert after["versions"] == {"SVC-1042": ["v2.3.4"]}


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        (
            "roll_back_service",
            {"service_id": "SVC-1043", "version": "v1.0.9"},
            "error: service SVC-1043 is under a change freeze",
        ),
        (
            "limit_memory",
            {"service_id": "SVC-1043", "memory": "4071 MB"},
            "error: service SVC-1043 is under a change freeze",
        ),
        (
            "limit_memory",
            {"service_id": "SVC-1042", "memory": "16001 MB"},
            "error: 16001 MB is above the ceiling of service SVC-1042",
        ),
        (
            "deploy_release",
            {"service_id": "SVC-1043", "version": "v4.17.2", "host": "node-4813.internal"},
            "error: service SVC-1043 is under a change freeze",
        ),
        (
            "fail_over_service",
            {"service_id": "SVC-1043", **FAILOVER},
            "error: service SVC-1043 is under a change freeze",
        ),
        (
            "escalate_incident",
            {"incident_id": "INC-2002", "pager": "PGR-55821"},
            "error: incident INC-2002 is resolved already",
        ),
        (
            "close_ticket",
            {"ticket_id": "TCK-3002", "change": "CHG-40712", "version": "v4.17.2"},
            "error: ticket TCK-3002 is not open any more",
        ),
        (
            "get_incident",
            {"incident_id": "INC-9999"},
            "error: there is no incident INC-9999",
        ),
    ],
)
def test_what_the_rules_forbid_is_an_error_and_changes_nothing(
    tool: str, arguments: dict[str, str], says: str
) -> None:
    assert called(world(), tool, **arguments) == (False, says, world())


def test_a_service_without_configuration_has_no_limit_to_set() -> None:
    bare = world()
    del bare["configurations"]
    ok, text, _ = called(bare, "limit_memory", service_id="SVC-1042", memory="4071 MB")
    assert (ok, text) == (False, "error: service SVC-1042 has no configuration")
    assert "memory" not in called(bare, "get_service", service_id="SVC-1042")[1]


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        (
            "escalate_incident",
            {"incident_id": "INC-2001", "pager": "PGR-55821"},
            "error: incident INC-2001 is escalated already",
        ),
        (
            "deploy_release",
            {"service_id": "SVC-1042", "version": "v4.17.2", "host": "node-4813.internal"},
            "error: a deployment of service SVC-1042 is under way already",
        ),
        (
            "close_ticket",
            {"ticket_id": "TCK-3001", "change": "CHG-40712", "version": "v4.17.2"},
            "error: ticket TCK-3001 is not open any more",
        ),
        (
            "fail_over_service",
            {"service_id": "SVC-1042", **FAILOVER},
            "error: a failover of service SVC-1042 is under way already",
        ),
    ],
)
def test_what_is_done_is_not_done_again(tool: str, arguments: dict[str, str], says: str) -> None:
    _, _, after = called(world(), tool, **arguments)
    assert called(after, tool, **arguments) == (False, says, after)


def test_reads_say_what_is_on_file() -> None:
    assert called(world(), "get_service", service_id="SVC-1042")[1] == (
        "service SVC-1042 is checkout-api; status healthy; version v2.3.4; "
        "host node-1001.internal; ran before v2.2.0; memory 2048 MB of at most 16000 MB; "
        "deployment none; failover none"
    )
    assert called(world(), "get_incident", incident_id="INC-2002")[1] == (
        "incident INC-2002 of service SVC-1043: stale pages; resolved; not escalated"
    )
    assert called(world(), "list_tickets", service_id="SVC-1042")[1] == (
        "tickets of service SVC-1042: TCK-3001 (wrong totals, open), "
        "TCK-3002 (broken export, withdrawn)"
    )
    assert called(world(), "list_tickets", service_id="SVC-1043")[1] == (
        "tickets of service SVC-1043: none"
    )


def test_reads_tell_that_something_was_done_but_not_with_what() -> None:
    state = world()
    for tool, arguments in (
        ("fail_over_service", {"service_id": "SVC-1042", **FAILOVER}),
        ("escalate_incident", {"incident_id": "INC-2001", "pager": "PGR-55822"}),
        ("close_ticket", {"ticket_id": "TCK-3001", "change": "CHG-40712", "version": "v4.1.2"}),
    ):
        _, _, state = called(state, tool, **arguments)
    service = called(state, "get_service", service_id="SVC-1042")[1]
    assert service.endswith("deployment none; failover under way")
    incident = called(state, "get_incident", incident_id="INC-2001")[1]
    assert incident.endswith("; open; escalated")
    tickets = called(state, "list_tickets", service_id="SVC-1042")[1]
    assert "TCK-3001 (wrong totals, closed)" in tickets
    said = f"{service} {incident} {tickets}"
    assert not any(value in said for value in (*FAILOVER.values(), "PGR-55822", "CHG-40712"))


@pytest.mark.parametrize(
    ("path", "value", "field", "says"),
    [
        (("incidents", "INC-2001", "service"), "SVC-9", "world.incidents.INC-2001.service", "SVC"),
        (("tickets", "TCK-3001", "service"), "SVC-1049", "world.tickets.TCK-3001.service", "1049"),
        (("services", "SVC-1042", "verson"), "v1.0.0", "world.services.SVC-1042.verson", "version"),
        (("services", "SVC-1042", "status"), "fine", "world.services.SVC-1042.status", "fine"),
        (("ticket",), {}, "world.ticket", "'tickets'"),
        (("versions",), {"SVC-7777": ["v1.0.0"]}, "world.versions.SVC-7777", "SVC-7777"),
        (("escalations",), {"INC-7777": "PGR-55821"}, "world.escalations.INC-7777", "INC-7777"),
        (
            ("fixes",),
            {"TCK-7777": {"change": "CHG-40712", "version": "v1.0.0"}},
            "world.fixes.TCK-7777",
            "TCK-7777",
        ),
        (
            ("journal",),
            [{"service": "SVC-7777", "text": "x", "at": 1}],
            "world.journal.0.service",
            "SVC-7777",
        ),
    ],
)
def test_a_faulty_world_is_refused_with_its_field(
    path: tuple[str, ...], value: Json, field: str, says: str
) -> None:
    faulty = world()
    place = faulty
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    with pytest.raises(InputError) as caught:
        Itops().check_world(faulty)
    assert caught.value.field == field
    assert says in caught.value.message
