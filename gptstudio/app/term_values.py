"""One number for a term of the glossary, from the model, the run and the text that are shown now."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from gptstudio.app.state import AppState
from gptstudio.gpt import sizing
from gptstudio.gpt.sampling import STAGES
from gptstudio.i18n import message
from gptstudio.training.corpus import Plan
from gptstudio.training.events import Evaluated

Values = dict[str, Callable[[Any], str]]
"""Gives a message with the number of a term, by its key in the glossary."""
BITS = 1 / math.log(2)
"""In one nat."""


def value_of(term: str, state: AppState) -> str:
    """Return a sentence with the number of a term, as a message; empty where there is none now."""
    if term.replace("-", "_") in STAGES:
        return _of_stage(term.replace("-", "_"), state)
    if term == "random-seed" and state.page == "generate":
        return message("For this text: {value}.", value=f"{state.generate_values['seed']}")
    for values, subject in (
        (OF_LAST_STEP, state.run.last), (OF_EVALUATION, _last_evaluation(state)), (OF_PLAN, _plan(state)),
        (OF_CONFIG, state.config), (OF_SPEC, state.run.spec or state.valid_spec),
    ):
        if term in values and subject is not None:
            return values[term](subject)
    return ""


def _of_stage(name: str, state: AppState) -> str:
    value = getattr(state.sampling_params, name)
    return message("Set on Generate: {value}.", value="–" if value is None else f"{value:g}")


def _last_evaluation(state: AppState) -> Evaluated | None:
    table = state.run.history.evaluations
    if not len(table):
        return None
    step, tokens, train, val = (table[name][-1] for name in ("step", "tokens_seen", "train_loss", "val_loss"))
    return Evaluated(step=int(step), tokens_seen=int(tokens), train_loss=float(train), val_loss=float(val))


def _plan(state: AppState) -> Plan | None:
    return state.text_check.plan if state.text_check else None


def _nats(value: float) -> str:
    return message("Now in this run: {value} nats per token.", value=f"{value:.3f}")


def _here(value: str) -> str:
    return message("In this run: {value}.", value=value)


OF_LAST_STEP: Values = {
    "batch-loss": lambda last: _nats(last.loss),
    "nat": lambda last: message(
        "The loss of the last step, {nats} nats, is {bits} bits.",
        nats=f"{last.loss:.3f}", bits=f"{last.loss * BITS:.3f}"),
    "step": lambda last: message("Steps done in this run: {n}.", n=f"{last.step + 1:,}"),
    "epoch": lambda last: message("This run is in epoch {n}.", n=f"{last.epoch:,}"),
    "gradient-norm": lambda last: _here(f"{last.gradient_norm:.3g}"),
    "gradient": lambda last: message(
        "Norm of the gradient of the last step: {value}.", value=f"{last.gradient_norm:.3g}"),
    "learning-rate": lambda last: _here(f"{last.learning_rate:.4g}"),
    "token": lambda last: message("Tokens seen by this run: {n}.", n=f"{last.tokens_seen:,}"),
}
OF_EVALUATION: Values = {
    "training-loss": lambda found: _nats(found.train_loss),
    "cross-entropy": lambda found: message(
        "Validation loss of this run: {value} nats per token.", value=f"{found.val_loss:.3f}"),
    "validation-loss": lambda found: _nats(found.val_loss),
    "perplexity": lambda found: message(
        "In this run, as unsure as among {n} equally likely tokens.", n=f"{math.exp(min(found.val_loss, 700)):,.4g}"),
    "overfitting": lambda found: message(
        "In this run, the validation loss is {gap} nats above the training loss.",
        gap=f"{found.val_loss - found.train_loss:.3f}"),
}
OF_PLAN: Values = {
    "token": lambda plan: message("The training text has {n} tokens.", n=f"{plan.train_tokens:,}"),
    "epoch": lambda plan: message("An epoch has {n} steps here.", n=f"{plan.steps_per_epoch:,}"),
    "step": lambda plan: message("The run will have {n} steps.", n=f"{plan.total_steps:,}"),
}
OF_CONFIG: Values = {
    "parameters": lambda config: message(
        "This model has {n} parameters.", n=f"{sizing.parameter_count(config):,}"),
    "vocabulary": lambda config: message("This model knows {n} tokens.", n=f"{config.vocab_size:,}"),
    "context-length": lambda config: message("This model reads {n} tokens at once.", n=f"{config.context_length:,}"),
    "window": lambda config: message("Here a window has {n} tokens.", n=f"{config.context_length:,}"),
    "width": lambda config: message("In this model: {n} numbers for each token.", n=f"{config.emb_dim:,}"),
    "embedding": lambda config: message("In this model: {n} numbers for each token.", n=f"{config.emb_dim:,}"),
    "position-embedding": lambda config: message(
        "This model has {n} positions.", n=f"{config.context_length:,}"),
    "head": lambda config: message("Heads in each block of this model: {n}.", n=f"{config.n_heads}"),
    "block": lambda config: message("Blocks in this model: {n}.", n=f"{config.n_layers}"),
    "feed-forward": lambda config: message(
        "In this model: from {n} numbers to {wide}, and back.",
        n=f"{config.emb_dim:,}", wide=f"{4 * config.emb_dim:,}"),
    "dropout": lambda config: message("In this model: {share} % are dropped.", share=f"{100 * config.drop_rate:g}"),
    "weight-tying": lambda config: message(
        "It saves {n} parameters here.", n=f"{config.vocab_size * config.emb_dim:,}"),
    "random-guessing": lambda config: message(
        "With {n} tokens: ln({n}) = {loss}.", n=f"{config.vocab_size:,}", loss=f"{math.log(config.vocab_size):.2f}"),
}
OF_SPEC: Values = {
    "batch": lambda spec: message("Each batch here has {n} windows.", n=f"{spec.batch_size}"),
    "accumulation": lambda spec: message("Batches for each step here: {n}.", n=f"{spec.accumulation}"),
    "learning-rate": lambda spec: _here(f"{spec.learning_rate:g}"),
    "warm-up": lambda spec: message("Steps of warm-up here: {n}.", n=f"{spec.warmup_steps:,}"),
    "weight-decay": lambda spec: _here(f"{spec.weight_decay:g}"),
    "gradient-clipping": lambda spec: _here(f"{spec.gradient_clip:g}"),
    "random-seed": lambda spec: _here(f"{spec.seed}"),
    "stride": lambda spec: _here(f"{spec.stride or spec.config.context_length:,}"),
}
