"""Dialog that asks how much longer to train a run, and shows the result before training begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QWidget

from gptstudio.app.run_extent import RunExtent, Unit
from gptstudio.gui.appearance import Dialog
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import duration, joined, tr
from gptstudio.gui.widgets.layouts import FREE, hbox, vbox
from gptstudio.gui.widgets.parts import Notice, button, choice_box, label, spin_box

WIDTH = 460
"""Width in pixels at the usual text size."""


class LongerDialog(Dialog):
    """Dialog that takes a number of epochs or steps. ``begin``: is called with the new setting of the run."""

    def __init__(self, over: QWidget, extent: RunExtent, begin: Callable[[Mapping[str, int]], object]) -> None:
        title = tr("Continue from here") if extent.branch else tr("Train longer")
        super().__init__(over, "longer_dialog", title, once=True)
        self._extent, self._begin = extent, begin
        self.more = spin_box(
            "longer_more", tr("How many more"), 1, extent.most(extent.unit), tr("How many epochs or steps are added"))
        units = {"epochs": tr("epochs"), "steps": tr("steps")}
        self.unit = choice_box("longer_unit", tr("Epochs or steps"), units, tr(
            "What is added: whole epochs, or single steps"))
        self.unit.setCurrentIndex(self.unit.findData(extent.unit))
        self.unit.activated.connect(lambda _: self._choose_unit())
        self.more.valueChanged.connect(lambda _: self._show())
        self.total = label(name="longer_total", wrap=True)
        self.notice = Notice("longer_notice", "notice")
        self.train = button(self.windowTitle(), "longer_begin", role="primary", do=self._do)
        self.train.setToolTip(tr("Continues from the last checkpoint"))
        self.train.setDefault(True)
        cancel = button(tr("Cancel"), "longer_cancel", tr("Changes nothing"), do=self.close)
        row = hbox(label(tr("Add"), buddy=self.more), self.more, self.unit, FREE, spacing=8)
        self.assemble(vbox(
            label(self._intro(), name="longer_words", wrap=True), row, self.total, self.notice, FREE,
            hbox(FREE, cancel, self.train), spacing=12, margins=(16, 16, 16, 16)))
        self.setFixedWidth(round(WIDTH * theme.zoom))
        self._choose_unit()
        self.more.setFocus()
        self.more.selectAll()

    @property
    def _unit(self) -> Unit:
        unit: Unit = self.unit.currentData()
        return unit

    def _intro(self) -> str:
        extent = self._extent
        steps = f"{extent.steps:,}"
        if extent.branch:
            return tr("The checkpoint after step {n} is at the last step of the run “{run}”. A new run continues from "
                      "there; that run does not change.", n=f"{extent.done:,}", run=extent.title)
        if extent.unit == "epochs":
            return tr("The run “{run}” has {steps} steps in all (epochs: {epochs}).",
                      run=extent.title, steps=steps, epochs=f"{extent.spec.epochs:,}")
        return tr("The run “{run}” has {steps} steps in all.", run=extent.title, steps=steps)

    def _choose_unit(self) -> None:
        """Propose as many epochs or steps as the run has; one epoch if its length is set in steps."""
        extent, unit = self._extent, self._unit
        usual = extent.spec.epochs if unit == extent.unit == "epochs" else extent.steps if unit == "steps" else 1
        with QSignalBlocker(self.more):
            self.more.setMaximum(extent.most(unit))
            self.more.setValue(usual)
        self._show()

    def _show(self) -> None:
        extent = self._extent
        longer = extent.longer(self.more.value(), self._unit)
        total = extent.steps_with(longer)
        added = total - extent.done
        values = {"total": f"{total:,}", "added": f"{added:,}"}
        words = [tr("In all: {total} steps, of which {added} are still to come.", **values)] if "steps" in longer else [
            tr("In all: {epochs} epochs, {total} steps, of which {added} are still to come.",
               epochs=f"{longer['epochs']:,}", **values)]
        if extent.step_s:
            words.append(tr("At the speed of the run so far, they take about {time}.",
                            time=duration(added * extent.step_s)))
        self.total.setText(joined("\n", *words))
        self.notice.setText(tr(extent.notice(longer)))

    def _do(self) -> None:
        longer = self._extent.longer(self.more.value(), self._unit)
        self.close()
        self._begin(longer)
