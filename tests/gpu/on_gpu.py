"""Device and models of the tests that run on a GPU."""

import os

import torch

from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.fast import build_model
from gptstudio.gpt.model import GPTModel
from gptstudio.torch_settings import RandomStream

DEVICE = os.environ.get("GPTSTUDIO_TEST_DEVICE", "cuda:0")
"""``GPTSTUDIO_TEST_DEVICE=cpu`` runs the tests on the processor, to try the tests themselves."""
ON_GPU = DEVICE.startswith("cuda")
NO_GPU = "no CUDA GPU is here"
missing = ON_GPU and not torch.cuda.is_available()


def model_on(device: str, cfg: GPTConfig, path: str = "fast", spread: float = 1.0) -> GPTModel:
    """Return a model with the same random weights on every device, in evaluation mode; ``spread`` multiplies its
    matrices, so that it is more certain of its next token than with the initial weights."""
    with RandomStream(1).active():
        model = build_model(cfg, path).eval()
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.dim() == 2 and "emb" not in name:
                weight.mul_(spread)
    return model.to(device)


def relative(found: torch.Tensor, expected: torch.Tensor) -> float:
    """Return the largest difference, as a share of the range of the expected values."""
    found, expected = found.double().cpu(), expected.double().cpu()
    return float((found - expected).abs().max() / (expected.max() - expected.min()))
