"""The report: what it says of a small run, that nothing in it is markup, that bytes repeat."""

import re
import shutil
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from memories.none import NoMemory
from probes.scenario import Scenario
from runs.arms import arms
from runs.commands.report import report
from runs.plan import Plan, TrialPlan
from runs.report import examples, write_report
from runs.report.bars import COLOURS, causes_plot, pieces
from runs.report.content import content
from runs.report.examples import MAX_TEXT, Line, choose, gather, shown
from runs.report.page import exact, render
from runs.report.plots import Point, price_plot, success_plot
from runs.runner import run_plan
from runs.suite import Part, Suite
from scoring.causes import CAUSES, ERRORS
from scoring.keys import Forbidden, Gold, Key, NeverSaysCheck, Probe, SaysCheck
from scoring.run import load_run
from simulator.effects.memory import Ask, Block
from simulator.effects.steps import Steps
from simulator.events import Episode, Script
from simulator.events.errors import InputError
from simulator.events.scripted import Decision, Message, ScriptedEvent, ToolResult

EVIL = "<script>alert('{}')</script>"


def scenario(number: int, tier: str | None = None, **probe: object) -> Scenario:
    """Two sessions: a code is told and changed, then asked for."""
    arc = f"codes-{number}"
    told: list[ScriptedEvent] = [
        Message(id="m1", at=0, text=f"The code of {EVIL.format('said')} is 17{number}."),
        Message(id="m2", at=60_000, causes=("m1",), text=f"The code is now 94{number}."),
        ToolResult(id="t1", at=120_000, causes=("m2",), tool="scan", text=EVIL.format("tool")),
    ]
    asked = Decision(id="d1", at=900_000, request=f"What is the code? {EVIL.format('request')}")
    script = Script(
        arc=arc,
        environment="conversation",
        episodes=(
            Episode(id="e1", events=tuple(told)),
            Episode(id="e2", events=(asked,)),
        ),
    )
    key = Key(
        arc=arc,
        domain="conversation",
        tier=tier,
        cluster=arc,
        origin=f"authored {EVIL.format('origin')}",
        probes=(
            Probe(
                id="p1",
                kind="update",
                decision="e2/d1",
                dependent=True,
                gold=(Gold(name="code", value=f"94{number}", evidence=("e1/m2",)),),
                forbidden=(
                    Forbidden(value=f"17{number}", failure="resurrection", evidence=("e1/m1",)),
                ),
                checks=(
                    SaysCheck(phrase=f"94{number}"),
                    NeverSaysCheck(phrase=f"17{number}", failure="resurrection"),
                ),
            ).model_copy(update=probe),
        ),
    )
    return Scenario(script=script, key=key)


def played(folder: Path, scenarios: list[Scenario], memories: tuple[Part, ...]) -> Path:
    suite = Suite(
        name="codes",
        description=f"Two codes {EVIL.format('description')}",
        scenarios=({"files": ["-"]},),
        memories=memories,
        models=(Part(name="parrot"),),
        token_budgets=(200,),
    )
    by_arc = {each.script.arc: each for each in scenarios}
    made = tuple(arms(suite))
    trials = tuple(TrialPlan(arc, arm, 0) for arm in made for arc in by_arc)
    run_plan(Plan(suite, by_arc, made, trials), folder, report=lambda done, of: None)
    return folder


class Crashing(NoMemory):
    """Fails at every read."""

    def read(self, ask: Ask) -> Steps[Block]:
        raise RuntimeError("<i>no index</i>")


NONE = Part(name="none")
REPLAY = Part(name="replay", options={"implementation": "newest"})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two arcs and two memories; parrot fails them all, with `replay` by saying the old code."""
    out = tmp_path_factory.mktemp("runs") / "codes"
    return played(out, [scenario(1, "easy"), scenario(2, "hard")], (NONE, REPLAY))


@pytest.fixture(scope="module")
def page(folder: Path) -> str:
    return write_report(folder, folder / "page.html").read_text("utf-8")


class _Reader(HTMLParser):
    """Collects tags, attributes and the text outside of style."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.extend(attrs)
        if tag not in ("meta", "path", "line", "rect"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("meta", "path", "line", "rect"):
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data


def read(page: str) -> _Reader:
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def test_the_page_has_no_script_no_outside_address_and_closes_every_tag(page: str) -> None:
    found = read(page)
    assert not {"script", "img", "link", "iframe", "object"} & set(found.tags)
    assert all(not name.startswith("on") for name, _ in found.attributes)
    targets = [value for name, value in found.attributes if name in ("href", "src")]
    assert targets and all(value and value.startswith("#") for value in targets)
    outside = re.sub(r'xmlns(:\w+)?="[^"]*"', "", page)
    assert "http://" not in outside and "https://" not in outside


@pytest.mark.parametrize("place", ["said", "tool", "request", "origin", "description"])
def test_text_from_scenarios_is_shown_as_text(page: str, place: str) -> None:
    """The parrot's completion repeats what was said and what the tool reported."""
    assert EVIL.format(place) in read(page).text
    assert f"<script>alert('{place}" not in page


def test_text_from_calls_is_shown_as_text(folder: Path) -> None:
    with load_run(folder) as run:
        told = content(run)
    arm = told.failures[0]
    evil = replace(arm.examples[0], acts=(Line(EVIL.format("call"), EVIL.format("result")),))
    told = replace(told, failures=(arm._replace(label=EVIL.format("arm"), examples=[evil]),))
    found = read(render(told))
    assert "script" not in found.tags
    assert all(EVIL.format(place) in found.text for place in ("call", "result", "arm"))


def test_names_in_plots_are_escaped() -> None:
    name = '</text><script>alert("1")</script>&amp;\'\\'
    points = [Point(name, "]]>", 0.5, 0.25, 0.75, 3.0), Point("b", "<b>", 1.0, 1.0, 1.0)]
    for plot in (success_plot(points, "c"), price_plot(points, "<i>tokens</i>", "c")):
        root = ET.fromstring(str(plot.svg))
        assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
            *("svg", "g", "rect", "path", "line", "text", "defs", "clipPath")
        }
        assert name in [element.text for element in root.iter()]
        assert name in str(root.get("aria-label"))


@pytest.mark.parametrize("odd", ["\x00", "\x1b[31m", "\x85", "\ufffe", "\uffff", "\u202e"])
def test_a_name_that_no_drawing_can_hold_is_spelled_out(odd: str) -> None:
    """The library that draws ends the process at a character that XML forbids."""
    points = [Point(f"a{odd}b", odd, 0.5, 0.25, 0.75, 3.0)]
    for plot in (success_plot(points, "c"), price_plot(points, "tokens", "c")):
        root = ET.fromstring(str(plot.svg))
        assert any(f"a\\u{ord(odd[0]):04x}" in str(each.text) for each in root.iter())


def test_plots_tell_their_numbers_and_take_the_page_s_colours() -> None:
    svg = str(success_plot([Point("facts", "easy", 0.5, 0.25, 0.75)], "c").svg)
    assert 'role="img"' in svg and 'aria-label="facts easy 0.50, 0.25 to 0.75"' in svg
    assert 'fill="white"' not in svg and 'fill="#000"' not in svg and 'fill="black"' not in svg


def test_the_same_folder_gives_the_same_bytes_wherever_it_lies(
    folder: Path, page: str, tmp_path: Path
) -> None:
    shutil.copytree(folder, tmp_path / "elsewhere")
    again = write_report(tmp_path / "elsewhere", tmp_path / "again.html")
    assert again.read_text("utf-8") == page


def test_rates_have_intervals_and_denominators(folder: Path) -> None:
    with load_run(folder) as run:
        grid = content(run).success[0]
    assert grid.columns == ["memory", "easy", "hard", "all", "independent", "errors"]
    # Both arcs fail in both arms: 0 of 2, and the exact bound over two clusters, 1 - 0.025^(1/2).
    names = [row[0].text for row in grid.rows]
    assert names == ["none", "replay/newest"]
    for row in grid.rows:
        assert (row[3].text, row[3].of, row[3].small) == ("0.00", "0/2", "[0.00, 0.84]")
        assert (row[4].text, row[5].text, row[5].of) == ("–", "0", "of 2")


def test_every_row_has_a_cell_for_every_column(folder: Path) -> None:
    with load_run(folder) as run:
        told = content(run)
    proof = told.reproduction
    grids = [*told.success, told.use, told.pairs, told.costs, told.causes, proof.arms, proof.arcs]
    for grid in grids:
        assert grid is not None and grid.rows
        assert {len(line) for line in grid.rows} == {len(grid.columns)}


def test_several_domains_and_no_tier(tmp_path: Path) -> None:
    scenarios = [scenario(1, domain="mail"), scenario(2, domain="shop")]
    with load_run(played(tmp_path / "run", scenarios, (NONE, REPLAY))) as run:
        told = content(run)
    assert [grid.columns for grid in told.success] == [
        ["memory", "dependent", "independent", "errors"],
        ["domain", "none", "replay/newest"],
    ]
    assert [[cell.of for cell in line] for line in told.success[1].rows] == [
        ["", "0/1", "0/1"],
        ["", "0/1", "0/1"],
    ]
    assert told.answer[0].endswith("through 2 arcs of 2 domains: 4 trials, 8 sessions.")


def test_errors_are_counted_with_their_culprit(tmp_path: Path) -> None:
    crashing = Part(name=f"{__name__}:Crashing")
    with load_run(played(tmp_path / "run", [scenario(1)], (NONE, crashing))) as run:
        told = content(run)
    assert told.errors is not None
    assert [[cell.text for cell in line] for line in told.errors.rows] == [
        [crashing.name, "memory", "crash", "RuntimeError: <i>no index</i>", "1", "0"]
    ]
    assert [line[-1].text for line in told.success[0].rows] == ["0", "1"]
    assert told.causes is not None and told.causes.columns[-1] == "error: memory"
    assert told.causes.rows[1][-1].text == "1"
    assert "RuntimeError: <i>no index</i>" in read(render(told)).text


def test_a_far_price_is_drawn_on_a_scale_that_says_so() -> None:
    points = [Point(str(price), "", 0.5, 0.5, 0.5, price) for price in (0.0, 1.0, 2.0, 40.0)]
    assert "tokens (square-root scale)" in price_plot(points, "tokens", "c").svg
    assert "square-root" not in price_plot(points[:3], "tokens", "c").svg


def test_failures_are_told_with_block_act_gold_and_checks(folder: Path) -> None:
    with load_run(folder) as run:
        told = content(run)
    assert [(arm.label, arm.failed, arm.decisions) for arm in told.failures] == [
        ("none", 2, 2),
        ("replay/newest", 2, 2),
    ]
    nothing, stale = (arm.examples[0] for arm in told.failures)
    assert (nothing.cause, nothing.block) == ("never written", ())
    assert nothing.gold == (
        Line("code = 941", "neither in the block nor in the session, not used"),
    )
    assert nothing.outcome == Line("answer", "I do not know.")
    assert stale.cause == "stale copy used"
    assert stale.why == "used '171', which e1/m1 in the block shows; the right value was shown too"
    assert [line.note for line in stale.block] == [
        "e1/m1 (said)",
        "e1/m2 (said)",
        "e1/t1 (said)",
    ]
    assert stale.gold[0].note == "in the block, used"
    because = "resurrection, in the text: nothing in its clause rules it out"
    said = "The code of <script>alert('said')</script> is 171"
    at = stale.outcome.note.index("171")
    place = f"{at}-{at + 3} asserted: nothing in its clause rules it out"
    assert stale.misuses == (Line("171", because), Line(said, place))
    assert [check.note for check in stale.checks] == ["pass", "FAIL"]
    assert told.causes is not None
    assert told.causes.columns == ["memory", "failed", "never written", "stale copy used"]
    assert [[(cell.text, cell.small) for cell in row[1:]] for row in told.causes.rows] == [
        [("2", ""), ("2", "1.00"), ("–", "")],
        [("2", ""), ("–", ""), ("2", "1.00")],
    ]
    assert told.cause_plot is not None
    numbers = "none never written 2 of 2; replay/newest stale copy used 2 of 2"
    assert f'aria-label="{numbers}"' in told.cause_plot.svg


def widths(svg: str) -> dict[str, list[float]]:
    """Return the colour of each bar of a plot to the widths that are drawn in it."""
    found: dict[str, list[float]] = {}
    for element in ET.fromstring(svg).iter():
        drawn = re.fullmatch(r"M([\d.]+),[\d.]+h([\d.]+)v16h-[\d.]+Z", element.get("d", ""))
        if drawn and element.get("fill") in COLOURS.values():
            found.setdefault(str(element.get("fill")), []).append(float(drawn[2]))
    return found


def test_bars_of_causes_are_as_long_as_their_shares_of_all_dependent_decisions() -> None:
    """The axis is 520 wide: 1 of 4 is 130, 2 of 4 are 260; other culprits are one piece."""
    counts = {"stale copy used": 1, "error: memory": 1, "error: agent": 1, "model error": 0}
    parts = [*pieces("facts <b>", counts, 4), *pieces("none", {"never written": 4}, 4)]
    svg = str(causes_plot(["facts <b>", "none", "calm"], parts, "c").svg)
    assert widths(svg) == {
        COLOURS["stale copy used"]: [130],
        COLOURS["other error"]: [260],
        COLOURS["never written"]: [520],
    }
    texts = [element.text for element in ET.fromstring(svg).iter()]
    assert {"facts <b>", "none", "calm", "other error"} <= set(texts)
    assert "facts &lt;b&gt; other error 2 of 4" in svg


def test_every_cause_has_a_colour_and_no_two_share_one() -> None:
    assert set(COLOURS) == {*CAUSES, "other error"} - set(ERRORS)
    assert len(set(COLOURS.values())) == len(COLOURS)


def test_violations_stand_by_class_with_what_arms_say(folder: Path) -> None:
    with load_run(folder) as run:
        classes, said = content(run).violations
    # With `replay` parrot says the old code in both arcs, without a memory it knows nothing.
    assert [[(cell.text, cell.of) for cell in row] for row in classes.rows] == [
        [("none", ""), ("resurrection", ""), *[("0.00", "0/2")] * 4],
        [("replay/newest", ""), ("resurrection", ""), *[("1.00", "2/2")] * 4],
    ]
    assert classes.columns[2:] == ["queries", "without errors", "phrases", "query-aware gate"]
    assert [[cell.text for cell in row][2:] for row in said.rows] == [
        ["0.00", "–", "–", "2"],
        ["0.00", "–", "–", "2"],
    ]
    assert said.rows[0][1].of == "of 2" and float(said.rows[0][1].text) > 0


def test_examples_are_capped_and_shared_fairly(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examples, "MAX_EXAMPLES", 3)
    with load_run(folder) as run:
        told = content(run)
        chosen = choose(gather(run), ["none+parrot+200", "replay-newest+parrot+200"])
    assert [len(each) for each in chosen.values()] == [2, 1]
    assert told.left_out == 1
    assert "1 more failed decisions are left out" in read(render(told)).text


def test_long_texts_are_cut_and_say_so_and_controls_are_spelled_out() -> None:
    assert shown("a" * (MAX_TEXT + 7)) == "a" * MAX_TEXT + "… (7 more characters)"
    text = "a\x00b\u202ec\td\n\\u0000 & \r"
    marked = re.sub('<span class="control">(.*?)</span>', r"<\1>", str(exact(text)))
    assert marked == "a<\\u0000>b<\\u202e>c\td\n\\u0000 &amp; <\\u000d>"


def test_probes_counted_apart_are_listed_by_reason(tmp_path: Path) -> None:
    """Nothing can be scored then: no rate, no plot, no failure, and still a page."""
    scenarios = [scenario(1, excluded="silence passes"), scenario(2, excluded="silence passes")]
    with load_run(played(tmp_path / "run", scenarios, (NONE,))) as run:
        told = content(run)
    assert told.skipped is not None
    assert [[cell.text for cell in row] for row in told.skipped.rows] == [
        ["excluded", "silence passes", "2"]
    ]
    assert (told.plots, told.causes, told.failures, told.pairs) == ((), None, (), None)
    assert "no dependent decision to plot" in render(told)


def test_a_run_without_failures_says_so(tmp_path: Path) -> None:
    checks = (SaysCheck(phrase="do not know"),)
    easy = [scenario(1, checks=checks, gold=(), forbidden=())]
    with load_run(played(tmp_path / "run", easy, (NONE,))) as run:
        text = read(render(content(run))).text
    assert "No dependent decision failed without an error." in text
    assert "There were none." in text


def test_the_root_is_the_one_that_the_log_sealed(folder: Path, page: str) -> None:
    with load_run(folder) as run:
        proof = content(run).reproduction
        assert proof.root == run.log.root()
    assert proof.sealed and proof.root in page
    assert "as the log itself recorded it" in page


def test_scripted_readers_are_no_evidence(page: str) -> None:
    text = read(page).text
    assert "no evidence about language models; no ranks, no tests" in text
    assert "p (Holm)" not in text


def test_the_command_writes_into_the_run_s_folder(
    folder: Path, page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    report(folder, None)
    out = folder / "report.html"
    with load_run(folder) as run:
        assert capsys.readouterr().out == f"report: {out}\nroot {run.log.root()}\n"
    assert out.read_text("utf-8") == page
    assert not list(folder.glob("*.part"))


def test_a_folder_for_a_file_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="folder"):
        write_report(folder, tmp_path)
    with pytest.raises(InputError, match="cannot write the report"):
        write_report(folder, tmp_path / "missing" / "page.html")
    with pytest.raises(InputError, match="no run"):
        write_report(tmp_path, tmp_path / "page.html")
