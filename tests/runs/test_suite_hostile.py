"""Suites that once ended in a traceback, or would never have ended."""

from collections.abc import Callable
from pathlib import Path

import pytest

SUITE = """\
name = "x"
models = ["last"]
memories = ["none"]
seeds = [0]
[[scenarios]]
generate = "ladder"
arcs = 1
"""


def refusal(refused: Callable[..., str], folder: Path, text: str) -> str:
    path = folder / "suite.toml"
    path.write_text(text, encoding="utf-8")
    message = refused("run", path)
    assert message.startswith(f"{path}:"), message
    return message.removeprefix(f"{path}:")


@pytest.mark.parametrize("digits", ["9" * 4_301, "0x" + "f" * 200_000, "1_" * 5_000 + "1"])
def test_a_number_of_too_many_digits_is_refused_at_its_line(
    refused: Callable[..., str], tmp_path: Path, digits: str
) -> None:
    message = refusal(refused, tmp_path, SUITE.replace("[0]", f"[{digits}]"))
    assert message.startswith("4: ") and len(message) < 2_000


@pytest.mark.parametrize("key", ["files", "statebench"])
@pytest.mark.parametrize("name", ["a\\u0000b", "", "x" * 5_000])
def test_a_name_that_no_file_can_have_is_refused(
    refused: Callable[..., str], tmp_path: Path, key: str, name: str
) -> None:
    text = SUITE.replace('generate = "ladder"\narcs = 1', f'{key} = ["{name}"]')
    assert refusal(refused, tmp_path, text).startswith("6: scenarios.0.")


def test_a_name_that_is_too_long_for_the_system_is_told(
    refused: Callable[..., str], tmp_path: Path
) -> None:
    text = SUITE.replace('generate = "ladder"\narcs = 1', f'files = ["{"x" * 400}"]')
    (tmp_path / "suite.toml").write_text(text, encoding="utf-8")
    assert "cannot be read: " in refused("run", tmp_path / "suite.toml")


def test_more_arcs_than_anybody_needs_are_refused(
    refused: Callable[..., str], tmp_path: Path
) -> None:
    message = refusal(refused, tmp_path, SUITE.replace("arcs = 1", "arcs = 1000000000"))
    assert message.startswith("7: scenarios.0.arcs: ") and "10000" in message


def test_more_arms_than_a_run_can_have_are_refused_before_they_are_made(
    refused: Callable[..., str], tmp_path: Path
) -> None:
    many = ", ".join(['"none"'] * 200)
    text = SUITE.replace('["none"]', f"[{many}]").replace('["last"]', f"[{many}]")
    message = refusal(refused, tmp_path, text)
    assert message.startswith("3: memories: the suite makes 40,000 arms; a run has at most 10,000")


def test_more_trials_than_a_run_can_have_are_refused(
    refused: Callable[..., str], tmp_path: Path
) -> None:
    seeds = ", ".join(map(str, range(80_000)))
    text = SUITE.replace("[0]", f"[{seeds}]").replace("arcs = 1", "arcs = 5")
    message = refusal(refused, tmp_path, text)
    assert message.startswith(
        "4: seeds: the suite makes 1,200,000 trials; a run has at most 1,000,000"
    )
