"""What the Branches pane asks of the disk: to save the tree with its model, to open one, to write one anywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gptstudio.errors import UserError
from gptstudio.gui.decoding.asks import Model
from gptstudio.gui.decoding.branches.branches import Branches
from gptstudio.gui.decoding.manuscript import Manuscript
from gptstudio.gui.decoding.model_names import name_in_words
from gptstudio.gui.words import tr
from gptstudio.inference import tree_files
from gptstudio.inference.text_tree import Tree


class TreeKeeper(QObject):
    """Opens trees into the manuscript."""

    opened = Signal()
    """The manuscript holds another tree."""
    said = Signal(str, bool)
    """What was written, or what there is to know of it, and whether that is a problem."""

    def __init__(self, branches: Branches, manuscript: Manuscript) -> None:
        super().__init__(branches)
        self.model: Model | None = None
        """The model that is chosen, whose saved trees are offered."""
        self._branches, self._manuscript = branches, manuscript
        branches.save_requested.connect(self._save)
        branches.export_requested.connect(self._export)

    def set_model(self, model: Model | None) -> None:
        if model != self.model:
            self.model = model
            self._offer()

    def open(self, path: Path) -> None:
        """Shows the tree of a file."""
        try:
            tree = tree_files.load(path)
        except UserError as error:
            self.said.emit(str(error), True)
            return
        self._manuscript.open(tree, self.model)
        self.opened.emit()
        self._tell_who_wrote(tree)

    def restore(self, tree: Tree, tip: int) -> None:
        """Show a tree as it was left, with no token chosen. ``tip`` is the place of a node's key in their order."""
        self._manuscript.open(tree, self.model)
        if 0 <= tip < len(tree.nodes):
            self._manuscript.turn_to(sorted(tree.nodes)[tip])
        self._manuscript.choose(None)
        self.opened.emit()
        self._tell_who_wrote(tree)

    def _tell_who_wrote(self, tree: Tree) -> None:
        other = self.model and self.model.source.name != tree.model
        words = tr("This was written by {model}. What is asked from here on, the model that is chosen now answers.",
                   model=name_in_words(tree.model))
        self.said.emit(words if other else "", bool(other))

    def _offer(self) -> None:
        self._branches.show_saved(tree_files.saved_trees(self.model.source) if self.model else [])

    def _save(self, title: str) -> None:
        scene, model = self._manuscript.scene, self._manuscript.scene.model
        if model:
            self._write(lambda: tree_files.save(scene.tree, title, model.source))
            self._offer()

    def _export(self, path: Path) -> None:
        tree = self._manuscript.scene.tree
        self._write(lambda: tree_files.write(tree, path.stem, path))

    def _write(self, write: Callable[[], Path]) -> None:
        try:
            self.said.emit(tr("{names} is written.", names=write()), False)
        except UserError as error:
            self.said.emit(str(error), True)
