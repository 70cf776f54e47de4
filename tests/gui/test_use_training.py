"""Training in use: the focus after each action, so that the next key has the expected effect."""

from PySide6.QtCore import Qt

from gptstudio import devices
from gptstudio.data.ngram import NgramTable
from gptstudio.gui.controllers import training
from gptstudio.gui.translation import size
from gptstudio.training import corpus
from gptstudio.training.events import MemoryRead, StepDone
from gptstudio.training.forecast import MIN_STEPS

LONG = {"steps": 5000, "eval_freq": 1000}


def pause(user) -> None:
    user.click(user.window.train.start)
    user.wait(lambda: user.window.state.paused)


def test_that_space_after_step_continues_a_save_has_the_same_number_everywhere_and_stop_keeps_the_view(user):
    train = user.window.train
    user.train.begin(**LONG)
    pause(user)
    before = len(user.received(StepDone))
    user.click(train.run_controls.step)
    user.wait(lambda: len(user.received(StepDone)) == before + 1 and user.train.paused)
    assert user.window.focusWidget() is train.start
    user.press(Qt.Key.Key_Space)
    user.wait(lambda: len(user.received(StepDone)) > before + 3)
    assert user.train.running
    assert not user.train.paused

    schedule = train.settings.schedule
    user.wait(lambda: user.train.schedule_curve.place)
    pause(user)
    user.click(train.run_controls.reset)
    user.wait(lambda: not user.train.running and not user.train.started)
    assert user.train.schedule_curve.place is None
    assert not schedule.words.text().startswith("Step ")

    user.training.clear()
    user.train.begin(**LONG)
    pause(user)
    user.train.stop()
    assert user.window.focusWidget() is not train.run_controls.reset
    done = len(user.received(StepDone))
    number = f"step {done:,}"
    assert user.reads("step_counter") == f"{done:,}"
    assert user.reads("saved") == f"Saved after {number}"
    assert user.train.checkpoints()[0][0] == f"{done:,}"
    assert train.continuation.plain.text() == f"Continue from {number}"
    user.go_to("generate")
    assert user.generate.model_box.currentText().endswith(number)
    assert user.reads("model_name").endswith(f" {number} on CPU")
    user.go_to("train")
    train.view.charts.point_at(done - 1)
    assert user.reads("loss_plot_readout").startswith(f"Step {done:,} ")
    assert f"saved after {number}." in user.reads("loss_plot_readout")

    user.train.continue_run()
    user.wait(lambda: len(user.received(StepDone)) > done)
    user.train.stop()
    assert user.window.focusWidget() is not train.run_controls.reset


def test_that_the_memory_for_training_is_the_same_number_after_a_run_and_a_lookup_table_is_a_line(
    user, monkeypatch, home
):
    # so small a run may fit into memory that other threads free meanwhile, and then nothing can be measured
    monkeypatch.setattr(devices.MemoryMeter, "peak", lambda _meter: 12_345_678)
    monkeypatch.setattr(training, "update_free_memory", lambda _state: None)  # as if it had not changed

    def estimates() -> tuple[str, str]:
        train = user.reads("outlook").replace("Estimated memory for", "Estimated for")
        assert train.startswith("Estimated for training: ")
        train = train.removeprefix("Estimated for training: ")
        return user.reads("train_memory").split(" of ")[0], train.split(" of ")[0]

    user.train.prepare(steps=MIN_STEPS, eval_freq=1000)
    panel, train = estimates()
    assert panel == train
    user.click(user.window.train.start)
    user.wait(lambda: not user.window.state.running)
    user.wait(lambda: (user.window.state.text_check is not None))
    assert len(set(estimates())) == 1
    measured = size(max(read.run_peak_bytes for read in user.received(MemoryRead)))
    assert f"{measured} of memory for training" in user.reads("measured")
    tip = user.find("figure_memory").parent().toolTip()
    assert "Most memory that training needed, as in the estimate." in tip
    assert user.train.figure("memory") == measured

    user.train.prepare(steps=3)
    spec = user.state.spec
    text = corpus.read(spec)
    loss = NgramTable(text.train_ids, text.tokenizer.size).loss(text.val_ids)
    table, lines = f"table of 3-grams: {loss:.2f}", user.train.loss_lines
    user.wait(lambda: table in lines())
    user.train.set(eval_iter=2)
    assert table in lines(), "it does not come and go with each change of the settings"
    user.train.to_end(steps=3)
    assert table in lines()
    repeated = home / "repeated.txt"
    repeated.write_text("the cat sat on the mat, and the dog sat on the cat. " * 60, encoding="utf-8")
    user.train.use_text(str(repeated))
    user.train.reset()
    user.wait(lambda: any(each.startswith("table of 3-grams: 0.") for each in lines()))
    chart = user.window.train.view.charts.loss
    box, labels = chart.box.sceneBoundingRect, [line.label for line in chart.lines.references]
    user.wait(lambda: all(box().contains(each.mapRectToScene(each.boundingRect())) for each in labels))  # when painted
    user.train.use_text("nowhere.txt")
    user.wait(lambda: len(lines()) == 1)


def test_that_empty_panes_have_a_button_and_a_token_that_the_current_parameters_cut_says_so(user):
    user.train.prepare(steps=4)
    start = user.find("run_pane_start")
    user.click(start)
    user.wait(lambda: not start.isVisible() and not user.train.running)
    user.go_to("generate")
    generate = user.find("write_panes_generate")
    user.click(generate)
    user.wait(lambda: user.window.state.document.path and not user.window.generate.running)
    assert not generate.isVisible()

    user.train.to_end(steps=3)
    user.generate.write(4)
    generate = user.window.generate
    view = generate
    last = view.document.path[-1]
    user.generate.choose(len(view.document.path) - 1)
    user.wait(lambda: "was sampled with probability" in user.reads("bars_title"))
    assert "current sampling settings" not in user.reads("bars_title")
    assert last.reading.rank > 1, "or top-k 1 would keep it"
    user.generate.set_parameter("top_k", "1")
    user.wait(lambda: "then; the current sampling settings remove it" in user.reads("bars_title"))
