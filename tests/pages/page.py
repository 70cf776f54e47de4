"""A page object: a part of the window, whose widgets are found by name and operated as a user does."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QLabel, QTableView, QWidget

from gptstudio.gui.widgets.tables import rows_of

if TYPE_CHECKING:
    from at_the_window import User


class Named:
    """A widget of a page, found by its name on each access."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, page: Page, owner: type | None = None) -> Any:
        return page.find(self.name)


class Inside:
    """An attribute of the page's widget, given by its path."""

    def __init__(self, place: str) -> None:
        self.of = attrgetter(place)

    def __get__(self, page: Page, owner: type | None = None) -> Any:
        return self.of(page.widget)


class InState:
    """A field of the window's state."""

    def __init__(self, field: str) -> None:
        self.of = attrgetter(field)

    def __get__(self, page: Page, owner: type | None = None) -> Any:
        return self.of(page.state)


class Page:
    """A part of the window, as a user sees and operates it."""

    place: str = ""
    """Path of the attribute of the window that holds this part; empty for the window itself."""

    def __init__(self, user: User, widget: Any = None) -> None:
        self.user, self._widget = user, widget

    @property
    def widget(self) -> Any:
        return self._widget or attrgetter(self.place)(self.user.window)

    @property
    def state(self) -> Any:
        """The state of the part, or of the window."""
        return getattr(self._widget, "_state", None) or self.user.window.state

    def find(self, name: str) -> Any:
        found = self.widget.findChild(QWidget, name)
        assert found, f"nothing here is called {name}"
        return found

    def on(self, signal: str, slot: Callable[..., Any]) -> None:
        """Connect a slot to a signal of this part."""
        getattr(self.widget, signal).connect(slot)

    def reads(self, name: str) -> str:
        """Return the text of a label; an empty string if the label is hidden."""
        shown = self.find(name)
        assert isinstance(shown, QLabel)
        return "" if shown.isHidden() else shown.text()


def column(table: QTableView, heading: str) -> list[str]:
    """Return the texts of a column of a table."""
    headings, *rows = rows_of(table)
    return [row[headings.index(heading)] for row in rows]
