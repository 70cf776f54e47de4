"""Each case of the fault suite is a file that was really changed, and does not depend on the cases before it."""

import json
import random

import mutations
import pytest
from mutations import SEED, some_bytes, some_line, some_setting, some_value

VALUES = {"steps": 3, "text": "story", "parts": [1, 2.5, None, {"a": True}]}
JSON, LINES, TOML = json.dumps(VALUES, indent=2).encode(), b'{"a": 1}\n{"b": 2}\n', b'a = 1\nb = 1\nc = "x"\n'
KINDS = {
    "bytes": (some_bytes, b"Every effort moves you."), "value": (some_value, JSON), "setting": (some_setting, TOML),
    "line of values": (some_line(some_value), LINES), "line of bytes": (some_line(some_bytes), LINES),
}  # fmt: skip


def cases(change, whole: bytes, numbers) -> list[bytes]:
    return [mutations.changed([whole], [change], random.Random(f"{SEED}/{number}")) for number in numbers]


@pytest.mark.parametrize(("change", "whole"), KINDS.values(), ids=KINDS)
def test_that_every_case_is_another_file_and_the_same_in_any_order(change, whole):
    made = cases(change, whole, range(400))
    assert whole not in made
    assert made == cases(change, whole, range(399, -1, -1))[::-1]


def test_that_an_unchanged_value_leaves_the_file_as_it_was():
    """Rewritten with other spaces it would look changed, with the same content."""
    made = [some_value(JSON, random.Random(number)) for number in range(400)]
    same = [data for data in made if json.dumps(json.loads(data)) == json.dumps(VALUES)]
    assert same
    assert set(same) == {JSON}
