"""Interventions and effects, each compared with hooks on Hugging Face's GPT-2 with the same weights."""

import os

import pytest
import torch

from gptstudio.errors import UserError
from gptstudio.gpt import weights
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.fast import build_model
from gptstudio.gpt.model import GPTModel
from gptstudio.inference import intervening, interventions, next_token
from gptstudio.inference.interventions import Component, Intervention, of_components
from gptstudio.torch_settings import RandomStream
from gptstudio.training.control import Stopped

CONFIGS = {
    "untied": GPTConfig(
        vocab_size=40, context_length=8, emb_dim=12, n_heads=3, n_layers=3, drop_rate=0.5, qkv_bias=True),
    "tied": GPTConfig(
        vocab_size=40, context_length=8, emb_dim=12, n_heads=3, n_layers=2, drop_rate=0.0, qkv_bias=True,
        tie_weights=True),
    "one layer of one head": GPTConfig(
        vocab_size=9, context_length=3, emb_dim=5, n_heads=1, n_layers=1, drop_rate=0.0, qkv_bias=True),
}
every_config = pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
IDS = [3, 1, 4, 1, 5, 7, 2]
TOKEN = 6
WITHIN = 1e-4


def stop() -> None:
    raise Stopped


def make(config: GPTConfig, path: str = "fast", std: float = 0.3) -> GPTModel:
    """Return a model whose weights, biases included, are large enough to matter."""
    with RandomStream(1).active():
        model = build_model(config, path)
        for parameter in model.parameters():
            torch.nn.init.normal_(parameter, std=std)
    return model.eval()


def theirs_of(model: GPTModel) -> torch.nn.Module:
    os.environ["HF_HUB_OFFLINE"] = "1"  # read when huggingface_hub is imported: nothing here uses a network
    from transformers import GPT2Config, GPT2LMHeadModel

    cfg = model.cfg
    theirs = GPT2LMHeadModel(GPT2Config(
        vocab_size=cfg.vocab_size, n_positions=cfg.context_length, n_embd=cfg.emb_dim, n_layer=cfg.n_layers,
        n_head=cfg.n_heads, tie_word_embeddings=cfg.tie_weights, bos_token_id=None, eos_token_id=None)).eval()
    state = weights.to_huggingface(model.state_dict(), cfg)
    theirs.load_state_dict(state, strict=False)
    theirs.tie_weights()
    return theirs


def their_logits(theirs: torch.nn.Module, ids: list[int], changes: list[tuple[Component, float]]) -> torch.Tensor:
    """Return the logits after the last token, with the changes made by hooks on transformers' modules."""
    hooks = []
    for component, factor in changes:
        block = theirs.transformer.h[component.layer]
        if component.head is None:
            hooks.append(block.mlp.register_forward_hook(lambda _m, _a, output, factor=factor: output * factor))
        else:
            size = theirs.config.n_embd // theirs.config.n_head

            def change(_module, args, first=component.head * size, size=size, factor=factor):
                mask = torch.ones(args[0].shape[-1])
                mask[first : first + size] = factor
                return (args[0] * mask, *args[1:])

            hooks.append(block.attn.c_proj.register_forward_pre_hook(change))
    with torch.no_grad():
        logits = theirs(torch.tensor([ids])).logits[0, -1]
    for hook in hooks:
        hook.remove()
    return logits


def log_probability(logits: torch.Tensor) -> float:
    return torch.log_softmax(logits.double(), dim=-1)[TOKEN].item()


@every_config
def test_that_effects_are_those_of_hooks_on_transformers_and_the_logit_is_the_sum_of_its_parts(config):
    model = make(config)
    ids = IDS[: config.context_length]
    found, theirs = next_token.effects(model, ids, TOKEN), theirs_of(model)
    plain = their_logits(theirs, ids, [])
    assert found.log_probability == pytest.approx(log_probability(plain), abs=WITHIN)
    assert found.logit == pytest.approx(plain[TOKEN].item(), abs=WITHIN)
    assert len(found.by_component()) == config.n_layers * (config.n_heads + 1)
    for each, _ in found.by_component():
        place = each.layer, config.n_heads if each.head is None else each.head
        without = log_probability(their_logits(theirs, ids, [(each, 0.0)]))
        assert found.ablation[place] == pytest.approx(found.log_probability - without, abs=WITHIN), str(each)
        step = 1e-2  # a central difference of the factor, whose slope is gradient times activation
        more, less = (log_probability(their_logits(theirs, ids, [(each, 1 + side * step)])) for side in (1, -1))
        assert found.gradient[place] == pytest.approx((more - less) / (2 * step), abs=2e-3, rel=2e-3), str(each)
    assert found.attribution.sum() + sum(found.rest.values()) == pytest.approx(found.logit, abs=WITHIN)
    assert found.attribution.shape == (config.n_layers, config.n_heads + 1)

    # Each part is that part alone through the frozen norm.
    kept = {}
    hook = theirs.transformer.ln_f.register_forward_pre_hook(lambda _m, args: kept.update(x=args[0][0, -1].double()))
    their_logits(theirs, ids, [])
    hook.remove()
    norm, last = theirs.transformer.ln_f, kept["x"]
    deviation = torch.sqrt(last.var(unbiased=False) + norm.eps)
    written = {}
    for layer, block in enumerate(theirs.transformer.h):
        block.mlp.register_forward_hook(lambda _m, _a, out, layer=layer: written.update({layer: out[0, -1].double()}))
    their_logits(theirs, ids, [])
    for layer, output in written.items():
        alone = theirs.lm_head.weight[TOKEN].double() @ (norm.weight.double() * (output - output.mean()) / deviation)
        assert found.attribution[layer, -1] == pytest.approx(alone.item(), abs=WITHIN)


@every_config
def test_that_several_interventions_act_together_and_leave_the_model_as_it_was(config):
    model = make(config)
    ids, last = IDS[: config.context_length], config.n_layers - 1
    changes = [(Component(0, 0), 0.5), (Component(last), 2.0), (Component(last, config.n_heads - 1), 0.0)]
    before = model.state_dict()
    changed = intervening.changed_logits(model, ids, of_components(changes))
    assert torch.allclose(changed[-1], their_logits(theirs_of(model), ids, changes), atol=WITHIN)
    plain = intervening.changed_logits(model, ids)
    assert torch.allclose(plain[-1], model(torch.tensor([ids]))[0, -1], atol=1e-5)
    assert not torch.allclose(plain, changed)
    assert all(torch.equal(tensor, before[name]) for name, tensor in model.state_dict().items())


def test_that_effects_of_any_number_of_tokens_and_variants_can_be_cancelled_and_leave_no_gradients(monkeypatch):
    model = make(CONFIGS["untied"])
    long = [1, 2, *IDS, 8]
    found, end = (next_token.effects(model, ids, TOKEN) for ids in (long, long[-8:]))
    assert found.read == 8
    assert (found.ablation == end.ablation).all()
    assert next_token.effects(model, [3], TOKEN).read == 1
    found = next_token.effects(model, IDS, TOKEN)
    monkeypatch.setattr(next_token, "TOKENS_AT_ONCE", 1)
    assert next_token.effects(model, IDS, TOKEN).ablation == pytest.approx(found.ablation, abs=1e-6)
    assert all(parameter.grad is None for parameter in model.parameters())
    with pytest.raises(Stopped):
        next_token.effects(model, IDS, TOKEN, stop)


@pytest.mark.parametrize(("text", "component"), [
    ("1.2", Component(1, 2)), ("blocks.1.attn.head.2", Component(1, 2)), ("0.mlp", Component(0)),
    (" blocks.2.mlp ", Component(2)),
])
def test_that_a_component_can_be_named_by_its_full_and_its_short_name(text, component):
    assert interventions.read_component(text, CONFIGS["untied"]) == component
    assert interventions.read_component(str(component), CONFIGS["untied"]) == component


@pytest.mark.parametrize("text", ["", "mlp", "1", "1.2.3", "-1.0", "3.0", "0.3", "9.mlp", "１.0", "999999999.0", "a.b"])
def test_that_an_unknown_component_is_refused_with_a_message(text):
    with pytest.raises(UserError):
        interventions.read_component(text, CONFIGS["untied"])


@pytest.mark.parametrize("factor", [-0.1, 2.1, float("nan"), float("inf")])
def test_that_a_factor_out_of_its_range_is_refused(factor):
    with pytest.raises(UserError):
        Intervention.of(Component(0), factor)
