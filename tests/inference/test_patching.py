"""Activation patching and induction scores, compared with Hugging Face's GPT-2 with the same weights."""

from contextlib import ExitStack

import numpy as np
import pytest
import torch
from test_effects import CONFIGS, WITHIN, make, theirs_of

from gptstudio.errors import UserError
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.sampling.sampler import BrokenLogits
from gptstudio.inference import induction, patching
from gptstudio.inference.interventions import Component
from gptstudio.inference.prompt_pair import KINDS, PromptPair, parting
from gptstudio.training.control import Stopped

PAIR = PromptPair((3, 1, 4, 1, 5, 7, 2), (3, 1, 6, 1, 5, 8, 2))
ANSWER, WRONG = 6, 3


def their_run(theirs, ids, hooks):
    """Return the logits after the last token, with these hooks: (module, true for a hook before it, function)."""
    with ExitStack() as stack, torch.no_grad():
        for module, before, hook in hooks:
            register = module.register_forward_pre_hook if before else module.register_forward_hook
            stack.callback(register(hook).remove)
        return theirs(torch.tensor([ids])).logits[0, -1].double()


def first_of(value):
    return value[0] if isinstance(value, tuple) else value


def their_patched(theirs, pair, kind, layer, place):
    """Compute the same by hooks: the value is kept in the clean run, and put into the corrupted one."""
    block, kept = theirs.transformer.h[layer], {}
    module = {"resid": block, "attention": block.attn, "mlp": block.mlp, "heads": block.attn.c_proj}[kind]
    before, size = kind in ("resid", "heads"), theirs.config.n_embd // theirs.config.n_head
    columns = slice(place * size, (place + 1) * size)
    where = (0, slice(None), columns) if kind == "heads" else (0, place)

    def keep(_module, args, *output):
        kept["value"] = first_of(output[0] if output else args)[where].clone()

    def put(_module, args, *output):
        whole = output[0] if output else args
        changed = first_of(whole).clone()
        changed[where] = kept["value"]
        return (changed, *whole[1:]) if isinstance(whole, tuple) else changed

    their_run(theirs, pair.clean, [(module, before, keep)])
    return their_run(theirs, pair.corrupted, [(module, before, put)])


def difference(logits):
    return (logits[ANSWER] - logits[WRONG]).item()


@pytest.mark.slow
@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
@pytest.mark.parametrize("kind", KINDS)
def test_that_every_patch_equals_that_of_hooks_on_transformers(config, kind):
    model = make(config)
    pair = PAIR.end(config.context_length)
    found, theirs = patching.patch(model, pair, kind, ANSWER, WRONG), theirs_of(model)
    clean, corrupted = (their_run(theirs, ids, []) for ids in (pair.clean, pair.corrupted))
    assert found.clean.difference == pytest.approx(difference(clean), abs=WITHIN)
    assert found.corrupted.probabilities == pytest.approx(torch.softmax(corrupted, dim=-1).numpy(), abs=WITHIN)
    assert found.recovered.shape == (config.n_layers, config.n_heads if kind == "heads" else len(pair.clean))
    for cell in np.ndindex(found.recovered.shape):
        logits = their_patched(theirs, pair, kind, *cell)
        probabilities = torch.softmax(logits, dim=-1)
        assert found.patched.difference[cell] == pytest.approx(difference(logits), abs=WITHIN), cell
        assert found.patched.probability[cell] == pytest.approx(probabilities[ANSWER].item(), abs=WITHIN), cell
        whole = difference(clean) - difference(corrupted)
        expected = (difference(logits) - difference(corrupted)) / whole
        assert found.recovered[cell] == pytest.approx(expected, abs=WITHIN / min(1, abs(whole))), cell
        for each in found.candidates(*cell):
            assert each.patched == pytest.approx(probabilities[each.id].item(), abs=WITHIN)
            assert each.clean == pytest.approx(found.clean.probabilities[each.id])
        assert probabilities.argmax().item() in [each.id for each in found.candidates(*cell)]


def test_that_the_residual_shows_where_the_difference_is_read_and_where_it_ends():
    """Before the first layer only the tokens that differ can matter, and before the last only the last position."""
    pair = PromptPair((3, 1, 4, 1), (3, 1, 6, 1))
    found = patching.patch(make(CONFIGS["untied"]), pair)
    assert found.recovered[0] == pytest.approx([0, 0, 1, 0], abs=WITHIN)
    assert found.recovered[:, :2] == pytest.approx(np.zeros((3, 2)))
    model = make(CONFIGS["untied"])
    with torch.no_grad():
        guesses = model(torch.arange(40)[:, None])[:, -1].argmax(dim=-1).tolist()
    other = next(token for token, guess in enumerate(guesses) if guess != guesses[3])
    found = patching.patch(model, PromptPair((3,), (other,)))
    assert found.recovered == pytest.approx(np.ones((3, 1)), abs=WITHIN), "one token is all there is"
    assert (found.answer, found.wrong) == (guesses[3], guesses[other])
    assert not found.same_guess


def test_that_a_shared_guess_a_long_prompt_and_one_that_the_model_does_not_distinguish_are_patched():
    model = make(CONFIGS["untied"])
    found = patching.patch(model, PAIR)
    likely = int(found.corrupted.probabilities.argmax())
    found = patching.patch(model, PAIR, answer=likely)
    assert found.same_guess
    assert found.wrong == found.corrupted.probabilities.argsort()[-2]
    with pytest.raises(UserError, match="both"):
        patching.patch(model, PAIR, answer=likely, wrong=likely)

    # A prompt longer than the context is read from its end.
    longer = PromptPair((9, 9, *PAIR.clean), (9, 9, *PAIR.corrupted))
    found = patching.patch(model, longer)
    assert (found.pair.clean, found.pair.dropped) == (longer.clean[-8:], len(longer.clean) - 8)
    assert found.recovered.shape == (3, 8)
    with pytest.raises(UserError, match="differ only at their beginning, which does not fit into the context of 8"):
        patching.patch(model, PromptPair((1, *PAIR.clean, 5), (2, *PAIR.clean, 5)))
    with pytest.raises(UserError, match="below 40"):
        patching.patch(model, PAIR, answer=40)

    # No share of a difference that there is not.
    with torch.no_grad():
        model.tok_emb.weight[6] = model.tok_emb.weight[4]
        model.tok_emb.weight[8] = model.tok_emb.weight[7]
    found = patching.patch(model, PAIR)
    assert not found.distinguishes
    assert np.isnan(found.recovered).all()
    assert np.isfinite(found.patched.difference).all()


def test_that_any_number_can_run_together_with_progress_and_be_cancelled(monkeypatch):
    model, told = make(CONFIGS["untied"]), []
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    found = patching.patch(model, PAIR, "mlp", progress=lambda *each: told.append(each))
    assert told == [(15, 30), (25, 30), (30, 30)], "five of seven positions differ; layer 1 of 3 runs 3 blocks for each"
    monkeypatch.setattr(patching, "BYTES_AT_ONCE", 1)
    one_by_one = patching.patch(model, PAIR, "mlp", progress=lambda *each: told.append(each))
    assert one_by_one.recovered == pytest.approx(found.recovered, abs=WITHIN)
    assert told[3:] == [(done, 30) for done in (3, 6, 9, 12, 15, 17, 19, 21, 23, 25, 26, 27, 28, 29, 30)]
    assert all(torch.equal(tensor, before[name]) for name, tensor in model.state_dict().items())
    calls = 0

    def stop() -> None:
        nonlocal calls
        calls += 1
        if calls > 9:
            raise Stopped

    with pytest.raises(Stopped):
        patching.patch(model, PAIR, check=stop)


@pytest.mark.parametrize("run", [lambda model: patching.patch(model, PAIR), induction.induction])
def test_that_damaged_weights_are_refused_with_a_message(run):
    model = make(CONFIGS["untied"])
    with torch.no_grad():
        model.trf_blocks[1].att.W_key.weight[0, 0] = torch.nan
    with pytest.raises(BrokenLogits):
        run(model)


def test_that_prompts_of_unequal_length_are_refused_with_both_counts_and_the_first_difference():
    with pytest.raises(UserError) as refused:
        PromptPair.of("When Mary and John went", "When Elizabethia and John went")
    words = str(refused.value)
    assert "has 5 tokens" in words
    assert "corrupted one 6" in words
    assert "position 1: “␣Mary” in the clean prompt, “␣Elizabeth”" in words
    with pytest.raises(UserError, match="up to position 3"):
        PromptPair((1, 2, 3), (1, 2, 3, 4))
    with pytest.raises(UserError, match="empty"):
        PromptPair.of("", "a")
    assert parting([1], [2]) == 0
    assert PromptPair.of("a b c", "a d c").differing == (1,)


def wide(**changes) -> GPTConfig:
    return GPTConfig(**{
        "vocab_size": 40, "context_length": 12, "emb_dim": 12, "n_heads": 3, "n_layers": 2, "drop_rate": 0.3,
        "qkv_bias": True} | changes)


@pytest.mark.parametrize("config", [wide(), wide(n_heads=1, n_layers=1, context_length=5, vocab_size=3)])
def test_that_the_scores_of_heads_are_means_over_the_attentions_of_transformers(config):
    model = make(config)
    theirs = theirs_of(model)
    theirs.set_attn_implementation("eager")
    found, text = induction.induction(model, seed=3), induction.repeated_tokens(model, 3)
    half = text.shape[1] // 2
    assert half == found.half == min(config.context_length // 2, config.vocab_size)
    assert torch.equal(text[:, :half], text[:, half:])
    assert all(len(set(row)) == half for row in text[:, :half].tolist())
    with torch.no_grad():
        attentions = theirs(text, output_attentions=True).attentions
    for component, score in found.heads("induction"):
        weights = attentions[component.layer][:, component.head].double().numpy()
        second = range(half, 2 * half)
        assert score == pytest.approx(np.mean([weights[:, at, at - half + 1] for at in second]), abs=WITHIN)
        place = component.layer, component.head
        before = np.mean([weights[:, at, at - 1] for at in range(1, 2 * half)])
        assert found.scores["previous"][place] == pytest.approx(before, abs=WITHIN)
        same = np.mean([weights[:, at, at - half] for at in second])
        assert found.scores["duplicate"][place] == pytest.approx(same, abs=WITHIN)
    assert induction.induction(model, seed=3).heads("induction") == found.heads("induction")
    scores = [score for _, score in found.heads("induction")]
    assert scores == sorted(scores, reverse=True)


def test_that_a_head_that_attends_one_token_back_is_named_and_a_tiny_context_is_refused():
    model = make(wide(n_heads=1, n_layers=1, context_length=8, emb_dim=8))
    att = model.trf_blocks[0].att
    with torch.no_grad():  # keys are positions, queries the position before; sharp
        model.tok_emb.weight.zero_()
        model.pos_emb.weight.copy_(9 * torch.eye(8))
        model.trf_blocks[0].norm1.scale.fill_(1)
        for layer in (att.W_query, att.W_key):
            layer.bias.zero_()
        att.W_key.weight.copy_(9 * torch.eye(8))
        att.W_query.weight.copy_(9 * torch.eye(8).roll(-1, dims=0))
    found = induction.induction(model)
    assert found.heads("previous", found.named_from) == [(Component(0, 0), pytest.approx(1, abs=1e-3))]
    assert found.heads("induction", found.named_from) == []
    with pytest.raises(UserError, match="at least 4"):
        induction.induction(make(wide(context_length=3)))
