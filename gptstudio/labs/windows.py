"""Windows over the tokens of a text, and batches of them: the inputs and targets of a model (book §2.6)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sized
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import torch

from gptstudio.data import texts, tokens
from gptstudio.data.texts import NAMES, STORY, VERDICT, Text, TextError, TextNotHere
from gptstudio.data.tokens import Tokens
from gptstudio.errors import text_of
from gptstudio.fields import Problem, Spec, setting
from gptstudio.gpt.config import VOCAB_SIZE
from gptstudio.gpt.tokenizer import END_OF_TEXT
from gptstudio.i18n import message
from gptstudio.labs import checks
from gptstudio.labs.lab import BookSource, Example, Figure, Lab, Table
from gptstudio.training.dataset import Windows

OWN, IDS = "own", "ids"
LONGEST = 256
"""Largest number of tokens in a window, as in the book's training."""
NOT_HERE = message(
    "The Verdict is not on this computer, so this page uses the story that ships with GPT Studio. The book's values "
    "are for The Verdict: to see them, download it on the Train tab and come back."
)


@dataclass(frozen=True)
class TokenisedText:
    """Text as token IDs, (N,). ``missing``: message on why it is not the requested text."""

    name: str
    characters: int
    sha256: str
    ids: np.ndarray
    missing: str = ""


def requested_text(request: WindowsRequest) -> TokenisedText:
    """Return the requested text, or the story if it is not available."""
    if request.text == OWN:
        return tokens_of_own(request.own)
    if request.text == IDS:
        return TokenisedText(message("Token IDs"), 0, "", np.array(request.ids, np.int64))
    try:
        return _tokens_of(texts.read(request.text))
    except TextError as error:
        missing = NOT_HERE if isinstance(error, TextNotHere) else text_of(error)
        return replace(_tokens_of(texts.read(STORY)), missing=missing)


@lru_cache(4)
def _tokens_of(text: Text) -> TokenisedText:
    ids = tokens.of(text)
    if len(ids) <= LONGEST:
        raise TextError(message(
            "{path} has only {n} tokens. Replace it with the complete text.", path=text.path, n=f"{len(ids):,}"))
    return TokenisedText(text.name, text.characters, text.sha256, np.asarray(ids, np.int64))


@lru_cache(4)
def tokens_of_own(text: str) -> TokenisedText:
    return TokenisedText(
        message("Your own text"), len(text), hashlib.sha256(text.encode()).hexdigest(),
        tokens.encode(text).astype(np.int64),
    )


MOST_CHARACTERS = 20_000
MOST_IDS = 1_000
BOOK_IDS = (10, 20, 30, 40, 50, 60, 70)


class WindowsRequest(Spec):
    """A text, the length and stride of its windows, and the window to show."""

    text: Literal["verdict", "story", "own", "ids"] = setting(
        VERDICT, "Text", "The Verdict, the story that ships with GPT Studio, your own text, or token IDs.", panel=False
    )
    own: str = setting(
        "Every effort moves you one step forward, and every step is an effort.", "Your own text",
        "Used if the text is 'own'; up to 20,000 characters.", panel=False,
    )
    ids: tuple[int, ...] = setting(BOOK_IDS, "Token IDs", "Used if the text is 'ids'.", panel=False)
    context: int = setting(
        4, "Context length", "How many tokens the model sees at once; the book calls it max_length.",
        unit="tokens", low=1, high=LONGEST, step=1,
    )
    stride: int = setting(
        4, "Stride",
        "Distance from the start of one window to the start of the next.", unit="tokens", low=1, high=LONGEST, step=1
    )
    batch_size: int = setting(8, "Batch size",
        "How many windows go through the model together.", low=1, high=16, step=1)
    drop_last: bool = setting(True, "Drop incomplete last batch",
        "Drops the last batch if it has fewer windows than the others.")
    window: int = setting(
        0, "Window", "The window shown, counted from 0; a number past the end means the last window.",
        low=0, high=MOST_CHARACTERS, panel=False,
    )

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        if values.get("text") == OWN and "own" in values:
            empty = message("Your own text is empty. Type a sentence.")
            found = [
                *checks.text(cls, "own", values["own"], MOST_CHARACTERS, empty),
                *checks.surrogates(cls, "own", values["own"]),
            ]
            yield from found or _too_few("own", len(tokens_of_own(values["own"]).ids), values)
        if values.get("text") == IDS and "ids" in values:
            yield from _problems_of_ids(values["ids"], values)


@dataclass(frozen=True)
class WindowsAnswer:
    """Windows over N tokens, and the batch of the selected window.

    Attributes:
        missing: message on why another text than the requested one is used; empty if it is the requested one.
        ids: (N,).
        starts: start of each window, (windows,).
        as_input, as_target: (N,) number of times each token is an input or a target in the windows used.
        inputs, targets: the batch, (B, T); the last one may have fewer rows.
        dropped: whether this batch is dropped.
        used: number of windows in batches that are not dropped.
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
    """First window of the batch."""
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
        """Position of the first token of the selected window."""
        return int(self.starts[self.window])

    @property
    def skipped(self) -> int:
        """Number of tokens that are in no window, neither as input nor as target."""
        return int(((self.as_input == 0) & (self.as_target == 0)).sum())

    @property
    def repeated(self) -> int:
        """Number of tokens that are an input more than once."""
        return int((self.as_input > 1).sum())

    @property
    def overlap(self) -> int:
        """Number of inputs that a window shares with the next; negative: the number of tokens between the two."""
        return self.context - int(self.starts[1] - self.starts[0]) if len(self.starts) > 1 else 0


def answer(request: WindowsRequest) -> WindowsAnswer:
    text = requested_text(request)
    windows, places = (
        Windows(Tokens([each]), request.context, request.stride) for each in (text.ids, np.arange(len(text.ids)))
    )
    starts = places[torch.arange(len(windows))][:, 0].numpy()
    whole = len(windows) // request.batch_size * request.batch_size
    used = whole if request.drop_last else len(windows)
    first = _first_of_batch(request, windows)
    batch = windows[torch.arange(first, min(first + request.batch_size, len(windows)))]
    return WindowsAnswer(
        text.name, text.missing, text.characters, text.sha256, text.ids, request.context, starts,
        as_input=_times(starts[:used], request.context, len(text.ids)),
        as_target=_times(starts[:used] + 1, request.context, len(text.ids)),
        window=min(request.window, len(windows) - 1), batch=first // request.batch_size, first=first,
        inputs=batch[:, :-1].numpy(), targets=batch[:, 1:].numpy(), dropped=first >= used, used=used,
        batches=-(-used // request.batch_size),
    )


def _first_of_batch(request: WindowsRequest, windows: Sized) -> int:
    """Return the first window of the batch that contains the selected window."""
    return min(request.window, len(windows) - 1) // request.batch_size * request.batch_size


def _times(starts: np.ndarray, length: int, count: int) -> np.ndarray:
    """Return, for each of ``count`` positions, the number of stretches of this length that contain it."""
    change = np.bincount(starts, minlength=count + 1) - np.bincount(starts + length, minlength=count + 1)
    return np.cumsum(change[:count])


def _problems_of_ids(ids: tuple[int, ...], values: Mapping[str, Any]) -> Iterator[Problem]:
    wrong = [i for i, each in enumerate(ids) if not 0 <= each < VOCAB_SIZE]
    if len(ids) > MOST_IDS:
        yield Problem("ids", message(
            "There are {count} IDs; the maximum here is {most}.", count=len(ids), most=MOST_IDS))
    elif wrong:
        yield Problem("ids", message(
            "ID {place} is {value}; it must be a whole number from 0 to {most}.",
            place=wrong[0] + 1, value=f"{ids[wrong[0]]:,}", most=f"{VOCAB_SIZE - 1:,}",
        ))
    else:
        yield from _too_few("ids", len(ids), values)


def _too_few(field: str, count: int, values: Mapping[str, Any]) -> Iterator[Problem]:
    context = values.get("context", 1)
    if count <= context:
        yield Problem(field, message(
            "The number of tokens is only {count}. A window of {context} needs at least {least}: its last target is "
            "the token that follows it. Add text, or reduce Context.", count=count, context=context, least=context + 1,
        ))


def code(request: WindowsRequest) -> str:
    begin = f"ids = {list(request.ids)}" if request.text == IDS else f"""encoding = tiktoken.get_encoding("gpt2")
ids = encoding.encode({_source(request)}, allowed_special={{"{END_OF_TEXT}"}})"""
    first = _first_of_batch(request, range(0, len(requested_text(request).ids) - request.context, request.stride))
    needed = "import torch" if request.text == IDS else "import tiktoken\nimport torch"
    return f"""{needed}
from torch.utils.data import DataLoader, TensorDataset

{begin}
starts = range(0, len(ids) - {request.context}, {request.stride})
inputs = torch.tensor([ids[i : i + {request.context}] for i in starts])
targets = torch.tensor([ids[i + 1 : i + {request.context + 1}] for i in starts])
loader = DataLoader(TensorDataset(inputs, targets), batch_size={request.batch_size}, drop_last={request.drop_last})
print(len(starts), "windows,", len(loader), "batches")
print(inputs[{first}:{first + request.batch_size}], targets[{first}:{first + request.batch_size}])
"""


def _source(request: WindowsRequest) -> str:
    if request.text == OWN:
        return repr(request.own)
    return f'open({str(texts.locate(request.text) or texts.locate(texts.STORY))!r}, encoding="utf-8").read()'


def table(answer: WindowsAnswer) -> Table:
    """Return one row per window of the batch."""
    size = answer.inputs.shape[1]
    columns = ("window", *(f"input {i}" for i in range(size)), *(f"target {i}" for i in range(size)))
    pairs = zip(answer.inputs.tolist(), answer.targets.tolist(), strict=True)
    return Table(columns, tuple((answer.first + i, *x, *y) for i, (x, y) in enumerate(pairs)))


def values(answer: WindowsAnswer) -> dict[str, float]:
    return {
        "tokens": answer.tokens, "windows": len(answer.starts), "used": answer.used, "batches": answer.batches,
        "overlap": answer.overlap, "skipped": answer.skipped, "repeated": answer.repeated, "window": answer.window,
    }


def _of_verdict(get: Callable[[WindowsAnswer], Any]) -> Callable[[WindowsAnswer], Any]:
    """Return a getter that is defined only for The Verdict, because the book prints its figures."""

    def of(answer: WindowsAnswer) -> Any:
        if answer.name != NAMES[VERDICT]:
            raise LookupError(answer.name)
        return get(answer)

    return of


BATCH, PAIR, TENS = message("Eight windows of four"), message("First window"), message("Seven IDs")

LAB = Lab(
    name="windows", request=WindowsRequest, answer=answer,
    sources=(BookSource("2.6", "Data sampling with a sliding window"),),
    examples=(
        Example(BATCH, WindowsRequest()),
        Example(PAIR, WindowsRequest(stride=1, batch_size=1)),
        Example(TENS, WindowsRequest(text="ids", stride=2, batch_size=2)),
    ),
    figures=(
        Figure(("the_verdict", "characters"), _of_verdict(lambda a: a.characters), message("number of characters")),
        Figure(("the_verdict", "tokens"), _of_verdict(lambda a: a.tokens), message("number of tokens")),
        Figure(("the_verdict", "sha256"), _of_verdict(lambda a: a.sha256), message("SHA-256 of the text")),
        Figure(("the_verdict", "batch_8x4_stride_4_inputs"), lambda a: a.inputs, message("inputs"), BATCH),
        Figure(("the_verdict", "batch_8x4_stride_4_targets"), lambda a: a.targets, message("targets"), BATCH),
        Figure(("the_verdict", "first_pair_max_length_4_stride_1"), lambda a: [a.inputs[0], a.targets[0]],
               message("input and target"), PAIR),
        Figure(("book", "inputs"), lambda a: a.inputs, message("inputs"), TENS,
               also=[[10, 20, 30, 40], [30, 40, 50, 60]]),
        Figure(("book", "targets"), lambda a: a.targets, message("targets"), TENS,
               also=[[20, 30, 40, 50], [40, 50, 60, 70]]),
    ),
    code=code, table=table, values=values,
)
