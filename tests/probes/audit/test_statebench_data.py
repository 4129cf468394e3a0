"""The figures of the release: what was published, and what we measure beside it."""

from pathlib import Path

import pytest

from probes.audit import audit_statebench
from simulator.events import Json
from simulator.events.errors import InputError

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def test_file(files: list[Path]) -> dict[str, Json]:
    return audit_statebench(file for file in files if file.name == "test.jsonl")


def test_totals(audited: dict[str, Json]) -> None:
    assert (audited["timelines"], audited["queries"], audited["forbidden_phrases"]) == (
        1257,
        1500,
        3721,
    )


def test_inadmissible_phrases(audited: dict[str, Json]) -> None:
    refused = audited["inadmissible"]
    assert refused["total"] == sum(refused["by_track"].values()) == 392
    assert {track: n for track, n in refused["by_track"].items() if n} == {
        "authority_hierarchy": 4,
        "enterprise_privacy": 7,
        "hallucination_resistance": 303,
        "scope_leak": 12,
        "scope_permission": 5,
        "supersession": 61,
    }
    assert refused["phrases"]["approved"] == 90


def test_symbols_and_yes_no_of_the_test_file(test_file: dict[str, Json]) -> None:
    phrases = test_file["inadmissible"]["phrases"]
    assert (phrases["$"], phrases["#"]) == (5, 1)
    assert (test_file["decisions"]["yes_no"], test_file["decisions"]["of"]) == (20, 251)


def test_phrases_that_cannot_match(audited: dict[str, Json]) -> None:
    assert audited["unmatchable"]["total"] == 26
    assert len(audited["unmatchable"]["phrases"]) == 10


def test_keys_that_are_unfair(audited: dict[str, Json]) -> None:
    defects = audited["defects"]
    assert defects["internal_keys"] == 14
    assert len(defects["contradictory"]) == 2
    assert (defects["without_forbidden"], defects["prompts"]) == (175, 173)


def test_plain_answers_under_the_legacy_scorer(audited: dict[str, Json]) -> None:
    plain = audited["constructed"]["plain"]
    assert plain["legacy"] == [114, 1325]
    assert plain["corrected_query_aware"][0] == 0
    assert plain["corrected"] == [83, 1283]
    # The two queries that require what they forbid.
    assert plain["corrected_with_prompt"] == [2, 1283]


def test_ours_differs_from_the_published_gate_in_one_phrase(audited: dict[str, Json]) -> None:
    (only,) = audited["inadmissible"]["differ"]
    assert (only["phrase"], only["count"], only["ours"]) == ("HP", 10, None)
    assert audited["inadmissible"]["ours"]["total"] == 382


def test_rejections(audited: dict[str, Json]) -> None:
    rejecting = audited["constructed"]["rejecting"]
    assert rejecting["legacy"] == [1325, 1325]
    flagged, of = rejecting["corrected"]
    assert of > 1200
    assert flagged == 2  # the two queries that require what they forbid
    assert flagged / of <= 0.002
    assert rejecting["corrected_query_aware"][0] == 0


def test_echoing_and_rejecting_is_flagged_no_more_than_echoing(audited: dict[str, Json]) -> None:
    table = audited["constructed"]
    assert table["plain_and_rejecting"]["legacy"] == [1325, 1325]
    for scorer in ("corrected", "corrected_with_prompt", "corrected_query_aware"):
        assert table["plain_and_rejecting"][scorer] == table["plain"][scorer]


def test_filler(audited: dict[str, Json]) -> None:
    for rates in audited["filler"]["by_length"].values():
        assert rates["legacy"][0] / rates["legacy"][1] < 0.007
        assert rates["corrected"][0] == 0


def test_overlap_metrics_are_blind(audited: dict[str, Json]) -> None:
    overlap = audited["overlap"]
    assert all(
        metric["ranks"] == [0, overlap["pairs"], 0] for metric in overlap["metrics"].values()
    )
    assert overlap["scorers"]["legacy"]["ranks"] == [0, overlap["pairs"], 0]
    assert overlap["scorers"]["corrected"]["ranks"] == [overlap["pairs"] - 2, 2, 0]


def test_files_without_timelines_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(InputError, match="no timelines"):
        audit_statebench([tmp_path / "empty.jsonl"])
