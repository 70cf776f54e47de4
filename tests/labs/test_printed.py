"""The printed figures: every number is tested by a lab, or by the tests of training, to the printed digits."""

import hashlib
import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gptstudio import paths
from gptstudio.labs.catalogue import ENTRIES, load
from gptstudio.labs.lab import compare, printed

ABOUT = ("about", "note", "digits", "relative_tolerance")
"""Keys that describe the figures and are not figures."""

GIVEN = {
    ("layernorm", "seed"), ("layernorm", "input"), ("layernorm", "layer"), ("shortcuts", "layer_sizes"),
    ("shortcuts", "input"), ("shortcuts", "target"), ("shortcuts", "loss"), ("shortcuts", "seed"), ("dropout", "seed"),
    ("dropout", "rate"), ("dropout", "input"), ("models", "untrained_greedy", "prompt"),
    ("models", "untrained_greedy", "new_tokens"),
}
"""Inputs, which are not results."""

CHECKOUT = Path(__file__).resolve().parents[2]
HANDED_DOWN = "13c467e80fe7b50217c04d6ec5deabab5851b04c48a56c634ed4c3aff57a9c55"
"""SHA-256 of the figures as they were taken from the book: as JSON, with sorted keys."""


def figures(found: Any, place: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the places of all figures in the file."""
    for key, value in found.items():
        if key in ABOUT:
            continue
        if isinstance(value, dict):
            yield from figures(value, (*place, key))
        elif (*place, key) not in GIVEN:
            yield (*place, key)


@pytest.fixture
def table() -> Any:
    """The script that writes the table; it computes each lab once."""
    spec = importlib.util.spec_from_file_location("labs_table", CHECKOUT / "packaging" / "labs_table.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_that_every_printed_figure_is_tested_by_a_lab_or_by_the_tests_of_training(numbers):
    held = {figure.place for name in ENTRIES for figure in load(name).figures if figure.also is None}
    rest = {place for place in figures(numbers) if place not in held}
    assert {place[0] for place in rest} <= {"training_the_verdict"}  # tests/runs/test_book_training.py
    assert rest


def test_that_every_figure_belongs_to_a_book_and_is_in_it_once():
    for name in ENTRIES:
        lab = load(name)
        examples = [example.name for example in lab.examples]
        assert len(set(examples)) == len(examples)
        assert {figure.example or examples[0] for figure in lab.figures} <= set(examples)
        places = [(figure.example or examples[0], figure.place) for figure in lab.figures]
        assert len(set(places)) == len(places), name


def test_that_a_wrong_digit_is_noticed():
    lab = load("layernorm")
    answer = lab.answer(lab.examples[0].request)
    object.__setattr__(answer, "batch", answer.batch + np.float32(1e-4))
    assert not any(each.agrees for each in compare(lab, answer) if each.figure.place == ("layernorm", "out"))


def test_that_the_file_of_figures_is_the_original_one():
    ours = json.loads((paths.resources() / "reference" / "book_numbers.json").read_text(encoding="utf-8"))
    ours.pop("about")
    assert hashlib.sha256(json.dumps(ours, sort_keys=True).encode()).hexdigest() == HANDED_DOWN
    assert printed(("tokens", "Hello, I am")) == [15496, 11, 314, 716]


@pytest.mark.slow
def test_that_every_figure_is_computed_under_its_book_and_is_in_the_readme(table, request):
    """The windows are those of The Verdict. The logits of a block are those of one model each."""
    counted = 0
    for name in sorted(ENTRIES, key="windows".__eq__):
        if name == "windows":
            request.getfixturevalue("verdict")
        for example, comparisons in table.outcomes(name):
            for each in comparisons:
                if table.is_of(name, example, each):
                    assert each.agrees, (name, example, each.figure.place, each.printed, each.equal)
                    counted += each.count
                else:
                    assert name != "block" or each.count != 6 or not each.agrees, (example, each.figure.place)
    assert counted >= 577
    assert table.table() in table.README.read_text(encoding="utf-8")
