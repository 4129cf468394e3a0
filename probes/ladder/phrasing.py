"""How things are said: at least six ways for each act.

A sentence that states or revises a fact names the subject's id and the value, and no other value
of that form, except that some revisions also name the value they replace.
"""

from random import Random

FACTS = {
    ("issue_refund", "amount"): "the refund agreed for order {id}",
    ("redirect_order", "address"): "the new delivery address of order {id}",
    ("schedule_callback", "phone"): "the callback number of customer {id}",
    ("authorise_return", "return_code"): "the return code of order {id}",
    ("authorise_return", "amount"): "the sum to give back for the return of order {id}",
    ("send_replacement", "address"): "the address for the replacement of order {id}",
    ("send_replacement", "phone"): "the contact number for the replacement of order {id}",
}
"""What a fact is called, by the tool and the parameter that will need it."""

PLANTS = (
    "{Fact} is {value}.",
    "Please note that {fact} is {value}.",
    "For later, {fact} will be {value}.",
    "We settled on {value} as {fact}.",
    "As to {fact}, the customer confirmed {value}.",
    "Make a note: {value} is {fact}.",
    "Do not act yet, but {fact} is {value}.",
    "I checked it twice, {fact} is {value}.",
)

UPDATES = (
    "Correction: {fact} is now {value}.",
    "{Fact} has changed to {value}.",
    "We had to revise {fact}, it is {value} now.",
    "Scratch what I said before, {fact} is {value}.",
    "{value} takes the place of what we had as {fact}.",
    "{Fact} is {value} instead of {old}.",
    "{Fact} is not {old} but {value}.",
    "{Fact} changes from {old} to {value}.",
)

PROBE_FRAMES = (
    "Please {do} now.",
    "It is time to {do}.",
    "{Do}, as we discussed.",
    "Can you {do} with what you were told?",
    "The client is waiting, so {do}.",
    "Going by our earlier talk, {do}.",
    "You have all you need to {do}.",
    "{Do} by the details from before.",
)

INDEPENDENT_FRAMES = (
    "Please {do}.",
    "New task: {do}.",
    "Could you {do}?",
    "{Do}, that is all.",
    "Before we go on, {do}.",
    "A colleague asks you to {do}.",
    "One more thing for today, {do}.",
)

PROBE_CLAUSES = {
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
    "send_replacement": (
        "send the replacement of order {id}",
        "ship the replacement of order {id}",
    ),
}

INDEPENDENT_CLAUSES = {
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
    "send_replacement": (
        "send a replacement of order {id} to {address}, contact {phone}",
        "ship a replacement of order {id} to {address} with {phone} as contact",
    ),
}

CHATTER = {
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
"""Small talk by role; it holds no id and no value."""


def say(frames: tuple[str, ...], source: Random, **parts: str) -> str:
    """Return one of the frames, filled in; a part `x` also serves as `X` at a sentence's start."""
    frame = source.choice(frames)
    capital = {name.capitalize(): text[0].upper() + text[1:] for name, text in parts.items()}
    return frame.format(**parts, **capital)
