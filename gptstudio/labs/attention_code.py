"""The lines of torch that compute attention, as far as a request builds it up. No torch."""

from __future__ import annotations

from gptstudio.labs.attention_request import AttentionRequest


def code(request: AttentionRequest) -> str:
    """Return code that prints the context vectors."""
    numbers = [[round(number, 6) for number in row] for row in request.inputs]
    words = [repr(word)[1:-1] for word in request.tokens]  # no code can have a character of no width in it, such as NUL
    rows = "\n".join(f"    {row},  # {word}" for row, word in zip(numbers, words, strict=True))
    lines = ["import torch", "", "inputs = torch.tensor([", rows, "])", *_code_of_weights(request)]
    if request.stage == "heads":
        inside = (*_code_of_head(request), "contexts.append(weights @ values)")
        lines += ["contexts = []", "for W_query, W_key, W_value in heads:", *("    " + line for line in inside)]
        lines += ["context = torch.cat(contexts, dim=-1)"]
    else:
        lines += [*_code_of_head(request), "context = weights @ values"]
    return "\n".join([*lines, "print(context)", ""])


def _code_of_weights(request: AttentionRequest) -> list[str]:
    if not request.reaches("weights"):
        return []
    d_in = len(request.inputs[0])
    one = {
        "Linear": f"torch.nn.Linear({d_in}, {request.d_out}, bias=False).weight.detach().T",
        "rand": f"torch.rand({d_in}, {request.d_out})",
    }[request.drawn]
    lines = [f"torch.manual_seed({request.seed})", f"W_query, W_key, W_value = [{one} for _ in range(3)]"]
    if request.stage == "heads":
        lines[1] = f"heads = [[{one} for _ in range(3)] for _ in range({request.heads})]"
    return [*lines, f"torch.manual_seed({request.drop_seed})"] if request.reaches("dropout") else lines


def _code_of_head(request: AttentionRequest) -> list[str]:
    """From the inputs to the weights."""
    weights = request.reaches("weights")
    lines = ["queries, keys, values = " + ("inputs @ W_query, inputs @ W_key, inputs @ W_value" if weights
                                           else "inputs, inputs, inputs")]
    lines += ["scores = queries @ keys.T" + (" / keys.shape[-1] ** 0.5" if weights and request.scale else "")]
    mask = request.mask if request.reaches("mask") else "none"
    if mask == "before":
        lines += ["later = torch.ones_like(scores).triu(diagonal=1).bool()",
                  "scores = scores.masked_fill(later, -torch.inf)"]
    lines += ["weights = torch.softmax(scores, dim=-1)"]
    if mask == "after":
        lines += ["weights = weights.tril()"]
        lines += ["weights = weights / weights.sum(dim=-1, keepdim=True)"] if request.renormalise else []
    if request.reaches("dropout"):
        lines += [f"weights = torch.nn.functional.dropout(weights, {request.rate})"]
    return lines
