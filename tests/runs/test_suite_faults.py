"""Suites that are wrong: status 2, one message with file, line, field and the nearest name."""

from collections.abc import Callable
from pathlib import Path

import pytest

Refused = Callable[..., str]

GOOD = """name = "small"
token_budgets = [96]
models = ["last"]

[[scenarios]]
generate = "ladder"
arcs = 1

[[memories]]
name = "none"

[[memories]]
name = "retrieval"
top_k = 4
"""
SHOWN = GOOD.splitlines()
CONTEXT = GOOD.replace('"ladder"\narcs = 1', '"context"\ntasks = 1')

DECLARED = (
    GOOD
    + """
[[analysis.hypotheses]]
name = 'h'
second = {memory = 'none'}
first = {memory = 'retrieval'}
"""
)


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new)


FAULTS = [
    (changed('"retrieval"', '"retreival"'), 13, "memories.1.name", "did you mean 'retrieval'?"),
    (changed("top_k", "top_kk"), 14, "memories.1.top_kk", "did you mean 'top_k'?"),
    (changed("top_k = 4", "top_k = 0"), 14, "memories.1.top_k", "greater than or equal to 1"),
    (changed("top_k = 4", 'top_k = "some"'), 14, "memories.1.top_k", "valid integer"),
    (
        changed("top_k = 4", 'implementation = "lexicl"'),
        14,
        "memories.1.implementation",
        "'lexical' or 'minilm'",
    ),
    (changed('name = "retrieval"\n', ""), 12, "memories.1.name", "required"),
    (changed('models = ["last"]', 'models = ["lost"]'), 3, "models.0.name", "mean 'last'?"),
    (changed('models = ["last"]', 'modells = ["last"]'), None, "models", "required"),
    (changed('["last"]', '["last"]\nmodells = []'), 4, "modells", "did you mean 'models'?"),
    (changed('["last"]', '["last"]\nagent = "scafold"'), 4, "agent.name", "mean 'scaffold'?"),
    (
        changed('["last"]', '["last"]\nagent = {name = "scaffold", max_step = 2}'),
        4,
        "agent.max_step",
        "did you mean 'max_steps'?",
    ),
    (changed('["last"]', "[]"), 3, "models", "at least 1 item"),
    (changed('["last"]', "3"), 3, "models", "valid tuple"),
    (changed('["last"]', "[3]"), 3, "models.0", "valid dictionary or instance of Part"),
    (changed("[96]", "[]"), 2, "token_budgets", "at least 1 item"),
    (changed("[96]", "[0]"), 2, "token_budgets.0", "greater than or equal to 1"),
    (changed("[96]", "[96, 96]"), 9, "memories", "two arms of the suite are the same: none+last"),
    (changed('"retrieval"\ntop_k = 4', '"none"'), 9, "memories", "two arms"),
    (changed('["last"]', '["last"]\nseeds = [1, 1]'), 4, "seeds", "a seed is named twice"),
    (changed('["last"]', '["last"]\nlatency = "typicl"'), 4, "latency", "mean 'typical'?"),
    (
        changed('["last"]', '["last"]\nforgetting = ["on"]'),
        4,
        "forgetting.0",
        "'off', 'index' or 'lineage'",
    ),
    (changed('["last"]', '["last"]\ncompaction = ["now"]'), 4, "compaction.0", "'native'"),
    (
        changed('["last"]', '["last"]\ncompaction = ["forced", "native"]'),
        10,
        "memories.0",
        "memory 'none' is given none: set `compact_at`",
    ),
    (changed("top_k = 4", "compact_at = 0"), 14, "memories.1.compact_at", "greater than or equal"),
    (changed('"small"', '"../small"'), 1, "name", "match pattern"),
    (changed('"ladder"', '"laddr"'), 6, "scenarios.0.generate", "'ladder'"),
    (CONTEXT.replace("tasks = 1", "task = 1"), 7, "scenarios.0.task", "did you mean 'tasks'?"),
    (CONTEXT.replace("tasks = 1", "arcs = 1"), 7, "scenarios.0.arcs", "unknown option 'arcs'"),
    (
        CONTEXT.replace("tasks = 1", "tasks = 0"),
        7,
        "scenarios.0.tasks",
        "from 1 to 240 tasks, not 0",
    ),
    (CONTEXT.replace("tasks = 1", "refill = 0"), 7, "scenarios.0.refill", "from 1 to 2,000 tokens"),
    (
        CONTEXT.replace("tasks = 1", 'families = ["vendor-renewl"]'),
        7,
        "scenarios.0.families",
        "did you mean 'vendor-renewal'?",
    ),
    (CONTEXT.replace('"context"', "3"), 6, "scenarios.0.generate", "'ladder'"),
    (changed("arcs = 1", "arc = 1"), 7, "scenarios.0.arc", "did you mean 'arcs'?"),
    (changed("arcs = 1", "arcs = 0"), 7, "scenarios.0.arcs", "greater than or equal to 1"),
    (changed("arcs = 1", 'tiers = ["simple"]'), 7, "scenarios.0.tiers.0", "'easy'"),
    (
        changed("arcs = 1", 'environment = "suport"'),
        7,
        "scenarios.0.environment",
        "did you mean 'support'?",
    ),
    (changed("arcs = 1", "dependent = 0"), 7, "scenarios.0.dependent", "above 0 and up to 1"),
    (changed("arcs = 1", "distractors = 21"), 7, "scenarios.0.distractors", "from 0 to 20"),
    (changed("arcs = 1", 'corruption = ["stail"]'), 7, "scenarios.0.corruption.0", "'stale'"),
    (changed("arcs = 1", "corruption = []"), 7, "scenarios.0.corruption", "at least `none`"),
    (
        changed("arcs = 1", 'corruption = ["stale"]\nrate = 1.5'),
        8,
        "scenarios.0.rate",
        "a rate lies from 0 to 1, not 1.5",
    ),
    (changed("arcs = 1", "rate = 0.5"), 7, "scenarios.0.rate", "none are asked for"),
    (changed("arcs = 1", 'corruption_mode = "x"'), 7, "scenarios.0.corruption_mode", "'injected'"),
    (changed('generate = "ladder"\n', ""), 5, "scenarios.0", "exactly one of files, generate"),
    (changed("arcs = 1", 'files = ["a"]'), 5, "scenarios.0", "exactly one of files, generate"),
    (GOOD + '[prices]\nas = "gpt-4.1-mnin"\n', 16, "prices.as", "no price is known"),
    (GOOD + '[prices]\naz = "gpt-4.1-mini"\n', 16, "prices.az", "did you mean 'as'?"),
    (GOOD + "[analysis]\nfamilys = []\n", 16, "analysis.familys", "did you mean 'families'?"),
    (GOOD + "[analysis]\nfamilies = ['nome']\n", 16, "analysis.families.0", "'none' or 'replay'"),
    (GOOD + "[analysis]\ncontrol_threshold = nan\n", 16, "analysis.control_threshold", "equal"),
    (GOOD + "[analysis]\nconfirm_seed = 2\n", 16, "analysis.confirm_seed", "generated with seed 2"),
    (GOOD + "[analysis]\nby = ['tier', 'tier']\n", 16, "analysis.by", "'tier' is named twice"),
    (GOOD + "[analysis]\nfamilies = ['replay']\n", 16, "analysis.families.0", "is empty"),
    (
        DECLARED + "where = {tier = []}\n",
        20,
        "analysis.hypotheses.0.where.tier",
        "an empty list takes no decision",
    ),
    (
        DECLARED.replace("'none'", "'none', token_budget = true"),
        18,
        "analysis.hypotheses.0.second.token_budget",
        "a text or a whole number is wanted",
    ),
    (DECLARED + "metric = 'ignore_rate'\n", 20, "analysis.hypotheses.0.metric", "two memories"),
    (DECLARED + "metrc = 'x'\n", 20, "analysis.hypotheses.0.metrc", "did you mean 'metric'?"),
    (DECLARED + "direction = 'up'\n", 20, "analysis.hypotheses.0.direction", "'higher', 'lower'"),
    (
        DECLARED + "metric = 'tsr_dependant'\n",
        20,
        "analysis.hypotheses.0.metric",
        "'tsr_dependent'?",
    ),
    (
        DECLARED.replace("'none'", "'nome'"),
        18,
        "analysis.hypotheses.0.second.memory",
        "unknown memory 'nome'; did you mean 'none'?",
    ),
    (
        DECLARED + "where = {tier = 'eazy'}\n",
        20,
        "analysis.hypotheses.0.where.tier",
        "unknown tier 'eazy'; did you mean 'easy'?",
    ),
    (
        DECLARED + DECLARED[DECLARED.index("[[analysis") :],
        16,
        "analysis.hypotheses",
        "are called 'h'",
    ),
    (
        changed("top_k = 4", 'top_k = 4\n[memory_model]\nname = "nosy"'),
        16,
        "memory_model.name",
        "?",
    ),
]


@pytest.mark.parametrize(("text", "line", "field", "says"), FAULTS, ids=[f[2] for f in FAULTS])
def test_a_fault_is_named_with_its_place(
    refused: Refused, tmp_path: Path, text: str, line: int | None, field: str, says: str
) -> None:
    suite = tmp_path / "suite.toml"
    suite.write_text(text, encoding="utf-8")
    message = refused("run", suite, "--out", tmp_path / "run")
    place = suite if line is None else f"{suite}:{line}"
    assert message.startswith(f"{place}: {field}: ")
    assert says in message
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("name", "option"),
    [("summary", 'implementation = "model"'), ("hybrid", 'extractor = "model"')],
)
def test_a_memory_that_writes_with_a_model_needs_one(
    refused: Refused, tmp_path: Path, name: str, option: str
) -> None:
    suite = tmp_path / "suite.toml"
    suite.write_text(changed('"retrieval"\ntop_k = 4', f'"{name}"\n{option}'), encoding="utf-8")
    message = refused("run", suite)
    assert message.startswith(f"{suite}:12: memories.1: memory {name!r} writes with a model")
    assert "[memory_model]" in message


def test_of_a_list_on_many_lines_the_line_of_the_wrong_entry_is_named(
    refused: Refused, tmp_path: Path
) -> None:
    suite = tmp_path / "suite.toml"
    start = GOOD[: GOOD.index("[[scenarios]]")]
    suite.write_text(
        f'{start}scenarios = [{{generate = "ladder"}}]\nmemories = [\n  "none",\n'
        '  {name = "retrieval", top_k = 4},\n  {name = "retrieval", top_kk = 5},\n  "fcats",\n]\n',
        encoding="utf-8",
    )
    assert refused("run", suite).startswith(f"{suite}:9: memories.2.top_kk: ")
    suite.write_text(suite.read_text("utf-8").replace("top_kk", "top_k"), encoding="utf-8")
    assert refused("run", suite).startswith(f"{suite}:10: memories.3.name: unknown memory 'fcats'")


def test_what_is_no_suite_is_refused(refused: Refused, tmp_path: Path) -> None:
    assert refused("run", "quikstart") == "unknown suite 'quikstart'; did you mean 'quickstart'?"
    assert refused("run", tmp_path) == f"{tmp_path}: this is a folder; a suite is a TOML file"
    missing = tmp_path / "missing.toml"
    assert refused("run", missing) == f"{missing}: there is no such suite file"
    (tmp_path / "bytes.toml").write_bytes(b'name = "\xff"\n')
    assert refused("run", "bytes.toml") == "bytes.toml: this is no UTF-8 text (byte 8)"
    (tmp_path / "broken.toml").write_text('name = "x"\nmodels = [\n', encoding="utf-8")
    assert refused("run", "broken.toml").startswith("broken.toml: this is no TOML: ")
    (tmp_path / "line.toml").write_text('name = "x"\nmodels == 3\n', encoding="utf-8")
    assert refused("run", "line.toml").startswith("line.toml:2: this is no TOML: ")
    (tmp_path / "deep.toml").write_text("x = " + "[" * 90_000, encoding="utf-8")
    assert refused("run", "deep.toml").startswith("deep.toml: this is no suite: it is nested")
    assert "File name too long" in refused("run", "x" * 5_000)


def test_a_huge_suite_is_refused_before_it_is_read(refused: Refused, tmp_path: Path) -> None:
    with (tmp_path / "huge.toml").open("wb") as file:
        file.truncate(100_000_000)
    assert refused("run", "huge.toml") == "huge.toml: a suite has at most 1 MB"


def test_a_byte_order_mark_is_no_fault(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "mark.toml").write_text("\ufeff" + changed('"none"', '"nine"'), encoding="utf-8")
    assert refused("run", "mark.toml").startswith("mark.toml:10: memories.0.name: ")


def test_public_data_must_be_found(
    refused: Refused, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = tmp_path / "suite.toml"
    source = 'generate = "ladder"\narcs = 1'
    suite.write_text(changed(source, 'statebench = ["dev.jsonl"]'), encoding="utf-8")
    monkeypatch.delenv("MEMTRIAL_DATA", raising=False)
    assert refused("run", suite).startswith(f"{suite}:5: scenarios.0: set MEMTRIAL_DATA to ")
    monkeypatch.setenv("MEMTRIAL_DATA", str(tmp_path / "nowhere"))
    assert "which is no folder" in refused("run", suite)
    monkeypatch.setenv("MEMTRIAL_DATA", str(tmp_path))
    assert str(tmp_path / "statebench" / "dev.jsonl") in refused("run", suite)


@pytest.mark.parametrize("shard", ["0/2", "3/2", "1", "a/b", "1/2/3", "-1/2", ""])
def test_a_shard_is_one_of_n(refused: Refused, small: Path, tmp_path: Path, shard: str) -> None:
    message = refused("run", small, "--out", tmp_path / "run", "--shard", shard)
    assert message == f"a shard is I/N with 1 <= I <= N, such as 1/4; got {shard!r}"
    assert not (tmp_path / "run").exists()
