"""The world of the operations team: what may stand in it, and how a faulty one is reported."""

from typing import Annotated, Literal

from pydantic import Field

from environments.records import check_known, read_typed
from simulator.events import Frozen, Json

SERVICE_ID = "^SVC-[0-9]{4}$"
INCIDENT_ID = "^INC-[0-9]{4}$"
TICKET_ID = "^TCK-[0-9]{4}$"
VERSION = r"^v[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{1,2}$"
MEMORY = "^[0-9]{3,5} MB$"
HOST = r"^node-[0-9]{4}\.internal$"
PAGER = "^PGR-[0-9]{5}$"
CHANGE = "^CHG-[0-9]{5}$"
START = "^([01][0-9]|2[0-3]):[0-5][0-9]$"

ServiceId = Annotated[str, Field(pattern=SERVICE_ID)]
IncidentId = Annotated[str, Field(pattern=INCIDENT_ID)]
TicketId = Annotated[str, Field(pattern=TICKET_ID)]
Version = Annotated[str, Field(pattern=VERSION)]
Memory = Annotated[str, Field(pattern=MEMORY)]
Host = Annotated[str, Field(pattern=HOST)]
Pager = Annotated[str, Field(pattern=PAGER)]
Change = Annotated[str, Field(pattern=CHANGE)]
Start = Annotated[str, Field(pattern=START)]


class Service(Frozen):
    """A service: what it is called, what runs where, and whether it may be changed now."""

    name: str = Field(min_length=1)
    version: Version
    host: Host
    status: Literal["healthy", "degraded", "frozen"]


class Configuration(Frozen):
    """What a service may use: its memory limit, and the ceiling that the limit cannot pass."""

    memory: Memory
    ceiling: Memory


class Deployment(Frozen):
    """A release under way: which version, and where to."""

    version: Version
    host: Host


class Failover(Frozen):
    """A failover under way: where to, from when on (time of day), and who is paged."""

    host: Host
    start: Start
    pager: Pager


class Incident(Frozen):
    """An incident of a service."""

    service: ServiceId
    title: str = Field(min_length=1)
    state: Literal["open", "resolved"]


class Ticket(Frozen):
    """A ticket about a service."""

    service: ServiceId
    title: str = Field(min_length=1)
    state: Literal["open", "withdrawn"]


class Fix(Frozen):
    """What a ticket was closed with: the change, and the version that has it."""

    change: Change
    version: Version


class Noted(Frozen):
    """A line of the journal: what was done to a service at a time (ms)."""

    service: ServiceId
    text: str
    at: int


class ItopsWorld(Frozen):
    """Everything the operations team knows. A collection that is left out is empty.

    Attributes:
        services: By service id.
        configurations: By service id.
        versions: What a service ran before, oldest first, by service id.
        deployments: Releases under way, by service id.
        failovers: By service id.
        incidents: By incident id.
        escalations: The pager that was called, by incident id.
        tickets: By ticket id.
        fixes: What closed a ticket, by ticket id.
        journal: What was done, oldest first.
    """

    services: dict[ServiceId, Service] = {}
    configurations: dict[ServiceId, Configuration] = {}
    versions: dict[ServiceId, tuple[Version, ...]] = {}
    deployments: dict[ServiceId, Deployment] = {}
    failovers: dict[ServiceId, Failover] = {}
    incidents: dict[IncidentId, Incident] = {}
    escalations: dict[IncidentId, Pager] = {}
    tickets: dict[TicketId, Ticket] = {}
    fixes: dict[TicketId, Fix] = {}
    journal: tuple[Noted, ...] = ()


_OWNERS = {
    "configurations": "services",
    "versions": "services",
    "deployments": "services",
    "failovers": "services",
    "escalations": "incidents",
    "fixes": "tickets",
}
"""Collection to the one whose ids name its entries."""


def read_world(world: Json) -> ItopsWorld:
    """Return `world` as a typed value.

    Raises:
        InputError: naming the field that is wrong, for a value of the wrong form or an id that
            stands for nothing.
    """
    typed = read_typed(world, ItopsWorld)
    for collection in ("incidents", "tickets"):
        for name, entry in getattr(typed, collection).items():
            check_known(entry.service, typed.services, f"world.{collection}.{name}.service")
    for collection, owner in _OWNERS.items():
        for name in getattr(typed, collection):
            check_known(name, getattr(typed, owner), f"world.{collection}.{name}")
    for place, noted in enumerate(typed.journal):
        check_known(noted.service, typed.services, f"world.journal.{place}.service")
    return typed
