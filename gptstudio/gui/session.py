"""State of the window, saved from one start to the next: geometry and appearance, tab, model and settings, and the
content of the Generate page.

A file that cannot be read is ignored: the window then opens as on the first start. One of a newer version is set aside.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, cast

from pydantic import BaseModel, ConfigDict, Field
from PySide6.QtCore import QByteArray

from gptstudio import files, formats, log, paths
from gptstudio.app import kept_model, training_tasks
from gptstudio.app.derived import rate_to_keep, unlocked_config, unlocked_spec
from gptstudio.app.state import PAGES, PageSelections, storable_name
from gptstudio.gpt.config import GPTConfig
from gptstudio.gui import session_text
from gptstudio.gui.session_text import Writing
from gptstudio.gui.theme import LARGEST_ZOOM, SMALLEST_ZOOM, theme
from gptstudio.gui.window import MainWindow
from gptstudio.training.run_folder import Record, RunFolder
from gptstudio.training.spec import TrainSpec

Scheme = Literal["system", "light", "dark"]

LARGEST_BYTES = 1024 * 1024
"""A file that is larger is not ours."""


class Session(BaseModel):
    """State of a closed window.

    Attributes:
        geometry: its position and size, as Qt writes them, in hexadecimal digits.
        tab: its name.
        unfolded: names of the tabs beside which the Model panel is open; all_controls: as in the state.
        curve_colours: chosen for curves, by the colours of their styles.
        config: of the Model panel; None if it had a problem.
        spec: of the Train tab, of the same config; None if a setting had a problem.
        writing: of the Generate page.
        selections: of the other pages; marks_copies: as in the state.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    version: Annotated[int, Field(ge=1, le=formats.SESSION)] = formats.SESSION
    geometry: str = ""
    tab: str = "train"
    unfolded: frozenset[str] = frozenset({"train"})
    all_controls: bool = True
    colours: Scheme = "system"
    zoom: float = 1.0
    curve_colours: dict[str, Annotated[str, Field(pattern="^#[0-9a-f]{6}$")]] = {}
    config: GPTConfig | None = None
    spec: TrainSpec | None = None
    writing: Writing | None = None
    selections: PageSelections = PageSelections()
    marks_copies: bool = True

    # Giving back.

    def dress(self) -> None:
        """Colours and text size, for a window that is made after this."""
        if self.colours != theme.scheme:
            theme.choose(self.colours)
        if SMALLEST_ZOOM <= self.zoom <= LARGEST_ZOOM and self.zoom != theme.zoom:
            theme.enlarge(self.zoom)
        if self.curve_colours:
            theme.choose_curve_colours(self.curve_colours)

    def place(self, window: MainWindow) -> None:
        """Restore the window's geometry before it is shown; Qt moves it to an existing screen."""
        window.restoreGeometry(QByteArray.fromHex(self.geometry.encode("ascii", "replace")))

    def put_back(self, window: MainWindow) -> None:
        """The model, the settings, the text and the tab, as if they had been chosen."""
        state = window.state
        if self.config:
            state.select_model(unlocked_config(state, self.config), self.spec.init_from if self.spec else None)
        if self.spec:
            state.use_spec(unlocked_spec(state, self.spec))
        session_text.put_back(window, self.writing)
        if self.selections.stopped_run:
            _show_again(window, RunFolder(Path(self.selections.stopped_run)))
        state.page_selections, state.marks_copies = self.selections, self.marks_copies
        state.unfolded_pages, state.all_controls = self.unfolded, self.all_controls
        if self.tab in PAGES and self.tab not in window.state.locked_pages:
            window.state.page = self.tab


def _show_again(window: MainWindow, run: RunFolder) -> None:
    """Show a run that was stopped when the window was closed, with the offer to continue it, as after Stop."""

    def show(record: Record | None) -> None:
        state = window.state
        if record and not state.running and not state.run.started:
            window.training.open_run(run, record.spec, live=False, parent=record.parent, page=state.page)

    window.tasks.run(lambda _: training_tasks.stopped_run(run), done=show)


def of(window: MainWindow) -> Session:
    """Return the current state of a window."""
    state = window.state
    spec = state.spec and state.spec.but(learning_rate=rate_to_keep(state))
    stopped = state.run.folder if state.running or state.continuation else None
    return Session(
        geometry=bytes(window.saveGeometry().toHex().data()).decode("ascii"), tab=window.state.page,
        unfolded=window.state.unfolded_pages, all_controls=window.state.all_controls,
        colours=cast(Scheme, theme.scheme), zoom=theme.zoom,
        curve_colours=theme.curve_colours, config=state.config, spec=spec,
        writing=session_text.of(window.state),
        selections=state.page_selections.but(stopped_run=storable_name(stopped and stopped.path)),
        marks_copies=window.state.marks_copies,
    )


def is_first() -> bool:
    """Return whether no window was closed here before."""
    return not paths.session().exists()


def read() -> Session:
    """Return the state at the last exit; the default state if that is unknown."""
    return kept_model.read(paths.session(), Session, LARGEST_BYTES)


def keep(session: Session) -> None:
    """Write the state for the next time."""
    kept_model.keep(paths.session(), session)


def set_aside() -> None:
    """The next start is as the first; what was kept is kept beside."""
    for file in (paths.session(), paths.session_text()):
        try:
            files.set_aside(file)
        except OSError as error:
            log.logger.warning("Could not set aside %s: %s", file, error)

