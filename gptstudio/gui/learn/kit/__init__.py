"""Building blocks of the pages of the labs."""

from gptstudio.gui.learn.kit.formula import Formula, across, column_of, down, lights, lights_same, row_of
from gptstudio.gui.learn.kit.matrix import MINUS, Matrix, behind_sign, decimals, number_in, summed
from gptstudio.gui.learn.kit.page import LabPage, Stage, quiet_button
from gptstudio.i18n import fixed

__all__ = [
    "MINUS",
    "Formula",
    "LabPage",
    "Matrix",
    "Stage",
    "across",
    "behind_sign",
    "column_of",
    "decimals",
    "down",
    "fixed",
    "lights",
    "lights_same",
    "number_in",
    "quiet_button",
    "row_of",
    "summed",
]
