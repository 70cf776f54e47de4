"""Streams of random numbers that never affect each other."""

import threading

import torch

from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.model import GPTModel
from gptstudio.torch_settings import RandomStream, uninitialised

TINY = GPTConfig(vocab_size=20, context_length=8, emb_dim=8, n_heads=2, n_layers=1)


def test_that_a_stream_starts_as_after_manual_seed():
    with torch.random.fork_rng():
        torch.manual_seed(123)
        expected = torch.rand(5)
    with RandomStream(123).active():
        assert torch.equal(torch.rand(5), expected)


def test_that_a_stream_continues_from_its_state_independently_of_other_draws():
    with RandomStream(7).active():
        expected = torch.rand(6)
    stream, other, found = RandomStream(7), RandomStream(8), []
    for _ in range(3):
        with stream.active():
            found.append(torch.rand(2))
        torch.rand(3)
        with other.active():
            GPTModel(TINY)
    assert torch.equal(torch.cat(found), expected)


def test_that_a_stream_leaves_torchs_own_random_state_unchanged():
    before = torch.get_rng_state()
    stream = RandomStream(7)
    with stream.active():
        torch.rand(10)
    assert torch.equal(torch.get_rng_state(), before)


def test_that_a_model_whose_weights_are_loaded_next_draws_none_and_has_the_same_parameters():
    expected = {name: tensor.shape for name, tensor in GPTModel(TINY).named_parameters()}
    before = torch.get_rng_state()
    for device in ("cpu", "meta"):
        with uninitialised(device):
            model = GPTModel(TINY)
        assert {name: tensor.shape for name, tensor in model.named_parameters()} == expected
        assert {tensor.device.type for tensor in model.parameters()} == {device}
    assert torch.equal(torch.get_rng_state(), before)


def test_that_the_random_state_is_restored_also_after_an_error():
    before, stream = torch.get_rng_state(), RandomStream(7)
    try:
        with stream.active():
            torch.rand(1)
            raise KeyError
    except KeyError:
        pass
    assert torch.equal(torch.get_rng_state(), before)
    with stream.active():
        second = torch.rand(1)
    with RandomStream(7).active():
        assert torch.rand(2)[1] == second


def test_that_two_threads_draw_their_own_streams():
    def expected(seed):
        with RandomStream(seed).active():
            return torch.rand(400)

    alone, found = [expected(seed) for seed in range(4)], {}

    def draw(seed):
        stream, pieces = RandomStream(seed), []
        for _ in range(40):
            with stream.active():
                pieces.append(torch.rand(10))
        found[seed] = torch.cat(pieces)

    threads = [threading.Thread(target=draw, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(torch.equal(found[seed], alone[seed]) for seed in range(4))
