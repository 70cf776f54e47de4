"""The text on the Generate page: a tree of tokens, the branch that is shown, and the token that is chosen in it.

Fed by the events of a writing; knows no widgets. Every deed of the user can be undone.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from gptstudio.gpt.sampling import Floats
from gptstudio.gui.decoding.asks import Model
from gptstudio.gui.decoding.branches.history import History
from gptstudio.records.tree import ROOT, Node, Tree
from gptstudio.runs.events import Ended, Event, PromptRead, TextEnded, TokenDrawn, TokenRead

KEPT_LOGITS = 500
"""Tokens whose logits are kept: 200 KB each. Those of older ones are computed again when they are asked for."""


@dataclass
class Scene:
    """All that undo brings back.

    Attributes:
        tip: the last token of the branch that is shown.
        cursor: the position of the chosen token; None where none is.
        model: that wrote the tree.
        endings: why a text ended by itself, by its last token.
    """

    tree: Tree = field(default_factory=Tree)
    tip: int = ROOT
    cursor: int | None = None
    model: Model | None = None
    endings: dict[int, str] = field(default_factory=dict)

    def copy(self) -> Scene:
        return Scene(self.tree.copy(), self.tip, self.cursor, self.model, dict(self.endings))


class Manuscript:
    """The scene, those before it, and the logits of its newest tokens."""

    def __init__(self) -> None:
        self.scene = Scene()
        self.history = History(self.scene.copy())
        self.following = True
        """Whether the newest token is the chosen one, until another is clicked."""
        self._logits: OrderedDict[tuple[int, ...], Floats] = OrderedDict()  # by the ids up to the token
        self._asked: tuple[Model, int] | None = None  # what is being written: the model, and how many tokens are known
        self._tips: dict[int, int] = {}  # where each sample is being written

    # What is shown.

    @property
    def path(self) -> list[Node]:
        """The branch that is shown, from its first token to its last."""
        return self.scene.tree.path(self.scene.tip)

    @property
    def chosen(self) -> Node | None:
        """The token under the cursor."""
        path, cursor = self.path, self.scene.cursor
        return path[cursor] if cursor is not None and cursor < len(path) else None

    @property
    def given(self) -> int:
        """How many tokens at the beginning of the shown text the model did not draw."""
        path = self.path
        return next((node.position for node in path if isinstance(node.reading, TokenDrawn)), len(path))

    @property
    def ending(self) -> str:
        """Why the shown text ended by itself; nothing where it did not."""
        return self.scene.endings.get(self.scene.tip, "")

    def forks(self) -> list[int]:
        """The positions of the shown text that have other tokens beside them."""
        tree = self.scene.tree
        return [node.position for node in self.path if len(tree.children(node.parent)) > 1]

    def logits(self, position: int) -> Floats | None:
        """What the model gave for a token of the shown text, where it is still kept."""
        return self._logits.get(self._ids(position))

    def keep_logits(self, ids: Sequence[int], logits: Floats | None) -> None:
        """Keeps the logits (V,) that the last of these tokens was chosen from."""
        if logits is not None:
            self._logits[tuple(ids)] = logits
            while len(self._logits) > KEPT_LOGITS:
                self._logits.popitem(last=False)

    # What the model writes.

    def begin(self, model: Model, known: int) -> None:
        """A text is about to come from a model; so many of its tokens are here."""
        self._asked, self._tips, self.following = (model, known), {}, True

    def take(self, event: Event) -> None:
        match event:
            case PromptRead():
                self._go_on_from(event)
            case TokenDrawn():
                self._put(event, event.sample)
            case TokenRead():
                self._put(event, 0)
            case TextEnded():
                self.scene.endings[self._tips[event.sample]] = event.reason
            case Ended():
                self.keep()

    def _go_on_from(self, prompt: PromptRead) -> None:
        """The tree that holds the prompt already goes on; another prompt or model begins a tree of its own."""
        assert self._asked
        model, known = self._asked
        ids, tree = [piece.id for piece in prompt.pieces], self.scene.tree
        same = known or (model == self.scene.model and prompt.model == tree.model)
        tip = tree.find(ids[:known] if known else ids) if same else None
        if tip is None:
            self.scene = Scene(Tree(prompt.model), model=model)
            self._logits.clear()
        self.scene.model = model
        self._tips = {0: tip if known and tip is not None else ROOT}

    def _put(self, reading: TokenRead | TokenDrawn, sample: int) -> None:
        """A token behind the last of its text; all samples go on from what was given."""
        tree = self.scene.tree
        if sample not in self._tips:
            self._tips[sample] = tree.nodes[self._tips[0]].parent
        self._tips[sample] = tip = tree.add(self._tips[sample], reading)
        self.keep_logits(tree.ids(tip), reading.logits)
        if sample == 0:
            self.scene.tip = tip
            if self.following:
                self.scene.cursor = reading.position

    # What the user does.

    def choose(self, position: int | None) -> None:
        """Puts the cursor on a token of the shown branch."""
        self.following = False
        self.scene.cursor = position

    def go(self, key: int) -> None:
        """Shows the branch that goes through a token, with the cursor on it."""
        self.following = False
        self.scene.cursor = self.scene.tree.nodes[key].position
        if all(node.key != key for node in self.path):
            self.scene.tip = self.scene.tree.leaf(key)

    def rename(self, key: int, name: str) -> None:
        """What the user calls a branch."""
        self.scene.tree.rename(key, name)
        self.keep()

    def remove(self, key: int) -> None:
        """Takes a token away with all that follows it."""
        tree = self.scene.tree
        shown, parent = any(node.key == key for node in self.path), tree.nodes[key].parent
        tree.remove(key)
        if shown:
            self.scene.tip = tree.leaf(parent)
            last = len(self.path) - 1
            self.scene.cursor = min(self.scene.cursor or 0, last) if last >= 0 else None
        self.keep()

    def open(self, tree: Tree, model: Model | None) -> None:
        """Shows a tree from elsewhere."""
        self.scene = Scene(tree, tree.leaf(ROOT), None, model)
        self.scene.cursor = len(self.path) - 1 if tree.nodes else None
        self._logits.clear()
        self.keep()

    def keep(self) -> None:
        """What is there now can be come back to."""
        self.history.push(self.scene.copy())

    def undo(self) -> None:
        self._show(self.history.undo())

    def redo(self) -> None:
        self._show(self.history.redo())

    def _show(self, scene: Scene | None) -> None:
        if scene:
            self.scene, self.following = scene.copy(), False

    def _ids(self, position: int) -> tuple[int, ...]:
        return tuple(node.id for node in self.path[: position + 1])
