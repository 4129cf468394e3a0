"""The operations team's ladder: rollbacks, limits, escalations, releases, tickets, failovers."""

from collections.abc import Sequence
from random import Random

from probes.ladder.domain import Domain, Task, Thread
from probes.ladder.domains import draws
from probes.ladder.values import Pool
from simulator.events import Json

_PARTS = ("billing", "catalog", "checkout", "login", "mailer", "metrics", "pricing", "search")
_SORTS = ("api", "cache", "gateway", "worker", "store")
_TROUBLES = (
    "slow responses",
    "failed logins",
    "a growing queue",
    "dropped connections",
    "stale pages",
    "missing receipts",
)
_WISHES = (
    "wrong totals",
    "broken export",
    "garbled names",
    "double entries",
    "lost uploads",
    "empty search results",
)

_TASKS = (
    Task("roll_back_service", "service", {"version": "/services/{id}/version"}),
    Task("limit_memory", "service", {"memory": "/configurations/{id}/memory"}),
    Task("escalate_incident", "incident", {"pager": "/escalations/{id}"}),
    Task(
        "deploy_release",
        "service",
        {"version": "/deployments/{id}/version", "host": "/deployments/{id}/host"},
    ),
    Task(
        "close_ticket",
        "ticket",
        {"change": "/fixes/{id}/change", "version": "/fixes/{id}/version"},
    ),
    Task(
        "fail_over_service",
        "service",
        {
            "host": "/failovers/{id}/host",
            "start": "/failovers/{id}/start",
            "pager": "/failovers/{id}/pager",
        },
    ),
)

_FACTS = {
    ("roll_back_service", "version"): "the rollback version of service {id}",
    ("limit_memory", "memory"): "the memory limit agreed for service {id}",
    ("escalate_incident", "pager"): "the pager for incident {id}",
    ("deploy_release", "version"): "the release version of service {id}",
    ("deploy_release", "host"): "the target host of service {id}",
    ("close_ticket", "change"): "the change number for ticket {id}",
    ("close_ticket", "version"): "the version with the fix for ticket {id}",
    ("fail_over_service", "host"): "the standby host of service {id}",
    ("fail_over_service", "start"): "the start time for the failover of service {id}",
    ("fail_over_service", "pager"): "the pager for the failover of service {id}",
}

_PROBE_CLAUSES = {
    "roll_back_service": (
        "roll service {id} back to the agreed version",
        "return service {id} to the version that we chose",
    ),
    "limit_memory": ("limit the memory of service {id}", "cap the memory of service {id}"),
    "escalate_incident": (
        "escalate incident {id} to its pager",
        "call the pager to escalate incident {id}",
    ),
    "deploy_release": (
        "deploy the release of service {id}",
        "deploy the planned release of service {id}",
    ),
    "close_ticket": ("close ticket {id} as fixed", "close the fixed ticket {id}"),
    "fail_over_service": ("fail service {id} over", "start the failover of service {id}"),
}

_FULL_CLAUSES = {
    "roll_back_service": (
        "roll service {id} back to {version}",
        "return service {id} to version {version}",
    ),
    "limit_memory": (
        "limit the memory of service {id} to {memory}",
        "cap the memory of service {id} at {memory}",
    ),
    "escalate_incident": (
        "escalate incident {id} to pager {pager}",
        "call pager {pager} to escalate incident {id}",
    ),
    "deploy_release": (
        "deploy release {version} of service {id} on {host}",
        "deploy the release of service {id}, {version}, to {host}",
    ),
    "close_ticket": (
        "close ticket {id} as fixed by {change} in {version}",
        "close the fixed ticket {id} with {change} and {version}",
    ),
    "fail_over_service": (
        "fail service {id} over to {host} at {start} with {pager} on call",
        "start the failover of service {id} to {host} at {start}, pager {pager}",
    ),
}

_CHATTER = {
    "user": (
        "Morning, is anybody on shift?",
        "I just came out of the stand-up.",
        "The coffee machine is out of order again.",
        "My terminal lost its connection for a moment.",
        "It was a quiet night for once.",
        "Half of the team is at the offsite.",
        "The new dashboards look good.",
        "Give me a second to open my notes.",
        "The alarm in the hall was only a drill.",
        "I am on the train, so I may drop out.",
        "The build queue is long this afternoon.",
        "Somebody muted the wrong channel.",
        "I had to reboot my laptop.",
        "We got cake in the kitchen.",
        "The review took all morning.",
        "Nothing is on fire, do not worry.",
    ),
    "assistant": (
        "I am on shift.",
        "Good to see you.",
        "Clear.",
        "No rush.",
        "I am following.",
        "All panels are green here.",
        "Thanks for the word.",
        "Got it.",
        "Sure.",
        "Happy to help.",
        "Carry on.",
        "That is fine with me.",
    ),
    "system": (
        "Backups finished without warnings.",
        "The on-call handover is complete.",
        "Log retention is within its bounds.",
        "Certificates are up to date.",
        "Traffic is at its usual level.",
        "The weekly digest was sent.",
        "A drill is planned for next month.",
        "The status page is green.",
    ),
}

_MAJOR, _MINOR, _PATCH = 20, 40, 40
_POOL_SIZES = {
    "version": (_MAJOR - 1) * _MINOR * _PATCH,
    "memory": 9_000,
    "host": 8_000,
    "pager": draws.CODES,
    "change": draws.CODES,
    "start": draws.STARTS,
}


def _version(source: Random) -> str:
    major, minor = source.randrange(1, _MAJOR), source.randrange(_MINOR)
    return f"v{major}.{minor}.{source.randrange(_PATCH)}"


def _memory(source: Random) -> str:
    return f"{source.randrange(1000, 10_000)} MB"


def _ceiling(source: Random) -> str:
    """Return a ceiling of five digits, so above every limit that is ever agreed."""
    return f"{source.randrange(10, 100)}000 MB"


def _host(source: Random) -> str:
    return f"node-{source.randrange(1000, 9000)}.internal"


_DRAWS = {
    "version": _version,
    "memory": _memory,
    "host": _host,
    "pager": draws.code_draw("PGR"),
    "change": draws.code_draw("CHG"),
    "start": draws.start,
    "service_id": draws.id_draw("SVC"),
    "incident_id": draws.id_draw("INC"),
    "ticket_id": draws.id_draw("TCK"),
    "ceiling": _ceiling,
}


def _world(threads: Sequence[Thread], pool: Pool, source: Random) -> Json:
    """Return a service for each thread, with an incident and a ticket of its own."""
    world: dict[str, dict[str, Json]] = {
        name: {} for name in ("services", "configurations", "versions", "incidents", "tickets")
    }
    for thread in threads:
        ids = {each: pool.name(f"{each}_id") for each in ("service", "incident", "ticket")}
        ids[thread.task.subject] = thread.subject
        service = ids["service"]
        world["services"][service] = {
            "name": f"{source.choice(_PARTS)}-{source.choice(_SORTS)}",
            "version": pool.other("version"),
            "host": pool.other("host"),
            "status": source.choice(("healthy", "degraded")),
        }
        world["configurations"][service] = {
            "memory": pool.other("memory"),
            "ceiling": pool.other("ceiling"),
        }
        world["versions"][service] = [pool.other("version")]
        trouble = {"title": source.choice(_TROUBLES), "state": "open"}
        world["incidents"][ids["incident"]] = {"service": service} | trouble
        wish = {"title": source.choice(_WISHES), "state": "open"}
        world["tickets"][ids["ticket"]] = {"service": service} | wish
    return world


ITOPS = Domain(
    environment="itops",
    tasks=_TASKS,
    facts=_FACTS,
    probe_clauses=_PROBE_CLAUSES,
    full_clauses=_FULL_CLAUSES,
    chatter=_CHATTER,
    draws=_DRAWS,
    pool_sizes=_POOL_SIZES,
    world=_world,
)
