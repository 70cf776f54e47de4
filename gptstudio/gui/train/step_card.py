"""Report of one step: the loss of its batch before and after, the gradient, and the change of each component."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QGridLayout, QWidget

from gptstudio.gui.canvas.bars import ComponentBar, StackedBar
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.figures import FigureRow
from gptstudio.gui.widgets.layouts import FREE, holding, in_column, vbox
from gptstudio.gui.widgets.parts import label
from gptstudio.gui.widgets.reflow import Reflow
from gptstudio.training.events import StepReport


class StepCard(QWidget):
    """Card of one :class:`StepReport`; shows a hint to make a step while there is none."""

    def __init__(self) -> None:
        super().__init__()
        self.words = label(name="step_words", wrap=True)
        self.figures = FigureRow(
            {"before": tr("Loss before"), "after": tr("Loss after"), "gradient": tr("Gradient norm")},
            "examined", columns=2, terms={"gradient": "gradient-norm"},
        )
        self.moved = label(tr("Largest change of a weight"), "muted")
        self.rows = QWidget()
        grid = QGridLayout(self.rows)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setColumnStretch(1, 1)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(0)
        self.bars = {name: StackedBar(tr(words), 10) for name, words in ComponentBar.NAMES.items()}
        self._values = {name: label("", name=f"moved_{name}") for name in ComponentBar.NAMES}
        for row, (name, words) in enumerate(ComponentBar.NAMES.items()):
            grid.addWidget(label(tr(words), "muted"), row, 0)
            self.bars[name].setMinimumWidth(60)
            grid.addWidget(self.bars[name], row, 1)
            grid.addWidget(self._values[name], row, 2)
        halves = in_column(QWidget(), self.figures, spacing=4), in_column(QWidget(), self.moved, self.rows, spacing=4)
        both = Reflow(*halves, stretch=halves, spacing=16)
        holding(self, vbox(self.words, both, FREE, spacing=4, margins=(4, 8, 4, 4)))
        self.clear()

    def minimumSizeHint(self) -> QSize:
        """Return a minimum size with space for labels of several lines."""
        least, layout = super().minimumSizeHint(), self.layout()
        height = layout.minimumHeightForWidth(max(self.width(), least.width())) if layout else 0
        return QSize(least.width(), max(least.height(), height))

    def clear(self) -> None:
        self._show_parts(False)
        self.words.setText(tr("Step takes one training step and shows its effect on the loss and the weights here."))

    def show_step(self, examined: StepReport) -> None:
        self._show_parts(True)
        self.words.setText(in_words(examined))
        self.figures.show_values(
            before=f"{examined.loss_before:.4f}", after=f"{examined.loss_after:.4f}",
            gradient=f"{examined.gradient_norm:.3g}",
        )
        largest = {change.component: change for change in examined.changes}
        most = max((change.largest for change in examined.changes), default=0.0)
        for (name, bar), paint in zip(self.bars.items(), theme.colours.components, strict=True):
            change = largest.get(name)
            bar.show_parts([(change.largest / most, QColor(paint))] if change and most else [])
            self._values[name].setText(f"{change.largest:.2e}" if change else "–")
            bar.setToolTip(change.parameter if change else tr("Tied to the token embedding."))

    def _show_parts(self, show: bool) -> None:
        for part in (self.figures, self.moved, self.rows):
            part.setVisible(show)


def in_words(examined: StepReport) -> str:
    """'Step 13: this batch's loss fell by 0.12.'"""
    fell = examined.loss_before - examined.loss_after
    if not abs(fell) >= 0.00005:  # also where it is no number
        return tr("Step {n} did not change this batch's loss.", n=f"{examined.step + 1:,}")
    by = f"{abs(fell):.2g}" if abs(fell) < 0.1 else f"{abs(fell):.2f}"
    if fell > 0:
        return tr("Step {n}: this batch's loss fell by {by}.", n=f"{examined.step + 1:,}", by=by)
    return tr(
        "Step {n}: this batch's loss rose by {by}. The step was too large for it, or followed the direction of earlier "
        "batches.",
        n=f"{examined.step + 1:,}", by=by,
    )
