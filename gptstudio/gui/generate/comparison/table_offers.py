"""The table of 3-grams that a side of a comparison can have: that of the text that the other side was trained on."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal

from gptstudio.gui.controllers.generation import GenerationController
from gptstudio.gui.controllers.training_text import READING
from gptstudio.i18n import message
from gptstudio.training import run_text
from gptstudio.training.model_source import ModelSource, TextTable
from gptstudio.training.run_text import NoTrainingText

NO_MODEL = message("Choose a trained model on the other side first: the table is of its training text.")
TWO_TABLES = message("The other side is the table already. Choose a model there first.")


class TableOffers(QObject):
    """Finds the tables of models; their texts are checked in the background."""

    changed = Signal()
    """Emitted when a text has been checked."""

    def __init__(self, controller: GenerationController, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._controller = controller
        self._why_not: dict[TextTable, str] = {}  # empty where the text can be counted

    def of(self, source: ModelSource | None) -> tuple[TextTable | None, str]:
        """Return the table of the text that a model was trained on; None with the reason, as a message, where there is
        none, or where that is not known yet."""
        if source is None or isinstance(source, TextTable):
            return None, TWO_TABLES if source else NO_MODEL
        try:
            run = run_text.run_of(source)
        except NoTrainingText as error:
            return None, error.args[0]
        table = TextTable(run.path)
        if table not in self._why_not:
            self._why_not[table] = READING
            self._controller.check_text(run, partial(self._checked, table))
        why_not = self._why_not[table]
        return None if why_not else table, why_not

    def forget_failures(self) -> None:
        """Check again what could not be counted: the text may be there now."""
        self._why_not = {table: why for table, why in self._why_not.items() if why in ("", READING)}

    def _checked(self, table: TextTable, why_not: str) -> None:
        self._why_not[table] = why_not
        self.changed.emit()
