"""Arbitrary scenarios, valid field by field; their graphs and references need not make sense."""

from hypothesis import strategies as st

from probes.scenario import Scenario
from scoring.keys import (
    CalledCheck,
    DecidesCheck,
    Forbidden,
    Gold,
    Key,
    NeverSaysCheck,
    NotCalledCheck,
    Probe,
    Reference,
    ReferenceCall,
    Revision,
    SaysCheck,
    WorldCheck,
)
from simulator.events import Episode, Script
from simulator.events.scripted import (
    AccessGranted,
    AccessWithdrawn,
    Compaction,
    Decision,
    Document,
    DocumentDeleted,
    Message,
    SessionEnd,
    ToolResult,
)

TRICKY = st.sampled_from(
    ["0012", "15E2621", "1e3", "yes", "no", "null", "~", "true", "-7", "0", "1.5", "", " ", "- a"]
    + ["a: b", "# x", "*a", "&a", "!t", "<<", "2025-03-03", "$137.25", "'", '"', "\\", "a\nb\n"]
    + [
        "\r\n",
        "\x00",
        "\x85",
        "\u2028",
        "\ufeff",
        "🙂",
        "  x",
        "x  ",
        "%",
        "?",
        "|",
        "1_000",
        "=",
        "0x1f",
    ]
)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | TRICKY
SAID = TEXT.filter(bool)
NAME = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,6}", fullmatch=True)
TIME = st.integers(0, 10**15)
NAMES = st.lists(NAME, max_size=3).map(tuple)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
FIELDS = {"id": NAME, "at": TIME, "causes": NAMES, "scope": TEXT}
ROLE = st.sampled_from(["user", "system", "assistant"])
SOURCES = st.lists(TEXT, min_size=1, max_size=2).map(tuple)
EVENT = st.one_of(
    st.builds(Message, **FIELDS, role=ROLE, text=SAID),
    st.builds(Document, **FIELDS, title=SAID, text=SAID),
    st.builds(ToolResult, **FIELDS, tool=SAID, text=SAID),
    st.builds(AccessWithdrawn, **FIELDS, sources=SOURCES, text=SAID),
    st.builds(AccessGranted, **FIELDS, sources=SOURCES, text=SAID),
    st.builds(DocumentDeleted, **FIELDS, sources=SOURCES, text=SAID),
    st.builds(Compaction, **FIELDS),
    st.builds(Decision, **FIELDS, request=SAID),
    st.builds(SessionEnd, **FIELDS),
)
EPISODE = st.builds(Episode, id=NAME, events=st.lists(EVENT, min_size=1, max_size=3).map(tuple))
ARGUMENTS = st.dictionaries(TEXT, JSON, max_size=2)
FAILURE = st.sampled_from(["resurrection", "leakage", "fabrication"])
CHECK = st.one_of(
    st.builds(WorldCheck, path=TEXT, equals=JSON),
    st.builds(CalledCheck, tool=TEXT, arguments=ARGUMENTS),
    st.builds(NotCalledCheck, tool=TEXT, arguments=ARGUMENTS),
    st.builds(SaysCheck, phrase=SAID),
    st.builds(NeverSaysCheck, phrase=SAID, failure=FAILURE),
    st.builds(DecidesCheck, decision=st.sampled_from(["yes", "no"])),
)
IDS = st.lists(TEXT, max_size=2).map(tuple)
CALLS = st.lists(st.builds(ReferenceCall, tool=TEXT, arguments=ARGUMENTS), max_size=2).map(tuple)
PROBE = st.builds(
    Probe,
    id=NAME,
    kind=st.sampled_from(["recall", "compose", "update", "independent", "question"]),
    decision=TEXT,
    dependent=st.booleans(),
    gold=st.lists(st.builds(Gold, name=TEXT, value=SAID, evidence=IDS), max_size=2).map(tuple),
    forbidden=st.lists(
        st.builds(Forbidden, value=SAID, failure=FAILURE, evidence=IDS), max_size=2
    ).map(tuple),
    checks=st.lists(CHECK, max_size=2).map(tuple),
    reference=st.none() | st.builds(Reference, calls=CALLS, answer=TEXT),
    domain=st.none() | TEXT,
    cluster=st.none() | TEXT,
    excluded=st.none() | TEXT,
    not_scorable=st.none() | TEXT,
)


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    """Draw a scenario."""
    arc = draw(NAME)
    script = Script(
        arc=arc,
        environment=draw(TEXT),
        world=draw(JSON),
        episodes=tuple(draw(st.lists(EPISODE, min_size=1, max_size=3))),
    )
    key = Key(
        arc=arc,
        domain=draw(TEXT),
        tier=draw(st.sampled_from([None, "easy", "medium", "hard"])),
        cluster=draw(TEXT),
        probes=tuple(draw(st.lists(PROBE, max_size=2))),
        revisions=tuple(draw(st.lists(st.builds(Revision, event=TEXT, was=SAID, now=SAID)))),
        origin=draw(TEXT),
    )
    return Scenario(script=script, key=key)
