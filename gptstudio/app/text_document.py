"""The text on the Generate page: a tree of tokens, the branch that is shown, and the token that is chosen in it.

Fed by the events of a generated text, or of a beam search whose pruned branches are marked; knows no widgets. Every
change by the user can be undone: the module has the history of states that undo and redo step through. No Qt.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from gptstudio.app.requests import Model
from gptstudio.gpt.sampling.arrays import Floats
from gptstudio.gpt.tokenizer import Tokenizer
from gptstudio.inference.interventions import NO_INTERVENTIONS, Interventions
from gptstudio.inference.text_tree import ROOT, BeamMark, Node, Tree
from gptstudio.training.events import Beam, BeamStep, Ended, Event, PromptRead, TextEnded, TokenDrawn, TokenRead

T = TypeVar("T")


class UndoHistory(Generic[T]):
    """States one after the other, and the present one among them. None of them may be changed once it is here."""

    def __init__(self, first: T, depth: int = 100) -> None:
        """``depth``: largest number of undo steps that are kept."""
        self._back: list[T] = []
        self._present = first
        self._forth: list[T] = []
        self._depth = depth

    @property
    def can_undo(self) -> bool:
        return bool(self._back)

    @property
    def can_redo(self) -> bool:
        return bool(self._forth)

    def push(self, state: T) -> None:
        """Make another state the current one. Undone states are discarded, and the oldest beyond the depth."""
        self._back = [*self._back, self._present][-self._depth :]
        self._present = state
        self._forth = []

    @property
    def present(self) -> T:
        return self._present

    def amend(self, state: T) -> None:
        """Make another state the present one, as part of the step that led to it; if that leads nowhere then, it is
        none."""
        self._present, self._forth = state, []
        if self._back and self._back[-1] == state:
            self._back.pop()

    def undo(self) -> T | None:
        """Return the previous state, which becomes the current one; None if there is none."""
        return self._move(self._back, self._forth)

    def redo(self) -> T | None:
        """Return the state that was undone last, which becomes the current one; None if there is none."""
        return self._move(self._forth, self._back)

    def _move(self, source: list[T], target: list[T]) -> T | None:
        if not source:
            return None
        target.append(self._present)
        self._present = source.pop()
        return self._present


Ids = tuple[int, ...]


class BeamGrowth:
    """Grows a tree below one token of it, ``start``.

    Beams that were kept and then pruned stay in the tree; of the candidates that never were, those of the last step.
    """

    def __init__(self, tree: Tree, start: int) -> None:
        self._tree, self._start = tree, start
        self._tips: dict[Ids, int] = {(): start}  # the last token of each beam that the last step kept
        self._alive: set[int] = set()  # the tokens that these go through
        self._candidates: list[int] = []  # that the last step added to the tree

    def take(self, step: BeamStep) -> list[int]:
        """Add the tokens of a step, and return the keys of the last token of each kept beam."""
        for key in self._candidates:
            self._tree.remove(key)
        tips = {  # a beam that ended before is there already
            beam.ids: self._tips.get(beam.ids) or self._add(beam, kept=True) for beam in step.kept}
        alive = {key for tip in tips.values() for key in self._back_from(tip)}
        for key in sorted(self._alive - alive, reverse=True):  # from the last token back: it has the larger key
            self._tree.prune(key)
        before = set(self._tree.children(self._start)).union(*map(self._tree.children, self._tips.values()))
        added = [self._add(beam, kept=False) for beam in step.pruned if beam.ids not in self._tips]
        self._candidates = [key for key in added if key not in before]
        self._tips, self._alive = tips, alive
        return list(tips.values())

    def _back_from(self, key: int) -> Iterator[int]:
        """Yield the tokens from the last of a beam to the first that the search found."""
        while key != self._start:
            yield key
            key = self._tree.nodes[key].parent

    def _add(self, beam: Beam, kept: bool) -> int:
        parent = self._tips[beam.ids[:-1]]
        reading = TokenRead(
            position=self._tree.nodes[parent].position + 1, id=beam.ids[-1], text=beam.text,
            plain_probability=beam.plain_probability, rank=beam.rank, plain_entropy_bits=beam.plain_entropy_bits)
        return self._tree.add(parent, reading, BeamMark(beam.log_probability, kept))


@dataclass(frozen=True)
class BranchPath:
    """The branch to a token of a tree: computed once, then extended with the text, because this takes long for a long
    text.

    Attributes:
        given: number of tokens of the prompt; the model drew the following ones, in this or in another branch.
        by_hand: the positions behind the prompt whose token the user chose.
        forks: the positions that have other tokens beside them.
    """

    tree: Tree
    tip: int
    path: list[Node]
    ids: tuple[int, ...]
    given: int
    by_hand: list[int]
    forks: list[int]

    @classmethod
    def to(cls, tree: Tree, tip: int) -> BranchPath:
        path = tree.path(tip)
        beside = [
            [each for key in tree.children(node.parent) if not (each := tree.nodes[key]).pruned or each is node]
            for node in path]
        given = next((position for position, nodes in enumerate(beside) if any(map(_drawn, nodes))), len(path))
        return cls(
            tree, tip, path, tuple(node.id for node in path), given,
            [node.position for node in path[given:] if not _drawn(node)],
            [position for position, nodes in enumerate(beside) if len(nodes) > 1],
        )

    def on_to(self, node: Node) -> BranchPath:
        """Move on by one token, where no other follows."""
        given, by_hand = self.given, self.by_hand
        if not _drawn(node):
            in_prompt = given == len(self.path)
            given, by_hand = given + in_prompt, by_hand if in_prompt else [*by_hand, node.position]
        return replace(
            self, tip=node.key, path=[*self.path, node], ids=(*self.ids, node.id), given=given, by_hand=by_hand
        )


def _drawn(node: Node) -> bool:
    return isinstance(node.reading, TokenDrawn) or node.beam is not None


CACHED_LOGITS = 500
"""Tokens whose logits are kept: 200 KB each. Those of older ones are computed again when they are asked for."""


@dataclass
class TextSnapshot:
    """State that undo restores.

    Attributes:
        tip: the last token of the branch that is shown.
        cursor: the position of the chosen token; None if none is.
        model: the model that generated the tree.
        endings: why a text ended by itself, by its last token.
        interventions: interventions of the pane "What if".
    """

    tree: Tree = field(default_factory=Tree)
    tip: int = ROOT
    cursor: int | None = None
    model: Model | None = None
    endings: dict[int, str] = field(default_factory=dict)
    interventions: Interventions = NO_INTERVENTIONS

    def copy(self) -> TextSnapshot:
        return replace(self, tree=self.tree.copy(), endings=dict(self.endings))


class TextDocument:
    """The snapshot, those before it, and the logits of its newest tokens."""

    def __init__(self) -> None:
        self.snapshot = TextSnapshot()
        self.history = UndoHistory(self.snapshot.copy())
        self.following = True
        """True if the newest token is the chosen one; until another is clicked."""
        self.drawn = 0
        """Number of tokens that the model has generated here so far, in the first of several texts."""
        self._logits: OrderedDict[tuple[int, ...], Floats] = OrderedDict()  # by the ids up to the token
        self._pending: tuple[Model, Tokenizer, int] | None = None
        """Model and tokenizer of the text that is generated, and the number of known tokens."""
        self._tips: dict[int, int] = {}  # where each sample is being written
        self._texts: dict[int, tuple[int, ...]] = {}  # and its ids up to there
        self._beams: BeamGrowth | None = None  # of the search that is under way
        self._walked: BranchPath | None = None

    # Display.

    @property
    def walk(self) -> BranchPath:
        """The branch that is shown."""
        walked, snapshot = self._walked, self.snapshot
        if walked is None or walked.tree is not snapshot.tree or walked.tip != snapshot.tip:
            walked = self._walked = BranchPath.to(snapshot.tree, snapshot.tip)
        return walked

    @property
    def path(self) -> list[Node]:
        """The branch that is shown, from its first token to its last."""
        return self.walk.path

    @property
    def ids(self) -> tuple[int, ...]:
        """The token ids of the branch that is shown."""
        return self.walk.ids

    @property
    def tokenizer(self) -> Tokenizer:
        """Tokenizer of the model that wrote the tree."""
        return self.snapshot.tree.tokenizer

    @property
    def text(self) -> str:
        """The branch that is shown, as text."""
        return self.tokenizer.decode(self.ids)

    @property
    def chosen(self) -> Node | None:
        """The token under the cursor."""
        path, cursor = self.path, self.snapshot.cursor
        return path[cursor] if cursor is not None and cursor < len(path) else None

    @property
    def given(self) -> int:
        """Number of tokens of the prompt: from there on the model generated a token, here or in another branch."""
        return self.walk.given

    def by_hand(self) -> list[int]:
        """Return the positions after the prompt whose token the user chose."""
        return self.walk.by_hand

    @property
    def ending(self) -> str:
        """The reason the shown text ended by itself; empty if it did not."""
        return self.snapshot.endings.get(self.snapshot.tip, "")

    def forks(self) -> list[int]:
        """Return the positions of the shown text that have other tokens beside them."""
        return self.walk.forks

    def logits(self, position: int) -> Floats | None:
        """Return the logits of a token of the shown text, if they are still cached."""
        return self._logits.get(self.ids[: position + 1])

    def keep_logits(self, ids: Sequence[int], logits: Floats | None) -> None:
        """Keep the logits (V,) that the last of these tokens was chosen from."""
        if logits is not None:
            self._logits[tuple(ids)] = logits
            while len(self._logits) > CACHED_LOGITS:
                self._logits.popitem(last=False)

    # What the model writes.

    def begin(self, model: Model, known: int) -> None:
        """Record that a model starts to generate a text, and the number of its given tokens.

        Raises:
            UserError: it is not known how the model reads text.
        """
        self._pending, self._tips, self._texts, self.following = (model, model.tokenizer, known), {}, {}, True
        self._beams = None

    def take(self, event: Event) -> None:
        match event:
            case PromptRead():
                self._go_on_from(event)
            case TokenDrawn():
                self._put(event, event.sample)
            case TokenRead():
                self._put(event, 0)
            case BeamStep():
                self._grow(event)
            case TextEnded():
                self.snapshot.endings[self._tips[event.sample]] = event.reason
            case Ended():
                self.keep()

    def _go_on_from(self, prompt: PromptRead) -> None:
        """Continue the tree if it contains the prompt; another prompt or model begins a new tree."""
        if self._pending is None:
            raise RuntimeError("a prompt was read before a text was asked for")
        model, tokenizer, known = self._pending
        ids, tree = [piece.id for piece in prompt.pieces], self.snapshot.tree
        same = known or (model == self.snapshot.model and prompt.model == tree.model)
        tip = tree.find(ids[:known] if known else ids) if same else None
        if tip is None:
            last = self.snapshot  # its changes belong to its model; those with a name can be taken for any
            self.snapshot = TextSnapshot(
                Tree(prompt.model, interventions=dict(last.tree.interventions), tokenizer=tokenizer), model=model,
                interventions=last.interventions if model == last.model else NO_INTERVENTIONS)
            self._logits.clear()
        self.snapshot.model = model
        before = ids[:known] if tip is not None else []
        self._tips, self._texts = {0: tip if before and tip is not None else ROOT}, {0: tuple(before)}

    def _put(self, reading: TokenRead | TokenDrawn, sample: int) -> None:
        """Append a token to its text; all samples continue from the given tokens."""
        tree = self.snapshot.tree
        if sample not in self._tips:
            self._tips[sample], self._texts[sample] = tree.nodes[self._tips[0]].parent, self._texts[0][:-1]
        before, count = self._tips[sample], len(tree.nodes)
        self._tips[sample] = tip = tree.add(before, reading)
        self._texts[sample] = (*self._texts[sample], reading.id)
        self.keep_logits(self._texts[sample], reading.logits)
        self._walk_on(before, tip, sample == 0, len(tree.nodes) > count)
        if sample == 0:
            self.drawn += isinstance(reading, TokenDrawn)
            self.snapshot.tip = tip
            if self.following:
                self.snapshot.cursor = reading.position

    def _grow(self, step: BeamStep) -> None:
        """Continue the beams of a search from the given tokens, and show the best one."""
        tree = self.snapshot.tree
        self._beams = self._beams or BeamGrowth(tree, self._tips[0])
        for key, beam in zip(kept := self._beams.take(step), step.kept, strict=True):
            if beam.ending:
                self.snapshot.endings[key] = beam.ending
        self._walked, self.snapshot.tip = None, kept[0]
        if self.following:
            self.snapshot.cursor = tree.nodes[kept[0]].position

    def _walk_on(self, before: int, tip: int, shown: bool, new: bool) -> None:
        """Extend the walk by a token that was added after another, if it led there; otherwise recompute it."""
        tree, walked = self.snapshot.tree, self._walked
        alone = new and len(tree.children(before)) == 1
        if shown and alone and walked and walked.tree is tree and walked.tip == before:
            self._walked = walked.on_to(tree.nodes[tip])
        elif shown or not alone:
            self._walked = None

    # User actions.

    def choose(self, position: int | None) -> None:
        """Put the cursor on a token of the shown branch."""
        self.following = False
        self.snapshot.cursor = position

    def go(self, key: int) -> None:
        """Show the branch that contains a token, with the cursor on it."""
        self.following = False
        self.snapshot.cursor = self.snapshot.tree.nodes[key].position
        if all(node.key != key for node in self.path):
            self.snapshot.tip = self.snapshot.tree.leaf(key)

    def switch_to(self, tip: int) -> None:
        """Show the branch that ends at a token, with the cursor where it is, or at its end."""
        self.following, self.snapshot.tip = False, tip
        last, cursor = len(self.path) - 1, self.snapshot.cursor
        self.snapshot.cursor = last if cursor is None else min(cursor, last)

    def intervene(self, interventions: Interventions, keep: bool = True) -> None:
        """Set the changes that the text is read with. ``keep``: as a step that can be undone."""
        self.snapshot.interventions = interventions
        if keep:
            self.keep()

    def name_interventions(self, name: str, interventions: Interventions | None) -> None:
        """Keep changes under a name; None removes them."""
        named = self.snapshot.tree.interventions
        named.pop(name, None)
        if interventions is not None:
            named[name] = interventions
        self.keep()

    def rename(self, key: int, name: str) -> None:
        """Set the user's name of a branch."""
        self.snapshot.tree.rename(key, name)
        self._walked = None
        self.keep()

    def remove(self, key: int) -> None:
        """Remove a token with all that follows it."""
        tree = self.snapshot.tree
        shown, parent = any(node.key == key for node in self.path), tree.nodes[key].parent
        tree.remove(key)
        self._walked = None
        if shown:
            self.snapshot.tip = tree.leaf(parent)
            last = len(self.path) - 1
            self.snapshot.cursor = min(self.snapshot.cursor or 0, last) if last >= 0 else None
        self.keep()

    def open(self, tree: Tree, model: Model | None) -> None:
        """Show another tree."""
        self.snapshot = TextSnapshot(tree, tree.leaf(ROOT), None, model)
        self.snapshot.cursor = len(self.path) - 1 if tree.nodes else None
        self._logits.clear()
        self.keep()

    def keep(self) -> None:
        """Push the current state on the undo history."""
        self.history.push(self.snapshot.copy())

    def undo(self) -> None:
        self._show(self.history.undo())

    def redo(self) -> None:
        self._show(self.history.redo())

    def _show(self, snapshot: TextSnapshot | None) -> None:
        if snapshot:
            if (snapshot.model, snapshot.tree.model) != (self.snapshot.model, self.snapshot.tree.model):
                self._logits.clear()  # they are another model's
            self.snapshot, self.following = snapshot.copy(), False
