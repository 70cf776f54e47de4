"""Tables for spreadsheets: cells that a spreadsheet would evaluate are written as text, and numbers stay numbers."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gptstudio import files


def read_back(*rows: tuple) -> list[list[str]]:
    file = io.StringIO(newline="")
    files.write_csv(file, rows)
    file.seek(0)
    return list(csv.reader(file))


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "=HYPERLINK(\"x\")"])
def test_that_no_text_begins_like_a_formula(cell):
    assert read_back((cell, "a"))[0][0] == f"'{cell}"


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")), min_size=1, max_size=4))
def test_that_all_other_text_is_unchanged(cells):
    (row,) = read_back(tuple(cells)) or [[]]
    assert [each.removeprefix("'") if each[1:].startswith(files.FORMULA) else each for each in row] == cells


def test_that_numbers_stay_numbers():
    assert read_back((-1, -0.5, 1e-9, None, float("nan"))) == [["-1", "-0.5", "1e-09", "", "nan"]]


def test_that_a_table_for_the_clipboard_keeps_numbers_and_runs_nothing():
    rows = [["a\tb", "=1+1", "-3.5"], ["@x", "+1.2e-3", "-12.5 %"], ["line\nbreak", "-", "1,024"]]
    assert files.tab_separated(rows) == "a b\t'=1+1\t-3.5\n'@x\t+1.2e-3\t-12.5 %\nline break\t'-\t1,024"
