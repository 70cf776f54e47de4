"""The book's printed models and tokens come out, to the last printed digit."""

import numpy as np
import pytest
import torch
from torch import nn

from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.gpt.decoder import greedy
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.sampling import sampler
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.torch_settings import RandomStream

SMALL = PRESETS["gpt2-small"]
BATCH = ["Every effort moves you", "Every day holds a"]


def batch() -> torch.Tensor:
    return torch.tensor([GPT2.encode(text) for text in BATCH])  # (2, 4)


def printed(logits: torch.Tensor) -> list[float]:
    """The numbers that torch prints of a long row: three from each end."""
    return torch.cat([logits[:3], logits[-3:]]).tolist()


def hold_printed(logits: torch.Tensor, figures: dict) -> None:
    """Every position of ``figures``, named as '[row,position]', to its printed digits."""
    rounding = 0.5 * 10 ** -figures["digits"]
    for name, expected in figures.items():
        if name != "digits":
            row, position = map(int, name.strip("[]").split(","))
            assert printed(logits[row, position]) == pytest.approx(expected, abs=1.01 * rounding), name


def book_model(cfg: GPTConfig = SMALL, seed: int = 123) -> GPTModel:
    with RandomStream(seed).active():
        return GPTModel(cfg)


@pytest.mark.parametrize(
    "text",
    [
        "Every effort moves you", "Every day holds a", "Hello, I am",
        "Hello, do you like tea? <|endoftext|> In the sunlit terracesof someunknownPlace.",
    ],
)
def test_that_a_sentence_has_the_books_token_ids(text, numbers):
    assert GPT2.encode(text) == numbers["tokens"][text]


def test_that_no_sentence_of_the_book_is_left_out(numbers):
    assert len(numbers["tokens"]) == 4


def test_that_embeddings_and_output_layer_alone_give_the_books_placeholder_logits(numbers):
    cfg = SMALL.model_copy(update={"n_layers": 0})  # the book's placeholder blocks and norm hand on what they get
    with RandomStream(123).active(), torch.no_grad():
        model = GPTModel(cfg)
        model.final_norm = nn.Identity()
        logits = model(batch())  # train mode, as in the book
    hold_printed(logits, numbers["models"]["dummy_logits"])


def test_that_an_untrained_model_writes_the_books_nonsense(numbers):
    figures = numbers["models"]["untrained_greedy"]
    ids = greedy(book_model().eval(), GPT2.encode(figures["prompt"]), figures["new_tokens"])
    assert ids == figures["ids"]
    assert GPT2.decode(ids) == figures["text"]


def test_that_a_model_with_bias_gives_the_books_logits_in_train_mode_and_then_its_other_nonsense(numbers):
    figures = numbers["models"]["untrained_greedy_qkv_bias_after_one_training_forward"]
    with RandomStream(123).active(), torch.no_grad():
        model = GPTModel(SMALL.but(qkv_bias=True))
        hold_printed(model(batch()), numbers["models"]["gpt_qkv_bias_logits"])
    ids = greedy(model.eval(), GPT2.encode("Hello, I am"), 6)
    assert ids == figures["ids"]
    assert GPT2.decode(ids) == figures["text"]


def test_that_top_k_gives_the_books_probabilities(numbers):
    figures = numbers["top_k"]
    logits = np.array([-5.0 if value is None else value for value in figures["logits"]])
    stages = sampler.distribution(logits, SamplingParams(top_k=figures["k"]))
    assert sorted(np.flatnonzero(stages.kept)) == sorted(figures["positions"])
    assert stages.likeliest(figures["k"]).tolist() == figures["positions"]
    assert stages.probabilities == pytest.approx(figures["probabilities"], abs=0.51e-4)
