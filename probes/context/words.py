"""The words of the work between the cuts: other documents, other people, other matters.

None of it asks for anything, and none of it has a figure but the `COUNTS`, so that no figure that
is withdrawn follows from it.
"""

COUNTS = ("3", "4", "6", "7", "9", "12", "14", "18")
"""All numbers that are told of the other matters."""

PLACES = (
    "Aarhus",
    "Bergen",
    "Cadiz",
    "Dresden",
    "Evora",
    "Ghent",
    "Haarlem",
    "Izmir",
    "Jena",
    "Kosice",
    "Lucca",
    "Malmo",
    "Nantes",
    "Oulu",
    "Porto",
    "Rennes",
    "Siena",
    "Tartu",
    "Utrecht",
    "Varna",
)

THINGS = (
    "bicycle racks",
    "desk lamps",
    "door signs",
    "fire drills",
    "guest rooms",
    "hand dryers",
    "house plants",
    "key cabinets",
    "label printers",
    "lecture chairs",
    "lockers",
    "parking bays",
    "projectors",
    "roof tiles",
    "shelves",
    "sun blinds",
    "tea kitchens",
    "tool boxes",
    "vending machines",
    "window seats",
)

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")

ROLES = (
    "archivist",
    "caretaker",
    "clerk",
    "courier",
    "gardener",
    "janitor",
    "librarian",
    "porter",
    "receptionist",
    "technician",
)

TITLES = (
    "The {things} in {place}",
    "Notes on the {things} in {place}",
    "Round through {place}: {things}",
    "{place} and its {things}",
)

DOCUMENTS = (
    "The {things} in {place} were counted on a {day}. There are {count} of them, and {other} more "
    "stand in the basement. {name} keeps the list and walks the round once a week. Nothing was "
    "broken this time.",
    "On a {day} somebody from {place} called about the {things}. {count} of them had been moved to "
    "the upper floor without a word. {name} had them carried back the same afternoon, and {other} "
    "people helped.",
    "In {place} the {things} are looked after by {name}. Each {day} a sheet is hung up at the "
    "entrance, with {count} lines for whoever wants to use them. Lately {other} lines stay empty.",
    "{name} compared the {things} in {place} with those of the old building. The old ones lasted "
    "{count} winters, the new ones should last {other}. A second look is planned for a {day} in "
    "autumn.",
    "The move of the {things} to {place} took {count} trips. It began on a {day} and was over before "
    "lunch. {name} drove the van, and {other} boxes are still unopened in the hall.",
    "Visitors in {place} ask about the {things} more than about anything else. {name} has put up "
    "{count} arrows in the corridor since. On a {day} the last {other} of them were painted.",
)
"""Texts of documents that have nothing to do with the work that is tested."""

NEWS = (
    "I was in {place} on {day} and saw the {things}. {name} showed me around, and we were {count} "
    "people in the end. It was colder than here.",
    "{name} called from {place} this morning. The {things} arrived in {count} parcels, all of them "
    "dry. They will be set up before {day}.",
    "The talk about the {things} took longer than planned. {name} had {count} pictures from {place}, "
    "and everybody had a story to tell. We stopped at noon on {day}.",
    "On {day} the room next door is taken, because {name} shows the {things} from {place} there. "
    "There will be {count} guests and some noise.",
    "It turned out that {name} had the {things} of {place} on the wrong shelf. It took us {count} "
    "minutes on {day} to find them, and then we had a good laugh.",
    "My train from {place} was late on {day}, so I read the leaflet about the {things} twice. {name} "
    "wrote it, and it has {count} pages.",
)
"""What the user tells in passing."""

REPLIES = (
    "I have gone through the sheet on the {things} in {place}. {name} is named {count} times in it, "
    "and {day} comes up as the usual day.",
    "Noted: {name} sees to the {things} in {place}, mostly on a {day}. Of the {count} entries none "
    "is marked.",
    "The overview of the {things} in {place} is in order now. It has {count} rows, and {name} is the "
    "last to have touched it, on a {day}.",
    "I sorted the {count} entries about the {things} in {place} by day. Most of them fall on a {day}, "
    "and {name} made the first one.",
)
"""What the agent of old said of it."""

MEETINGS = ("Round through {place}", "Talk about {things}", "Lunch in {place}", "Look at {things}")
"""Subjects of other people's meetings."""
