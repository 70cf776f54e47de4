"""Controls for changes to a model's components and inputs, and sentences that describe the changes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QSlider, QWidget

from gptstudio.data.texts import NAMES
from gptstudio.errors import UserError, text_of
from gptstudio.gpt.tokenizer import GPT2, Tokenizer, single_token
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, vbox, with_layout
from gptstudio.gui.widgets.parts import Notice, button, choice_box, label, named, set_blocker, set_entries
from gptstudio.i18n import message
from gptstudio.inference.interventions import (
    LARGEST_FACTOR,
    NO_INTERVENTIONS,
    AttentionPattern,
    Change,
    Component,
    Intervention,
    Interventions,
    PermutedPositions,
    ReplacedEmbedding,
    place_of,
)

LISTED = 6


def component_name(component: Component) -> str:
    """Return the name of a component: counted from 1, and from 0 in parentheses, as in code and on the command line."""
    if component.head is None:
        return tr("Layer {n}, MLP ({name})", n=component.layer + 1, name=str(component))
    return tr("Layer {n}, head {head} ({name})", n=component.layer + 1, head=component.head + 1, name=str(component))


def summary(interventions: Interventions, tokenizer: Tokenizer = GPT2) -> str:
    """Return one sentence for each change, up to the first few."""
    changes = interventions.changes
    if not changes:
        return tr("Nothing is changed. Click a head or an MLP in the diagram to switch it off.")
    more = tr("… and {n} more", n=len(changes) - LISTED) if len(changes) > LISTED else ""
    return joined("\n", *(words(each, tokenizer) for each in changes[:LISTED]), *filter(None, [more]))


def words(change: Change, tokenizer: Tokenizer = GPT2) -> str:
    """Return a sentence that describes a change."""
    match change:
        case Intervention(factor=0, baseline="zero"):
            return tr("{name}: off", name=component_name(change.component))
        case Intervention(factor=0):
            return tr("{name}: replaced by its mean", name=component_name(change.component))
        case Intervention(baseline="zero"):
            return tr("{name}: {share} % of its output", name=component_name(change.component),
                      share=f"{100 * change.factor:.0f}")
        case Intervention():
            return tr("{name}: {share} % of its distance from its mean", name=component_name(change.component),
                      share=f"{100 * change.factor:.0f}")
        case AttentionPattern(pattern="uniform"):
            return tr("{name}: attends to all tokens so far alike", name=component_name(change.component))
        case AttentionPattern(pattern="previous"):
            return tr("{name}: attends to the previous token", name=component_name(change.component))
        case AttentionPattern():
            return tr("{name}: attends to the token itself", name=component_name(change.component))
        case ReplacedEmbedding():
            return tr("Position {n} is read as “{token}”", n=change.position, token=tokenizer.visible(change.token))
        case PermutedPositions():
            return tr("The positions of the first {n} tokens are shuffled", n=change.count)


def marks(interventions: Interventions) -> dict[Component, str]:
    """Return the marks of changed components: a cross for off, a percentage, or the sign of a frozen pattern."""
    found: dict[Component, str] = {}
    for change in interventions.changes:
        match change:
            case Intervention(factor=0):
                found[change.component] = "×"
            case Intervention():
                found[change.component] = f"{100 * change.factor:.0f}"
            case AttentionPattern():
                found.setdefault(change.component, "≡")
    return found


PATTERNS = {
    "": message("As computed"), "uniform": message("Uniform"), "previous": message("Previous token"),
    "itself": message("Itself"),
}


class ComponentControls(QWidget):
    """Controls for one component; emit all changes, with the new one of this component.

    Attributes:
        details: controls for the replacement of its output and for its attention, in a separate widget that can be
            folded.
    """

    intervened = Signal(object, bool)
    """Emitted with the interventions, and True if this is a step that can be undone; False while the slider is
    dragged."""

    def __init__(self) -> None:
        super().__init__()
        self._component = Component(0)
        self._interventions = NO_INTERVENTIONS
        self._make_controls()
        instead = label(tr("Instead of its output"), buddy=self.baseline)
        with_layout(self, vbox(self.title, hbox(grows(self.slider), self.factor, self.off, spacing=8), spacing=8))
        self.details = with_layout(QWidget(), vbox(
            hbox(instead, self.baseline, self.mean_over, FREE, spacing=8),
            hbox(self.attention_words, self.pattern, FREE, spacing=8), spacing=8))

    @property
    def changes_details(self) -> bool:
        """True if the component is replaced by its mean instead of zero, or has frozen attention."""
        return any(isinstance(each, AttentionPattern) or (isinstance(each, Intervention) and each.baseline == "mean")
                   for each in self._interventions.of(self._component))

    def show_component(self, component: Component, interventions: Interventions, texts: Sequence[str]) -> None:
        """Show the changes of a component. ``texts``: names of the texts over which a mean can be taken."""
        self._component, self._interventions = component, interventions
        kinds = {each.kind: each for each in interventions.of(component)}
        scaled, pattern = kinds.get("scale"), kinds.get("pattern")
        factor = scaled.factor if isinstance(scaled, Intervention) else 1.0
        mean = isinstance(scaled, Intervention) and scaled.baseline == "mean"
        self.title.setText(component_name(component))
        if not self.slider.isSliderDown():
            with QSignalBlocker(self.slider):
                self.slider.setValue(round(100 * factor))
        self.factor.setText(_percent(factor))
        self.off.setText(tr("Off") if factor else tr("On"))
        if scaled is not None:  # otherwise the last choice stays for the next change
            with QSignalBlocker(self.baseline):
                self.baseline.setCurrentIndex(int(mean))
        names = (tr(NAMES[text]) if text in NAMES else text for text in texts)
        set_entries(self.mean_over, [tr("over this text"), *(tr("over {text}", text=name) for name in names)],
                    1 + list(texts).index(interventions.mean_over) if interventions.mean_over in texts else 0,
                    ["", *texts])
        self.mean_over.setVisible(self.baseline.currentIndex() == 1)
        with QSignalBlocker(self.pattern):
            self.pattern.setCurrentIndex(
                list(PATTERNS).index(pattern.pattern) if isinstance(pattern, AttentionPattern) else 0)
        set_blocker(self.pattern, tr("A feed-forward network attends to nothing: it sees each token by itself.")
               if component.head is None else "")

    def _scale(self, keep: bool) -> None:
        factor = self.slider.value() / 100
        self.factor.setText(_percent(factor))
        change = Intervention.of(self._component, factor, self.baseline.currentData())
        self._change(change, factor != 1, keep)

    def _choose_baseline(self) -> None:
        self.mean_over.setVisible(self.baseline.currentIndex() == 1)
        if self.slider.value() != 100:
            self._scale(keep=True)

    def _choose_pattern(self) -> None:
        pattern = self.pattern.currentData()
        change = AttentionPattern(
            layer=self._component.layer, head=self._component.head, pattern=pattern or "uniform")
        self._change(change, bool(pattern), True)

    def _change(self, change: Change, holds: bool, keep: bool) -> None:
        made = self._interventions.having(change) if holds else self._interventions.without(place_of(change))
        if made != self._interventions or keep:
            self.intervened.emit(made, keep)

    def _make_controls(self) -> None:
        self.title = label("", "heading", "what_if_component")
        self.slider = named(QSlider(Qt.Orientation.Horizontal), "what_if_factor", tr("Share of its output"))
        self.slider.setRange(0, round(100 * LARGEST_FACTOR))
        self.slider.setSingleStep(5)
        self.slider.setPageStep(25)
        self.slider.setValue(100)
        self.slider.setToolTip(tr("Share of this component's output that is passed on: 0 % is off, 100 % as it is"))
        self.slider.valueChanged.connect(lambda _: self._scale(keep=not self.slider.isSliderDown()))
        self.slider.sliderReleased.connect(lambda: self._scale(keep=True))
        self.factor = label("", "figure", "what_if_percent")
        self.factor.setMinimumWidth(self.fontMetrics().horizontalAdvance("200 %") + 8)
        self.off = button(tr("Off"), "what_if_off", tr("Switches this component off, or on again"), "quiet",
                          lambda: self.slider.setValue(0 if self.slider.value() else 100))
        kinds = {"zero": tr("zero"), "mean": tr("its mean")}
        self.baseline = choice_box("what_if_baseline", tr("Instead of its output"), kinds, tr(
            "Zero ablation takes the output away. Mean ablation puts its average over a text in its place, which "
            "leaves the rest of the model nearer to what it is used to."))
        self.baseline.activated.connect(lambda _: self._choose_baseline())
        self.mean_over = choice_box("what_if_mean_over", tr("Text that the mean is taken over"), letters=14)
        self.mean_over.activated.connect(lambda _: self.intervened.emit(
            self._interventions.model_copy(update={"mean_over": self.mean_over.currentData()}), True))
        self.mean_over.hide()
        patterns = {name: tr(words) for name, words in PATTERNS.items()}
        self.pattern = choice_box("what_if_pattern", tr("Attention of this head"), patterns, tr(
            "Freezes where this head attends: to all tokens so far alike, to the previous token, or to the token "
            "itself"))
        self.pattern.activated.connect(lambda _: self._choose_pattern())
        self.attention_words = label(tr("Attention"), buddy=self.pattern)


def _percent(factor: float) -> str:
    return f"{100 * factor:.0f} %"


class InputControls(QWidget):
    """Controls for the input; emit all changes, with new ones of positions or embeddings."""

    intervened = Signal(object, bool)

    def __init__(self) -> None:
        super().__init__()
        self._interventions = NO_INTERVENTIONS
        self._ids: tuple[int, ...] = ()
        self._cursor: int | None = None
        self._tokenizer: Tokenizer = GPT2
        self._make_controls()
        with_layout(self, vbox(
            self.permute, hbox(self.replaced, grows(self.word), self.restore, spacing=8), self.notice, spacing=8))

    @property
    def changes_input(self) -> bool:
        """True if positions or embeddings are changed."""
        return any(isinstance(each, PermutedPositions | ReplacedEmbedding) for each in self._interventions.changes)

    def show_text(
        self, ids: tuple[int, ...], cursor: int | None, interventions: Interventions, tokenizer: Tokenizer
    ) -> None:
        """Show the changes of a text's input. ``cursor``: position of the chosen token."""
        self._interventions, self._ids, self._cursor, self._tokenizer = interventions, ids, cursor, tokenizer
        with QSignalBlocker(self.permute):
            self.permute.setChecked(any(isinstance(each, PermutedPositions) for each in interventions.changes))
        here = next((each for each in interventions.changes
                     if isinstance(each, ReplacedEmbedding) and each.position == cursor), None)
        chosen = tokenizer.visible(ids[cursor]) if cursor is not None and cursor < len(ids) else ""
        self.replaced.setText(tr("Read “{token}” as", token=chosen) if chosen else tr("Read the chosen token as"))
        if not self.word.hasFocus():
            self.word.setText(tokenizer.decode([here.token]) if here else "")
        set_blocker(self.word, "" if chosen else tr("Select a token first."))
        self.restore.setVisible(here is not None)

    def _permute(self, on: bool) -> None:
        change = PermutedPositions(count=len(self._ids), seed=0)
        made = self._interventions.having(change) if on else self._interventions.without(("positions",))
        self.intervened.emit(made, True)

    def _replace(self) -> None:
        self.notice.setText("")
        if self._cursor is None or not self.word.text():
            return
        try:
            token = single_token(self.word.text(), self._tokenizer)
        except UserError as error:
            self.notice.setText(tr(text_of(error)))
            return
        self.intervened.emit(self._interventions.having(ReplacedEmbedding(position=self._cursor, token=token)), True)

    def _restore(self) -> None:
        self.word.clear()
        self.intervened.emit(self._interventions.without(("embedding", self._cursor)), True)

    def _make_controls(self) -> None:
        self.permute = named(QCheckBox(tr("Shuffle the positions")), "what_if_permute", tr("Shuffle the positions"))
        self.permute.setToolTip(tr(
            "Gives the position embeddings of the tokens in another order, always the same one: shows what the model "
            "uses positions for"))
        self.permute.toggled.connect(self._permute)
        self.word = named(QLineEdit(), "what_if_word", tr("Token to read instead"))
        self.word.setPlaceholderText(tr("another token, then Enter"))
        self.word.setToolTip(tr(
            "The model reads the embedding of this token at the chosen position; the text stays as it is"))
        self.word.returnPressed.connect(self._replace)
        self.replaced = label("", buddy=self.word)
        self.restore = button(tr("As it is"), "what_if_restore", tr("Reads the token itself again"), "quiet",
                              self._restore)
        self.notice = Notice("what_if_word_notice")
