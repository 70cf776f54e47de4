"""Saved state of the Generate page: prompt, settings, chosen model, and the text with its branches.

The text is a separate file beside ``session.json``, in the format of saved trees.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict

from gptstudio import files, log, paths
from gptstudio.app.derived import GENERATE, unlocked
from gptstudio.app.state import AppState
from gptstudio.errors import UserError, text_of
from gptstudio.gui.translation import tr
from gptstudio.inference import tree_files
from gptstudio.inference.spec import GenerateSpec
from gptstudio.inference.text_tree import ROOT
from gptstudio.training.model_source import SavedModel, UntrainedModel

if TYPE_CHECKING:
    from gptstudio.gui.window import MainWindow

UNTRAINED = "untrained"
TITLE = "Text of the last session"


class Writing(BaseModel):
    """The Generate page.

    Attributes:
        spec: what was set. Its model is the folder of a checkpoint, ``UNTRAINED``, or empty: whichever is the newest.
        scored: the text in *Score a text*.
        view: the one that is shown.
        tip: of the nodes of the tree in the order of their keys, where the shown text ends; -1: there is no text.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    spec: GenerateSpec
    scored: str = ""
    view: Literal["write", "compare", "score"] = "write"
    tip: int = -1


def of(state: AppState) -> Writing:
    """Return the page as it is."""
    snapshot = state.document.snapshot
    spec = state.generate_spec or GenerateSpec(prompt=state.prompt)
    keys = sorted(snapshot.tree.nodes)
    chosen = _name(state) if keys or state.model_chosen else ""
    return Writing(
        spec=spec.but(model=chosen), scored=state.scored_text, view=state.generate_view,
        tip=keys.index(snapshot.tip) if snapshot.tip != ROOT else -1,
    )


def keep(state: AppState) -> None:
    """Write the text for the next start; a disk that is full or read-only costs no more than this."""
    tree, file = state.document.snapshot.tree, paths.session_text()
    try:
        if tree.nodes:
            tree_files.write(tree, TITLE, file)
        else:
            file.unlink(missing_ok=True)
    except (UserError, OSError) as error:
        log.logger.warning("Could not save the text: %s", error)


def put_back(window: MainWindow, writing: Writing | None) -> None:
    """Restore the saved state. The model is not loaded before it is needed."""
    state = window.state
    if writing:
        spec = writing.spec
        kept = {name: getattr(spec, name) for name in state.generate_values}
        state.generate_values = {**state.generate_values, **unlocked(state, kept, GENERATE)}
        params = unlocked(state, spec.sampling_params.shallow())
        state.sampling_params = state.sampling_params.but(**params)
        state.prompt, state.scored_text, state.generate_view = spec.prompt, writing.scored, writing.view
        window.library.refresh_models()
        _choose(state, spec.model)
    file = paths.session_text()
    if not file.is_file():
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
    """Choose a model by what :func:`_name` called it; one that is gone is not missed."""
    if name == UNTRAINED:
        state.choose_model(next((each for each in state.models if isinstance(each, UntrainedModel)), None))
        return
    there = next((each for each in state.models if isinstance(each, SavedModel) and str(each.path) == name), None)
    if there:
        state.choose_model(there)
    elif name and Path(name).is_dir():
        with suppress(UserError):
            state.open_model(name)
