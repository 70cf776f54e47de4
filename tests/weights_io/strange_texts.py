"""Thousands of short texts with everything that texts can contain, always the same; and models with their
tokenizers."""

import random
from pathlib import Path

from exported_models import TINY

from gptstudio import devices, paths
from gptstudio.data import vocabulary
from gptstudio.gpt.tokenizer import FILE, Tokenizer
from gptstudio.inference import generator, loading
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training import checkpoint, model_source
from gptstudio.training.control import Control
from gptstudio.training.events import TokenDrawn
from gptstudio.training.model_source import SavedModel, UntrainedModel

PROSE = (paths.resources() / "gpt2" / "NOTICE").read_text(encoding="utf-8")
POOLS = (
    "abcdefghijklmnopqrstuvwxyzABCDEFXYZ", "中文字漢語日本語ひらがなカタカナ한국어", "абвгдЖЯαβγ", "אבגדالعربية",
    "0123456789²½Ⅷ٣",
    " \t\n\r\u00a0\u2003\u3000\u2028\u0085\x1c\x1f\u180e\u200b\ufeff", "e\u0301o\u0308\u20dd\u0361",
    "😀👩\u200d👧🇩🇪\U0001f9d1\u200d\U0001f680", "\x00\x07\x1b\x7f\u202e\ufffd\uffff",
    "'stlrvemd’S", "!?.,;:-—…\"“”<>|[]{}",
)
PIECES = ("<|endoftext|>", "<|endoftext", "|>", "'s", "'LL", "'ve", "   ", "\n\n", " \n", "\r\n", "#version", "[UNK]")
TEXT = PROSE + "".join(pool * 3 for pool in POOLS)
"""The text from which the tokenizers are made."""


def strange(count: int = 10_000) -> list[str]:
    """Return texts of 1 to 7 parts: words of the text, characters of one script, any character."""
    draws = random.Random(1)

    def part() -> str:
        kind = draws.random()
        if kind < 0.2:
            begin = draws.randrange(len(PROSE) - 30)
            return PROSE[begin : begin + draws.randrange(1, 30)]
        if kind < 0.35:
            return draws.choice(PIECES)
        if kind < 0.45:
            code = draws.randrange(0x110000 - 0x800)
            return chr(code if code < 0xD800 else code + 0x800)  # no surrogate
        pool = draws.choice(POOLS)
        return "".join(draws.choices(pool, k=draws.randrange(1, 6)))

    return ["".join(part() for _ in range(draws.randrange(1, 8))) for _ in range(count)]


def tokenizers() -> dict[str, Tokenizer]:
    return {"own": vocabulary.make("own", 700, [TEXT]), "characters": vocabulary.make("characters", 0, [TEXT])}


def model_with(tokenizer: Tokenizer, folder: Path, context_length: int = TINY.context_length) -> SavedModel:
    """Return a small model of random weights, with a row for each token and three more."""
    config = TINY.but(vocabulary=tokenizer.kind, vocab_size=tokenizer.size + 3, context_length=context_length)
    weights = checkpoint.weights_of(model_source.load(UntrainedModel(config, 5), devices.cpu()))
    state = checkpoint.State(config=config, step=0, epoch=0, tokens_seen=0, val_loss=None)
    return SavedModel(checkpoint.write_model(weights, folder, state, {FILE: tokenizer.file}))


def written(origin: SavedModel, prompt: str, tokens: int = 12) -> str:
    """Return the text that a model generates after a prompt, by argmax."""
    spec = GenerateSpec(prompt=prompt, temperature=0, max_new_tokens=tokens, device="cpu")
    decoder = loading.load_decoder(spec, origin)
    events = generator.generate(spec, lambda: decoder, Control())
    drawn = [event.id for event in events if isinstance(event, TokenDrawn)]
    assert len(drawn) == tokens
    return decoder.tokenizer.decode(drawn)
