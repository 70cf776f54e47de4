"""Places and values of the window that the steps of a lesson show, set and read.

Values belong to the lesson by name: each field that a step sets, or that a goal asks to change, is restored when the
lesson ends. All other fields stay as the user left them. Views, panes and folded panels that the lesson showed are
restored unless the user has since chosen others. The page stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import shiboken6
from PySide6.QtWidgets import QTabWidget, QWidget

from gptstudio.app.derived import adjusted, unlocked_config
from gptstudio.app.lesson_progress import SettingsBefore
from gptstudio.app.state import AppState, form_values
from gptstudio.errors import UserError
from gptstudio.gpt import sizing
from gptstudio.gpt.sampling import STAGES
from gptstudio.gui.forms.controls import SegmentedPages, unfold_around
from gptstudio.gui.learn.kit import LabPage
from gptstudio.gui.learn.lessons.check_texts import name_of, unmet_text
from gptstudio.gui.translation import joined, tr
from gptstudio.inference.spec import GenerateSpec
from gptstudio.inference.text_tree import Node
from gptstudio.labs import lesson
from gptstudio.labs.lesson import OWN_NAMES, PRESET, Check, Guess, LessonStep, Value, control_of
from gptstudio.pointed_token import PointedToken
from gptstudio.training.init_weights import name_in_spec
from gptstudio.training.model_source import SavedModel, resolve
from gptstudio.training.run_folder import all_runs
from gptstudio.training.spec import TrainSpec

Tabs = QTabWidget | SegmentedPages
PARAMS = (*STAGES, "order")
TRAINING = ("train_values", "texts")
MAPPINGS = {"train": "train_values", "generate": "generate_values"}
"""Fields of the state that hold the values of a place's form."""
WHOLE = {"prompt": "prompt", "text": "texts"}
"""Settings that are a whole field of the state."""


PageOf = Callable[[str], Any]  # returns the widget of a page by its name; ``model`` is the Model panel


class ValuesBeforeLesson:
    """Values before the lesson, for everything that its steps have changed so far."""

    def __init__(self, state: AppState, page_of: PageOf) -> None:
        self._state, self._page_of = state, page_of
        self._values: dict[tuple[str, str], Any] = {}  # by the field of the state and the name in it
        self._pages: dict[str, Callable[[], None]] = {}
        self._model = state.model if state.model_chosen else None
        self._weights, self._config = state.weights, state.config_values
        self._borrows_config = False
        self._view = self.shown_view = state.generate_view
        self._unfolded: set[str] = set()
        self._all_controls = self._shown_controls = state.all_controls
        self._tabs: dict[Tabs, tuple[QWidget | None, QWidget]] = {}  # page before, page shown by the lesson

    def inherit(self, earlier: ValuesBeforeLesson) -> None:
        """Include the values before an earlier lesson that have not been restored yet, so that they are restored
        too."""
        self._values |= earlier._values
        if earlier._borrows_config:
            self._weights, self._config, self._borrows_config = earlier._weights, earlier._config, True

    def read(self, before: SettingsBefore) -> None:
        """Read the settings before a lesson during which the program was killed."""
        spec, generate = before.spec, before.generate
        known: dict[str, Mapping[str, Any]] = {}
        if spec:
            known |= {"train_values": form_values(spec), "texts": {"texts": spec.text}}
        if generate:
            values = generate.shallow()
            known |= {"generate_values": values, "sampling_params": values, "prompt": values}
        for field, _, name in (each.partition(".") for each in before.changed):
            if name in known.get(field, {}):
                self._values[field, name] = known[field][name]
        if before.model and spec:
            self._config, self._borrows_config = form_values(spec.config), True
            with suppress(UserError):  # the initial weights no longer exist
                found = resolve(spec.init_from) if spec.init_from else None
                self._weights = found if isinstance(found, SavedModel) else None

    def settings(self) -> SettingsBefore:
        """Return the settings before the lesson, to be saved."""
        state = self._state
        config, weights = state.config_values, state.weights
        if self._borrows_config:
            config, weights = self._config, self._weights
        spec = adjusted(state.valid_spec, {
            **self._of("train_values"), "text": self._of("texts").get("texts", state.texts),
            "config": adjusted(state.valid_spec.config, config), "init_from": name_in_spec(weights)})
        generate = adjusted(state.generate_spec or GenerateSpec(), {
            **self._of("generate_values"), **self._of("sampling_params"), **self._of("prompt")})
        return SettingsBefore(
            changed=frozenset(f"{field}.{name}" for field, name in self._values), model=self._borrows_config,
            spec=spec, generate=generate)

    def take(self, step: LessonStep) -> None:
        """Record the values that a step sets or asks to change, before it does."""
        names = {*step.settings, *([step.check.value, *step.check.when] if step.check else [])}
        if step.page:
            if names and step.page not in self._pages:
                self._pages[step.page] = _kept(self._page_of("learn").page(step.page))
        elif step.tab == "model":
            self._borrows_config = True
        elif step.tab in MAPPINGS:
            for name in names:
                self._note(step.tab, name)

    def unfold(self) -> None:
        """Open the Model panel next to the current page."""
        state = self._state
        if state.page == "train":
            self._show_controls(True)
        if state.page not in state.unfolded_pages:
            self._unfolded.add(state.page)
            state.unfolded_pages = state.unfolded_pages | {state.page}

    def reveal(self, widget: QWidget) -> None:
        """Open the panes, the settings and the Model panel that contain a widget. On Train, show all controls or only a
        few, as the widget requires."""
        train = self._page_of("train") if self._state.page == "train" else None
        if train and train.isAncestorOf(widget) and not widget.isVisibleTo(train):
            self._show_controls(not train.writes_now.isAncestorOf(widget))
        unfold_around(widget)
        at: QWidget | None = widget
        while at is not None:
            stack = at.parentWidget()
            tabs = stack.parentWidget() if stack else None
            if isinstance(tabs, Tabs) and tabs.indexOf(at) >= 0:
                self._tabs[tabs] = self._tabs.get(tabs, (tabs.currentWidget(),))[0], at
                tabs.setCurrentWidget(at)
            at = stack
        if self._page_of("model").isAncestorOf(widget):
            self.unfold()

    def _show_controls(self, full: bool) -> None:
        self._state.all_controls = self._shown_controls = full

    def fold_again(self) -> None:
        """Fold the Model panel again if the lesson opened it, when a step is left."""
        self._state.unfolded_pages = self._state.unfolded_pages - self._unfolded
        self._unfolded.clear()

    def give_back(self) -> None:
        """Restore everything except the model to train and its settings."""
        state = self._state
        self.fold_again()
        if state.all_controls == self._shown_controls:
            state.all_controls = self._all_controls
        for tabs, (before, shown) in self._tabs.items():
            if shiboken6.isValid(tabs) and before and tabs.currentWidget() is shown:
                tabs.setCurrentWidget(before)
        for give_back in self._pages.values():
            give_back()
        self._put("generate_values", {**state.generate_values, **self._of("generate_values")})
        state.sampling_params = state.sampling_params.but(**self._of("sampling_params"))
        state.prompt = self._of("prompt").get("prompt", state.prompt)
        if self._model in state.models and self._model != state.model:
            state.choose_model(self._model)
        if state.generate_view == self.shown_view and not state.generating:
            state.generate_view = self._view
        self._values = {(of, name): value for (of, name), value in self._values.items() if of in TRAINING}

    def give_back_training(self) -> None:
        """Restore the model to train, its texts and its settings. Must not be called while a run uses them."""
        state = self._state
        if self._borrows_config and (state.config_values, state.weights) != (self._config, self._weights):
            state.use_weights(self._weights)
            state.config_values = self._config
        self._put("train_values", {**state.train_values, **self._of("train_values")})
        state.texts = self._of("texts").get("texts", state.texts)

    def _note(self, tab: str, name: str) -> None:
        state, field = self._state, "sampling_params" if tab == "generate" and name in PARAMS else MAPPINGS[tab]
        if name in WHOLE:
            self._values.setdefault((WHOLE[name], WHOLE[name]), getattr(state, WHOLE[name]))
        elif name in (held := dict(getattr(state, field))):
            self._values.setdefault((field, name), held[name])

    def _of(self, field: str) -> dict[str, Any]:
        return {name: value for (of, name), value in self._values.items() if of == field}

    def _put(self, field: str, values: Mapping[str, Any]) -> None:
        if getattr(self._state, field) != values:
            setattr(self._state, field, values)


def _kept(page: LabPage[Any, Any]) -> Callable[[], None]:
    """Return a function that restores the current values, example and model of an experiment's page."""
    request, opened, source = page.request, page.examples.opened, page.source

    def give_back() -> None:
        page.examples.opened = opened
        if page.models and source:
            page.models.choose(source)
        page.update_request(**request.shallow())

    return give_back


CURVES = {"validation_loss": "val_loss", "training_loss": "train_loss", "step": "step"}
"""Values of a run that a check can use, and the columns of its history that contain them."""

class LessonTargets:
    """Access to the places of steps and their values, as a user would have it. Created when the lesson begins: runs
    that existed before do not count, nor do tokens generated before their step."""

    def __init__(self, state: AppState, page_of: PageOf) -> None:
        self._state, self._page_of = state, page_of
        self.borrowed = ValuesBeforeLesson(state, page_of)
        self._first: Value | None = None
        """Value of the goal when its step began; ``_moved``: whether it has changed since."""
        self._moved = False
        shown = [state.run.folder] if state.run.folder else []
        self._runs_before = {run.path for run in (*all_runs(), *shown)}
        self._drawn_before = 0

    def go(self, step: LessonStep) -> QWidget | None:
        """Show the page of a step and apply its settings; return the widget of the place.

        Raises:
            UserError: the page is locked, or the settings cannot be applied now.
        """
        state, name = self._state, "learn" if step.page else step.tab
        if name in state.locked_pages:
            raise UserError(tr("This step is on a page that your instructor has locked."))
        settings = {each: value for each, value in step.settings.items()
                    if control_of(step, each) not in state.locked_controls}
        self._first, self._moved = None, False
        self.borrowed.fold_again()
        self.borrowed.take(step)
        if name == "model":
            if "train" not in state.locked_pages or state.page == "learn":
                state.page = "train"
            self.borrowed.unfold()
            if step.settings:
                self._set_model(step.settings)
            return self._page_of("model")  # type: ignore[no-any-return]
        state.page = name
        page = self._page_of(name)
        if name == "train":
            self._set_training(settings)
        elif name == "generate":
            shown = page.show_view_with(step.point or step.result)
            self.borrowed.shown_view = state.generate_view
            if not shown:
                raise UserError(tr("The model is busy in another view. Stop it there, then return to this step."))
            self._set_generating(settings)
            self._drawn_before = state.document.drawn
            page.attention.seen_steps.clear()
        elif name == "learn":
            page.open(step.page)
            page = page.page(step.page)
            if settings:
                page.use(settings)
        return page  # type: ignore[no-any-return]

    def without_locked(self, step: LessonStep) -> tuple[LessonStep, str]:
        """Return a step without the parts that this computer's settings lock, and a note about them: a goal that needs
        a locked control is dropped, and a locked field keeps its value."""
        locked, check = self._state.locked_controls, step.check
        asked = {step.point, *([control_of(step, check.value)] if check else [])}
        if asked & locked:
            return replace(step, task="", check=None), tr(
                "Your instructor has locked what this step asks you to use. Read it, then continue.")
        kept = [name for name in step.settings if control_of(step, name) in locked]
        return step, tr("Your instructor has locked these settings, so they keep their values: {names}.", names=joined(
            ", ", *(name_of(step, Check(name)) for name in kept))) if kept else ""

    def value(self, step: LessonStep) -> Value | None:
        """Return the current value that the step's check uses; None if there is none."""
        now = self._named(step, step.check.value) if step.check else None
        if self._first is None:
            self._first = now
        self._moved = self._moved or now != self._first
        return now

    def answer(self, step: LessonStep) -> Guess | None:
        """Return the current value or token that answers the step's question; None if there is none."""
        if step.predict and step.predict.token:
            return self._token(step.predict.token)
        return self._named(step, step.predict.value) if step.predict and step.predict.value else None

    def pointed(self) -> PointedToken | None:
        """Return the token that the user has chosen on Generate; None if only the newest token is current."""
        document = self._state.document
        return self._as_pointed(None if document.following else document.chosen)

    def _as_pointed(self, node: Node | None) -> PointedToken | None:
        return PointedToken(node.position, self._state.document.tokenizer.visible(node.id)) if node else None

    def lacks_text(self) -> bool:
        """Return whether the text on Generate has no tokens of a model, and none is being generated."""
        document = self._state.document
        return len(document.path) <= document.given and not self._state.generating

    def _token(self, name: str) -> PointedToken | None:
        """Return the token with the largest surprisal or entropy that the model generated; of equal ones, the first."""
        document = self._state.document
        figures = {place: figure for place, node in enumerate(document.path[document.given:], document.given)
                   if (figure := _figure(node, name)) is not None}
        return self._as_pointed(document.path[max(figures, key=figures.__getitem__)] if figures else None)

    @property
    def new_run(self) -> str:
        """Name of the current run if it did not exist before the lesson; otherwise empty."""
        run = self._state.run.folder
        return run.path.name if run and run.path not in self._runs_before else ""

    def obstacle(self, step: LessonStep, runs: frozenset[str]) -> str:
        """Return the reason why a value does not count; empty if it does. ``runs``: names of the runs started during
        the lesson, including before a restart of the program."""
        check, run = step.check, self._state.run.folder
        earlier = run and run.path in self._runs_before and run.path.name not in runs
        if check and step.tab == "train" and check.value in CURVES and earlier:
            return tr("This run was started before the lesson. Start a new one.")
        if check and not step.settings and self._is_setting(step, check.value) and not self._moved and check.reached(
                self._first):
            return tr("This was so before the step began. Change it, and then come back to it.")
        if step.page and self._page_of("learn").page(step.page).waiting:
            return ""
        now = {name: self._named(step, name) for name in check.when} if check else {}
        return unmet_text(step, check.unmet(now)) if check else ""

    def _is_setting(self, step: LessonStep, name: str) -> bool:
        """Return whether a value changes only through the user: it does not belong to a run or a text."""
        return not (step.tab == "train" and name in CURVES) and not (step.tab == "generate" and name == "tokens")

    def _named(self, step: LessonStep, name: str) -> Value | None:
        """Return a value of the step's place, by its name."""
        state, document, history = self._state, self._state.document, self._state.run.history
        if step.page:
            return self._page_of("learn").page(step.page).value(name)  # type: ignore[no-any-return]
        match step.tab, name:
            case "model", "parameters":
                return sizing.parameters(state.config).total if state.config else None
            case "model", _:
                return getattr(state.config, name, None)
            case "train", "step":
                return float(history.last_step + 1) if len(history.steps) else None
            case "train", _ if name in CURVES:
                losses = history.evaluations[CURVES[name]]
                return float(losses[-1]) if len(losses) else None
            case "train", _:
                return state.train_values.get(name)
            case "generate", "tokens":
                return min(max(0, len(document.path) - document.given), document.drawn - self._drawn_before)
            case "generate", "attention_steps":
                return float(len(self._page_of("generate").attention.seen_steps))
            case "generate", "changes":
                return float(len(document.snapshot.interventions.changes))
            case "generate", "prompt":
                return state.prompt
            case "generate", _:
                of_sampling: float | None = getattr(state.sampling_params, name) if name in STAGES else None
                return of_sampling if name in STAGES else state.generate_values.get(name)
        return None

    def _set_model(self, settings: Mapping[str, Any]) -> None:
        state = self._state
        changes = {name: value for name, value in settings.items() if name != PRESET}
        keeps_preset = state.config is not None and OWN_NAMES[PRESET] in state.locked_controls
        wanted = state.config.but(**changes) if keeps_preset and state.config else lesson.config_of(settings)
        state.select_model(unlocked_config(state, wanted))

    def _set_training(self, settings: Mapping[str, Any]) -> None:
        state = self._state
        if not settings:
            return
        if state.running:
            raise UserError(tr("Training is in progress, so no settings were changed. Wait until it finishes, or stop "
                               "it."))
        spec = TrainSpec().but(**settings)
        changed = {name: value for name, value in form_values(spec).items() if name in settings}
        state.train_values = {**state.train_values, **changed}
        if "text" in settings:
            if missing := lesson.missing_texts(settings):
                raise UserError(tr(
                    "This step's text “{name}” is neither beside the lesson nor in this computer's folder for texts, "
                    "so the text was not changed.", name=missing[0]))
            state.texts = spec.text

    def _set_generating(self, settings: Mapping[str, Any]) -> None:
        state = self._state
        if not settings:
            return
        spec = GenerateSpec().but(**settings)
        chosen = {name: getattr(spec, name) for name in settings if name in PARAMS}
        state.sampling_params = state.sampling_params.but(**chosen)
        changed = {name: getattr(spec, name) for name in settings if name in state.generate_values}
        state.generate_values = {**state.generate_values, **changed}
        if "prompt" in settings:
            state.prompt = spec.prompt


def _figure(node: Node, name: str) -> float | None:
    """Return the figure by which a question selects a token: its entropy, or the negative of its probability."""
    reading = node.reading
    if name == "most_uncertain":
        return reading.plain_entropy_bits
    return None if reading.plain_probability is None else -reading.plain_probability
