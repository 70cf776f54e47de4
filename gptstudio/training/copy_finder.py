"""Search for what a model has memorised: stretches of its samples that stand in the text that it was trained on."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Iterator, Sequence

from gptstudio.data import ngram
from gptstudio.data.ngram import Stretch, VerbatimIndex
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.i18n import message
from gptstudio.training.corpus import Corpus
from gptstudio.training.events import CopiesFound, Copy, Event, Warned
from gptstudio.training.measurements import Measurement
from gptstudio.training.spec import TrainSpec
from gptstudio.training.train_state import TrainState


class CopyFinder(Measurement):
    """Finder of copied stretches in each sample. The index of the training text is built for the first one, and for
    a text that is too long not at all."""

    def __init__(self, spec: TrainSpec, text: Corpus):
        self._prompt, self._text = len(text.tokenizer.encode(spec.sample_prompt)), text.train_ids
        self._index: VerbatimIndex | None = None

    def after_sample(self, state: TrainState, step: int, ids: Sequence[int]) -> Iterator[Event]:
        if not state.strategy.is_rank_zero or len(ids) == self._prompt:
            return
        if len(self._text) > ngram.MOST_INDEXED:
            if state.progress.epoch == 1:
                yield Warned(message=message(
                    "The training text has {n} tokens. Samples are searched for copied passages in texts of up to "
                    "{most} tokens.", n=f"{len(self._text):,}", most=f"{ngram.MOST_INDEXED:,}"))
            return
        self._index = self._index or VerbatimIndex(self._text)
        stretches = self._index.stretches(ids[self._prompt :])
        yield copies_found(step, ids, self._prompt, stretches, state.tokenizer)


def copies_found(
    step: int, ids: Sequence[int], prompt: int, stretches: Sequence[Stretch], tokenizer: Tokenizer = GPT2
) -> CopiesFound:
    """Return what was found, with places in the characters of the text that ``ids`` are; ``stretches`` count from the
    end of the ``prompt`` tokens at its beginning."""
    new, whole, begun = len(ids) - prompt, *_characters(ids, tokenizer)
    copies = tuple(
        Copy(start=whole[prompt + each.start], stop=begun[prompt + each.stop], tokens=each.stop - each.start)
        for each in stretches)
    longest = max((each.tokens for each in copies), default=0)
    return CopiesFound(step=step, tokens=new, copied=round(ngram.copied_share(stretches, new) * new), longest=longest,
                       copies=copies)


def _characters(ids: Sequence[int], tokenizer: Tokenizer) -> tuple[list[int], list[int]]:
    """Return for each number of first tokens, from 0 on, how many characters end in them, and how many begin: one more
    where the last bytes are missing."""
    decoder, whole, begun = getincrementaldecoder("utf-8")(errors="replace"), [0], [0]
    for token in ids:
        whole.append(whole[-1] + len(decoder.decode(tokenizer.token_bytes(token))))
        begun.append(whole[-1] + bool(decoder.getstate()[0]))
    return whole, begun
