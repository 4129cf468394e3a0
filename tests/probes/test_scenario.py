"""Scenario files: what is written reads back equal, and what is refused is refused with its line."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probes.scenario import Scenario, load, read_folder, read_scenario, write_scenario
from probes.scenario.nodes import MAX_BYTES
from scoring.keys import (
    CalledCheck,
    CitesCheck,
    DecidesCheck,
    DefersCheck,
    EitherCheck,
    FlagsCheck,
    Forbidden,
    Gold,
    Key,
    NeverCitesCheck,
    NeverSaysCheck,
    NotCalledCheck,
    Probe,
    QuotesCheck,
    Reference,
    ReferenceCall,
    Revision,
    SaysCheck,
    WorldCheck,
)
from simulator.events import Episode, Json, Script
from simulator.events.errors import InputError
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
from simulator.events.times import LATEST

EXAMPLE = Path(__file__).parents[2] / "probes" / "examples" / "support-refund.yaml"

SMALL = """\
script:
  arc: small
  environment: conversation
  episodes:
    - id: e1
      at: 2025-03-03T09:00
      events:
        - id: m1
          kind: message
          text: The code is 0012.
        - id: d1
          kind: decision
          request: And?
key:
  probes: []
"""


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
TIME = st.integers(0, LATEST)
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
PLAIN = st.one_of(
    st.builds(WorldCheck, path=TEXT, equals=JSON),
    st.builds(CalledCheck, tool=TEXT, arguments=ARGUMENTS),
    st.builds(NotCalledCheck, tool=TEXT, arguments=ARGUMENTS),
    st.builds(SaysCheck, phrase=SAID),
    st.builds(NeverSaysCheck, phrase=SAID, failure=FAILURE),
    st.builds(DecidesCheck, decision=st.sampled_from(["yes", "no"])),
    st.builds(CitesCheck, source=SAID, phrase=st.none() | SAID),
    st.builds(NeverCitesCheck, source=SAID),
    st.builds(FlagsCheck, source=SAID, phrases=st.lists(SAID, max_size=2).map(tuple)),
    st.builds(QuotesCheck, text=SAID, source=SAID),
    st.builds(DefersCheck, item=SAID, reason=st.none() | SAID),
)
CHECK = st.one_of(
    PLAIN, st.builds(EitherCheck, of=st.lists(PLAIN, min_size=2, max_size=3).map(tuple))
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


def written(folder: Path, text: str) -> Path:
    path = folder / "scenario.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def refused(folder: Path, text: str) -> InputError:
    path = written(folder, text)
    with pytest.raises(InputError) as caught:
        read_scenario(path)
    assert caught.value.file == str(path)
    return caught.value


@settings(max_examples=60, deadline=None)
@given(scenario=scenarios())
def test_any_scenario_reads_back_equal(
    scenario: Scenario, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.yaml"
    write_scenario(scenario, path)
    again = load(path).scenario
    assert again == scenario
    assert again.script.hash == scenario.script.hash
    assert again.key.hash == scenario.key.hash


def test_the_small_file_is_filled_in(tmp_path: Path) -> None:
    scenario = read_scenario(written(tmp_path, SMALL))
    first, second = scenario.script.episodes[0].events
    nine = 1_740_992_400_000
    assert (first.at, first.causes) == (nine, ())
    assert (second.at, second.causes) == (nine + 60_000, ("m1",))
    assert scenario.key == Key(arc="small", domain="conversation", cluster="small", probes=())


def test_the_shipped_example_reads_and_round_trips(tmp_path: Path) -> None:
    scenario = read_scenario(EXAMPLE)
    write_scenario(scenario, tmp_path / "again.yaml")
    assert read_scenario(tmp_path / "again.yaml") == scenario


@pytest.mark.parametrize("text", ["0012", "15E2621", "1e3", "yes", "null", "1.5", "2025-03-03"])
def test_scalars_stay_as_written_where_a_text_is_wanted(tmp_path: Path, text: str) -> None:
    scenario = read_scenario(written(tmp_path, SMALL.replace("The code is 0012.", text)))
    message = scenario.script.episodes[0].events[0]
    assert isinstance(message, Message) and message.text == text


@pytest.mark.parametrize(
    ("spelled", "value"),
    [
        ("12", 12),
        ("-7", -7),
        ("0", 0),
        ("9223372036854775808", 2**63),
        ("true", True),
        ("null", None),
        ("'12'", "12"),
        ('"true"', "true"),
        ("0012", "0012"),
        ("-0", "-0"),
        ("+1", "+1"),
        ("1.50", "1.50"),
        ("15E2621", "15E2621"),
        ("yes", "yes"),
        ("True", "True"),
        ("~", "~"),
        ("0x1f", "0x1f"),
        ("1_000", "1_000"),
        (".inf", ".inf"),
        ("[1, a, {b: 'c'}]", [1, "a", {"b": "c"}]),
    ],
)
def test_json_is_typed_by_its_spelling(tmp_path: Path, spelled: str, value: Json) -> None:
    text = SMALL.replace("  episodes:", f"  world: {{x: {spelled}}}\n  episodes:")
    found = read_scenario(written(tmp_path, text)).script.world["x"]
    assert found == value and type(found) is type(value)


def test_a_float_is_refused_when_writing(tmp_path: Path) -> None:
    episode = Episode(id="e1", events=(Message(id="m1", at=0, text="x"),))
    script = Script(arc="a", environment="support", world={"rate": [1.5]}, episodes=(episode,))
    scenario = Scenario(script=script, key=Key(arc="a", domain="d", cluster="c", probes=()))
    with pytest.raises(InputError, match=r"1\.5 cannot stand") as caught:
        write_scenario(scenario, tmp_path / "x.yaml")
    assert caught.value.field == "script.world.rate.0"


def test_a_key_of_another_arc_is_refused(tmp_path: Path) -> None:
    error = refused(tmp_path, SMALL.replace("key:\n", "key:\n  arc: other\n"))
    assert "'other'" in error.message


@pytest.mark.parametrize(
    ("change", "line", "says"),
    [
        (("arc: small", "arc: &a small"), 2, "anchor &a"),
        (("environment: conversation", "environment: *a"), 3, "alias *a"),
        (("arc: small", "arc: !!str small"), 2, "tag 'tag:yaml.org,2002:str'"),
        (("arc: small", "arc: !python/object:os.system small"), 2, "tag '!python"),
        (("  environment: conversation", "  arc: again"), 3, "stands here and in line 2"),
        (("kind: message", "kind: mesage"), 9, "did you mean 'message'?"),
        (("          kind: message\n", ""), 8, "'kind' is required"),
        (("text: The", "txt: The"), 10, "did you mean 'text'?"),
        (("at: 2025-03-03T09:00", "at: Monday"), 6, "'Monday' is neither a time"),
        (("at: 2025-03-03T09:00", "at: 0012"), 6, "'0012' is neither a time"),
        (("id: m1", "id: m 1"), 8, "should match pattern"),
        (("text: The code is 0012.", "text:"), 10, "nothing stands here"),
        (("          text: The code is 0012.\n", ""), 8, "required"),
        (("probes: []", "probes: none"), 15, "a list is expected"),
        (("events:", "more: 1\n      events:"), 7, "unknown field 'more'"),
        (("probes: []", "probes: []\n---\na: b"), 16, "a second document"),
        (("probes: []", "probes: ["), None, "no valid YAML"),
        (("arc: small", "arc: [small]"), 2, "one value is expected"),
        (("script:", "? [a]\n: b\nscript:"), 1, "a key must be a text"),
        (("request: And?", "request: \x07"), None, "no valid YAML"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(
    tmp_path: Path, change: tuple[str, str], line: int | None, says: str
) -> None:
    assert SMALL.count(change[0]) == 1
    error = refused(tmp_path, SMALL.replace(*change))
    assert says in error.message
    if line is not None:
        assert error.line == line


def test_an_episode_without_any_time_is_refused(tmp_path: Path) -> None:
    error = refused(tmp_path, SMALL.replace("      at: 2025-03-03T09:00\n", ""))
    assert error.field == "script.episodes.0.at"


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    deep = SMALL.replace("  episodes:", f"  world: {'[' * 500}{']' * 500}\n  episodes:")
    assert "nested more than" in refused(tmp_path, deep).message


def test_a_file_of_100_mb_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    with path.open("wb") as file:
        os.truncate(file.fileno(), 100_000_000)
    with pytest.raises(InputError, match=f"100,000,000 bytes; a scenario may have {MAX_BYTES:,}"):
        read_scenario(path)


def test_a_missing_file_a_folder_and_bytes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        read_scenario(tmp_path / "none.yaml")
    with pytest.raises(InputError, match="is a folder"):
        read_scenario(tmp_path)
    (tmp_path / "bytes.yaml").write_bytes(b"arc: \xff")
    with pytest.raises(InputError, match="not UTF-8 at byte 5"):
        read_scenario(tmp_path / "bytes.yaml")
    (tmp_path / "empty.yaml").write_bytes(b"")
    with pytest.raises(InputError, match="empty"):
        read_scenario(tmp_path / "empty.yaml")


def test_a_folder_is_read_by_name_and_two_equal_arcs_are_refused(tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_text(SMALL.replace("small", "beta"))
    (tmp_path / "a.yml").write_text(SMALL.replace("small", "alpha"))
    (tmp_path / "notes.txt").write_text("not a scenario")
    assert [each.script.arc for each in read_folder(tmp_path)] == ["alpha", "beta"]
    (tmp_path / "c.yaml").write_text(SMALL.replace("small", "beta"))
    with pytest.raises(InputError, match="'beta' stands in .*b.yaml"):
        read_folder(tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        read_folder(tmp_path / "none")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no"):
        read_folder(tmp_path / "empty")


def test_an_expected_number_is_not_its_text(tmp_path: Path) -> None:
    probe = """\
  probes:
    - id: p1
      kind: independent
      decision: e1/d1
      dependent: false
      checks: [{check: world, path: /a, equals: 12}, {check: world, path: /a, equals: "12"}]
"""
    scenario = read_scenario(written(tmp_path, SMALL.replace("  probes: []\n", probe)))
    assert scenario.key.probes[0].checks == (
        WorldCheck(path="/a", equals=12),
        WorldCheck(path="/a", equals="12"),
    )
