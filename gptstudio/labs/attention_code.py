"""The lines of torch that compute attention, as far as a question builds it up. No torch."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gptstudio.labs.attention import Ask


def code(ask: Ask) -> str:
    """Prints the contexts."""
    numbers = [[round(number, 6) for number in row] for row in ask.inputs]
    words = [repr(word)[1:-1] for word in ask.tokens]  # no code can have a character of no width in it, such as NUL
    rows = "\n".join(f"    {row},  # {word}" for row, word in zip(numbers, words, strict=True))
    lines = ["import torch", "", "inputs = torch.tensor([", rows, "])", *_code_of_weights(ask)]
    if ask.stage == "heads":
        inside = (*_code_of_head(ask), "contexts.append(weights @ values)")
        lines += ["contexts = []", "for W_query, W_key, W_value in heads:", *("    " + line for line in inside)]
        lines += ["context = torch.cat(contexts, dim=-1)"]
    else:
        lines += [*_code_of_head(ask), "context = weights @ values"]
    return "\n".join([*lines, "print(context)", ""])


def _code_of_weights(ask: Ask) -> list[str]:
    if not ask.reaches("weights"):
        return []
    d_in = len(ask.inputs[0])
    one = {
        "Linear": f"torch.nn.Linear({d_in}, {ask.d_out}, bias=False).weight.detach().T",
        "rand": f"torch.rand({d_in}, {ask.d_out})",
    }[ask.drawn]
    lines = [f"torch.manual_seed({ask.seed})", f"W_query, W_key, W_value = [{one} for _ in range(3)]"]
    if ask.stage == "heads":
        lines[1] = f"heads = [[{one} for _ in range(3)] for _ in range({ask.heads})]"
    return [*lines, f"torch.manual_seed({ask.drop_seed})"] if ask.reaches("dropout") else lines


def _code_of_head(ask: Ask) -> list[str]:
    """From the inputs to the weights."""
    weights = ask.reaches("weights")
    lines = ["queries, keys, values = " + ("inputs @ W_query, inputs @ W_key, inputs @ W_value" if weights
                                           else "inputs, inputs, inputs")]
    lines += ["scores = queries @ keys.T" + (" / keys.shape[-1] ** 0.5" if weights and ask.scale else "")]
    mask = ask.mask if ask.reaches("mask") else "none"
    if mask == "before":
        lines += ["later = torch.ones_like(scores).triu(diagonal=1).bool()",
                  "scores = scores.masked_fill(later, -torch.inf)"]
    lines += ["weights = torch.softmax(scores, dim=-1)"]
    if mask == "after":
        lines += ["weights = weights.tril()"]
        lines += ["weights = weights / weights.sum(dim=-1, keepdim=True)"] if ask.renormalise else []
    return [*lines, f"weights = torch.nn.functional.dropout(weights, {ask.rate})"] if ask.reaches("dropout") else lines
