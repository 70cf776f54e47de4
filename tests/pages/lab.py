"""The page of an experiment: its comparison with the book, and its messages about the input."""

from pathlib import Path

from gptstudio.gui.learn.kit.formula import Formula
from gptstudio.gui.learn.kit.page import LabPage
from gptstudio.gui.save_as import write_to


def compared(page: LabPage) -> list[bool]:
    """Return, for each figure printed in the open book, whether it agrees."""
    return [line.startswith("✓") for line in page.figures.lines]


def agrees(page: LabPage) -> bool:
    """Return whether all printed figures agree with the computed ones, and there is at least one."""
    return bool(compared(page)) and all(compared(page))


def formulas(page: LabPage) -> dict[str, Formula]:
    """Return the formulas by the keys of their symbols."""
    return {key: each for each in page.findChildren(Formula) for key in each.keys}


def problems(page: LabPage) -> list:
    """Return the problems of the typed values."""
    return page.lab.request.problems(page._values)


def shown_values(page: LabPage) -> dict:
    """Return the values in the controls and the stage, valid or not."""
    return dict(page._values)


def messages_of(page: LabPage) -> list[str]:
    """Return all messages about the values, at the fields and elsewhere."""
    fields = (each.problem for each in page.controls.editors.values())
    return [each.text() for each in (page.notice, *page.controls.elsewhere.values(), *fields)]


def problem_text(page: LabPage, field: str) -> str:
    """Return the problem shown next to a field's editor."""
    return page.controls.editors[field].problem.text()


def cells(page: LabPage, row: str) -> list[str]:
    """Return the figures of a row of the page's table."""
    table = page.figures_table
    number = next(n for n in range(table.rowCount()) if table.item(n, 0).text() == row)
    return [table.item(number, column).text() for column in range(1, table.columnCount())]


def save(page: LabPage, path: Path) -> None:
    """Save a page to a file, as the entries of its button do after they have asked for the file."""
    write_to(page, path, page.write, page.notice.setText)
