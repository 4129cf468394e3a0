"""What may be set, and that nothing secret can be."""

import pytest

from runs.arms import effective_part
from runs.suite import Part
from simulator.events import Json
from simulator.events.errors import InputError
from simulator.models.openai.back_end import OpenAI
from simulator.models.openai.options import OpenAIOptions
from tests.simulator.models.openai.served import FakeWall

SECRET = "sk-planted-0f3a99e1"


def made(**options: Json) -> OpenAI:
    return OpenAI(OpenAIOptions.model_validate({"model": "m", **options}), FakeWall())


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"base_url": f"https://me:{SECRET}@api.test/v1"}, "no user, password, query"),
        ({"base_url": f"https://api.test/v1?key={SECRET}"}, "no user, password, query"),
        ({"base_url": f"https://api.test/v1#{SECRET}"}, "no user, password, query"),
        ({"base_url": f"ftp://{SECRET}"}, "an address such as"),
        ({"base_url": f"https://:80/{SECRET}"}, "an address such as"),
        ({"base_url": f"https://host:{SECRET}/v1"}, "an address such as"),
        ({"api_key_env": SECRET}, "the name of an environment variable"),
        ({"api_key": SECRET}, "did you mean 'api_key_env'"),
    ],
)
def test_a_secret_among_the_options_is_refused_and_not_shown(
    options: dict[str, Json], why: str
) -> None:
    with pytest.raises(InputError, match=why) as caught:
        effective_part("model", Part(name="openai", options={"model": "m", **options}), "models.0")
    assert SECRET not in str(caught.value)
    assert caught.value.field == f"models.0.{next(iter(options))}"


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"model": ""},
        {"model": "m", "temperature": 2.1},
        {"model": "m", "tools": "grammar"},
        {"model": "m", "omit": ["messages"]},
        {"model": "m", "timeout_s": 0},
        {"model": "m", "max_retries": -1},
        {"model": "m", "requests_per_minute": 0},
        {"model": "m", "reasoning_effort": "huge"},
    ],
)
def test_wrong_options_are_refused(options: dict[str, Json]) -> None:
    with pytest.raises(InputError):
        effective_part("model", Part(name="openai", options=options), "models.0")


def test_the_identity_names_the_endpoint_and_what_shapes_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    identity = made(base_url="https://api.test/v1/", temperature=0.5, omit=["seed"]).identity()
    assert identity["endpoint"] == "https://api.test/v1"
    assert (identity["model"], identity["temperature"], identity["omit"]) == ("m", 0.5, ["seed"])
    assert SECRET not in str(identity)


def test_a_missing_key_is_said_at_once_but_not_needed_on_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(InputError, match="OPENAI_API_KEY is not set"):
        made()
    made(api_key_env="")
    for host in ("localhost", "127.0.0.1", "[::1]"):
        made(base_url=f"http://{host}:8000/v1")
    monkeypatch.setenv("OTHER", SECRET)
    made(api_key_env="OTHER")


@pytest.mark.parametrize("bad", [f"{SECRET}\n", f" {SECRET}", f"{SECRET}\x00é"])
def test_a_key_that_no_header_can_carry_is_refused_and_not_shown(
    bad: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.environ", {"OPENAI_API_KEY": bad})
    with pytest.raises(InputError, match="OPENAI_API_KEY holds") as caught:
        made()
    assert SECRET not in str(caught.value)


def test_without_the_client_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'memtrial\[openai\]'"):
        made(api_key_env="")
