"""A bar across the window that says what is wrong with the settings of this computer, until it is put away."""

from __future__ import annotations

from gptstudio import settings
from gptstudio.errors import Fault
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import Tall, grows, hbox, holding
from gptstudio.gui.widgets.parts import button, label


class SettingsNotice(Tall):
    """Notice about faults in this computer's settings; hidden while there is none."""

    def __init__(self, computer: settings.Settings) -> None:
        super().__init__()
        self._computer = computer
        self.words = label(role="problem", name="settings_problem", wrap=True)
        self.done = button(tr("Close"), "settings_problem_close", tr("Closes this notice"), "quiet")
        self.done.clicked.connect(self.put_away)
        self._read: set[Fault] = set()
        self._faults: tuple[Fault, ...] = ()
        holding(self, hbox(grows(self.words), self.done, margins=(16, 8, 16, 4)))
        self.show_faults(())

    def show_faults(self, more: tuple[Fault, ...]) -> None:
        """Show the faults that were found, in addition to those of the file itself."""
        self._faults = (*self._computer.faults, *more)
        if self._faults:
            self.words.setText(tr(settings.problems_text(self._computer, more)))
        self.setVisible(not self._read.issuperset(self._faults))

    def put_away(self) -> None:
        self._read |= set(self._faults)
        self.hide()
