"""The model and the text of a run in one line, with the way to change them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from gptstudio.app.state import AppState
from gptstudio.data import texts
from gptstudio.gpt import sizing
from gptstudio.gui.actions import Actions
from gptstudio.gui.translation import joined, millions, tr
from gptstudio.gui.widgets.layouts import FREE, hbox, holding
from gptstudio.gui.widgets.parts import button, label


class RunOutline(QWidget):
    """Layers, parameters and text of the run that is shown, or that Start would begin."""

    def __init__(self, state: AppState, actions: Actions) -> None:
        super().__init__()
        self._state = state
        self.words = label(role="muted", name="run_outline")
        self.change = button(tr("Change"), "outline_change", tr("Opens the Model panel and the settings"), "quiet")
        self.change.clicked.connect(lambda: actions["go_model"].trigger())
        self.show_all = actions.button("all_controls", "quiet", called="show_all_controls")
        holding(self, hbox(self.words, self.change, FREE, spacing=8))
        state.on(self._show, "spec", "run", "run_state", "offered_texts")
        self._show()

    def _show(self) -> None:
        spec = self._state.run.spec or self._state.spec
        if spec:
            layers, total = spec.config.n_layers, millions(sizing.parameter_count(spec.config))
            names = joined(", ", *(
                tr(texts.TITLES[each]) if each in texts.TITLES else Path(each).name for each in spec.text))
            self.words.setText(joined(
                "  ·  ", tr("{n} layers", n=layers) if layers > 1 else tr("1 layer"),
                tr("{n} parameters", n=total), names))
        else:
            self.words.setText(tr("A setting has a problem"))
