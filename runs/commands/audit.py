"""`memtrial audit`: what phrase lists do to right answers, and whether people agree with us."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from probes.audit import audit_items, audit_statebench, from_jsonl, read_map
from probes.audit.agreement import Agreement, agree
from probes.audit.sheet import LABELS, sample, write_sheet
from runs.commands.output import console, print_json, print_table
from scoring.run import load_run
from simulator.events import Json

_SCORERS = {
    "legacy": "legacy",
    "legacy_paired": "legacy, same queries",
    "window": "window",
    "corrected": "corrected",
    "corrected_with_prompt": "… echo forgiven",
    "corrected_query_aware": "… query-aware",
}
_MATCHERS = ("legacy", "window", "corrected")
_SHOWN = 10


def statebench(files: list[Path], as_json: bool) -> None:
    """Audit StateBench files."""
    found = audit_statebench(files)
    if as_json:
        print_json(found)
        return
    yes_no = found["decisions"]
    print(
        f"{found['timelines']:,} timelines (published, four files: "
        f"{found['published']['timelines']:,}); {yes_no['yes_no']} of {yes_no['of']} decisions "
        f"are yes or no (published, test file: 20 of 251)"
    )
    _print(found)


def jsonl(path: Path, where: str, as_json: bool) -> None:
    """Audit any set with one JSON object a line."""
    found = audit_items(from_jsonl(path, read_map(where)))
    if as_json:
        print_json(found)
    else:
        _print(found)


def _print(found: Mapping[str, Json]) -> None:
    _print_census(found)
    _print_constructed(found["constructed"])
    _print_controls(found)
    _print_overlap(found["overlap"])
    for note in found["notes"]:
        console().print(note, markup=False, soft_wrap=True)


def _print_census(found: Mapping[str, Json]) -> None:
    refused, defects = found["inadmissible"], found["defects"]
    print(
        f"{found['queries']:,} queries of {defects['templates']} templates, "
        f"{found['forbidden_phrases']:,} forbidden phrases\n"
        f"{refused['total']} inadmissible by the published gate, "
        f"{refused['ours']['total']} by ours"
    )
    for each in refused["differ"]:
        which = "ours" if each["ours"] else "published"
        print(f"  only {which}: {each['phrase']!r} ({each['count']}): {each[which]}")
    print(f"{found['unmatchable']['total']} phrases cannot match:")
    for each in found["unmatchable"]["phrases"]:
        print(f"  {each['phrase']!r} ({each['count']}): {each['reason']}")
    print(
        f"{defects['internal_keys']} queries require an internal key, "
        f"{len(defects['contradictory'])} what they forbid; "
        f"{defects['without_forbidden']} forbid nothing\n"
    )
    _print_lost(found["lost"], refused)


def _print_lost(lost: Mapping[str, Json], refused: Mapping[str, Json]) -> None:
    columns = ("track", "published", "headline", "unmatchable", "query-aware")
    rows = [
        (track, refused["by_track"][track], *_pairs(each))
        for track, each in lost["by_track"].items()
    ]
    rows.append(("all", refused["total"], *_pairs(lost["all"])))
    title = "Phrases lost to each gate in turn / queries whose last it is"
    print_table(title, columns, rows, text=("track",))
    print()


def _pairs(lost: Mapping[str, list[int]]) -> list[str]:
    return [f"{phrases} / {queries}" for phrases, queries in lost.values()]


def _print_constructed(table: Mapping[str, Json]) -> None:
    columns = ("text", "track", *_SCORERS.values())
    rows: list[Sequence[object]] = []
    for text in (name for name in table if name != "by_track"):
        bounds = table[text]["intervals"]
        rows.append((text, "all", *_rates(table[text], _SCORERS)))
        rows.append(("", "95 % over templates", *(_interval(bounds.get(n)) for n in _SCORERS)))
        for track, texts in table["by_track"].items():
            if texts[text]["legacy"][1]:
                rows.append(("", track, *_rates(texts[text], _SCORERS)))
    print_table("Constructed right answers that are flagged", columns, rows, text=columns[:2])
    print()


def _print_controls(found: Mapping[str, Json]) -> None:
    rows: list[Sequence[object]] = [
        (f"filler, {words} words", "none", *_rates(cells, _MATCHERS))
        for words, cells in found["filler"]["by_length"].items()
    ]
    wanted = (("laundering", "all"), ("late_cue", "none"), ("next_sentence", "all, by rule"))
    for name, right in wanted:
        control = found[name]
        label = f"{name}, {control['carriers']} carriers"
        rows.append((label, right, *_rates(control, _MATCHERS)))
        rows += [
            (f"  {kind}", right, *_rates(cells, _MATCHERS))
            for kind, cells in control["by_kind"].items()
        ]
    columns = ("control", "right: flagged", *_MATCHERS)
    print_table("Controls", columns, rows, text=columns[:2])
    for name, _ in wanted:
        wrong = found[name]["wrong"]
        for text in wrong[:_SHOWN]:
            print(f"  wrong in {name}: {text}")
        if len(wrong) > _SHOWN:
            print(f"  … and {len(wrong) - _SHOWN} more; --json has them all")
    print()


def _print_overlap(overlap: Mapping[str, Json]) -> None:
    kinds = ("plain", "rejecting", "plain_and_rejecting", "violating")
    rows: list[Sequence[object]] = [
        (name, *(f"{metric['means'][kind]:.3f}" for kind in kinds), *metric["ranks"])
        for name, metric in overlap["metrics"].items()
    ]
    blank = ("",) * len(kinds)
    rows += [(name, *blank, *each["ranks"]) for name, each in overlap["scorers"].items()]
    columns = ("measure", *kinds, "rejection better", "equal", "violation better")
    title = f"{overlap['pairs']} rejections against their violating twins"
    print_table(title, columns, rows, text=("measure",))
    print()


def _rates(cells: Mapping[str, list[int]], names: Iterable[str]) -> list[str]:
    return [_rate(*cells[name]) for name in names]


def _rate(flagged: int, of: int) -> str:
    return f"{flagged}/{of} {flagged / of:6.1%}" if of else "-"


def _interval(bounds: Sequence[float] | None) -> str:
    return f"[{bounds[0]:.1%}, {bounds[1]:.1%}]" if bounds else ""


def draw(folder: Path, n: int, out: Path | None, seed: int, as_json: bool) -> None:
    """Write a blinded sheet of a run's decisions, and its key beside it."""
    with load_run(folder) as run:
        sheet = sample(run, n, seed)
        path = out or Path(f"{run.name}-sheet.csv")
    key = write_sheet(sheet, path)
    if as_json:
        counts: Json = {"population": dict(sheet.population), "sampled": sheet.sampled}
        print_json({"sheet": str(path), "key": str(key), "rows": len(sheet.rows), **counts})
        return
    rows = [(label, sheet.sampled[label], sheet.population[label]) for label in LABELS]
    print_table(f"{len(sheet.rows)} rows in {path}", ("verdict", "rows", "of"), rows, text=())
    print(f"key in {key}: keep it from whoever fills the sheet")
    print(f"write one of {', '.join(LABELS)} into the column `label`")


def compare(first: Path, second: Path, key: Path | None, as_json: bool) -> None:
    """Print how far two filled sheets agree with each other and with the scorer."""
    found = agree(first, second, key)
    if as_json:
        print_json({"labels": list(LABELS), "rows": [asdict(each) for each in found]})
        return
    columns = (
        "first",
        "second",
        "n",
        "agreement",
        "95 %",
        "kappa",
        "95 % ",
        "weighted",
        "unpaired",
    )
    print_table("Agreement", columns, [_agreed(each) for each in found], text=columns[:2])
    print("Intervals are over templates where the key is given, else over rows.")


def _agreed(each: Agreement) -> Sequence[object]:
    return (
        each.first,
        each.second,
        each.n,
        each.agreement,
        _bounds(each.agreement_ci),
        each.kappa,
        _bounds(each.kappa_ci),
        each.weighted,
        each.only_one,
    )


def _bounds(ends: tuple[float, float] | None) -> str | None:
    return None if ends is None else f"[{ends[0]:.2f}, {ends[1]:.2f}]"
