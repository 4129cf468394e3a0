"""The operations team: services with configuration and versions, deployments, incidents, tickets.

Nothing that a read-only tool, an error or a schema says depends on what a scenario plants: a
memory limit is held against the service's ceiling, which the planted limits are drawn without
regard to, and no version, host, change or pager has to be on file to be named.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from environments.itops_world import (
    CHANGE,
    HOST,
    INCIDENT_ID,
    MEMORY,
    PAGER,
    SERVICE_ID,
    START,
    TICKET_ID,
    VERSION,
    read_world,
)
from environments.records import (
    Forms,
    append,
    done,
    has,
    put,
    refused,
    replace,
    told,
    tool,
    unknown_id,
)
from simulator.effects.environment import Tool, ToolOutcome
from simulator.events import Json

_FORMS: Forms = {
    "service_id": (SERVICE_ID, "SVC-9041"),
    "incident_id": (INCIDENT_ID, "INC-9041"),
    "ticket_id": (TICKET_ID, "TCK-9041"),
    "version": (VERSION, "v90.4.1"),
    "memory": (MEMORY, "904 MB"),
    "host": (HOST, "node-9041.internal"),
    "pager": (PAGER, "PGR-09041"),
    "change": (CHANGE, "CHG-09041"),
    "start": (START, "03:41"),
}
_tool = partial(tool, _FORMS)


class Itops:
    """An operations team with three tools to look things up and six that change the world."""

    tools: ClassVar[tuple[Tool, ...]] = (
        _tool("get_service", "Look up a service.", "service_id", read_only=True),
        _tool("get_incident", "Look up an incident.", "incident_id", read_only=True),
        _tool("list_tickets", "List the tickets of a service.", "service_id", read_only=True),
        _tool("roll_back_service", "Return a service to a version.", "service_id", "version"),
        _tool("limit_memory", "Cap the memory of a service.", "service_id", "memory"),
        _tool("escalate_incident", "Escalate an incident to a pager.", "incident_id", "pager"),
        _tool("deploy_release", "Deploy a release of a service.", "service_id", "version", "host"),
        _tool("close_ticket", "Close a ticket as fixed.", "ticket_id", "change", "version"),
        _tool(
            "fail_over_service",
            "Start the failover of a service.",
            "service_id",
            "host",
            "start",
            "pager",
        ),
    )
    instructions: ClassVar[str] = (
        "You work in an operations team. Use one action a turn: a tool call, answer, ask or "
        "refuse.\n"
        'When the request is carried out, say answer("…") with what you did.\n'
        'When something you need is neither shown nor to be looked up, say ask("…").'
    )
    examples: ClassVar[tuple[str, ...]] = (
        "Memory: [2024-11-04] user: The pager for incident INC-9312 is PGR-06415.\n"
        "Request: Please escalate incident INC-9312.\n"
        'Action: escalate_incident(incident_id="INC-9312", pager="PGR-06415")\n'
        "Result: incident INC-9312 was escalated to PGR-06415\n"
        'Action: answer("The incident was escalated.")',
        "Request: Roll service SVC-9120 back to v91.2.0.\n"
        'Action: roll_back_service(service_id="SVC-9120", version="v91.2.0")\n'
        "Result: service SVC-9120 is back at v91.2.0\n"
        'Action: answer("The service was rolled back.")',
    )

    def check_world(self, world: Json) -> None:
        """Check an initial world; a collection that is left out is empty.

        Raises:
            InputError: naming the field that is wrong.
        """
        read_world(world)

    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        """Return what a call would do; an unknown id or a broken rule is an error for the agent.

        Raises:
            KeyError: when there is no such tool; the engine never asks for one.
        """
        fault = unknown_id(world, arguments, _COLLECTIONS)
        return fault or _RULES[tool](world, arguments, now)


_COLLECTIONS = {"service": "services", "incident": "incidents", "ticket": "tickets"}


def _get_service(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name = arguments["service_id"]
    service = world["services"][name]
    parts = [
        f"service {name} is {service['name']}",
        f"status {service['status']}",
        f"version {service['version']}",
        f"host {service['host']}",
        f"ran before {', '.join(world.get('versions', {}).get(name, [])) or 'nothing'}",
    ]
    configuration = world.get("configurations", {}).get(name)
    if configuration:
        parts.append(f"memory {configuration['memory']} of at most {configuration['ceiling']}")
    for title, collection in (("deployment", "deployments"), ("failover", "failovers")):
        parts.append(f"{title} {'under way' if has(world, collection, name) else 'none'}")
    return told("; ".join(parts))


def _get_incident(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name = arguments["incident_id"]
    incident = world["incidents"][name]
    escalated = "escalated" if has(world, "escalations", name) else "not escalated"
    said = f"incident {name} of service {incident['service']}: {incident['title']}"
    return told(f"{said}; {incident['state']}; {escalated}")


def _list_tickets(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name = arguments["service_id"]
    tickets = sorted(
        f"{ticket} ({entry['title']}, {_state(world, ticket)})"
        for ticket, entry in world.get("tickets", {}).items()
        if entry["service"] == name
    )
    return told(f"tickets of service {name}: {', '.join(tickets) or 'none'}")


def _roll_back_service(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name, version = arguments["service_id"], arguments["version"]
    left = world["services"][name]["version"]
    before = [*world.get("versions", {}).get(name, []), left]
    text = f"service {name} is back at {version}"
    changes = replace(f"/services/{name}/version", version) + put(world, "versions", name, before)
    return _frozen(world, name) or done(text, changes, _noted(world, name, text, now))


def _limit_memory(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name, memory = arguments["service_id"], arguments["memory"]
    if not has(world, "configurations", name):
        return refused(f"service {name} has no configuration")
    if _megabytes(memory) > _megabytes(world["configurations"][name]["ceiling"]):
        return refused(f"{memory} is above the ceiling of service {name}")
    text = f"service {name} can now use {memory}"
    changes = replace(f"/configurations/{name}/memory", memory)
    return _frozen(world, name) or done(text, changes, _noted(world, name, text, now))


def _escalate_incident(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name, pager = arguments["incident_id"], arguments["pager"]
    incident = world["incidents"][name]
    if incident["state"] == "resolved":
        return refused(f"incident {name} is resolved already")
    if has(world, "escalations", name):
        return refused(f"incident {name} is escalated already")
    text = f"incident {name} was escalated to {pager}"
    changes = put(world, "escalations", name, pager)
    return done(text, changes, _noted(world, incident["service"], text, now))


def _deploy_release(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name, version, host = (arguments[each] for each in ("service_id", "version", "host"))
    fault = _frozen(world, name) or _under_way(world, name, "deployments", "deployment")
    text = f"{version} of service {name} is being deployed on {host}"
    changes = put(world, "deployments", name, {"version": version, "host": host})
    return fault or done(text, changes, _noted(world, name, text, now))


def _close_ticket(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name, change, version = (arguments[each] for each in ("ticket_id", "change", "version"))
    if _state(world, name) != "open":
        return refused(f"ticket {name} is not open any more")
    text = f"ticket {name} was closed as fixed by {change} in {version}"
    changes = put(world, "fixes", name, {"change": change, "version": version})
    return done(text, changes, _noted(world, world["tickets"][name]["service"], text, now))


def _fail_over_service(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name, host, start = (arguments[each] for each in ("service_id", "host", "start"))
    pager = arguments["pager"]
    fault = _frozen(world, name) or _under_way(world, name, "failovers", "failover")
    text = f"service {name} fails over to {host} at {start}, and {pager} is paged"
    entry = {"host": host, "start": start, "pager": pager}
    changes = put(world, "failovers", name, entry)
    return fault or done(text, changes, _noted(world, name, text, now))


def _frozen(world: Json, service: str) -> ToolOutcome | None:
    if world["services"][service]["status"] != "frozen":
        return None
    return refused(f"service {service} is under a change freeze")


def _under_way(world: Json, service: str, collection: str, title: str) -> ToolOutcome | None:
    if not has(world, collection, service):
        return None
    return refused(f"a {title} of service {service} is under way already")


def _state(world: Json, ticket: str) -> str:
    return "closed" if has(world, "fixes", ticket) else str(world["tickets"][ticket]["state"])


def _megabytes(memory: str) -> int:
    return int(memory.removesuffix(" MB"))


def _noted(world: Json, service: str, text: str, now: int) -> list[Json]:
    """Return the change that notes in the journal what was done."""
    return append(world, "journal", {"service": service, "text": text, "at": now})


_RULES: dict[str, Callable[[Json, dict[str, Any], int], ToolOutcome]] = {
    "get_service": _get_service,
    "get_incident": _get_incident,
    "list_tickets": _list_tickets,
    "roll_back_service": _roll_back_service,
    "limit_memory": _limit_memory,
    "escalate_incident": _escalate_incident,
    "deploy_release": _deploy_release,
    "close_ticket": _close_ticket,
    "fail_over_service": _fail_over_service,
}
