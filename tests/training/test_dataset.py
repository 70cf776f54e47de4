"""The batches equal those of DataLoader: the same windows in the same order from the same seed."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.utils.data import DataLoader, Dataset

from gptstudio.data.tokens import Tokens
from gptstudio.torch_settings import RandomStream
from gptstudio.training import corpus
from gptstudio.training.dataset import Batches


class BookDataset(Dataset):
    """Overlapping windows as the book cuts them."""

    def __init__(self, ids, context, stride):
        starts = range(0, len(ids) - context, stride)
        self.pairs = [(torch.tensor(ids[i : i + context]), torch.tensor(ids[i + 1 : i + context + 1])) for i in starts]

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, i):
        return self.pairs[i]


shapes = st.tuples(st.integers(2, 80), st.integers(1, 10), st.integers(1, 12), st.integers(1, 5)).filter(
    lambda shape: shape[0] > shape[1]
)


def passes(loader, lengths) -> list:
    """Return the batches of passes over ``loader``, each ended after one of ``lengths`` batches, as an
    evaluation is."""
    found = []
    for length in lengths:
        found.append([])
        for i, (inputs, targets) in enumerate(loader):
            if i >= length:
                break
            found[-1].append((inputs.tolist(), targets.tolist()))
    return found


lengths_of_passes = st.lists(st.integers(0, 90), min_size=1, max_size=5)


@given(shapes, st.booleans(), st.booleans(), lengths_of_passes, st.integers(0, 2**40))
def test_that_the_order_is_that_of_a_dataloader_over_many_passes(shape, shuffle, drop_last, lengths, seed):
    tokens, context, stride, size = shape
    ids = list(range(1000, 1000 + tokens))
    theirs = DataLoader(BookDataset(ids, context, stride), size, shuffle=shuffle, drop_last=drop_last)
    ours = Batches(ids, context, stride, size, shuffle=shuffle, drop_last=drop_last)
    assert len(ours) == len(theirs)
    with RandomStream(seed).active():
        expected = passes(theirs, lengths)
    with RandomStream(seed).active():
        assert passes(ours, lengths) == expected


def test_that_training_evaluation_and_dropout_stay_in_step_with_dataloaders():
    """Random numbers are drawn in the order of the book's loop: a training pass, two evaluations ended within it,
    dropout in between."""
    ids = list(range(60))

    def drawn(training, validation):
        seen = []
        with RandomStream(123).active():
            for _ in range(3):
                for i, (inputs, _) in enumerate(training):
                    seen += [inputs.tolist(), torch.rand(3).tolist()]
                    if i % 2 == 0:
                        seen += passes(training, [2]) + passes(validation, [2])
        return seen

    def loader(shuffle, drop_last):
        return DataLoader(BookDataset(ids, 4, 4), 2, shuffle=shuffle, drop_last=drop_last)

    def mine(shuffle, drop_last):
        return Batches(ids, 4, 4, 2, shuffle=shuffle, drop_last=drop_last)

    assert drawn(mine(True, True), mine(False, False)) == drawn(loader(True, True), loader(False, False))


@given(shapes)
def test_that_the_plan_counts_the_existing_windows(shape):
    tokens, context, stride, size = shape
    batches = Batches(range(tokens), context, stride, size, shuffle=False, drop_last=False)
    assert len(batches.windows) == len(BookDataset(range(tokens), context, stride))
    assert len(batches.windows) == corpus.windows(tokens, context, stride)
    assert sum(len(inputs) for inputs, _ in batches) == len(batches.windows)


@given(shapes, st.lists(st.integers(0, 9), max_size=4))
def test_that_ids_in_16_bit_chunks_give_the_same_batches(shape, lengths):
    tokens, context, stride, size = shape
    ids = np.arange(50_000, 50_000 + tokens)
    bounds = np.cumsum(lengths)
    stretches = Tokens(np.split(ids.astype("<u2"), bounds[bounds < tokens]))

    def seen(ids):
        batches = Batches(ids, context, stride, size, shuffle=True, drop_last=False)
        with RandomStream(123).active():
            return [(inputs.tolist(), targets.tolist(), inputs.dtype) for inputs, targets in batches]

    assert seen(stretches) == seen(ids.tolist())


@pytest.mark.parametrize("tokens", [0, 1, 16])
def test_that_a_text_without_a_window_has_none_in_the_plan(tokens):
    assert corpus.windows(tokens, 16, 16) == 0
    assert corpus.windows(17, 16, 16) == 1
