"""Choice of one of the book's inputs, and the figures that it prints for them."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox

from gptstudio.fields import Spec
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named
from gptstudio.labs.lab import Comparison, Example


class ExampleBox(QComboBox):
    """Box of examples; none is selected where the input is the user's own."""

    def __init__(self, examples: tuple[Example, ...], name: str) -> None:
        super().__init__()
        named(self, f"{name}_books", tr("The book's examples"))
        self._examples = examples
        self.opened = examples[0]
        """The example that was opened last."""
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(16)
        self.addItems([tr(example.name) for example in examples])
        self.setPlaceholderText(tr("Your own input"))

    def show_request(self, request: Spec | None) -> None:
        """Show which of the examples this is, if any."""
        requests = [example.request for example in self._examples]
        place = requests.index(request) if request in requests else -1
        if place >= 0:
            self.opened = self._examples[place]
        with QSignalBlocker(self):
            self.setCurrentIndex(place)

    def of_opened(self, comparisons: Iterable[Comparison]) -> list[Comparison]:
        """Return those with figures of the example that was opened last."""
        first = self._examples[0].name
        return [each for each in comparisons if (each.figure.example or first) == self.opened.name]
