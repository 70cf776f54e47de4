"""The state without a window: dependent values, and their listeners."""


import pytest
from lessons import TINY

from gptstudio.app.derived import generate_blocker, start_blocker, training_memory
from gptstudio.app.state import AppState, TextCheck, form_values
from gptstudio.devices import Device
from gptstudio.fields import Problem
from gptstudio.gpt.config import PRESETS
from gptstudio.gpt.memory import train_memory
from gptstudio.gui.commands import COMMANDS
from gptstudio.training.corpus import Plan
from gptstudio.training.model_source import LiveModel, SavedModel, UntrainedModel
from gptstudio.training.spec import TrainSpec

PLAN = Plan(4_612, 534, 72, 8, 36, 360)


@pytest.fixture
def state(home):
    return AppState()


def ready(state: AppState) -> AppState:
    state.text_check = TextCheck(PLAN)
    return state


def test_that_typed_values_become_a_config_or_its_problems(state):
    received = []
    state.on(lambda: received.append(state.config), "config")
    state.config_values = {**state.config_values, "emb_dim": 512}
    assert state.config.emb_dim == state.spec.config.emb_dim == 512
    state.config_values = {**state.config_values, "emb_dim": 513}
    assert state.config is state.spec is None
    assert [problem.field for problem in state.config_problems] == ["emb_dim"]
    assert state.valid_spec.config.emb_dim == 512
    state.config_values = {**state.config_values, "emb_dim": 513}
    assert [config and config.emb_dim for config in received] == [512, None], "an equal value is no news"


def test_that_a_removed_listener_is_not_called(state):
    class View:
        seen = 0

        def show(self) -> None:
            View.seen += 1

    view = View()
    state.on(view.show, "texts")
    state.texts = ("story",)
    del view
    state.texts = ("verdict",)
    assert View.seen == 1


def test_that_a_spec_fills_model_texts_and_settings(state):
    spec = TrainSpec(config=TINY, text="story", batch_size=3, device="cpu")
    state.use_spec(spec)
    assert state.spec == spec
    assert (state.config_values["emb_dim"], state.texts, state.train_values["batch_size"]) == (
        TINY.emb_dim, ("story",), 3)


def test_that_missing_weights_are_reported_and_random_ones_are_used(state):
    state.select_model(TINY, "a-model-that-nobody-has")
    assert state.weights is None
    assert "a-model-that-nobody-has" in state.weights_notice
    assert state.config == TINY


def test_that_start_reports_the_reason_why_it_is_disabled(state):
    assert start_blocker(state) == "Reading the text…"
    assert start_blocker(ready(state)) is None
    state.text_check = TextCheck(problems=(Problem("text", "This text is gone."),))
    assert start_blocker(state) == "This text is gone."
    state.train_values = {**state.train_values, "batch_size": 0}
    assert start_blocker(state) == "Batch size must be a whole number between 1 and 65,536, not 0."
    state.config_values = {**state.config_values, "n_layers": 0}
    assert start_blocker(state) == "The model settings are invalid: see the Model panel."


def test_that_the_memory_is_that_of_the_last_settings_without_a_problem(state):
    state.use_spec(TrainSpec(config=PRESETS["book"], batch_size=2, precision="fp32"))
    needed = train_memory(PRESETS["book"], 2, bf16=False).total
    assert training_memory(PRESETS["book"], state)[1] == needed
    state.train_values = {**state.train_values, "batch_size": 0}
    assert training_memory(PRESETS["book"], state)[1] == needed
    state.train_values = {**state.train_values, "batch_size": 2, "accumulation": 4}
    formula, *_ = training_memory(PRESETS["book"], state)
    assert formula == train_memory(PRESETS["book"], 2, bf16=False, accumulation=4)


def test_that_the_untrained_model_follows_the_panel_and_other_models_are_added_and_removed(state, tmp_path):
    assert state.model == UntrainedModel(state.config)
    state.config_values = form_values(TINY)
    assert state.model == UntrainedModel(TINY)
    live, saved = LiveModel("a run"), SavedModel(tmp_path)
    state.live_model, state.saved_models = live, (saved,)
    assert state.models == (live, UntrainedModel(TINY), saved)
    state.choose_model(live)
    assert state.model_chosen
    state.live_model = None
    assert state.model == UntrainedModel(TINY), "the one that was chosen is gone"
    state.choose_model(live)
    assert state.model == UntrainedModel(TINY), "nobody offers it"


def test_that_the_model_in_training_is_chosen_when_it_begins_unless_the_user_chose(state, tmp_path):
    state.live_model = LiveModel("a run")
    assert (state.model, state.model_chosen) == (LiveModel("a run"), False)
    state.model = UntrainedModel(state.config)
    state.saved_models = (SavedModel(tmp_path),)
    assert state.model == UntrainedModel(state.config), "the run did not begin just now"
    state.live_model = None
    state.choose_model(SavedModel(tmp_path))
    state.live_model = LiveModel("another run")
    assert state.model == SavedModel(tmp_path)


def test_that_an_untrained_model_is_built_from_the_chosen_seed(state):
    state.generate_values = {**state.generate_values, "seed": 7}
    assert state.model_with_seed == UntrainedModel(state.config, 7)
    assert state.loadable_model.source.seed == 7
    state.config_values = {**state.config_values, "n_layers": 0}
    assert state.loadable_model is None
    assert generate_blocker(state) == "The model settings are invalid: see the Model panel."


def test_that_another_device_changes_the_run_and_free_memory_does_not(state):
    received = []
    state.on(lambda: received.append(state.spec.device), "spec")
    state.device = Device("cpu", "a processor", 100, 50)
    state.device = Device("cpu", "a processor", 100, 40)
    state.device = Device("cuda", "a card", 100, 40)
    assert received == ["cuda:0"] or received == ["cuda"]


def test_that_a_locked_page_is_hidden(state):
    asked = []
    state.page_requested.connect(asked.append)
    state.locked_pages = frozenset({"runs"})
    state.show_page("runs")
    state.show_page("texts")
    assert (state.page, asked) == ("texts", ["texts"])


def test_that_opened_files_are_remembered_the_newest_first(state):
    for number in range(12):
        state.remember_file(f"{number}.txt")
    state.remember_file("5.txt")
    assert state.recent_files[:2] == ("5.txt", "11.txt")
    assert len(state.recent_files) == 10


def test_that_each_command_has_a_text_and_no_two_have_the_same_keys_in_one_place(state):
    places = {}
    for command in COMMANDS.values():
        assert command.text if isinstance(command.text, str) else command.text(state)
        assert command.blocked(state) != "", f"{command.id} is off without a reason"
        for key in command.keys:
            scope = command.scope if command.scope == "window" else command.pages
            assert (key, scope) not in places, f"{command.id} and {places.get((key, scope))}"
            places[key, scope] = command.id


def test_that_the_commands_of_a_run_follow_its_state(state):
    blocked = {name: COMMANDS[name].blocked for name in ("start", "step", "stop", "reset")}
    assert blocked["start"](ready(state)) is blocked["step"](state) is None
    assert blocked["stop"](state) == "No run is in progress."
    assert blocked["reset"](state) == "There is no run in the view."
    state.run_state = "running"
    assert blocked["stop"](state) is None
    assert blocked["step"](state) == "Pause first; then you can train step by step."
    state.run_state = "paused"
    assert blocked["step"](state) is blocked["reset"](state) is None
    assert [COMMANDS["start"].text(state), state.paused] == ["Continue", True]
