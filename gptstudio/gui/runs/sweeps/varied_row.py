"""A setting that is varied, and the values that it takes: typed one by one, or as a range."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QSizePolicy, QSpinBox, QStackedWidget, QWidget

from gptstudio.app.sweep_tasks import parse_values, typed_values
from gptstudio.fields import FieldView
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.layouts import hbox, holding, stacked
from gptstudio.gui.widgets.parts import label, named, permit, set_entries
from gptstudio.training.spec import TrainSpec
from gptstudio.training.sweep_spec import MOST_RUNS, linear_range, log_range, variable_fields

LIST, LINEAR, LOG = range(3)
"""Ways to give values."""


class VariedRow(QWidget):
    """Editor of a varied setting; ``optional``: there may be none."""

    changed = Signal()

    def __init__(self, number: int, base: TrainSpec, optional: bool) -> None:
        super().__init__()
        self._base, self._optional = base, optional
        self._views = list(variable_fields().values())
        name = f"sweep_{number}"
        self.setting = named(QComboBox(), f"{name}_setting", tr("Setting"))
        entries = [tr("{label} ({name})", label=tr(view.label), name=view.name) for view in self._views]
        set_entries(self.setting, [*([tr("None")] if optional else []), *entries], 0)
        self.setting.setToolTip(tr("The setting of which each run has another value"))
        self.way = named(QComboBox(), f"{name}_way", tr("Values"))
        self.way.addItems([tr("List"), tr("Linear range"), tr("Logarithmic range")])
        self.way.setToolTip(tr("Single values, values with equal differences, or values with equal ratios"))
        self.values = named(QLineEdit(), f"{name}_values", tr("Values, with commas between them"))
        self.values.setToolTip(tr("Values, with commas between them"))
        self.low = named(QLineEdit(), f"{name}_from", tr("From"))
        self.high = named(QLineEdit(), f"{name}_to", tr("To"))
        self.count = named(QSpinBox(), f"{name}_count", tr("Number of values"))
        self.low.setToolTip(tr("The first value of the range"))
        self.high.setToolTip(tr("The last value of the range"))
        self.count.setToolTip(tr("Number of values"))
        self.count.setRange(2, MOST_RUNS)
        self.count.setValue(3)
        self._pages = self._make_pages()
        self._lay_out(number)
        self.setting.currentIndexChanged.connect(self._take_setting)
        for signal in (self.values.textChanged, self.low.textChanged, self.high.textChanged, self.count.valueChanged):
            signal.connect(self.changed)
        self.way.currentIndexChanged.connect(self._take_way)
        self._take_setting()

    @property
    def view(self) -> FieldView | None:
        """The setting; None where none is varied."""
        index = self.setting.currentIndex() - self._optional
        return self._views[index] if index >= 0 else None

    def choose(self, field: str) -> None:
        """Choose a setting."""
        names = [view.name for view in self._views]
        self.setting.setCurrentIndex(names.index(field) + self._optional)

    def chosen_values(self) -> list[object]:
        """Return the values, right or wrong; a range that makes no sense gives what was typed."""
        view = self.view
        if view is None:
            return []
        if self.way.currentIndex() == LIST:
            return parse_values(view, self.values.text())
        ends = [*parse_values(view, self.low.text())[:1], *parse_values(view, self.high.text())[:1]]
        low, high = ends if len(ends) == 2 else (None, None)
        if not isinstance(low, (int, float)) or not isinstance(high, (int, float)):
            return [end for end in ends if isinstance(end, str)]
        make = log_range if self.way.currentIndex() == LOG else linear_range
        try:
            return list(make(low, high, self.count.value(), view.kind == "int"))
        except (ValueError, OverflowError):
            return [self.low.text() if low <= 0 else self.high.text()]

    def _take_setting(self) -> None:
        """Offer the value of the run and one beside it, so that it is seen how values are written."""
        view = self.view
        numbers = view is not None and view.kind in ("int", "float")
        reason = tr("Choose a setting first.") if view is None else ""
        for part in (self.way, self.values, self.low, self.high, self.count):
            permit(part, reason)
        if view and not numbers:
            self.way.setCurrentIndex(LIST)
            permit(self.way, tr("Only numbers have ranges."))
        if view:
            owner = self._base if view.name in type(self._base).model_fields else self._base.config
            self.values.setText(typed_values(_offered(view, getattr(owner, view.name))))
            low, *_, high = _offered(view, getattr(owner, view.name)) if numbers else ("", "")
            self.low.setText(typed_values([low]))
            self.high.setText(typed_values([high]))
        self.changed.emit()

    def _take_way(self, way: int) -> None:
        self._pages.setCurrentIndex(min(way, 1))
        self.changed.emit()

    def _make_pages(self) -> QStackedWidget:
        ends = hbox(
            label(tr("From"), buddy=self.low), self.low, label(tr("To"), buddy=self.high), self.high,
            label(tr("Number"), buddy=self.count), self.count, spacing=8)
        pages = stacked(holding(QWidget(), hbox(self.values)), holding(QWidget(), ends))
        pages.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        return pages

    def _lay_out(self, number: int) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.addWidget(label(tr("Setting {n}", n=number), buddy=self.setting), 0, 0)
        grid.addWidget(self.setting, 0, 1)
        grid.addWidget(self.way, 0, 2)
        grid.addWidget(self._pages, 1, 1, 1, 2)
        grid.setColumnStretch(1, 1)
        self.setFocusProxy(self.setting)


def _offered(view: FieldView, value: object) -> list[object]:
    """Return the value that a run has, with others around it."""
    if view.kind == "bool":
        return [False, True]
    if view.kind == "choice":
        return list(view.choices)
    if isinstance(value, float) and value > 0:
        least, most = view.low or 0.0, view.high if view.high is not None else float("inf")
        return list(dict.fromkeys(min(most, max(least, float(f"{value * by:.6g}"))) for by in (0.5, 1, 2)))
    if isinstance(value, int) and not isinstance(value, bool):
        most = view.high if view.high is not None else 2 * value
        return list(dict.fromkeys(int(max(view.low or 0, min(most, each))) for each in (value // 2, value, 2 * value)))
    return [view.low or 0, view.step or 1]
