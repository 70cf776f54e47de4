"""Windows over the tokens of a text, and batches of them: what a model is shown, and what it is to say (seeds 2.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sized
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch

from gptstudio.data import texts
from gptstudio.data.texts import NAMES, VERDICT
from gptstudio.data.tokens import Tokens
from gptstudio.fields import Problem, Spec, setting
from gptstudio.gpt import tokenizer
from gptstudio.gpt.config import VOCAB_SIZE
from gptstudio.i18n import message
from gptstudio.labs import window_text
from gptstudio.labs.lab import Book, BookSource, Figure, Lab, Table
from gptstudio.labs.window_text import IDS, LONGEST, OWN, TokenText
from gptstudio.training.dataset import Windows

MOST_CHARACTERS = 20_000
MOST_IDS = 1_000
IDS_OF_SEED = (10, 20, 30, 40, 50, 60, 70)


class Ask(Spec):
    """A text, how windows are laid over it, and the window that is looked at."""

    text: Literal["verdict", "story", "own", "ids"] = setting(
        VERDICT, "Text", "The Verdict, the story that ships with GPT Studio, words of your own, or token ids.",
        panel=False,
    )
    own: str = setting(
        "Every effort moves you one step forward, and every step is an effort.", "Your own text",
        "Is read where the text is 'own'; up to 20,000 characters.", panel=False,
    )
    ids: tuple[int, ...] = setting(IDS_OF_SEED, "Token ids", "Are read where the text is 'ids'.", panel=False)
    context: int = setting(
        4, "Context", "How many tokens the model sees at once; the seeds call it max_length.",
        unit="tokens", low=1, high=LONGEST, step=1,
    )
    stride: int = setting(
        4, "Stride", "From the beginning of a window to that of the next.", unit="tokens", low=1, high=LONGEST, step=1
    )
    batch_size: int = setting(8, "Batch size", "Windows that go through the model together.", low=1, high=16, step=1)
    drop_last: bool = setting(True, "Drop the last batch", "Where it has fewer windows than the others.")
    window: int = setting(
        0, "Window", "Which one is looked at, counted from 0; past the last: the last.",
        low=0, high=MOST_CHARACTERS, panel=False,
    )

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        if values.get("text") == OWN and "own" in values:
            yield from _problems_of_own(values["own"], values.get("context", 1))
        if values.get("text") == IDS and "ids" in values:
            yield from _problems_of_ids(values["ids"], values.get("context", 1))


@dataclass(frozen=True)
class Answer:
    """Windows over N tokens, and the batch that one of them is in.

    Attributes:
        missing: why The Verdict is not what is shown, in words; empty where all is as asked.
        ids: (N,).
        starts: where each window begins, (windows,).
        as_input, as_target: how often each token is one in the windows that are used, (N,).
        inputs, targets: the batch, (B, T); fewer rows in the last one.
        dropped: whether this batch is dropped.
        used: how many windows are in batches that are not dropped.
    """

    name: str
    missing: str
    characters: int
    sha256: str
    ids: np.ndarray
    context: int
    starts: np.ndarray
    as_input: np.ndarray
    as_target: np.ndarray
    window: int
    batch: int
    first: int
    """The first window of the batch."""
    inputs: np.ndarray
    targets: np.ndarray
    dropped: bool
    used: int
    batches: int

    @property
    def tokens(self) -> int:
        return len(self.ids)

    @property
    def start(self) -> int:
        """Where the window that is looked at begins."""
        return int(self.starts[self.window])

    @property
    def skipped(self) -> int:
        """Tokens that no window has, neither as input nor as target."""
        return int(((self.as_input == 0) & (self.as_target == 0)).sum())

    @property
    def repeated(self) -> int:
        """Tokens that are an input more than once."""
        return int((self.as_input > 1).sum())

    @property
    def overlap(self) -> int:
        """Inputs that a window shares with the next; negative: so many lie between the two."""
        return self.context - int(self.starts[1] - self.starts[0]) if len(self.starts) > 1 else 0


def answer(ask: Ask) -> Answer:
    text = _text_of(ask)
    windows, places = (
        Windows(Tokens([each]), ask.context, ask.stride) for each in (text.ids, np.arange(len(text.ids)))
    )
    starts = places[torch.arange(len(windows))][:, 0].numpy()
    whole = len(windows) // ask.batch_size * ask.batch_size
    used = whole if ask.drop_last else len(windows)
    first = _first_of_batch(ask, windows)
    batch = windows[torch.arange(first, min(first + ask.batch_size, len(windows)))]
    return Answer(
        text.name, text.missing, text.characters, text.sha256, text.ids, ask.context, starts,
        as_input=_times(starts[:used], ask.context, len(text.ids)),
        as_target=_times(starts[:used] + 1, ask.context, len(text.ids)),
        window=min(ask.window, len(windows) - 1), batch=first // ask.batch_size, first=first,
        inputs=batch[:, :-1].numpy(), targets=batch[:, 1:].numpy(), dropped=first >= used, used=used,
        batches=-(-used // ask.batch_size),
    )


def _text_of(ask: Ask) -> TokenText:
    return window_text.read(ask.text, ask.own, ask.ids)


def _first_of_batch(ask: Ask, windows: Sized) -> int:
    """The first window of the batch that the looked-at window is in."""
    return min(ask.window, len(windows) - 1) // ask.batch_size * ask.batch_size


def _times(starts: np.ndarray, length: int, count: int) -> np.ndarray:
    """How many stretches of this length each of ``count`` places lies in."""
    change = np.bincount(starts, minlength=count + 1) - np.bincount(starts + length, minlength=count + 1)
    return np.cumsum(change[:count])


def _problems_of_own(text: str, context: int) -> Iterator[Problem]:
    if not text:
        yield Problem("own", message("Your own text is empty. Type a sentence."))
    elif len(text) > MOST_CHARACTERS:
        yield Problem("own", message(
            "Your own text has {count} characters; up to {most} are read here. Take some out.",
            count=f"{len(text):,}", most=f"{MOST_CHARACTERS:,}",
        ))
    elif any("\ud800" <= char <= "\udfff" for char in text):
        yield Problem("own", message("Your own text has half a character in it, which has no bytes. Take it out."))
    else:
        yield from _too_few("own", len(window_text.tokens_of_own(text).ids), context)


def _problems_of_ids(ids: tuple[int, ...], context: int) -> Iterator[Problem]:
    wrong = [i for i, each in enumerate(ids) if not 0 <= each < VOCAB_SIZE]
    if len(ids) > MOST_IDS:
        yield Problem("ids", message("There are {count} ids; up to {most} are read here.", count=len(ids), most=MOST_IDS))
    elif wrong:
        yield Problem("ids", message(
            "Id {place} is {value}; allowed is a whole number from 0 to {most}.",
            place=wrong[0] + 1, value=f"{ids[wrong[0]]:,}", most=f"{VOCAB_SIZE - 1:,}",
        ))
    else:
        yield from _too_few("ids", len(ids), context)


def _too_few(field: str, count: int, context: int) -> Iterator[Problem]:
    if count <= context:
        yield Problem(field, message(
            "There are {count} tokens; a window of {context} needs one more than that, for its last target. "
            "Add some, or make the context smaller.", count=count, context=context,
        ))


def code(ask: Ask) -> str:
    begin = f"ids = {list(ask.ids)}" if ask.text == IDS else f"""encoding = tiktoken.get_encoding("gpt2")
ids = encoding.encode({_source(ask)}, allowed_special={{"{tokenizer.END_OF_TEXT}"}})"""
    first = _first_of_batch(ask, range(0, len(_text_of(ask).ids) - ask.context, ask.stride))
    needed = "import torch" if ask.text == IDS else "import tiktoken\nimport torch"
    return f"""{needed}
from torch.utils.data import DataLoader, TensorDataset

{begin}
starts = range(0, len(ids) - {ask.context}, {ask.stride})
inputs = torch.tensor([ids[i : i + {ask.context}] for i in starts])
targets = torch.tensor([ids[i + 1 : i + {ask.context + 1}] for i in starts])
loader = DataLoader(TensorDataset(inputs, targets), batch_size={ask.batch_size}, drop_last={ask.drop_last})
print(len(starts), "windows,", len(loader), "batches")
print(inputs[{first}:{first + ask.batch_size}], targets[{first}:{first + ask.batch_size}])
"""


def _source(ask: Ask) -> str:
    if ask.text == OWN:
        return repr(ask.own)
    return f'open({str(texts.locate(ask.text) or texts.locate(texts.STORY))!r}, encoding="utf-8").read()'


def table(answer: Answer) -> Table:
    """A row for each window of the batch."""
    size = answer.inputs.shape[1]
    columns = ("window", *(f"input {i}" for i in range(size)), *(f"target {i}" for i in range(size)))
    pairs = zip(answer.inputs.tolist(), answer.targets.tolist(), strict=True)
    return Table(columns, tuple((answer.first + i, *x, *y) for i, (x, y) in enumerate(pairs)))


def values(answer: Answer) -> dict[str, float]:
    return {
        "tokens": answer.tokens, "windows": len(answer.starts), "used": answer.used, "batches": answer.batches,
        "overlap": answer.overlap, "skipped": answer.skipped, "repeated": answer.repeated, "window": answer.window,
    }


def _of_verdict(get: Callable[[Answer], Any]) -> Callable[[Answer], Any]:
    """Only of The Verdict: another text has no such thing."""

    def of(answer: Answer) -> Any:
        if answer.name != NAMES[VERDICT]:
            raise LookupError(answer.name)
        return get(answer)

    return of


BATCH, PAIR, TENS = message("Eight windows of four"), message("The first window"), message("Seven ids")

LAB = Lab(
    name="windows",
    ask=Ask,
    answer=answer,
    follows=(BookSource("003", "S - Create dataset and dataloader"), BookSource("003", "Embedding layers")),
    books=(
        Book(BATCH, Ask()),
        Book(PAIR, Ask(stride=1, batch_size=1)),
        Book(TENS, Ask(text="ids", stride=2, batch_size=2)),
    ),
    figures=(
        Figure(("the_verdict", "characters"), _of_verdict(lambda a: a.characters), message("characters of the text")),
        Figure(("the_verdict", "tokens"), _of_verdict(lambda a: a.tokens), message("its tokens")),
        Figure(("the_verdict", "sha256"), _of_verdict(lambda a: a.sha256), message("its SHA-256")),
        Figure(("the_verdict", "batch_8x4_stride_4_inputs"), lambda a: a.inputs, message("the inputs"), BATCH),
        Figure(("the_verdict", "batch_8x4_stride_4_targets"), lambda a: a.targets, message("the targets"), BATCH),
        Figure(
            ("the_verdict", "first_pair_max_length_4_stride_1"), lambda a: [a.inputs[0], a.targets[0]],
            message("input and target"), PAIR,
        ),
        Figure(("seed 003", "inputs"), lambda a: a.inputs, message("the inputs"), TENS,
               also=[[10, 20, 30, 40], [30, 40, 50, 60]]),
        Figure(("seed 003", "targets"), lambda a: a.targets, message("the targets"), TENS,
               also=[[20, 30, 40, 50], [40, 50, 60, 70]]),
    ),
    code=code,
    table=table,
    values=values,
)
