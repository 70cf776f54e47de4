"""Values derived from the state: reasons why Start and Generate are disabled, the memory that they need, the values
locked by this computer's settings, and the run to hand in."""

from __future__ import annotations

from contextlib import suppress
from typing import TypeVar

from gptstudio.app.lesson_progress import LessonRecord
from gptstudio.app.shown_run import Continuation
from gptstudio.app.state import AppState, Values, form_values
from gptstudio.fields import Spec, SpecError, fields_of
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.memory import TrainMemory, generate_memory
from gptstudio.i18n import joined, message
from gptstudio.training import run_folder
from gptstudio.training.forecast import Workload, predicted_bytes
from gptstudio.training.init_weights import name_in_spec
from gptstudio.training.model_source import LiveModel, UntrainedModel
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec

QUEUE_RUNNING = message("The queue of your sweeps is training. Pause it on Runs first.")


def is_of_the_run(state: AppState) -> bool:
    """Return whether the settings in the forms equal those of the shown run, apart from the learning rate."""
    run, spec = state.run, state.spec
    return spec is None or run.spec is None or spec == run.spec.but(learning_rate=spec.learning_rate)


def model_panel_is_open(state: AppState) -> bool:
    """Return whether the Model panel is open on the current page."""
    return state.page in state.unfolded_pages and (state.page != "train" or state.all_controls)


def settings_are_shown(state: AppState) -> bool:
    """Return whether the current page shows settings of a run, so that Undo reverts their changes; on Generate, it
    reverts changes of the text."""
    return state.page in ("train", "texts") or state.page in state.unfolded_pages - {"generate", "learn"}


def rate_to_keep(state: AppState) -> object:
    """Return the learning rate to save: the value in the forms or, if they show a run's settings, the rate with which
    the run began, because a change during a run must not become the default of the next run."""
    run = state.run.spec
    return run.learning_rate if run and state.spec and is_of_the_run(state) else state.train_values["learning_rate"]


def spec_to_keep(state: AppState) -> TrainSpec:
    """Return the settings to save; for one that is invalid, its last valid value."""
    if state.spec:
        return state.spec.but(learning_rate=rate_to_keep(state))
    config = state.config or adjusted(state.valid_spec.config, state.config_values)
    rest = {"text": state.texts, "init_from": name_in_spec(state.weights), "config": config}
    return adjusted(state.valid_spec, {**state.train_values, **rest})


def start_blocker(state: AppState) -> str | None:
    """Return the reason why no run can be started now, as a message; None if one can."""
    if state.queue_running:
        return QUEUE_RUNNING
    if not state.config:
        return message("The model settings are invalid: see the Model panel.")
    if not state.spec:
        return state.spec_problems[0].message if state.spec_problems else message("A setting is invalid.")
    if not state.text_check:
        return message("Reading the text…")
    labels = {view.name: view.label for view in fields_of(TrainSpec) if view.panel}
    here = {} if state.text_check.fitting_context else labels  # the offer explains the problem
    reasons = [
        message("Check the setting “{name}”.", name=message(here[problem.field]))
        if problem.field in here else problem.message
        for problem in state.text_check.problems
    ]
    return joined(" ", *reasons) if reasons else None


def quick_train_blocker(state: AppState) -> str | None:
    """Return the reason why no small model can be trained now, as a message; None if one can."""
    if "train" in state.locked_pages or "start" in state.locked_controls:
        return message("Training is locked by your instructor.")
    if state.queue_running:
        return QUEUE_RUNNING
    return message("A model is being trained already.") if state.running else None


def find_rate_blocker(state: AppState) -> str | None:
    """Return the reason why no learning rate can be searched for now, as a message; None if it can."""
    if state.running:
        return message("Learning rates are tested while nothing trains. Stop the run first.")
    return start_blocker(state)


def continuation_at_hand(state: AppState) -> Continuation | None:
    """Return the offer to continue the shown run if no setting differs from that run; else None."""
    offer, run = state.continuation, state.run
    if not offer or offer.lower_rate or offer.device or not run.spec or offer.run != run.folder or not state.spec:
        return None
    rate = run.learning_rate or run.spec.learning_rate  # may have been changed while the run was paused
    return offer if state.spec == run.spec.but(learning_rate=rate) else None


def generate_blocker(state: AppState) -> str | None:
    """Return the reason why nothing can be generated now, as a message; None if something can, or is being
    generated."""
    if state.generating or state.playing:
        return None
    if not state.model:
        return message("Choose a model first.")
    if isinstance(state.model, UntrainedModel) and not state.config:
        return message("The model settings are invalid: see the Model panel.")
    source = state.model
    if isinstance(source, UntrainedModel) and source.config.vocabulary != "gpt2" and not source.tokenizer:
        return message("The vocabulary is made from the training text, which has not been read yet: see Train.")
    return None


def training_memory(config: GPTConfig, state: AppState) -> tuple[TrainMemory, int, str]:
    """Return the memory needed to train a model with the last valid settings: by formula; in bytes, corrected by
    earlier runs; and the source of the correction, empty if there is none."""
    spec, device = state.valid_spec, state.device
    blocks = min(spec.freeze_blocks, config.n_layers)  # may have been set for an earlier model
    work = Workload.of(spec, device).model_copy(update={"config": config, "freeze_blocks": blocks})
    formula = work.memory(device.kind)
    estimated, source = predicted_bytes(spec, device, state.costs) if spec.config == config else (0, "")
    return formula, estimated or formula.total, source if estimated else ""


def live_copy_bytes(state: AppState) -> int | None:
    """Return the additional bytes needed to generate with the model in training: a copy of its weights, and memory for
    decoding. None if another model is chosen."""
    if not isinstance(state.model, LiveModel) or not state.run.spec:
        return None
    memory = generate_memory(state.run.spec.config, kind=state.device.kind)
    return memory.total - memory.runtime


S = TypeVar("S", bound=Spec)

CONFIG, TRAIN, GENERATE = "config_", "train_", "generate_"
"""Prefixes of field names in the names of their controls."""


def unlocked(state: AppState, values: Values, prefix: str = "") -> Values:
    """Return the values whose controls are not locked. ``prefix`` precedes the field in the name of its control."""
    return {name: value for name, value in values.items() if prefix + name not in state.locked_controls}


def unlocked_config(state: AppState, config: GPTConfig) -> GPTConfig:
    """Return a configuration in which locked fields have the values of the Model panel."""
    return _kept(state, config, state.config_values, CONFIG)


def unlocked_spec(state: AppState, spec: TrainSpec) -> TrainSpec:
    """Return the settings of a run in which locked fields have the values of the forms."""
    return _kept(state, spec.but(config=unlocked_config(state, spec.config)), state.train_values, TRAIN)


def _kept(state: AppState, spec: S, now: Values, prefix: str) -> S:
    """Return a spec with the values of locked fields from ``now``, as far as they are consistent with the other
    values."""
    return adjusted(spec, {name: now[name] for name in form_values(spec) if prefix + name in state.locked_controls})


def adjusted(spec: S, values: Values) -> S:
    """Return a spec with these values, as far as they are valid and consistent."""
    problems = {problem.field for problem in type(spec).problems({**spec.shallow(), **values})}
    valid = {name: value for name, value in values.items() if name not in problems}
    for some in (valid, *({name: value} for name, value in values.items())):
        with suppress(SpecError):
            spec = spec.but(**some)
    return spec


def run_to_hand_in(state: AppState, record: LessonRecord | None = None) -> RunFolder | None:
    """Return the newest run of a lesson, or otherwise the run selected on Runs or shown on Train; None if there is
    none. ``record``: the record of the lesson that is handed in."""
    of_lesson = (run_folder.find(name) for name in sorted(record.runs if record else (), reverse=True))
    newest = next(filter(None, of_lesson), None)
    selected = state.selected_run if state.page == "runs" else None
    return newest or (selected.folder if selected else state.run.folder)
