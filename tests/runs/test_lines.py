"""The line of every value of a TOML file, against files written so that the line is known."""

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from runs.lines import line_of, place_of

NESTED = """title = "x"

[owner]
name = "Ada"
"quoted key" = 1
  [owner.home]   # a comment
  city = "Paris"

[[parts]]
name = "a"
[[parts]]
name = "b"
[parts.options]
size = 3
"""


def find(text: str, field: str) -> int | None:
    return line_of(text, tomllib.loads(text), place_of(field))


def test_tables_keys_and_lists_of_tables_have_lines() -> None:
    assert find(NESTED, "title") == 1
    assert find(NESTED, "owner") == 3
    assert find(NESTED, "owner.quoted key") == 5
    assert find(NESTED, "owner.home.city") == 7
    assert find(NESTED, "parts") == 9
    assert find(NESTED, "parts.0.name") == 10
    assert find(NESTED, "parts.1") == 11
    assert find(NESTED, "parts.1.name") == 12
    assert find(NESTED, "parts.1.options.size") == 14


def test_what_is_left_out_is_found_at_what_is_around_it() -> None:
    assert find(NESTED, "owner.age") == 3
    assert find(NESTED, "parts.1.options.weight") == 13
    assert find(NESTED, "nothing") is None


def test_in_a_list_the_line_that_holds_the_value_is_found() -> None:
    text = 'names = [\n  "one",\n  {name = "two", size = 3},\n  {name = "two-b", seize = 4},\n]\n'
    assert find(text, "names.0") == 2
    assert find(text, "names.1.name") == 3
    assert find(text, "names.2.name") == 4
    assert find(text, "names.2.seize") == 4
    assert find(text, "names.0.name") == 2  # a text stands for its name


_KEYS = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True)


@given(st.lists(st.dictionaries(_KEYS, st.integers(), min_size=1, max_size=4), max_size=5))
def test_every_key_of_a_list_of_tables_has_its_own_line(tables: list[dict[str, Any]]) -> None:
    lines: list[str] = []
    expected = {}
    for index, table in enumerate(tables):
        lines += ["", "[[rows]]"]
        for key, value in table.items():
            lines.append(f"{key} = {value}")
            expected["rows", index, key] = len(lines)
    text = "\n".join(lines)
    values = tomllib.loads(text)
    assert {place: line_of(text, values, place) for place in expected} == expected
