"""The text on the Generate page: a tree of tokens, the displayed branch, and the token chosen in it.

It is fed by the events of a generated text, or of a beam search whose pruned branches are marked, and knows no widgets.
Every change by the user can be undone: this module also has the history of states for undo and redo. No Qt.
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
    """Sequence of states with a current one. No state may be modified after it was added."""

    def __init__(self, first: T, depth: int = 100) -> None:
        """``depth``: maximum number of undo steps."""
        self.present = first
        self._back: list[T] = []
        self._forth: list[T] = []
        self._depth = depth

    @property
    def can_undo(self) -> bool:
        return bool(self._back)

    @property
    def can_redo(self) -> bool:
        return bool(self._forth)

    def push(self, state: T) -> None:
        """Add a state and make it the current one. Undone states are discarded, as are the oldest beyond the depth."""
        self._back = [*self._back, self.present][-self._depth :]
        self.present = state
        self._forth = []

    def amend(self, state: T) -> None:
        """Replace the current state, within the same undo step. If it then equals the previous state, the step is
        removed."""
        self.present, self._forth = state, []
        if self._back and self._back[-1] == state:
            self._back.pop()

    def undo(self) -> T | None:
        """Step back to the previous state and return it; None if there is none."""
        return self._move(self._back, self._forth)

    def redo(self) -> T | None:
        """Return to the state that was undone last; None if there is none."""
        return self._move(self._forth, self._back)

    def _move(self, source: list[T], target: list[T]) -> T | None:
        if not source:
            return None
        target.append(self.present)
        self.present = source.pop()
        return self.present


Ids = tuple[int, ...]


class BeamGrowth:
    """Growth of a tree below one of its tokens, ``start``, by a beam search.

    Beams that were kept and later pruned stay in the tree; of the candidates that were never kept, only those of the
    last step.
    """

    def __init__(self, tree: Tree, start: int) -> None:
        self._tree, self._start = tree, start
        self._tips: dict[Ids, int] = {(): start}  # last token of each beam kept in the last step
        self._alive: set[int] = set()  # tokens on these beams
        self._candidates: list[int] = []  # tokens that the last step added for pruned beams

    def take(self, step: BeamStep) -> list[int]:
        """Add the tokens of a step, and return the keys of the last token of each kept beam."""
        for key in self._candidates:
            self._tree.remove(key)
        tips = {  # a beam that has already ended is found here
            beam.ids: self._tips.get(beam.ids) or self._add(beam, kept=True) for beam in step.kept}
        alive = {key for tip in tips.values() for key in self._back_from(tip)}
        for key in sorted(self._alive - alive, reverse=True):  # backwards: later tokens have larger keys
            self._tree.prune(key)
        before = set(self._tree.children(self._start)).union(*map(self._tree.children, self._tips.values()))
        added = [self._add(beam, kept=False) for beam in step.pruned if beam.ids not in self._tips]
        self._candidates = [key for key in added if key not in before]
        self._tips, self._alive = tips, alive
        return list(tips.values())

    def _back_from(self, key: int) -> Iterator[int]:
        """Yield the tokens of a beam from the last to the first one found by the search."""
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
    """Branch of a tree that ends at a token: computed once, then extended with the text, because computing it takes
    long for a long text.

    Attributes:
        given: number of tokens of the prompt; the model drew the following ones, in this or in another branch.
        by_hand: positions after the prompt at which the user chose the token.
        forks: positions with alternative tokens.
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
        """Return the branch extended by one token, which must be the only one to follow."""
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
"""Number of tokens whose logits are kept, 200 KB each. Older ones are computed again on request."""


@dataclass
class TextSnapshot:
    """State that undo restores.

    Attributes:
        tip: last token of the displayed branch.
        cursor: position of the chosen token; None if there is none.
        model: model that generated the tree.
        endings: reasons why texts ended of their own accord, by their last token.
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
    """Text with its current snapshot, the snapshots before it, and the logits of its newest tokens."""

    def __init__(self) -> None:
        self.snapshot = TextSnapshot()
        self.history = UndoHistory(self.snapshot.copy())
        self.following = True
        """True if the newest token is the chosen one, until the user chooses another."""
        self.drawn = 0
        """Number of tokens that the model has generated here so far, in the first of several texts."""
        self._logits: OrderedDict[tuple[int, ...], Floats] = OrderedDict()  # by the ids up to the token
        self._pending: tuple[Model, Tokenizer, int] | None = None
        """Model and tokenizer of the text being generated, and the number of known tokens."""
        self._tips: dict[int, int] = {}  # last token of each sample
        self._texts: dict[int, tuple[int, ...]] = {}  # ids of each sample up to there
        self._beams: BeamGrowth | None = None  # of the current search
        self._abandoned = False  # True if the text being generated is ignored
        self._elsewhere = False  # True if the user has gone to another branch than the one being written
        self._walked: BranchPath | None = None

    # Display.

    @property
    def walk(self) -> BranchPath:
        """Displayed branch."""
        walked, snapshot = self._walked, self.snapshot
        if walked is None or walked.tree is not snapshot.tree or walked.tip != snapshot.tip:
            walked = self._walked = BranchPath.to(snapshot.tree, snapshot.tip)
        return walked

    @property
    def path(self) -> list[Node]:
        """Tokens of the displayed branch, from first to last."""
        return self.walk.path

    @property
    def ids(self) -> tuple[int, ...]:
        """Token ids of the displayed branch."""
        return self.walk.ids

    @property
    def tokenizer(self) -> Tokenizer:
        """Tokenizer of the model that wrote the tree."""
        return self.snapshot.tree.tokenizer

    @property
    def text(self) -> str:
        """Text of the displayed branch."""
        return self.tokenizer.decode(self.ids)

    @property
    def chosen(self) -> Node | None:
        """Token at the cursor."""
        path, cursor = self.path, self.snapshot.cursor
        return path[cursor] if cursor is not None and cursor < len(path) else None

    @property
    def given(self) -> int:
        """Number of tokens of the prompt; the model generated the next token, in this or in another branch."""
        return self.walk.given

    @property
    def ending(self) -> str:
        """Reason why the displayed text ended of its own accord; empty if it did not."""
        return self.snapshot.endings.get(self.snapshot.tip, "")

    def logits(self, position: int) -> Floats | None:
        """Return the logits of a token of the displayed text, if they are still cached."""
        return self._logits.get(self.ids[: position + 1])

    def keep_logits(self, ids: Sequence[int], logits: Floats | None) -> None:
        """Cache the logits (V,) from which the last of these tokens was chosen."""
        if logits is not None:
            self._logits[tuple(ids)] = logits
            while len(self._logits) > CACHED_LOGITS:
                self._logits.popitem(last=False)

    # Output of the model.

    def begin(self, model: Model, known: int) -> None:
        """Record that a model starts to generate a text, and the number of known tokens.

        Raises:
            UserError: the tokenizer of the model is unknown.
        """
        self._pending, self._tips, self._texts, self.following = (model, model.tokenizer, known), {}, {}, True
        self._beams, self._abandoned = None, False

    def abandon(self) -> None:
        """Keep the displayed text: ignore the one that was requested instead, unless its prompt was read already."""
        self._abandoned = not self._tips

    def take(self, event: Event) -> bool:
        """Process an event of the text being generated, and return whether it was used: not after :meth:`abandon`."""
        if self._abandoned:
            return False
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
        return True

    def _go_on_from(self, prompt: PromptRead) -> None:
        """Continue the tree if it contains the prompt; another prompt or model starts a new tree."""
        if self._pending is None:
            raise RuntimeError("a prompt was read before a text was asked for")
        model, tokenizer, known = self._pending
        ids, tree = [piece.id for piece in prompt.pieces], self.snapshot.tree
        same = known or (model == self.snapshot.model and prompt.model == tree.model)
        tip = tree.find(ids[:known] if known else ids) if same else None
        if tip is None:
            last = self.snapshot  # interventions belong to the model; named ones are kept
            self.snapshot = TextSnapshot(
                Tree(prompt.model, interventions=dict(last.tree.interventions), tokenizer=tokenizer), model=model,
                interventions=last.interventions if model == last.model else NO_INTERVENTIONS)
            self._logits.clear()
            self.following = True
        self.snapshot.model, self._elsewhere = model, False
        before = ids[:known] if tip is not None else []
        self._tips, self._texts = {0: tip if before and tip is not None else ROOT}, {0: tuple(before)}

    def _put(self, reading: TokenRead | TokenDrawn, sample: int) -> None:
        """Append a token to its text; all samples continue from the given tokens. The first one is shown, unless the
        user has gone to another branch meanwhile."""
        tree = self.snapshot.tree
        if sample not in self._tips:
            self._tips[sample], self._texts[sample] = tree.nodes[self._tips[0]].parent, self._texts[0][:-1]
        before, count = self._tips[sample], len(tree.nodes)
        self._tips[sample] = tip = tree.add(before, reading)
        self._texts[sample] = (*self._texts[sample], reading.id)
        self.keep_logits(self._texts[sample], reading.logits)
        shown = sample == 0 and (self.following or not self._elsewhere or before == self.snapshot.tip)
        self._walk_on(before, tip, shown, len(tree.nodes) > count)
        self.drawn += sample == 0 and isinstance(reading, TokenDrawn)
        if shown:
            self._show_tip(tip)

    def _grow(self, step: BeamStep) -> None:
        """Continue the beams of a search from the given tokens, and show the best one."""
        tree = self.snapshot.tree
        self._beams = self._beams or BeamGrowth(tree, self._tips[0])
        for key, beam in zip(kept := self._beams.take(step), step.kept, strict=True):
            if beam.ending:
                self.snapshot.endings[key] = beam.ending
        self._walked = None
        self._show_tip(kept[0])

    def _show_tip(self, tip: int) -> None:
        """Show the branch that is being written. The cursor stays where it is, or follows the newest token."""
        self.snapshot.tip = tip
        self._move_to(len(self.path) if self.following else self.snapshot.cursor)

    def _walk_on(self, before: int, tip: int, shown: bool, new: bool) -> None:
        """Extend the cached branch by a token added at its end, or discard it if it may have changed."""
        tree, walked = self.snapshot.tree, self._walked
        alone = new and len(tree.children(before)) == 1
        if shown and alone and walked and walked.tree is tree and walked.tip == before:
            self._walked = walked.on_to(tree.nodes[tip])
        elif shown or not alone:
            self._walked = None

    # User actions.

    def choose(self, position: int | None) -> None:
        """Move the cursor to a token of the displayed branch, at most to its last one."""
        self.following = False
        self._move_to(position)

    def follow_newest(self) -> None:
        """Move the cursor to the last token, and on to each new one."""
        self.choose(len(self.path))
        self.following = True

    def go(self, key: int) -> None:
        """Show the branch that contains a token, with the cursor on this token."""
        self.following = False
        if all(node.key != key for node in self.path):
            self.snapshot.tip, self._elsewhere = self.snapshot.tree.leaf(key), True
        self._move_to(self.snapshot.tree.nodes[key].position)

    def switch_to(self, tip: int) -> None:
        """Show the branch that ends at a token, with the cursor at its current position, or at the end if that is
        before."""
        self.following, self.snapshot.tip, self._elsewhere = False, tip, True
        cursor = self.snapshot.cursor
        self._move_to(len(self.path) if cursor is None else cursor)

    def _move_to(self, position: int | None) -> None:
        """Set the cursor; None if the displayed branch has no tokens, as before the first one of a new text."""
        last = len(self.path) - 1
        self.snapshot.cursor = None if position is None or last < 0 else min(max(position, 0), last)

    def intervene(self, interventions: Interventions, keep: bool = True) -> None:
        """Set the interventions with which the text is read. ``keep``: as a step that can be undone."""
        self.snapshot.interventions = interventions
        if keep:
            self.keep()

    def name_interventions(self, name: str, interventions: Interventions | None) -> None:
        """Save interventions under a name; None removes them."""
        named = self.snapshot.tree.interventions
        named.pop(name, None)
        if interventions is not None:
            named[name] = interventions
        self.keep()

    def rename(self, key: int, name: str) -> None:
        """Set the name of a branch."""
        self.snapshot.tree.rename(key, name)
        self._walked = None
        self.keep()

    def remove(self, key: int) -> None:
        """Remove a token and everything after it."""
        tree = self.snapshot.tree
        shown, parent = any(node.key == key for node in self.path), tree.nodes[key].parent
        tree.remove(key)
        self._walked = None
        if shown:
            self.snapshot.tip = tree.leaf(parent)
            self._move_to(self.snapshot.cursor or 0)
        self.keep()

    def open(self, tree: Tree, model: Model | None) -> None:
        """Show another tree."""
        self.snapshot = TextSnapshot(tree, tree.leaf(ROOT), None, model)
        self._move_to(len(self.path))
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
                self._logits.clear()  # they belong to another model
            self.snapshot, self.following = snapshot.copy(), False
