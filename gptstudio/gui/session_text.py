"""Saved state of the Generate page: prompt, settings, chosen model, and the text with its branches.

The text is a separate file beside ``session.json``, in the format of saved trees.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from gptstudio import files, log, paths
from gptstudio.errors import UserError
from gptstudio.fields import SpecError
from gptstudio.inference import tree_files
from gptstudio.inference.text_tree import ROOT
from gptstudio.training.model_source import SavedModel, UntrainedModel
from gptstudio.training.spec import GenerateSpec

if TYPE_CHECKING:
    from gptstudio.gui.generate.generate_tab import GenerateTab
    from gptstudio.gui.window import MainWindow

UNTRAINED = "untrained"
TITLE = "Text of the last session"


class Writing(BaseModel):
    """The Generate page.

    Attributes:
        spec: what was set. Its model is the folder of a checkpoint, ``UNTRAINED``, or empty: whichever is the newest.
        scored: the text in *Score a text*.
        tip: of the nodes of the tree in the order of their keys, where the shown text ends; -1: there is no text.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    spec: GenerateSpec
    scored: str = ""
    tip: int = -1


def of(window: MainWindow) -> Writing | None:
    """The page as it is; None where it was not made yet."""
    if "generate" not in vars(window):
        return None
    page = window.generate
    snapshot = page.view.document.snapshot
    try:
        spec = page.spec()
    except SpecError:
        spec = GenerateSpec(prompt=page.prompt.toPlainText())
    keys = sorted(snapshot.tree.nodes)
    chosen = _name(page) if keys or page.model_box.by_hand else ""
    return Writing(
        spec=spec.but(model=chosen), scored=page.score.text,
        tip=keys.index(snapshot.tip) if snapshot.tip != ROOT else -1,
    )


def keep(window: MainWindow) -> None:
    """Writes the text for the next start; a disk that is full or read-only costs no more than this."""
    if "generate" not in vars(window):
        return
    tree, file = window.generate.view.document.snapshot.tree, paths.session_text()
    try:
        if tree.nodes:
            tree_files.write(tree, TITLE, file)
        else:
            file.unlink(missing_ok=True)
    except (UserError, OSError) as error:
        log.logger.warning("Could not save the text: %s", error)


def put_back(window: MainWindow, writing: Writing | None) -> None:
    """Restore the saved state. The model is not loaded before it is needed."""
    page = window.generate
    if writing:
        page.settings.set_values(writing.spec)
        page.stages.set_params(writing.spec.sampling_params)
        page.prompt.setPlainText(writing.spec.prompt)
        page.score.editor.setPlainText(writing.scored)
        _choose(window, writing.spec.model)
    file = paths.session_text()
    if not file.is_file():
        return
    try:
        page.view.tree_documents.restore(tree_files.load(file), writing.tip if writing else -1)
    except UserError as error:
        page.view.notice.setText(str(error))
        with suppress(OSError):
            files.set_aside(file)


def _name(page: GenerateTab) -> str:
    source = page.source()
    if isinstance(source, SavedModel) and files.is_encodable(source.path):
        return str(source.path)
    return UNTRAINED if isinstance(source, UntrainedModel) else ""


def _choose(window: MainWindow, name: str) -> None:
    """Chooses a model by what :func:`_name` called it; one that is gone is not missed."""
    page = window.generate
    window.offer_models()
    box = page.model_box
    if name == UNTRAINED:
        box.choose_by_hand(next((each for each in box.sources if isinstance(each, UntrainedModel)), None))
        return
    there = next((each for each in box.sources if isinstance(each, SavedModel) and str(each.path) == name), None)
    if there:
        box.choose_by_hand(there)
    elif name and Path(name).is_dir():
        page.add_source(name)
