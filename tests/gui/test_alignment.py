"""Two texts side by side, of models with different tokenizers: cells cover the same bytes."""

import numpy as np
import pytest

from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gpt.tokenizer import END_OF_TEXT, GPT2, Characters, Tokenizer
from gptstudio.gui.generate.comparison.alignment import Alignment
from gptstudio.inference.generator import draw
from gptstudio.training.events import Piece, PromptRead, TextEnded, TokenDrawn

LETTERS = Characters(sorted("abcdefghijklmnopqrstuvwxyz é"))
PROMPT = "a"
PARAMS = SamplingParams(temperature=1.0)


def drawn(tokenizer: Tokenizer, token: int, context: list[int], likely: dict[str, float] | None = None) -> TokenDrawn:
    """Return a token as the decoding loop makes it. ``likely``: probabilities of tokens by their text; those of the
    others are 0."""
    logits = np.full(tokenizer.size, -np.inf)
    logits[token] = 0.0
    for text, probability in (likely or {}).items():
        (each,) = tokenizer.encode(text)
        logits[each] = np.log(probability)
    return draw(logits, PARAMS, context, 0.5, tokenizer=tokenizer).model_copy(update={"id": token})


def aligned(left: str, right: str, order: str = "", tokenizers=(GPT2, LETTERS)) -> Alignment:
    """Return the alignment of both texts, written alternately, or in an ``order`` of sides."""
    made = Alignment(*tokenizers)
    waiting = []
    for side, (tokenizer, text) in enumerate(zip(tokenizers, (left, right), strict=True)):
        given = tokenizer.encode(PROMPT)
        made.take(side, PromptRead(pieces=[Piece(id=each, text="") for each in given], dropped=0, model="m"))
        ids = tokenizer.encode(PROMPT + text)
        assert ids[: len(given)] == given
        waiting.append([drawn(tokenizer, ids[at], ids[:at]) for at in range(len(given), len(ids))])
    turns = [int(side) for side in order] if order else [0, 1] * max(map(len, waiting))
    for side in turns:
        if waiting[side]:
            made.take(side, waiting[side].pop(0))
    return made


def texts(made: Alignment) -> list[tuple[str, str]]:
    return [tuple(cell.text if cell else "" for cell in column.cells) for column in made.columns]


def test_that_a_cell_is_beside_those_that_cover_the_same_bytes_and_the_first_difference_is_one_of_them():
    made = aligned(" king was", " king was")
    assert texts(made) == [("␣king", "␣│k│i│n│g"), ("␣was", "␣│w│a│s")]
    assert made.equal == 2
    assert made.parted is None
    assert [made.count(side) for side in (0, 1)] == [2, 9]
    assert made.text(0) == made.text(1) == "a king was"
    made = aligned(" king was", " king is so")
    assert texts(made)[0] == ("␣king", "␣│k│i│n│g")
    made.close()
    assert made.parted == 1
    assert made.text(1) == "a king is so"
    made = aligned("é", "é")
    assert [column.cells[0].data for column in made.columns] == ["é".encode()]
    assert made.equal == 1
    made = aligned(" king", " king")
    cell = made.columns[0].cells[1]
    assert cell.ids == tuple(LETTERS.encode(" king"))
    assert cell.probability == 1
    assert made.mean_surprise(1) == 0


@pytest.mark.parametrize("order", ["00" + "1" * 9, "1" * 9 + "00", "101111" + "0111111"])
def test_that_the_columns_do_not_depend_on_which_side_writes_first(order):
    assert texts(aligned(" king was", " king was", order)) == texts(aligned(" king was", " king was"))


def test_that_tokens_that_wait_are_shown_meanwhile_and_a_text_that_ends_differs_from_one_that_continues():
    assert texts(aligned(" king was", " king was", "0")) == [("␣king", "")]
    assert texts(aligned(" king was", " king was", "001")) == [("␣king", "␣"), ("␣was", "")]
    made = aligned(" king was", " king was", "001")
    made.close()
    assert made.parted is None, "it was stopped within a word"
    assert [column.candidates != () for column in made.columns] == [True, True]
    made = aligned(" king was", " kin", "0011110")
    made.take(1, TextEnded(reason="end_of_text", sample=0, position=6))
    assert made.parted == 0
    assert texts(made) == [("␣king", "␣│k│i│n"), ("␣was", "")]


def test_that_candidates_and_distance_compare_tokens_by_their_bytes():
    made = Alignment(GPT2, LETTERS)
    for side, (tokenizer, shares) in enumerate((
            (GPT2, {"b": 0.5, "c": 0.25, " king": 0.25}), (LETTERS, {"b": 0.5, "c": 0.25, "d": 0.25}))):
        given = tokenizer.encode(PROMPT)
        made.take(side, PromptRead(pieces=[Piece(id=each, text="") for each in given], dropped=0, model="m"))
        (token,) = tokenizer.encode("b")
        made.take(side, drawn(tokenizer, token, given, shares))
    (column,) = made.columns
    assert column.equal
    found = {each.text: each for each in column.candidates}
    assert found["b"].ids == (*GPT2.encode("b"), *LETTERS.encode("b"))
    assert [share.probability for share in found["b"].shares] == pytest.approx([0.5, 0.5])
    assert found["␣king"].ids[1] is None
    assert found["␣king"].shares[1] is None
    assert [share.probability for share in found["d"].shares] == pytest.approx([0, 0.25])
    assert column.distance == pytest.approx(0.25), "a quarter of each side is impossible on the other"
    both = {GPT2.token_bytes(each) for each in range(GPT2.size)} | {
        LETTERS.token_bytes(each) for each in range(LETTERS.size)}
    assert column.others == len(both) - len(column.candidates)
    assert END_OF_TEXT.encode() in both


def test_that_with_one_tokenizer_a_column_has_one_token_of_each_side_also_after_a_difference():
    made = aligned(" king was", " was king", tokenizers=(GPT2, GPT2))
    assert texts(made) == [("␣king", "␣was"), ("␣was", "␣king")]
    assert made.parted == 0
