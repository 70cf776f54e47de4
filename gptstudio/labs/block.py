"""Path of a token through a block and through the whole model, shape by shape (book §4.1, §4.5 and §4.6).

Shapes are traced on torch's meta device, which stores no values: this needs no memory and almost no time for a model of
any size.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from gptstudio import devices
from gptstudio.fields import Problem, setting
from gptstudio.gpt import sizing
from gptstudio.gpt.config import PRESETS, VOCAB_SIZE, GPTConfig
from gptstudio.gpt.memory import generate_memory
from gptstudio.gpt.model import GPTModel, LayerNorm, MultiHeadAttention, TransformerBlock
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.i18n import message
from gptstudio.labs.lab import BookSource, Example, Figure, Floats, Lab, Table
from gptstudio.labs.sizes import ModelShape
from gptstudio.torch_settings import RandomStream

FUNCTION_NAMES: Mapping[type[nn.Module], Mapping[tuple[str, int], str]] = {
    GPTModel: {("add", 0): "sum"},
    TransformerBlock: {("add", 0): "after_attention", ("add", 1): "after_feed_forward"},
    MultiHeadAttention: {
        ("transpose", 0): "query_heads", ("transpose", 1): "key_heads", ("transpose", 2): "value_heads",
        ("matmul", 0): "scores", ("masked_fill_", 0): "masked", ("softmax", 0): "weights",
        ("matmul", 1): "context", ("reshape", 0): "heads_joined",
    },
}
"""Names of the results of functions that a module calls directly: (function, number of earlier calls) -> name."""


@dataclass(frozen=True)
class TraceStep:
    """One call of a module or function.

    Attributes:
        path: name of a module in the model; for a function, the name of its module, a colon, and its own name.
        shape: shape of the output.
        parameters: number of parameters of a module, including its submodules; 0 for a function.
        weights: shapes of the module's own weights, by name.
        steps: calls inside it, in order.
    """

    path: str
    shape: tuple[int, ...]
    parameters: int = 0
    weights: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    steps: tuple[TraceStep, ...] = ()

    def paths(self) -> dict[str, TraceStep]:
        """Return path -> step, for this step and all inside it in the order of the calls; a module that is called
        several times is listed once."""
        found = {self.path: self}
        for inner in self.steps:
            found |= inner.paths()
        return found


def trace(model: nn.Module, ids: Tensor) -> TraceStep:
    """Call a model and return all calls inside it: of modules, and of the functions in ``FUNCTION_NAMES``."""
    tracer = _Tracer()
    with ExitStack() as stack:
        for path, module in model.named_modules():
            stack.enter_context(module.register_forward_pre_hook(partial(tracer.enter, path)))
            stack.enter_context(module.register_forward_hook(partial(tracer.leave, path)))
        with tracer:
            model(ids)
    return tracer.found[0]


class _Tracer(TorchFunctionMode):
    """Recorder of the calls. Each open module has a list of its steps; the outermost list receives the model."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[TraceStep] = []
        self._open: list[tuple[str, nn.Module | None, list[TraceStep], Counter[str]]] = [
            ("", None, self.found, Counter())
        ]

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        out = func(*args, **(kwargs or {}))
        path, module, steps, called = self._open[-1]
        names = FUNCTION_NAMES.get(type(module)) if module is not None else None
        if names and isinstance(out, Tensor):
            name = func.__name__
            title = names.get((name, called[name]))
            called[name] += 1
            if title:
                steps.append(TraceStep(f"{path}:{title}", tuple(out.shape)))
        return out

    def enter(self, path: str, module: nn.Module, _: Any) -> None:
        self._open.append((path, module, [], Counter()))

    def leave(self, path: str, module: nn.Module, _: Any, out: Tensor) -> None:
        steps = self._open.pop()[2]
        around = self._open[-1][2]
        if isinstance(module, nn.Sequential):  # a list of modules is not a step of its own
            around.extend(steps)
            return
        weights = {name: tuple(weight.shape) for name, weight in module.named_parameters(recurse=False)}
        count = sum(weight.numel() for weight in module.parameters())
        around.append(TraceStep(path, tuple(out.shape), count, weights, tuple(steps)))


TO_COMPUTE = message("to compute these logits")


class Identity(nn.Module):
    """The identity, in place of a block or a norm (the book's placeholders, §4.1)."""

    def forward(self, x: Tensor, *_: Any) -> Tensor:
        return x


def placeholder(cfg: GPTConfig) -> GPTModel:
    """Return the book's first model: embeddings and output layer, and identities in place of blocks and norm, for which
    no random numbers are drawn."""
    model = GPTModel(cfg.model_copy(update={"n_layers": 0}))
    model.trf_blocks = nn.Sequential(*[Identity() for _ in range(cfg.n_layers)])
    model.add_module("final_norm", Identity())
    return model


def logits_of(request: BlockRequest) -> Tensor:
    """Return the requested logits (B, T, V), with dropout as in training.

    Raises:
        UserError: the weights do not fit into the free memory.
    """
    cfg, ids, dummy = request.config, torch.tensor(request.ids), request.compute == PLACEHOLDER
    weights = sizing.FLOAT32 * (2 * cfg.vocab_size + cfg.context_length) * cfg.emb_dim if dummy else generate_memory(
        cfg, ids.shape[1]).least
    devices.check_memory(weights + sizing.FLOAT32 * ids.numel() * cfg.vocab_size, devices.cpu(), TO_COMPUTE)
    with RandomStream(request.seed).active(), torch.no_grad():
        model = placeholder(cfg) if dummy else GPTModel(cfg)
        for norm in model.modules():
            if isinstance(norm, LayerNorm):
                norm.shift.fill_(float(request.norm_shift == "one"))
        logits: Tensor = model(ids)
        return logits


def code_of_placeholder(request: BlockRequest) -> str:
    cfg = request.config
    return (
        f"import torch\nfrom torch import nn\n\nids = torch.tensor({request.ids})\ntorch.manual_seed({request.seed})\n"
        f"tok_emb = nn.Embedding({cfg.vocab_size}, {cfg.emb_dim})\npos_emb = nn.Embedding({cfg.context_length}, "
        f"{cfg.emb_dim})\nout_head = nn.Linear({cfg.emb_dim}, {cfg.vocab_size}, bias=False)\nx = "
        f"nn.Dropout({cfg.drop_rate})(tok_emb(ids) + pos_emb(torch.arange(ids.shape[1])))\nlogits = out_head(x)  # the "
        "placeholder blocks and the final norm return their input unchanged\nprint(logits.shape, logits)\n"
    )


def code_of_logits(request: BlockRequest) -> str:
    shifts = """for name, weight in model.named_parameters():
    if name.endswith("shift"):
        weight.data.fill_(1.0)
"""
    return f"""{_code_of_setup(request.config)}torch.manual_seed({request.seed})
model = GPTModel(cfg)
{shifts if request.norm_shift == "one" else ""}logits = model(torch.tensor({request.ids}))
print(logits.shape, logits)
"""


def code_of_shapes(request: BlockRequest) -> str:
    return f"""{_code_of_setup(request.config)}shapes = {{}}
with torch.device("meta"):  # shapes only, without values: no memory, no time
    model, ids = GPTModel(cfg), torch.tensor({request.ids})
for name, module in model.named_modules():
    module.register_forward_hook(lambda module, x, y, name=name: shapes.update({{name: tuple(y.shape)}}))
model(ids)
for name, shape in shapes.items():
    print(name or "logits", shape)
"""


def _code_of_setup(cfg: GPTConfig) -> str:
    return f"""import torch
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.model import GPTModel

cfg = GPTConfig(
    vocab_size={cfg.vocab_size}, context_length={cfg.context_length}, emb_dim={cfg.emb_dim}, n_heads={cfg.n_heads},
    n_layers={cfg.n_layers}, drop_rate={cfg.drop_rate}, qkv_bias={cfg.qkv_bias},
)
"""


LONGEST = 64
SHAPES, PLACEHOLDER, MODEL = "shapes only", "the placeholder's logits", "the model's logits"
ENDS = 3
"""Number of logits that the book prints from each end of a row."""


class BlockRequest(ModelShape):
    """A model's shape, a batch of texts, and whether to compute logits."""

    text: str = setting("Every effort moves you", "Text", "The first row of the batch.", panel=False)
    other: str = setting(
        "Every day holds a", "Second text",
        "The second row, with the same number of tokens, or leave empty for a batch of one row.", panel=False
    )
    compute: Literal["shapes only", "the placeholder's logits", "the model's logits"] = setting(
        "shapes only", "Compute",
        "Shapes need no numbers and appear at once. Logits need all the weights: this takes seconds and a lot of "
        "memory.", panel=False,
    )
    seed: int = setting(123, "Random seed",
        "The same random seed gives the same initial weights.", low=0, high=2**31 - 1, step=1)
    drop_rate: float = setting(
        0.1, "Dropout", "Fraction of the numbers set to zero, as in training. 0: none.", low=0, high=0.99, step=0.05
    )
    norm_shift: Literal["zero", "one"] = setting(
        "zero", "Initial LayerNorm shift", "One variant in the study notes starts it at one, the others at zero."
    )

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        yield from super().relations(values)
        if {"text", "other", "context_length", "vocab_size"} <= values.keys():
            yield from _problems_of_batch(values)

    @property
    def ids(self) -> list[list[int]]:
        """Token IDs, (B, T)."""
        return _encode(self.text, self.other)

    @property
    def config(self) -> GPTConfig:
        return super().config.model_copy(update={"drop_rate": self.drop_rate})


def _encode(text: str, other: str) -> list[list[int]]:
    return [GPT2.encode(text), *([GPT2.encode(other)] if other else [])]


def _problems_of_batch(values: Mapping[str, Any]) -> Iterator[Problem]:
    rows, most = _encode(values["text"], values["other"]), min(LONGEST, values["context_length"])
    if not 1 <= len(rows[0]) <= most:
        yield Problem("text", message(
            "Text: the number of tokens is {count}; it must be between 1 and {most}.", count=len(rows[0]), most=most
        ))
        return
    if len(rows[-1]) != len(rows[0]):
        yield Problem("other", message(
            "Second text: the number of tokens is {count}, but that of Text is {first}. All rows of a batch must have "
            "the same length.", count=len(rows[-1]), first=len(rows[0]),
        ))
    largest, known = max(max(row) for row in rows if row), values["vocab_size"]
    if largest >= known:
        yield Problem("vocab_size", message(
            "Vocabulary ({known}) is too small: the texts contain the token ID {largest}. It must be at least {least}.",
            known=known, largest=largest, least=largest + 1,
        ))


@dataclass(frozen=True)
class BlockAnswer:
    """Calls inside a model and its placeholder, and their outputs.

    Attributes:
        ids: (B, T).
        pieces: texts of the tokens in each row.
        blocks: number of blocks; all are like the first.
        model, placeholder: all steps, with a single block, and the number of parameters with all blocks; the
            placeholder's blocks and final norm return their input.
        logits: (B, T, 6), the first three and the last three of each position; None if they were not requested.
        next: the token with the largest logit, for each position of each row; empty if logits were not requested.
    """

    ids: Floats
    pieces: tuple[tuple[str, ...], ...]
    blocks: int
    computed: str
    model: TraceStep
    placeholder: TraceStep
    logits: Floats | None
    next: tuple[tuple[str, ...], ...]


def answer(request: BlockRequest) -> BlockAnswer:
    """Answer a request: shapes at once, logits within seconds.

    Raises:
        UserError: the weights do not fit into the free memory.
    """
    one = request.config.model_copy(update={"n_layers": 1})  # all blocks are alike, so one is enough
    with torch.device("meta"):
        ids, model, empty = torch.tensor(request.ids), GPTModel(one), placeholder(one)
    logits = None if request.compute == SHAPES else logits_of(request)
    return BlockAnswer(
        ids=np.array(request.ids), pieces=_pieces(request.ids), blocks=request.n_layers, computed=request.compute,
        model=replace(trace(model, ids), parameters=sizing.parameter_count(request.config)),
        placeholder=trace(empty, ids),
        logits=None if logits is None else torch.cat([logits[..., :ENDS], logits[..., -ENDS:]], dim=-1).numpy(),
        next=() if logits is None else _pieces(logits.argmax(dim=-1).tolist()),
    )


def _pieces(rows: Sequence[Sequence[int]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(_piece(token) for token in row) for row in rows)


def _piece(token: int) -> str:
    """Return the text of a token; its number if it is beyond the tokenizer's vocabulary."""
    return GPT2.decode([token]) if token < VOCAB_SIZE else str(token)


CODE = {SHAPES: code_of_shapes, PLACEHOLDER: code_of_placeholder, MODEL: code_of_logits}


def table(answer: BlockAnswer) -> Table:
    dummies = {path: (str(step.shape), step.parameters) for path, step in answer.placeholder.paths().items()}
    rows = [
        (path or "logits", str(step.shape), step.parameters, *dummies.get(path, ("", "")))
        for path, step in answer.model.paths().items()
    ]
    return Table(("step", "shape", "parameters", "placeholder's shape", "placeholder's parameters"), tuple(rows))


def values(answer: BlockAnswer) -> dict[str, float]:
    found = {
        "parameters": float(answer.model.parameters), "placeholder_parameters": float(answer.placeholder.parameters),
        "block_parameters": float(answer.model.paths()[FIRST_BLOCK].parameters),
        "logits": float(answer.model.shape[-1]), "tokens": float(answer.ids.shape[1]),
    }
    return found if answer.logits is None else found | {"first_logit": float(answer.logits[0, 0, 0])}


FIRST_BLOCK = "trf_blocks.0"
SMALL = BlockRequest(**{name: getattr(PRESETS["gpt2-small"], name) for name in ModelShape.model_fields})
BY_SHAPE = message("GPT-2 small, shapes only")
DUMMY = message("Placeholder's logits")
WITH_BIAS = message("Model's logits, with query, key and value bias")
SHIFTED = message("Model's logits, LayerNorm shift starting at one")


def _at(row: int, position: int, computed: str) -> Any:
    """Return a function that reads the logits at a row and position from an answer that computed ``computed``."""

    def read(answer: BlockAnswer) -> Any:
        if answer.logits is None or answer.computed != computed:
            raise LookupError(computed)
        return answer.logits[row, position]

    return read


LAB = Lab(
    name="block", request=BlockRequest, answer=answer,
    sources=(
        BookSource("4.1", "Coding an LLM architecture"),
        BookSource("4.5", "Connecting attention and linear layers in a transformer block"),
        BookSource("4.6", "Coding the GPT model"),
    ),
    examples=(
        Example(BY_SHAPE, SMALL),
        Example(DUMMY, SMALL.but(compute=PLACEHOLDER)),
        Example(WITH_BIAS, SMALL.but(compute=MODEL, qkv_bias=True)),
        Example(SHIFTED, SMALL.but(compute=MODEL, norm_shift="one")),
    ),
    figures=(
        Figure(("book", "block"), lambda a: a.model.paths()[FIRST_BLOCK].shape, message("shape of a block's output"),
               BY_SHAPE, digits=0, also=[2, 4, 768]),
        Figure(("book", "logits"), lambda a: a.model.shape, message("shape of the logits"), BY_SHAPE, digits=0,
               also=[2, 4, 50_257]),
        Figure(("book", "output layer"), lambda a: a.model.paths()["out_head"].weights["weight"],
               message("shape of the output layer's weights"), BY_SHAPE, digits=0, also=[50_257, 768]),
        Figure(("models", "dummy_logits", "[0,0]"), _at(0, 0, PLACEHOLDER),
               message("placeholder's logits, first token of the first text"), DUMMY),
        Figure(("models", "dummy_logits", "[1,3]"), _at(1, 3, PLACEHOLDER),
               message("placeholder's logits, last token of the second text"), DUMMY),
        Figure(("models", "gpt_qkv_bias_logits", "[0,0]"), _at(0, 0, MODEL),
               message("model's logits with bias, first token of the first text"), WITH_BIAS),
        Figure(("models", "gpt_qkv_bias_logits", "[0,1]"), _at(0, 1, MODEL),
               message("model's logits with bias, second token of the first text"), WITH_BIAS),
        Figure(("book", "logits [0,0]"), _at(0, 0, MODEL), message("model's logits, first token of the first text"),
               SHIFTED, also=[0.4398, -1.1968, -0.3533, -0.1638, -1.2250, 0.0803]),
        Figure(("book", "logits [1,3]"), _at(1, 3, MODEL), message("model's logits, last token of the second text"),
               SHIFTED, also=[-0.5593, -1.3399, 0.3970, 0.8095, -1.6276, 0.3201]),
    ),
    code=lambda request: CODE[request.compute](request), table=table, values=values,
    # The first use of the meta device loads eight hundred modules of torch, which takes a second.
    slow=lambda request: request.compute != SHAPES or "torch._dynamo" not in sys.modules,
)
