"""The manual and the glossary: Markdown pages in both languages, divided into sections, and the technical terms.

A page is ``resources/manual/LANGUAGE/NAME.md``. Each heading begins a section, with an anchor derived from the English
heading; pages in other languages have the same sections in the same order. A link to an experiment without a text gets
one where it is displayed. The English pages name the controls that a section explains in a comment below its heading:
``<!-- controls: start, step -->``. The terms come from ``resources/glossary.toml``. No Qt.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gptstudio import paths
from gptstudio.app.state import AppState
from gptstudio.gpt import sizing
from gptstudio.gpt.sampling import STAGES
from gptstudio.i18n import CHINESE, ENGLISH, LANGUAGES, message
from gptstudio.training.events import Evaluated

FIELD_TERMS = {
    "vocabulary": "vocabulary", "vocab_size": "vocabulary", "context_length": "context-length", "emb_dim": "width",
    "n_heads": "head",
    "n_layers": "block", "drop_rate": "dropout", "drop_rate_emb": "dropout", "drop_rate_attn": "dropout",
    "drop_rate_shortcut": "dropout", "epochs": "epoch", "steps": "step", "batch_size": "batch",
    "accumulation": "accumulation", "learning_rate": "learning-rate", "warmup_steps": "warm-up",
    "weight_decay": "weight-decay", "gradient_clip": "gradient-clipping", "stride": "stride", "seed": "random-seed",
    "max_new_tokens": "token", "optimizer": "optimizer", "momentum": "momentum", "muon_momentum": "momentum",
}
"""Keys of terms, by the names of the settings fields that they explain."""


@dataclass(frozen=True)
class Term:
    """Term in one language, with one sentence about it.

    Attributes:
        key: name in the file, and anchor in the manual.
        english: the term in English.
        lab: experiment that shows it; empty if there is none.
        see: keys of related terms.
    """

    name: str
    text: str
    key: str = ""
    english: str = ""
    lab: str = ""
    see: tuple[str, ...] = ()


@lru_cache(maxsize=len(LANGUAGES))
def terms(language: str) -> list[Term]:
    """Return all terms in a language, ``en`` or ``zh_CN``."""
    import tomllib  # not needed when the window opens

    table = tomllib.loads((paths.resources() / "glossary.toml").read_text(encoding="utf-8"))
    return [Term(each[language], each[f"{language}_text"], key, each["en"], each.get("lab", ""),
                 tuple(each.get("see", ()))) for key, each in table.items()]


GLOSSARY = "glossary"
PAGES = (
    "getting_started", "model", "training", "decoding", "runs", "texts", "learn", "lessons", "weights", "keyboard",
    "troubleshooting", "files", "workshop", "command_line", "python_interface", "gpu_server", GLOSSARY,
)
"""Names of the pages, in the order of the table of contents."""

HEADING = re.compile(r"(#{1,3}) (.+)")
CONTROLS = re.compile(r"<!-- controls: (.+?) -->\n?", re.DOTALL)
MARKUP = re.compile(
    r"!\[([^\]]*)\]\([^)]*\)|\[([^\]]*)\]\([^)]*\)|[*`|]|^\s*[-:| ]{5,}$|^\s*(?:-|\d\.) (?:\[ \] )?", re.MULTILINE)
GLOSSARY_WORDS = {
    ENGLISH: ("Glossary", "See also: ", ", ", "The terms of the window and of the manual."),
    CHINESE: ("术语表", "另见：", "、", "窗口和手册中使用的术语。"),
}
AROUND = 60
"""Number of characters of a section to show on each side of a search result."""


@dataclass(frozen=True)
class Section:
    """Heading and the text below it, up to the next heading.

    Attributes:
        anchor: name within the page; empty for the first section, which begins with the page's title.
        level: 1 for the title of a page, 2 or 3 for other headings.
        text: Markdown below the heading.
        controls: names of the controls that it explains; in English only.
    """

    page: str
    anchor: str
    level: int
    title: str
    text: str
    controls: tuple[str, ...] = ()

    @property
    def topic(self) -> str:
        """Identifier of the section in the manual: ``training#checkpoints``."""
        return f"{self.page}#{self.anchor}" if self.anchor else self.page

    @property
    def plain(self) -> str:
        """Text without markup, in one line."""
        return " ".join(MARKUP.sub(lambda found: found[1] or found[2] or "", self.text).split())


@dataclass(frozen=True)
class Hit:
    """Search result: a section and the text around the match."""

    section: Section
    page_title: str
    snippet: str


def page(name: str, language: str) -> tuple[Section, ...]:
    """Return the sections of a page; the first has its title.

    Raises:
        KeyError: there is no such page.
    """
    return _pages(language)[name]


def markdown(name: str, language: str) -> str:
    """Return a page as one Markdown text, without comments."""
    return "\n\n".join(f"{'#' * each.level} {each.title}\n\n{each.text}" for each in page(name, language))


def find(topic: str, language: str) -> Section:
    """Return the section of a topic. If the section is missing, return the first of the page; if the page is missing,
    the first of the manual."""
    name, _, anchor = topic.partition("#")
    sections = _pages(language).get(name) or page(PAGES[0], language)
    return next((each for each in sections if each.anchor == anchor), sections[0])


def search(query: str, language: str) -> list[Hit]:
    """Return the sections that contain all words of a query; sections with all words in their heading come first."""
    words = query.casefold().split()
    hits = []
    for sections in _pages(language).values() if words else ():
        for section in sections:
            plain = section.plain
            if all(word in f"{section.title} {plain}".casefold() for word in words):
                hits.append(Hit(section, sections[0].title, _snippet(plain, words)))
    return sorted(hits, key=lambda hit: not all(word in hit.section.title.casefold() for word in words))


def topic_of(names: Iterable[str]) -> str:
    """Return the topic of the first of these controls that a section explains; empty if there is none."""
    topics = control_topics()
    return next((topics[name] for name in names if name in topics), "")


@lru_cache(maxsize=1)
def control_topics() -> dict[str, str]:
    """Return the topic of each control that a section explains."""
    return {name: section.topic for sections in _pages(ENGLISH).values() for section in sections
            for name in section.controls}


@lru_cache(maxsize=len(LANGUAGES))
def _pages(language: str) -> dict[str, tuple[Section, ...]]:
    written = [name for name in PAGES if name != GLOSSARY]
    made = {name: tuple(_sections(name, language)) for name in written}
    return made | {GLOSSARY: tuple(_glossary(language))}


def _sections(name: str, language: str) -> Iterator[Section]:
    parts = list(_split(_read(name, language)))
    titles = [title for _, title, _ in (parts if language == ENGLISH else _split(_read(name, ENGLISH)))]
    for place, (level, title, text) in enumerate(parts):
        controls = tuple(each.strip() for found in CONTROLS.findall(text) for each in found.split(","))
        anchor = _anchor(titles[place]) if 0 < place < len(titles) else ""
        yield Section(name, anchor, level, title, CONTROLS.sub("", text).strip("\n"), controls)


def _read(name: str, language: str) -> str:
    return (paths.resources() / "manual" / language / f"{name}.md").read_text(encoding="utf-8")


def _split(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield level, title and text of each section. Lines of code are indented, so they are never headings."""
    level, title, lines = 1, "", list[str]()
    for line in text.splitlines():
        heading = HEADING.fullmatch(line)
        if heading:
            if title:
                yield level, title, "\n".join(lines)
            level, title, lines = len(heading[1]), heading[2], []
        else:
            lines.append(line)
    yield level, title, "\n".join(lines)


def _anchor(title: str) -> str:
    """Return the anchor of an English heading, as on GitHub."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


# The glossary, made from its terms.


def _glossary(language: str) -> Iterator[Section]:
    title, see, comma, about = GLOSSARY_WORDS[language]
    known = {term.key: term for term in terms(language)}
    yield Section(GLOSSARY, "", 1, title, about)
    for term in sorted(known.values(), key=lambda each: each.english.casefold()):
        related = comma.join(f"[{known[key].name}](#{key})" for key in term.see)
        lines = [term.text, f"{see}{related}" if related else "", f"[](lab:{term.lab})" if term.lab else ""]
        yield Section(GLOSSARY, term.key, 2, _title(term), "\n\n".join(filter(None, lines)))


def _title(term: Term) -> str:
    """Return the term followed by the English term, which determines the order of the list."""
    return term.name if term.name.casefold() == term.english.casefold() else f"{term.name}（{term.english}）"


def _snippet(text: str, words: list[str]) -> str:
    places = [place for word in words if (place := text.casefold().find(word)) >= 0]
    first = min(places, default=0)
    start, end = max(0, first - AROUND), first + AROUND
    start = text.find(" ", start, first) + 1 or start  # start at a word, if there are spaces
    return f"{'…' if start else ''}{text[start:end].strip()}{'…' if end < len(text) else ''}"


Values = dict[str, Callable[[Any], str]]
"""Functions that return a message with the value of a term, by the term's key in the glossary."""
BITS = 1 / math.log(2)  # bits per nat


def value_of(term: str, state: AppState) -> str:
    """Return a sentence with the current value of a term, as a message; empty if there is none."""
    stage = term.replace("-", "_")
    if stage in STAGES:
        value = getattr(state.sampling_params, stage)
        return message("Set on Generate: {value}.", value="–" if value is None else f"{value:g}")
    if term == "random-seed" and state.page == "generate":
        return message("For this text: {value}.", value=f"{state.generate_values['seed']}")
    for values, subject in (
        (OF_LAST_STEP, state.run.last), (OF_EVALUATION, _last_evaluation(state)),
        (OF_PLAN, state.text_check and state.text_check.plan), (OF_CONFIG, state.config),
        (OF_SPEC, state.run.spec or state.valid_spec),
    ):
        if term in values and subject is not None:
            return values[term](subject)
    return ""


def _last_evaluation(state: AppState) -> Evaluated | None:
    table = state.run.history.evaluations
    if not len(table):
        return None
    step, tokens, train, val = (table[name][-1] for name in ("step", "tokens_seen", "train_loss", "val_loss"))
    return Evaluated(step=int(step), tokens_seen=int(tokens), train_loss=float(train), val_loss=float(val))


def _nats(value: float) -> str:
    return message("Now in this run: {value} nats per token.", value=f"{value:.3f}")


def _here(value: str) -> str:
    return message("In this run: {value}.", value=value)


OF_LAST_STEP: Values = {
    "batch-loss": lambda last: _nats(last.loss),
    "nat": lambda last: message(
        "The loss of the last step, {nats} nats, is {bits} bits.",
        nats=f"{last.loss:.3f}", bits=f"{last.loss * BITS:.3f}"),
    "step": lambda last: message("Steps done in this run: {n}.", n=f"{last.step + 1:,}"),
    "epoch": lambda last: message("This run is in epoch {n}.", n=f"{last.epoch:,}"),
    "gradient-norm": lambda last: _here(f"{last.gradient_norm:.3g}"),
    "gradient": lambda last: message(
        "Norm of the gradient of the last step: {value}.", value=f"{last.gradient_norm:.3g}"),
    "learning-rate": lambda last: _here(f"{last.learning_rate:.4g}"),
    "token": lambda last: message("Tokens seen by this run: {n}.", n=f"{last.tokens_seen:,}"),
}
OF_EVALUATION: Values = {
    "training-loss": lambda found: _nats(found.train_loss),
    "cross-entropy": lambda found: message(
        "Validation loss of this run: {value} nats per token.", value=f"{found.val_loss:.3f}"),
    "validation-loss": lambda found: _nats(found.val_loss),
    "perplexity": lambda found: message(
        "In this run, as unsure as among {n} equally likely tokens.", n=f"{math.exp(min(found.val_loss, 700)):,.4g}"),
    "overfitting": lambda found: message(
        "In this run, the validation loss is {gap} nats above the training loss.",
        gap=f"{found.val_loss - found.train_loss:.3f}"),
}
OF_PLAN: Values = {
    "token": lambda plan: message("The training text has {n} tokens.", n=f"{plan.train_tokens:,}"),
    "epoch": lambda plan: message("An epoch has {n} steps here.", n=f"{plan.steps_per_epoch:,}"),
    "step": lambda plan: message("The run will have {n} steps.", n=f"{plan.total_steps:,}"),
}
OF_CONFIG: Values = {
    "parameters": lambda config: message(
        "This model has {n} parameters.", n=f"{sizing.parameter_count(config):,}"),
    "vocabulary": lambda config: message("This model knows {n} tokens.", n=f"{config.vocab_size:,}"),
    "context-length": lambda config: message("This model reads {n} tokens at once.", n=f"{config.context_length:,}"),
    "window": lambda config: message("Here a window has {n} tokens.", n=f"{config.context_length:,}"),
    "width": lambda config: message("In this model: {n} numbers for each token.", n=f"{config.emb_dim:,}"),
    "embedding": lambda config: message("In this model: {n} numbers for each token.", n=f"{config.emb_dim:,}"),
    "position-embedding": lambda config: message(
        "This model has {n} positions.", n=f"{config.context_length:,}"),
    "head": lambda config: message("Heads in each block of this model: {n}.", n=f"{config.n_heads}"),
    "block": lambda config: message("Blocks in this model: {n}.", n=f"{config.n_layers}"),
    "feed-forward": lambda config: message(
        "In this model: from {n} numbers to {wide}, and back.",
        n=f"{config.emb_dim:,}", wide=f"{4 * config.emb_dim:,}"),
    "dropout": lambda config: message("In this model: {share} % are dropped.", share=f"{100 * config.drop_rate:g}"),
    "weight-tying": lambda config: message(
        "It saves {n} parameters here.", n=f"{config.vocab_size * config.emb_dim:,}"),
    "random-guessing": lambda config: message(
        "With {n} tokens: ln({n}) = {loss}.", n=f"{config.vocab_size:,}", loss=f"{math.log(config.vocab_size):.2f}"),
}
OF_SPEC: Values = {
    "batch": lambda spec: message("Each batch here has {n} windows.", n=f"{spec.batch_size}"),
    "accumulation": lambda spec: message("Batches for each step here: {n}.", n=f"{spec.accumulation}"),
    "learning-rate": lambda spec: _here(f"{spec.learning_rate:g}"),
    "warm-up": lambda spec: message("Steps of warm-up here: {n}.", n=f"{spec.warmup_steps:,}"),
    "weight-decay": lambda spec: _here(f"{spec.weight_decay:g}"),
    "gradient-clipping": lambda spec: _here(f"{spec.gradient_clip:g}"),
    "random-seed": lambda spec: _here(f"{spec.seed}"),
    "stride": lambda spec: _here(f"{spec.stride or spec.config.context_length:,}"),
}
