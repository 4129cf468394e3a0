"""The support desk's ladder: refunds, returns, pickups, replacements, redirections, callbacks."""

from collections.abc import Sequence
from random import Random

from probes.ladder.domain import Domain, Task, Thread
from probes.ladder.domains import draws
from probes.ladder.values import Pool
from simulator.events import Json

_STREETS = (
    "Acorn Alder Amber Anchor Apple Arbor Aspen Baker Barley Beacon Birch Bishop Bramble Bridge "
    "Brook Canal Castle Cedar Chapel Cherry Clover Copper Coral Cotton Cypress Dover Eagle Elder "
    "Falcon Fern Forest Garden Granite Grove Harbor Hazel Heron Holly Ivy Jasmine Juniper Kestrel "
    "Laurel Lilac Linden Magnolia Maple Meadow Mill Myrtle Orchard Otter Palm Pepper Pine Plum "
    "Poplar Quarry Raven River Rowan Saffron Sage Station Stone Sumac Thistle Tulip Valley Walnut "
    "Willow Winter"
).split()
_KINDS = ("Street", "Road", "Lane", "Avenue")
_ITEMS = (
    "desk lamp,kettle,office chair,bookshelf,blender,tent,bicycle pump,keyboard,headphones,"
    "rain jacket,coffee grinder,suitcase,camera bag,garden hose,toaster,yoga mat"
).split(",")

_STATES = ("packed", "in transit", "waiting for stock")

_TASKS = (
    Task("issue_refund", "order", {"amount": "/refunds/{id}"}),
    Task("redirect_order", "order", {"address": "/orders/{id}/address"}),
    Task("schedule_callback", "customer", {"phone": "/callbacks/{id}"}),
    Task(
        "authorise_return",
        "order",
        {"return_code": "/returns/{id}/code", "amount": "/returns/{id}/amount"},
    ),
    Task(
        "arrange_pickup",
        "order",
        {"address": "/pickups/{id}/address", "phone": "/pickups/{id}/phone"},
    ),
    Task(
        "send_replacement",
        "order",
        {
            "address": "/replacements/{id}/address",
            "phone": "/replacements/{id}/phone",
            "return_code": "/replacements/{id}/code",
        },
    ),
)

_FACTS = {
    ("issue_refund", "amount"): "the refund agreed for order {id}",
    ("redirect_order", "address"): "the new delivery address of order {id}",
    ("schedule_callback", "phone"): "the callback number of customer {id}",
    ("authorise_return", "return_code"): "the return code of order {id}",
    ("authorise_return", "amount"): "the sum to give back for the return of order {id}",
    ("arrange_pickup", "address"): "the pickup address of order {id}",
    ("arrange_pickup", "phone"): "the contact number for the pickup of order {id}",
    ("send_replacement", "address"): "the address for the replacement of order {id}",
    ("send_replacement", "phone"): "the contact number for the replacement of order {id}",
    (
        "send_replacement",
        "return_code",
    ): "the return code that goes with the replacement of order {id}",
}

_PROBE_CLAUSES = {
    "issue_refund": ("issue the refund for order {id}", "pay the refund for order {id}"),
    "redirect_order": (
        "redirect order {id} to its new place",
        "change where order {id} is delivered",
    ),
    "schedule_callback": (
        "schedule the callback for customer {id}",
        "book the callback for customer {id}",
    ),
    "authorise_return": (
        "authorise the return of order {id}",
        "authorise the agreed return of order {id}",
    ),
    "arrange_pickup": (
        "arrange the pickup of order {id}",
        "arrange the agreed pickup of order {id}",
    ),
    "send_replacement": (
        "send the replacement of order {id}",
        "ship the replacement of order {id}",
    ),
}

_FULL_CLAUSES = {
    "issue_refund": (
        "issue a refund of {amount} for order {id}",
        "pay a refund of {amount} for order {id}",
    ),
    "redirect_order": (
        "redirect order {id} to {address}",
        "change where order {id} is delivered to {address}",
    ),
    "schedule_callback": (
        "schedule a callback for customer {id} at {phone}",
        "book a callback for customer {id} at {phone}",
    ),
    "authorise_return": (
        "authorise the return of order {id} under {return_code} with {amount} back",
        "authorise a return of order {id}, code {return_code}, sum {amount}",
    ),
    "arrange_pickup": (
        "arrange the pickup of order {id} at {address}, contact {phone}",
        "arrange a pickup of order {id} from {address} with {phone} as contact",
    ),
    "send_replacement": (
        "send a replacement of order {id} to {address}, contact {phone}, code {return_code}",
        "ship a replacement of order {id} under {return_code} to {address} with {phone} as contact",
    ),
}

_CHATTER = {
    "user": (
        "Good morning, are you there?",
        "Thanks for picking this up.",
        "The line was busy earlier.",
        "Sorry for the wait, I was in a meeting.",
        "We are short of people today.",
        "The team lunch is at noon.",
        "I will be away for an hour afterwards.",
        "The new headset works well.",
        "Somebody left the window open again.",
        "The printer upstairs is jammed.",
        "That was a long week.",
        "Let me find my notes.",
        "Here we go.",
        "The weather has turned at last.",
        "My screen froze for a moment.",
        "I am back now.",
    ),
    "assistant": (
        "I am here.",
        "Good to hear from you.",
        "Understood.",
        "No problem at all.",
        "Take your time.",
        "I am ready when you are.",
        "Thank you for telling me.",
        "All quiet on my side.",
        "Noted.",
        "Of course.",
        "Glad to help.",
        "Let us begin.",
    ),
    "system": (
        "Queue length is normal.",
        "Two colleagues are in training.",
        "The shift ends in the evening.",
        "Average waiting time is short.",
        "The knowledge base was refreshed.",
        "Maintenance is planned for the weekend.",
        "Call quality is good.",
        "A new team member joined the channel.",
    ),
}

_POOL_SIZES = {
    "amount": draws.AMOUNTS,
    "return_code": draws.CODES,
    "address": 900 * len(_STREETS) * len(_KINDS),
    "phone": draws.PHONES,
}


def _address(source: Random) -> str:
    return f"{source.randrange(100, 1000)} {source.choice(_STREETS)} {source.choice(_KINDS)}"


_DRAWS = {
    "amount": draws.amount,
    "return_code": draws.code_draw("RMA"),
    "address": _address,
    "phone": draws.phone,
    "order_id": draws.id_draw("O"),
    "customer_id": draws.id_draw("C"),
    "person": draws.person,
    "total": draws.large_amount,  # so above every amount that is ever agreed
}


def _world(threads: Sequence[Thread], pool: Pool, source: Random) -> Json:
    customers: dict[str, Json] = {}
    orders: dict[str, Json] = {}
    for thread in threads:
        of_order = thread.task.subject == "order"
        customer = pool.name("customer_id") if of_order else thread.subject
        customers[customer] = {"name": pool.name("person"), "phone": pool.other("phone")}
        order = thread.subject if of_order else pool.name("order_id")
        orders[order] = {
            "customer": customer,
            "item": source.choice(_ITEMS),
            "total": pool.other("total"),
            "status": source.choice(_STATES),
            "address": pool.other("address"),
        }
    return {"customers": customers, "orders": orders}


SUPPORT = Domain(
    environment="support",
    tasks=_TASKS,
    facts=_FACTS,
    probe_clauses=_PROBE_CLAUSES,
    full_clauses=_FULL_CLAUSES,
    chatter=_CHATTER,
    draws=_DRAWS,
    pool_sizes=_POOL_SIZES,
    world=_world,
)
