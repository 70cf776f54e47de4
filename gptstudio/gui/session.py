"""State of the window, saved at intervals and at its end: geometry, appearance, page, model, settings and text.

The text on Generate is a separate file next to ``session.json``, in the format of saved trees. A file that cannot be
read is ignored, and the window opens as on the first start. A file of a newer version is set aside.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal, cast

from pydantic import BaseModel, ConfigDict, Field
from PySide6.QtCore import QByteArray, QObject, QTimer

from gptstudio import files, formats, log, paths
from gptstudio.app import kept_model, preferences, training_tasks
from gptstudio.app.derived import GENERATE, adjusted, spec_to_keep, unlocked, unlocked_config, unlocked_spec
from gptstudio.app.state import MOST_RECENT, PAGES, AppState, PageSelections, storable, storable_name
from gptstudio.errors import UserError, text_of
from gptstudio.gpt.config import GPTConfig
from gptstudio.gui.theme import LARGEST_ZOOM, SMALLEST_ZOOM, theme
from gptstudio.gui.translation import tr
from gptstudio.gui.window import MainWindow
from gptstudio.inference import tree_files
from gptstudio.inference.spec import GenerateSpec
from gptstudio.inference.text_tree import ROOT
from gptstudio.training.model_source import SavedModel, UntrainedModel
from gptstudio.training.run_folder import Record, RunFolder
from gptstudio.training.spec import TrainSpec

UNTRAINED = "untrained"
TITLE = "Text of the last session"


class GenerateSession(BaseModel):
    """State of the Generate page.

    Attributes:
        spec: settings. Their model is the folder of a checkpoint, ``UNTRAINED``, or empty for the newest model.
        scored: text in *Score a text*.
        view: view that is shown.
        tip: index of the last node of the shown text, among the tree's nodes in the order of their keys; -1 without a
            text.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    spec: GenerateSpec
    scored: str = ""
    view: Literal["write", "compare", "score"] = "write"
    tip: int = -1


def writing_of(state: AppState) -> GenerateSession:
    snapshot = state.document.snapshot
    spec = state.generate_spec or adjusted(  # without what is invalid
        GenerateSpec(prompt=state.prompt), {**state.generate_values, **state.sampling_params.shallow()})
    keys = sorted(snapshot.tree.nodes)
    chosen = _name(state) if keys or state.model_chosen else ""
    return GenerateSession(
        spec=spec.but(model=chosen), scored=state.scored_text, view=state.generate_view,
        tip=keys.index(snapshot.tip) if snapshot.tip != ROOT else -1,
    )


def keep_writing(state: AppState) -> None:
    """Save the text for the next start. An error, such as a full or read-only disk, is only logged."""
    tree, file = state.document.snapshot.tree, paths.session_text()
    try:
        if tree.nodes:
            tree_files.write(tree, TITLE, file)
        else:
            file.unlink(missing_ok=True)
    except (UserError, OSError) as error:
        log.logger.warning("Could not save the text: %s", error)


def put_back(window: MainWindow, writing: GenerateSession | None) -> None:
    """Restore the saved state of the Generate page. The model is not loaded before it is needed."""
    state = window.state
    window.library.wake()  # a model that cannot be found again is replaced by the newest, also for the text
    if writing:
        spec = writing.spec
        kept = {name: getattr(spec, name) for name in state.generate_values}
        state.generate_values = {**state.generate_values, **unlocked(state, kept, GENERATE)}
        params = unlocked(state, spec.sampling_params.shallow())
        state.sampling_params = state.sampling_params.but(**params)
        state.prompt, state.scored_text, state.generate_view = spec.prompt, writing.scored, writing.view
        _choose(state, spec.model)
    file = paths.session_text()
    if not os.path.isfile(file):
        return
    try:
        trees = window.generate.tree_documents
        trees.restore(trees.load(file), writing.tip if writing else -1)
    except UserError as error:
        window.generate.notice.setText(tr(text_of(error)))
        with suppress(OSError):
            files.set_aside(file)


def _name(state: AppState) -> str:
    source = state.model
    if isinstance(source, SavedModel) and files.is_encodable(source.path):
        return str(source.path)
    return UNTRAINED if isinstance(source, UntrainedModel) else ""


def _choose(state: AppState, name: str) -> None:
    """Choose a model by the name that :func:`_name` returns; one that no longer exists is ignored."""
    if name == UNTRAINED:
        state.choose_model(next((each for each in state.models if isinstance(each, UntrainedModel)), None))
        return
    there = next((each for each in state.models if isinstance(each, SavedModel) and str(each.path) == name), None)
    if there:
        state.choose_model(there)
    elif name and os.path.isdir(name):
        with suppress(UserError):
            state.open_model(name)


Scheme = Literal["system", "light", "dark"]

LARGEST_BYTES = 4 * 1024 * 1024
"""Maximum size of a session file; a larger one was not written by this program. The longest text in *Score a text*
takes up to six bytes per character."""


class Session(BaseModel):
    """State of a closed window.

    Attributes:
        geometry: position and size, as Qt writes them, in hexadecimal digits.
        tab: name of the page.
        unfolded: names of the pages with an open Model panel; all_controls: as in the state.
        curve_colours: colours chosen for curves, by the colours of their styles.
        config: configuration in the Model panel; None to keep the default.
        spec: settings on the Train page, with the same config; None to keep the default.
        writing: state of the Generate page.
        selections: selections on the other pages; marks_copies, recent_files: as in the state.
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
    writing: GenerateSession | None = None
    selections: PageSelections = PageSelections()
    marks_copies: bool = True
    recent_files: tuple[str, ...] = ()

    # Restoring.

    def dress(self) -> None:
        """Set colours and text size for a window that is created afterwards."""
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
        """Restore model, settings, text and page, as if the user had chosen them."""
        state = window.state
        if self.config:
            state.select_model(unlocked_config(state, self.config), self.spec.init_from if self.spec else None)
        if self.spec:
            state.use_spec(unlocked_spec(state, self.spec))
        put_back(window, self.writing)
        if self.selections.stopped_run:
            _show_again(window, RunFolder(Path(self.selections.stopped_run)))
        state.page_selections, state.marks_copies = self.selections, self.marks_copies
        state.recent_files = self.recent_files
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
    state = window.state
    spec = spec_to_keep(state)
    stopped = state.run.folder if state.running or state.continuation else None
    return Session(
        geometry=bytes(window.saveGeometry().toHex().data()).decode("ascii"), tab=window.state.page,
        unfolded=window.state.unfolded_pages, all_controls=window.state.all_controls,
        colours=cast(Scheme, theme.scheme), zoom=theme.zoom,
        curve_colours=theme.curve_colours, config=spec.config, spec=spec,
        writing=writing_of(window.state),
        selections=state.page_selections.but(stopped_run=storable_name(stopped and stopped.path)),
        marks_copies=window.state.marks_copies, recent_files=storable(state.recent_files),
    )


def is_first() -> bool:
    """Return whether this is the first start, without a saved session."""
    return not os.path.exists(paths.session())


def read() -> Session:
    """Return the state at the last exit; the default state if there is none."""
    return kept_model.read(paths.session(), Session, LARGEST_BYTES)


def keep(session: Session) -> None:
    """Save the state for the next start. Files that another window has opened stay in the list of recent files."""
    recent = tuple(dict.fromkeys((*session.recent_files, *read().recent_files)))[:MOST_RECENT]
    kept_model.keep(paths.session(), session.model_copy(update={"recent_files": recent}))


def set_aside() -> None:
    """Set the saved files aside, so that the next start is like the first."""
    for file in (paths.session(), paths.session_text()):
        try:
            files.set_aside(file)
        except OSError as error:
            log.logger.warning("Could not set aside %s: %s", file, error)


LOOK_S = 20
"""Seconds between two checks whether it is time to save."""


class Autosave(QObject):
    """Periodic saving of what has changed.

    A text that is being generated is saved once it is complete or the window is closed, and the state of the window
    once it has left projector mode.
    """

    def __init__(self, window: MainWindow, every_s: float = 0) -> None:
        """``every_s``: seconds between two saves; 0: as set in the preferences."""
        super().__init__(window)
        self._window = window
        window.save_session = self.save
        self._session: Session | None = None
        self.begin()
        self._every_s, self._waited_s = every_s, 0.0
        self._clock = QTimer(self, interval=round(1000 * min(every_s or LOOK_S, LOOK_S)))
        self._clock.timeout.connect(self._look)
        self._clock.start()

    def begin(self) -> None:
        """Take the current text as saved. Another window may have saved one since, which must not be replaced by it."""
        self._text = self._nodes()

    def _nodes(self) -> tuple[int, int]:
        """Return the identity and the number of the nodes of the text."""
        nodes = self._window.state.document.snapshot.tree.nodes
        return id(nodes), len(nodes)

    def _look(self) -> None:
        """Save if the interval is over."""
        every = self._every_s or preferences.current().autosave_s
        self._waited_s += self._clock.interval() / 1000
        if every and self._waited_s >= every:
            self._waited_s = 0.0
            self.save()

    def leave(self) -> None:
        self._clock.stop()
        self.save(at_end=True)

    def save(self, at_end: bool = False) -> None:
        """Save the session and the text now, if they have changed. ``at_end``: also a text that was being generated."""
        now, text = of(self._window), self._nodes()
        if now != self._session and not theme.projecting:
            keep(now)
            self._session = now
        if text != self._text and (at_end or not self._window.state.generating):
            keep_writing(self._window.state)
            self._text = text
