"""Embeddings: a token's id chooses a row of a matrix, and the row of its position is added (book §2.7 and §2.8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from gptstudio.fields import Matrix, Problem, Spec, setting
from gptstudio.gpt.config import VOCAB_SIZE
from gptstudio.i18n import message
from gptstudio.labs import checks
from gptstudio.labs.draws import Draws
from gptstudio.labs.lab import BookSource, Example, Figure, Floats, Lab, Table, printed

ROWS, COLUMNS = 12, 8
"""Number of rows and columns that are kept of a large matrix."""
DRAWN_AT_ONCE = 200_000
"""Number of values that can be drawn in far less than 50 ms."""


class EmbeddingsRequest(Spec):
    """A batch of IDs, the sizes of the two matrices, and the token to show in detail."""

    ids: Matrix = setting((), "Token IDs", "One row per sequence. Separate IDs with commas and rows with semicolons.")
    position: int = setting(
        0, "First position", "Position in the text of the first token of each row, counted from 0.",
        low=0, high=63, panel=False,
    )
    vocabulary: int = setting(6, "Vocabulary",
        "Rows of the token matrix: one per token of the vocabulary.", low=1, high=VOCAB_SIZE)
    context: int = setting(4, "Context length", "Rows of the position matrix: one per position.", low=1, high=64)
    width: int = setting(3, "Width", "Length of a row in both matrices.", low=1, high=1_024)
    seed: int = setting(123, "Random seed",
        "Both matrices are initialised at random from this seed; training would change them.",
                        low=0, high=2**63 - 1)
    row: int = setting(0, "Selected sequence", "Counted from 0.", low=0, high=31, panel=False)
    column: int = setting(0, "Selected token", "Position in its sequence, counted from 0.", low=0, high=63, panel=False)

    @classmethod
    def relations(cls, values: Mapping[str, Any]) -> Iterator[Problem]:
        if "ids" not in values:
            return
        problems = list(checks.matrix(cls, "ids", values["ids"], rows=(1, 32), columns=(1, 64)))
        yield from problems or _problems_of(values)


@dataclass(frozen=True)
class EmbeddingsAnswer:
    """B sequences of T tokens; vocabulary V, context C, width D.

    Attributes:
        ids: (B, T).
        tokens: the rows of the token matrix, (B, T, D).
        positions: the rows of the position matrix that are added, (T, D).
        out: their sum, (B, T, D).
        token_matrix, position_matrix: (V, D) and (C, D); large ones are cut to their first rows and columns.
        token_shape, position_shape: shapes of the complete matrices.
        row, column: place of the inspected token in the batch; ``id`` and ``position`` belong to this token.
        product: one-hot vector of the token times the token matrix, (D,).
        at_first: sum for the same token at position 0, (D,).
    """

    ids: np.ndarray
    tokens: Floats
    positions: Floats
    out: Floats
    token_matrix: Floats
    position_matrix: Floats
    token_shape: tuple[int, int]
    position_shape: tuple[int, int]
    row: int
    column: int
    id: int
    position: int
    product: Floats
    at_first: Floats

    @property
    def token(self) -> Floats:
        """Row of the token matrix for the inspected token, (D,)."""
        row: Floats = self.tokens[self.row, self.column]
        return row

    @property
    def place(self) -> Floats:
        """Row of the position matrix that is added to it, (D,)."""
        row: Floats = self.positions[self.column]
        return row

    @property
    def sum(self) -> Floats:
        row: Floats = self.out[self.row, self.column]
        return row

    @property
    def parameters(self) -> int:
        return (self.token_shape[0] + self.position_shape[0]) * self.token_shape[1]

    @property
    def complete(self) -> bool:
        """True if both matrices are kept in full."""
        return (self.token_matrix.shape, self.position_matrix.shape) == (self.token_shape, self.position_shape)


def answer(request: EmbeddingsRequest) -> EmbeddingsAnswer:
    draws = Draws(request.seed)
    matrix = draws.randn(request.vocabulary, request.width)  # (V, D)
    places = draws.randn(request.context, request.width)  # (C, D)
    ids = torch.tensor(request.ids).long()  # (B, T)
    tokens, positions = matrix[ids], places[request.position : request.position + ids.shape[1]]  # (B, T, D), (T, D)
    row, column = min(request.row, ids.shape[0] - 1), min(request.column, ids.shape[1] - 1)
    looked_at = int(ids[row, column])
    one_hot = torch.nn.functional.one_hot(ids[row, column], request.vocabulary).to(matrix.dtype)  # (V,)
    return EmbeddingsAnswer(
        ids=ids.numpy(), tokens=tokens.numpy(), positions=positions.numpy(), out=(tokens + positions).numpy(),
        token_matrix=matrix[:ROWS, :COLUMNS].numpy().copy(), position_matrix=places[:ROWS, :COLUMNS].numpy().copy(),
        token_shape=(request.vocabulary, request.width), position_shape=(request.context, request.width),
        row=row, column=column, id=looked_at, position=request.position + column,
        product=(one_hot @ matrix).numpy(), at_first=(matrix[looked_at] + places[0]).numpy(),
    )


def _problems_of(values: Mapping[str, Any]) -> Iterator[Problem]:
    ids, vocabulary = values["ids"], values.get("vocabulary", VOCAB_SIZE)
    outside = [each for row in ids for each in row if not (each == int(each) and 0 <= each < vocabulary)]
    if outside:
        yield Problem("ids", message(
            "There is no ID {id}. With a vocabulary of {count}, IDs must be whole numbers from 0 to {most}.",
            id=f"{outside[0]:g}", count=f"{vocabulary:,}", most=f"{vocabulary - 1:,}",
        ))
    if "position" in values and "context" in values and (end := values["position"] + len(ids[0])) > values["context"]:
        yield Problem("position", message(
            "The last token would be at position {last}, but the position matrix ends at {most}. Increase Context, or "
            "reduce the position.", last=end - 1, most=values["context"] - 1,
        ))


def code(request: EmbeddingsRequest) -> str:
    ids = [[int(each) for each in row] for row in request.ids]
    return f"""import torch

torch.manual_seed({request.seed})
token_embedding = torch.nn.Embedding({request.vocabulary}, {request.width})
position_embedding = torch.nn.Embedding({request.context}, {request.width})
ids = torch.tensor({ids})
tokens = token_embedding(ids)
positions = position_embedding(torch.arange({request.position}, {request.position + len(ids[0])}))
x = tokens + positions
one_hot = torch.nn.functional.one_hot(ids, {request.vocabulary}).float()
print(torch.equal(one_hot @ token_embedding.weight, tokens))
print(x.shape, x)
"""


def table(answer: EmbeddingsAnswer) -> Table:
    """Return one row per token of the batch, with the sum of its two embeddings."""
    columns = ("sequence", "token", "id", "position", *(f"number {i}" for i in range(answer.out.shape[-1])))
    first = answer.position - answer.column
    places = np.ndindex(answer.ids.shape)
    rows = [(b, t, int(answer.ids[b, t]), first + t, *map(float, answer.out[b, t])) for b, t in places]
    return Table(columns, tuple(rows))


def values(answer: EmbeddingsAnswer) -> dict[str, float]:
    return {
        "id": answer.id, "position": answer.position, "parameters": answer.parameters,
        "moved": float(np.abs(answer.sum - answer.at_first).max()),
    }


LOOKUP, EIGHT = message("One ID, six tokens"), message("Eight windows of four")
BATCH = tuple(map(tuple, printed(("the_verdict", "batch_8x4_stride_4_inputs"))))
SHAPE = [8, 4, 256]

LAB = Lab(
    name="embeddings", request=EmbeddingsRequest, answer=answer,
    sources=(
        BookSource("2.7", "Creating token embeddings"),
        BookSource("2.8", "Encoding word positions"),
    ),
    examples=(
        Example(LOOKUP, EmbeddingsRequest(ids=((3,),), context=8)),
        Example(EIGHT, EmbeddingsRequest(ids=BATCH, vocabulary=VOCAB_SIZE, width=256)),
    ),
    figures=(
        Figure(("book", "row 3"), lambda a: a.token[np.newaxis], message("row of ID 3"),
               also=[[-0.4015, 0.9666, -1.1481]]),
        Figure(("book", "tokens"), lambda a: a.tokens.shape, message("shape of the token embeddings"), EIGHT,
               also=SHAPE),
        Figure(("book", "positions"), lambda a: a.positions.shape, message("shape of the position embeddings"), EIGHT,
               also=SHAPE[1:]),
        Figure(("book", "sum"), lambda a: a.out.shape, message("shape of the sum"), EIGHT, also=SHAPE),
    ),
    code=code, table=table, values=values,
    slow=lambda request: request.vocabulary * request.width > DRAWN_AT_ONCE,
)
