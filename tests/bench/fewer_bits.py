"""The cost of fewer bits: the loss of a trained model on the held-out tenth of The Verdict, decoding in fp32, bf16 and
int8, and in int4, which the program does not offer: matrices are rounded in groups that share a scale, and multiplied
in float32.

    python tests/bench/fewer_bits.py [preset] [steps]

Every token of the held-out text except the first is read once, in windows of the model's context.
"""

from __future__ import annotations

import copy
import math
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import nn

from gptstudio import devices
from gptstudio.gpt.config import PRESETS
from gptstudio.gpt.decoder import Decoder
from gptstudio.gpt.model import GPTModel
from gptstudio.training import corpus, model_source
from gptstudio.training.control import Control
from gptstudio.training.launch import launch
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec


def main() -> None:
    preset = sys.argv[1] if sys.argv[1:] else "workshop"
    steps = int(sys.argv[2]) if sys.argv[2:] else None
    spec = TrainSpec(config=PRESETS[preset], steps=steps, device="cpu", sample_tokens=0, save_every_s=None)
    with tempfile.TemporaryDirectory() as folder:
        ended = launch(spec, Control(), [], Path(folder) / "run")
        assert ended.outcome == "finished", ended.message
        saved = model_source.SavedModel(RunFolder(Path(folder) / "run").newest_checkpoint())
        model = model_source.load(saved, devices.choose("cpu"))
    ids = corpus.read(spec).val_ids[:].tolist()
    exact = None
    for weights, decoder in decoders(model):
        found = list(surprises(decoder, ids))
        loss, right = (sum(column) / len(found) for column in zip(*found, strict=True))
        exact = exact or loss
        print(
            f"{preset}, {weights}: {loss:.4f} nats per token ({loss - exact:+.4f}), perplexity {math.exp(loss):,.1f}, "
            f"likeliest token right {right:.2%}, {len(found):,} tokens", flush=True,
        )


def decoders(model: GPTModel) -> Iterator[tuple[str, Decoder]]:
    for weights in ("fp32", "bf16", "int8"):
        yield weights, Decoder(model, weights=weights)
    for size in (32, 128):
        yield f"int4 in groups of {size}", Decoder(in_int4(model, size), weights="fp32")


def in_int4(model: GPTModel, size: int) -> GPTModel:
    """Return a copy whose matrices, except the embeddings, are integers from -7 to 7, with a scale for each ``size``
    inputs of an output."""
    rounded = copy.deepcopy(model)
    for layer in rounded.modules():
        if isinstance(layer, nn.Linear):
            groups = layer.weight.detach().unflatten(1, (-1, size))  # (out, in / size, size)
            scale = groups.abs().amax(-1, keepdim=True) / 7
            layer.weight = nn.Parameter(((groups / scale).round() * scale).flatten(1))
    return rounded


def surprises(decoder: Decoder, ids: list[int]) -> Iterator[tuple[float, bool]]:
    """Yield for each token its surprisal in nats, and whether it was the most likely."""
    for start in range(0, len(ids) - 1, decoder.context):
        window = ids[start : start + decoder.context]
        for position, logits in decoder.read(window):
            token = window[position]
            yield -torch.log_softmax(logits, -1)[token].item(), int(logits.argmax()) == token


if __name__ == "__main__":
    main()
