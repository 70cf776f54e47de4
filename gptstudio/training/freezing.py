"""Freezing: exclusion of whole components of the model, or of its first blocks, from training."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from torch import nn
from torch.optim import Optimizer

from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.sizing import Part

_COMPONENTS: dict[str, Part] = {
    "tok_emb": "token_embedding", "pos_emb": "position_embedding", ".att.": "attention", ".ff.": "feed_forward",
    "norm": "norms", "out_head": "output_layer",
}


def component_of(parameter: str) -> Part:
    """Return the component of a parameter, named as in :class:`gptstudio.gpt.sizing.Parameters`."""
    return next(component for part, component in _COMPONENTS.items() if part in parameter)


def partly_frozen(model: GPTModel, freeze: Collection[Part], freeze_blocks: int) -> GPTModel:
    """Turn off gradients for these components and the first ``freeze_blocks`` blocks, and return ``model``. A tied
    matrix is frozen under either name."""
    blocks = tuple(f"trf_blocks.{block}." for block in range(freeze_blocks))
    for name, weight in model.named_parameters(remove_duplicate=False):
        if component_of(name) in freeze or name.startswith(blocks):
            weight.requires_grad_(False)
    return model


def trained(model: nn.Module) -> Iterator[tuple[str, nn.Parameter]]:
    """Return the names and parameters that are not frozen, in the order of the model."""
    return ((name, weight) for name, weight in model.named_parameters() if weight.requires_grad)


def names_by_group(model: nn.Module, optimizer: Optimizer) -> list[list[str]]:
    """Return the names of the parameters in each group of the optimizer, in its order."""
    names = {weight: name for name, weight in trained(model)}
    return [[names[weight] for weight in group["params"]] for group in optimizer.param_groups]
