"""The notice about the file that was saved last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pages.page import Page

if TYPE_CHECKING:
    from at_the_window import User


class SavedPage(Page):
    """The notice of the main window, or of the dialog with this name."""

    def __init__(self, user: User, name: str = "status") -> None:
        super().__init__(user)
        self.name = name

    @property
    def widget(self) -> Any:
        return self.user.window

    @property
    def words(self) -> str:
        """The text of the notice; empty while the notice is hidden."""
        label = self.find(f"{self.name}_saved")
        return label.text() if label.isVisible() else ""

    def says(self, words: str) -> None:
        """Wait until the notice contains these words."""
        self.user.wait(lambda: words in self.words)

    def close(self) -> None:
        self.user.click(self.find(f"{self.name}_saved_close"))
