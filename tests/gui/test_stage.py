"""Train with few controls: the curves and the generated texts, a sentence about them, and the next steps."""

import pytest
from made_up import evaluated, started
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QWidget

from gptstudio.app import shown_run
from gptstudio.app.shown_run import ShownRun
from gptstudio.data import texts
from gptstudio.gui import session
from gptstudio.gui.train.sample_text import changes

HIDDEN = ("settings_card", "run_pane", "model_scroll", "figure_memory", "chart_scale")
SHOWN = ("loss_plot", "writes_now", "run_outline", "figure_loss", "figure_left", "start")


@pytest.fixture
def stage(user):
    """The user of a window with few controls and a tiny model."""
    user.train.prepare(batch_size=8, stride=256)  # with which an epoch of the story has few steps
    user.window.state.all_controls = False
    user.wait(lambda: "Random weights" in cards(user))
    return user


def cards(user) -> str:
    return user.find("writes_now").toPlainText()


def test_that_few_controls_are_curves_and_text_and_all_controls_return_when_they_are_needed(user):
    user.train.use_text("story")
    user.wait(lambda: user.train.looked)
    user.window.state.all_controls = False
    user.rest(0.05)
    assert [name for name in HIDDEN if user.find(name).isVisible()] == []
    assert [name for name in SHOWN if not user.find(name).isVisible()] == []
    user.click(user.find("show_all_controls"))
    user.wait(user.find("settings_card").isVisible)
    assert user.find("model_scroll").isVisible()
    assert user.find("run_pane").isVisible()
    assert not user.find("writes_now").isVisible()
    assert not user.find("figure_memory").isVisible()
    user.click(user.find("more_figures"))
    assert user.find("figure_memory").isVisible()

    user.window.state.all_controls = False
    left = session.of(user.window)
    user.window.state.all_controls = True
    left.put_back(user.window)
    assert not user.window.state.all_controls
    assert session.Session.model_validate({"version": 3}).all_controls

    user.window.state.all_controls = False
    user.train.use_text("/nowhere/at-all.txt")
    user.wait(lambda: user.find("plan").isVisible() and "at-all.txt" in user.reads("plan"))
    user.train.use_text("story")
    user.wait(lambda: not user.find("plan").isVisible())

    from gptstudio.gui.learn.lessons.targets import ValuesBeforeLesson

    user.window.state.all_controls = False
    borrowed = ValuesBeforeLesson(user.window.state, user.window.page)
    borrowed.reveal(user.find("train_schedule"))
    assert user.find("train_schedule").isVisible()
    borrowed.reveal(user.find("writes_now"))
    assert not user.window.state.all_controls
    borrowed.reveal(user.find("samples"))
    assert user.window.state.all_controls
    borrowed.give_back()
    assert not user.window.state.all_controls

    user.train.use_text("story")
    user.wait(lambda: user.train.looked)
    user.window.state.all_controls = False
    user.click(user.find("outline_change"))
    user.wait(user.find("model_scroll").isVisible)
    assert user.window.panel.preset.hasFocus()


def test_that_the_names_of_many_texts_do_not_widen_the_page(stage, home):
    names = [home / f"a text with a rather long name, number {n}.txt" for n in range(8)]
    for path in names:
        path.write_text(texts.read("story").content)
    stage.window.state.texts = tuple(map(str, names))
    stage.wait(lambda: stage.train.looked and "number 7" in stage.reads("run_outline"))
    stage.rest(0.1)
    assert stage.window.train.width() <= stage.window.tabs.width()
    assert "number 7" in stage.find("run_outline").toolTip()


def test_that_the_line_above_the_curves_describes_the_next_run_once_it_differs_from_the_finished_one(stage):
    stage.train.to_end(epochs=1)
    first = stage.reads("run_outline")
    assert "The Late Bell" in first
    stage.go_to("texts")
    stage.window.texts.table.tick(texts.GRIMM, True)
    stage.wait(stage.find("train_on_these").isEnabled)
    stage.click(stage.find("train_on_these"))
    stage.wait(stage.train.start_button.isEnabled)
    assert QApplication.focusWidget() is stage.train.start_button, "not the next button that was enabled meanwhile"
    assert stage.reads("run_outline") == f"New run: {first}, Tales of the Brothers Grimm"
    stage.window.state.texts = (texts.STORY,)
    stage.wait(lambda: stage.reads("run_outline") == first)


def test_that_the_newest_card_is_on_top_of_that_of_the_initial_weights_and_the_caption_describes_the_losses(stage):
    """A run with a negligible learning rate generates the same text as before training."""
    assert "random guessing (8.7)" in stage.reads("run_caption")
    before = cards(stage).strip().split("\n", 1)[1]
    stage.train.set(learning_rate=1e-12, epochs=1)
    stage.wait(stage.train.start_button.isEnabled)
    stage.train.to_end(learning_rate=1e-12, epochs=1)
    stage.wait(lambda: "Epoch 1" in cards(stage))
    assert cards(stage).count(before) == 2

    stage.train.reset()
    stage.wait(lambda: "Epoch" not in cards(stage) and "Random weights" in cards(stage))
    first = cards(stage)
    stage.train.to_end(epochs=2, learning_rate=4e-4)
    stage.wait(lambda: cards(stage).index("Epoch 2") < cards(stage).index("Epoch 1") < cards(stage).index("Random"))
    assert first.strip() in cards(stage)

    stage.train.step_times(5, steps=60, eval_freq=1, learning_rate=0.01)
    stage.wait(lambda: "has fallen from" in stage.reads("run_caption"))


def test_that_words_of_the_previous_card_are_distinguished_from_new_ones():
    assert changes("he was, was", "he had, was") == [("he", False), (" had", True), (", was", False)]
    assert changes(None, "he") == [("he", True)]


def test_that_a_finished_run_reports_its_result_generates_next_and_stays_in_runs(stage):
    plot = stage.find("loss_plot")
    where = lambda: (plot.mapTo(stage.window, QPoint(0, 0)), plot.size())  # noqa: E731
    before = where()
    stage.train.to_end(epochs=1, learning_rate=0.05)
    stage.wait(stage.find("finish_generate").isVisible)
    stage.rest(0.1)
    assert where() == before
    assert stage.reads("run_result").startswith("Your model is trained. From “")
    assert stage.train.start_button.text() == "New run"
    blue = [each for each in stage.window.train.findChildren(QWidget) if each.property("role") == "primary"]
    assert [each.objectName() for each in blue if each.isVisible()] == ["finish_generate"]
    stage.click(stage.find("finish_generate"))
    stage.wait(lambda: stage.current == "generate")
    first = stage.train.run.path
    assert stage.window.state.model.path.parent.parent == first

    stage.go_to("train")
    stage.click(stage.train.start_button)
    stage.wait(lambda: stage.train.run and stage.train.run.path != first)
    stage.train.wait_ended()
    stage.go_to("runs")
    stage.wait(lambda: stage.runs.listed(first))


def test_that_a_stopped_run_is_continued_below_the_curves(stage):
    stage.train.step_times(2, steps=5, eval_freq=1000)
    stage.train.stop()
    stage.train.wait_ended()
    stage.train.set(epochs=3)  # so that the large button starts another run
    stage.wait(stage.find("go_on").isVisible)
    assert stage.window.train.view.below.isAncestorOf(stage.find("go_on"))
    stage.click(stage.find("go_on"))
    stage.train.wait_ended()
    assert stage.train.last.step == 4


def test_that_advice_on_a_narrow_page_is_read_in_two_lines_or_in_the_tooltip(user, tmp_path):
    user.window.resize(1024, 768)
    text = tmp_path / "deutsch.txt"
    text.write_text("Die überaus größte Übungsmöglichkeit für Überflieger wäre natürlich äußerst fraglich. " * 500)
    user.train.use_text(str(text))
    hint = user.find("vocabulary_hint")
    for full in (False, True):
        user.window.state.all_controls = full
        user.wait(hint.isVisible)
        user.rest(0.1)
        assert hint.height() >= 2 * hint.fontMetrics().lineSpacing()
        assert hint.visibleRegion().boundingRect().size() == hint.size()
    user.window.resize(600, 768)
    user.wait(lambda: hint.toolTip() == hint.text())  # where it is cut off, which depends on the system's font


def test_that_a_long_message_does_not_move_the_buttons_of_a_finished_run(stage):
    stage.window.resize(1024, 768)
    stage.window.state.all_controls = True
    counter = stage.find("step_counter")
    before = counter.mapTo(stage.window, QPoint(0, 0))
    stage.train.to_end(epochs=1)
    stage.wait(stage.find("finish_generate").isVisible)
    stage.window.training.say("The text is short: the model will soon know it by heart. " * 5)
    stage.window.train.show_state()
    notice = stage.find("train_notice")
    stage.wait(notice.isVisible)
    stage.rest(0.1)
    assert counter.mapTo(stage.window, QPoint(0, 0)) == before
    assert notice.width() > 8 * notice.fontMetrics().height()
    assert notice.toolTip() == notice.text()
    assert stage.find("finish_send").visibleRegion().boundingRect().size() == stage.find("finish_send").size()


@pytest.mark.parametrize(("losses", "words"), [
    ((1093.6, 68.4), "worse than before its training"), ((10.9, 6.1), "where it began with 50,257"),
])
def test_that_no_model_chooses_among_more_tokens_than_exist(losses, words):
    run = ShownRun()
    run.take([started(), *(evaluated(step, loss, loss) for step, loss in enumerate(losses))])
    assert words in shown_run.caption(run, 50_257)
