"""Wrong requests of the labs: each is reported once, at its field."""

from typing import Any

import pytest

from gptstudio.labs import beams, sampling
from gptstudio.labs.catalogue import load

WRONG: dict[str, list[tuple[dict[str, Any], str, str]]] = {
    "attention": [
        ({"inputs": ((1.0, 2.0), (1.0,)) * 3}, "inputs", "Inputs: the length of row 2 is 1, but that of row 1 is 2"),
        ({"inputs": ((1.0, "x"), *((1.0, 2.0),) * 5)}, "inputs", "row 1, column 2, is 'x'; it must be a number"),
        ({"inputs": ()}, "inputs", "empty"),
        ({"inputs": ((101.0,),) * 6}, "inputs", "101 must be a number between -100 and 100"),
        ({"d_out": 0}, "d_out", "it must be a whole number between 1 and 8"),
        ({"words": "two words"}, "words", "The number of words is 2, but the number of rows in Inputs is 6"),
        ({"words": ""}, "words", "The number of words is 0"),
        ({"query": 7}, "query", "between 1 and the number of words (6)"),
        ({"rate": 1.0}, "rate", "between 0 and 0.99"),
        ({"heads": 5}, "heads", "between 1 and 4"),
    ],
    "block": [
        ({"context_length": 8, "text": ""}, "text", "Text: the number of tokens is 0; it must be between 1 and 8."),
        ({"context_length": 8, "text": "word " * 9}, "text", "it must be between 1 and 8"),
        ({"context_length": 8, "other": "Every day"}, "other",
         "Second text: the number of tokens is 2, but that of Text is 4"),
        ({"emb_dim": 0}, "emb_dim", "emb_dim is 0"),
        ({"emb_dim": 10}, "emb_dim", "must be a multiple of Heads"),
        ({"vocab_size": 100}, "vocab_size", "the texts contain the token ID 6622. It must be at least 6623."),
    ],
    "dropout": [
        ({"rate": 1.0}, "rate",
         "At 1 every number would be dropped, and the scale factor 1 / (1 - 1) would be infinite."),
        ({"drop_rate_attn": 1.0}, "drop_rate_attn", "infinite. It must be at most 0.99"),
        ({"rate": 1.5}, "rate", "between 0 and 1"),
        ({"rate": -0.1}, "rate", "between 0 and 1"),
        ({"numbers": ((1.0, "x"),)}, "numbers", "row 1, column 2, is 'x'"),
        ({"numbers": ((1.0, 2.0), (1.0,))}, "numbers", "Matrix: the length of row 2 is 1, but that of row 1 is 2"),
        ({"draws": 0}, "draws", "between 1 and 10,000"),
    ],
    "embeddings": [
        ({"ids": ()}, "ids", "empty"),
        ({"ids": ((1, 2), (3,))}, "ids", "All rows must have the same length."),
        ({"ids": ((6,),)}, "ids", "There is no ID 6. With a vocabulary of 6, IDs must be whole numbers from 0 to 5"),
        ({"ids": ((1.5,),)}, "ids", "There is no ID 1.5"),
        ({"ids": ((-1,),)}, "ids", "There is no ID -1"),
        ({"ids": (("x",),)}, "ids", "a number"),
        ({"ids": ((1, 2, 3),), "position": 2, "context": 4}, "position",
         "would be at position 4, but the position matrix ends at 3"),
        ({"ids": ((1,),), "width": 0}, "width", "between 1 and 1,024"),
    ],
    "feedforward": [
        ({"text": ""}, "text", "Text is empty"),
        ({"text": "a" * 5_001}, "text", "Text has 5,001 characters"),
        ({"width": 0}, "width", "width is 0; it must be a whole number between 16 and 4,096."),
        ({"layer": 0}, "layer", "layer is 0"),
        ({"tokens": 0}, "tokens", "tokens is 0"),
    ],
    "gelu": [
        ({"reach": 0}, "reach", "a number between 0.5 and 10"),
        ({"points": 1}, "points", "a whole number between 2 and 1,000"),
        ({"x": 11}, "x", "a number between -10 and 10"),
        ({"x": "minus"}, "x", "a number between -10 and 10"),
    ],
    "generate": [
        ({"prompt": ""}, "prompt", "Prompt is empty. Type a word or two"),
        ({"prompt": "x" * 201}, "prompt", "201 characters; the maximum is 200"),
        ({"new_tokens": 0}, "new_tokens", "new_tokens is 0; it must be a whole number between 1 and 24"),
        ({"context": 0}, "context", "context is 0; it must be"),
        ({"story": "mine"}, "story", "one of chosen, with bias"),
    ],
    "ablation": [
        ({"text": "the whale eats"}, "text", "does not know “whale”"),
        ({"text": ""}, "text", "words is 0; it must be between 1 and 6"),
        ({"text": "the " * 7}, "text", "words is 7"),
        ({"word": "whale"}, "word", "does not know “whale”"),
        ({"component": "2.0"}, "component", "one of none, 0.0"),
    ],
    "patching": [
        ({"corrupted": "the dog"}, "corrupted", "has 6 words, the corrupted one 2"),
        ({"corrupted": "the cat in the garden eats"}, "corrupted", "Both sentences are the same"),
        ({"clean": "the cat", "corrupted": "the dog", "position": 2}, "position", "last word has position 1"),
    ],
    "beams": [
        ({"weights": ((0.0,) * 5, *beams.WEIGHTS[1:])}, "weights", "row of “the” has only zeros"),
        ({"weights": ((-1.0, 1, 1, 1, 1), *beams.WEIGHTS[1:])}, "weights", "has a number below 0"),
        ({"weights": beams.WEIGHTS[1:]}, "weights", "number of rows is 3"),
        ({"width": 9}, "width", "between 1 and 8"),
    ],
    "layernorm": [
        ({"batch": ()}, "batch", "Batch is empty"),
        ({"batch": ((1.0, 2.0), (3.0,))}, "batch", "Batch: the length of row 2 is 1, but that of row 1 is 2"),
        ({"batch": ((1.0,),)}, "batch", "Batch: the number of columns is 1; it must be between 2 and 8"),
        ({"batch": ((1.0, 2.0),) * 9}, "batch", "Batch: the number of rows is 9; it must be between 1 and 8"),
        ({"batch": ((1.0, "two"),)}, "batch", "Batch, row 1, column 2, is 'two'; it must be a number"),
        ({"batch": ((1.0, 2e6),)}, "batch",
         "Batch, row 1, column 2: 2e+06 must be a number between -1,000,000 and 1,000,000"),
        ({"eps": -1.0}, "eps", "between 0 and 1"),
    ],
    "loss": [
        ({"probabilities": ()}, "probabilities", "the number of values is 0; it must be between 1 and 64"),
        ({"probabilities": (0.5, 1.5)}, "probabilities", "number 2: 1.5 must be between 0 and 1"),
        ({"probabilities": (-0.1,)}, "probabilities", "number 1: -0.1 must be"),
        ({"probabilities": (0.5, "half")}, "probabilities", "item 2, is 'half'"),
        ({"first": ""}, "first", "is too short. It needs at least two tokens: one to read and one to predict."),
        ({"first": "word"}, "first", "First sentence ('word') is too short. It needs at least two tokens"),
        ({"second": "x" * 121}, "second", "Second sentence has 121 characters; the maximum is 120"),
        ({"source": "nowhere"}, "source", "one of hand, model"),
    ],
    "ngrams": [
        ({"text": "own", "own": ""}, "own", "Your own text is empty"),
        ({"text": "own", "own": "a" * 200_001}, "own", "the maximum is 200,000"),
        ({"text": "own", "own": "\ud800"}, "own", "incomplete character"),
        ({"prompt": ""}, "prompt", "Prompt is empty"),
        ({"prompt": "\udfff"}, "prompt", "incomplete character"),
        ({"order": 5}, "order", "n"),
    ],
    "sampling": [
        ({"top_k": 0}, "top_k", "top_k is 0; it must be a whole number between 1 and 9, or empty"),
        ({"temperature": -1}, "temperature", "temperature is -1; it must be"),
        ({"logits": (1.0, 2.0)}, "logits", "the number of values is 2; it must be 9, one for each word"),
        ({"logits": (*sampling.LOGITS[:8], 101.0)}, "logits", "number 9: 101.0 must be between -100 and 100"),
        ({"logits": (*sampling.LOGITS[:8], "pizza")}, "logits", "item 9, is 'pizza'"),
        ({"draws": 0}, "draws", "draws is 0"),
    ],
    "scaling": [
        ({"points": "trained", "layers": (1, 2)}, "layers", "the number of values is 2, but there are 4 widths"),
        ({"points": "trained", "widths": (16, 32, 64, 100_000)}, "widths",
         "Widths, model 4: 100,000 must be between 8 and 512."),
        ({"points": "trained", "heads": (1, 2, 3, 4)}, "widths",
         "Widths, model 3: 64 must be a multiple of its heads (3)."),
        ({"points": "trained", "budget": 0.04}, "budget",
         "model 4 would be trained for 7 steps; there must be between 10 and 200,000"),
        ({"points": "trained", "text": " "}, "text", "Text is empty"),
        ({"points": "recorded", "seeds": 2}, "seeds", "Seeds: no run with this value was recorded."),
    ],
    "shortcuts": [
        ({"layer_sizes": (3, 0, 1)}, "layer_sizes", "number 2: 0 must be between 1 and 64"),
        ({"layer_sizes": (3,)}, "layer_sizes", "gives 0 layers; the number of layers must be between 1 and 40"),
        ({"layer_sizes": ()}, "layer_sizes", "gives 0 layers"),
        ({"layer_sizes": (3, "wide", 1)}, "layer_sizes", "item 2, is 'wide'; it must be a whole number"),
        ({"layer_sizes": (4, 4)}, "input", "Input: the number of values is 3, but the first of Layer sizes is 4"),
        ({"input": (1.0, "x", 0.0)}, "input", "item 2, is 'x'"),
        ({"seeds": 0}, "seeds", "it must be a whole number between 1 and 500"),
    ],
    "sizes": [
        ({"emb_dim": 0}, "emb_dim", "emb_dim is 0; it must be a whole number between 1 and 16,384."),
        ({"emb_dim": 100, "n_heads": 12}, "emb_dim", "Width (100) must be a multiple of Heads (12), for example 96."),
        ({"n_layers": "many"}, "n_layers", "n_layers is 'many'; it must be a whole number between 1 and 128."),
    ],
    "tokens": [
        ({"text": ""}, "text", "empty"),
        ({"text": "a" * 2_001}, "text", "2,001 characters; the maximum is 2,000"),
        ({"text": "\ud83d"}, "text", "half of a surrogate pair"),
        ({"text": "a", "word": "two words"}, "word", "split into 2 words"),
        ({"text": "a", "word": "ä" * 200}, "word", "400 bytes"),
        ({"text": "a", "word": "\ud83d"}, "word", "half of a surrogate pair"),
        ({"text": "a", "step": -1}, "step", "between 0 and"),
    ],
    "windows": [
        ({"text": "own", "own": ""}, "own", "empty"),
        ({"text": "own", "own": "a" * 20_001}, "own", "20,001 characters"),
        ({"text": "own", "own": "\ud83d"}, "own", "half of a surrogate pair"),
        ({"text": "own", "own": "two words", "context": 9}, "own", "The number of tokens is only 2. A window of 9"),
        ({"text": "ids", "ids": ()}, "ids", "The number of tokens is only 0"),
        ({"text": "ids", "ids": (1, 2, -3, 4, 5)}, "ids", "ID 3 is -3"),
        ({"text": "ids", "ids": (1,) * 1_001}, "ids", "the maximum here is 1000"),
        ({"text": "ids", "ids": ("x",)}, "ids", "a whole number"),
        ({"stride": 0}, "stride", "between 1 and 256"),
        ({"text": "Ulysses"}, "text", "one of"),
    ],
    "optimizers": [
        ({"steps": 5, "step": 6}, "step", "Step shown is 6, but there are only 5 steps."),
        ({"steps": 0, "step": 2}, "steps", "steps is 0"),
    ],
}
"""Changes of the first example of each lab, the field of the problem, and a part of its message."""


@pytest.mark.parametrize(("name", "changes", "field", "words"), [(name, *row) for name in WRONG for row in WRONG[name]])
def test_that_an_error_in_a_request_is_reported_at_its_field(name, changes, field, words):
    lab = load(name)
    problems = lab.request.problems(lab.examples[0].request.shallow() | changes)
    assert [(each.field, words in each.message) for each in problems] == [(field, True)], problems
