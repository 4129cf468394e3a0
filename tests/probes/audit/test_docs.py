"""docs/audit.md shows the figures that the audit measures, and its example is read."""

import re
from pathlib import Path

import pytest

from probes.audit import from_jsonl, read_map
from simulator.events import Json

TEXT = (Path(__file__).parents[3] / "docs" / "audit.md").read_text(encoding="utf-8")


def row(label: str) -> str:
    """Return the first table row that opens with the label."""
    (found, *_) = re.findall(rf"^\| {re.escape(label)}.*$", TEXT, re.MULTILINE)
    return str(found)


def test_the_example_of_a_set_is_read_with_its_map(tmp_path: Path) -> None:
    (line,) = re.findall(r"^\{.*\}$", TEXT, re.MULTILINE)
    (where,) = re.findall(r"jsonl questions\.jsonl --map (\S+)", TEXT)
    (tmp_path / "questions.jsonl").write_text(line, "utf-8")
    (item,) = from_jsonl(tmp_path / "questions.jsonl", read_map(where))
    assert (item.required, item.forbidden, item.group) == (("Thursday",), ("Friday",), "days")


@pytest.mark.data
def test_the_constructed_table(audited: dict[str, Json]) -> None:
    scorers = (
        "legacy",
        "window",
        "corrected",
        "corrected_with_prompt",
        "corrected_query_aware",
    )
    for text in ("plain", "rejecting", "plain_and_rejecting"):
        cells = re.findall(r"(\d+)/(\d+)", row(f"{text} |"))
        measured = [audited["constructed"][text][scorer] for scorer in scorers]
        assert [[int(flagged), int(of)] for flagged, of in cells] == measured


@pytest.mark.data
@pytest.mark.parametrize(
    ("label", "name"),
    [("laundering", "laundering"), ("late cue", "late_cue"), ("next sentence", "next_sentence")],
)
def test_the_controls(audited: dict[str, Json], label: str, name: str) -> None:
    shown, control = row(label), audited[name]
    cells = [f"{control[scorer][0]}/{control[scorer][1]}" for scorer in ("legacy", "window")]
    cells.append("{}/{}".format(*control["corrected"]))
    assert shown.endswith(f"| {' | '.join(cells)} |")
    assert f"{control['carriers']} carriers" in shown


@pytest.mark.data
def test_the_overlap_table(audited: dict[str, Json]) -> None:
    for label, name in (("token-F1", "token_f1"), ("BLEU-1", "bleu_1"), ("ROUGE-L", "rouge_l")):
        metric = audited["overlap"]["metrics"][name]
        means = [f"{metric['means'][kind]:.3f}" for kind in ("rejecting", "violating")]
        ranks = [str(n) for n in metric["ranks"]]
        assert row(label) == f"| {label} | {' | '.join(means + ranks)} |"


@pytest.mark.data
def test_totals_and_tracks(audited: dict[str, Json]) -> None:
    for label, count in (
        ("timelines", audited["timelines"]),
        ("queries", audited["queries"]),
        ("forbidden phrases", audited["forbidden_phrases"]),
        ("inadmissible, published gate", audited["inadmissible"]["total"]),
        ("inadmissible, our gate", audited["inadmissible"]["ours"]["total"]),
        ("… hallucination", audited["inadmissible"]["by_track"]["hallucination_resistance"]),
        ("… supersession", audited["inadmissible"]["by_track"]["supersession"]),
    ):
        assert f"| {count:,}" in row(label)
    for track, texts in audited["constructed"]["by_track"].items():
        flagged, of = texts["plain"]["legacy"]
        if flagged:
            assert re.search(rf"{track}\s+{flagged}/{of}", TEXT), track
    filler = [rates["legacy"][0] for rates in audited["filler"]["by_length"].values()]
    assert f"flags {', '.join(map(str, filler[:-1]))} and {filler[-1]} of" in TEXT
