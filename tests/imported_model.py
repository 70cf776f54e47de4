"""A model in the user's folder of imported models."""

from pathlib import Path

from gptstudio import paths
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.tokenizer import FILE, GPT2, Tokenizer
from gptstudio.torch_settings import RandomStream
from gptstudio.training import checkpoint, imported_models
from gptstudio.training.checkpoint import State


def import_weights(config: GPTConfig, name: str = "teacher", seed: int = 7, tokenizer: Tokenizer = GPT2) -> Path:
    """Write an imported model with random weights from this seed, and return its folder."""
    with RandomStream(seed).active():
        model = GPTModel(config)
    state = State(config=config, step=0, epoch=0, tokens_seen=0, val_loss=None)
    origin = {imported_models.ORIGIN: b'{"kind": "a test"}'}
    beside = origin | ({FILE: tokenizer.file} if tokenizer.file else {})
    return checkpoint.write_model(checkpoint.weights_of(model), paths.models() / name, state, beside)
