"""An experiment's page: what it shows beside the print, and what it says about what was typed."""


from gptstudio.gui.learn.kit.formula import Formula
from gptstudio.gui.learn.kit.page import LabPage


def compared(page: LabPage) -> list[bool]:
    """For each figure that is printed in the book that is open: whether it agrees."""
    return [line.startswith("✓") for line in page.figures.lines]


def agrees(page: LabPage) -> bool:
    """Whether all that is printed is what is computed."""
    return bool(compared(page)) and all(compared(page))


def formulas(page: LabPage) -> dict[str, Formula]:
    """By the keys of their symbols."""
    return {key: each for each in page.findChildren(Formula) for key in each.keys}




def problems(page: LabPage) -> list:
    """What is wrong with the values that are typed."""
    return page.lab.request.problems(page._values)


def shown_values(page: LabPage) -> dict:
    """The values that stand in the controls and the stage, right or wrong."""
    return dict(page._values)


def said(page: LabPage) -> list[str]:
    """All that the page says about them, at the fields and elsewhere."""
    fields = (each.problem for each in page.controls.editors.values())
    return [each.text() for each in (page.notice, *page.controls.elsewhere.values(), *fields)]
