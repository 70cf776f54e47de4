"""The offer to train a model, on the pages of Learn and in the card of a lesson, for users who have trained none."""

import pytest
from PySide6.QtCore import Qt

from gptstudio.gui.controllers import training
from gptstudio.labs.lesson import shipped
from gptstudio.training.model_source import LiveModel, SavedModel, UntrainedModel
from gptstudio.training.spec import TrainSpec


@pytest.fixture
def quick(monkeypatch, tiny):
    """Use the standard settings with a model that trains quickly. The Verdict is not on this computer."""
    monkeypatch.setattr(training, "STANDARD", TrainSpec(
        config=tiny, steps=6, eval_freq=2, eval_iter=1, sample_tokens=3, precision="fp32"))


def offered(place):
    """Return the text of the offer of a page or a card, and whether its button is visible; None if it is hidden."""
    words, button = (place.findChild(object, name) for name in ("model_offer_words", "quick_train"))
    return (words.text(), button.isVisible()) if words.isVisible() else None


def test_that_a_page_trains_a_model_in_the_background_and_chooses_it(window, user, quick, small_loss_model):
    state = window.state
    user.train.set(epochs=3, learning_rate=0.007, batch_size=1)
    before = state.config_values, state.train_values, state.texts
    user.go_to("learn")
    page = user.learn.open("loss")
    assert offered(page) is None  # its numbers are typed by the user
    page.update_request(source="model")
    words, can = offered(page)
    assert words.startswith("This model is untrained")
    assert can
    assert isinstance(page.source, UntrainedModel)
    page.findChild(object, "quick_train").setFocus()
    user.press(Qt.Key.Key_Space)
    user.wait(lambda: isinstance(page.source, SavedModel))
    assert state.page == "learn"
    assert state.run.spec.text == ("story",)
    assert page.source.run == state.run.folder.path.name
    assert offered(page)[0].startswith("✓ The model has been trained, and it is chosen now: ")
    assert (state.config_values, state.train_values, state.texts) == before
    page.reset()
    page.update_request(source="model")
    assert offered(page)[0].endswith("Choose one of your trained models.")
    assert not offered(page)[1]


def test_that_a_page_says_why_no_model_can_be_trained_now_and_a_step_that_one_in_training_changes(window, user):
    user.train.begin(steps=100_000)
    user.go_to("learn")
    page = user.learn.open("feedforward")
    user.wait(lambda: "A model is being trained: step" in offered(page)[0])
    assert not offered(page)[1]

    # A step of a lesson.
    user.lesson.open(shipped("en")[2])
    user.lesson.show_step(lambda step: step.title == "Always the most likely token")
    card = user.lesson.runner.guide
    live = next(each for each in window.state.models if isinstance(each, LiveModel))
    window.state.choose_model(live)
    user.wait(lambda: offered(card) and "This model is still in training" in offered(card)[0])
    window.training.stop()
    user.train.wait_ended()
    user.wait(lambda: offered(card) is None)
    user.lesson.end()

    # Training is locked.
    user.go_to("learn")
    user.learn.open("feedforward")
    window.state.choose_model(next(each for each in window.state.models if isinstance(each, UntrainedModel)))
    window.state.saved_models = ()
    window.state.locked_controls = frozenset({"start"})
    assert offered(page) == ("This model is untrained. With a trained one, the chart shows what training changed. "
                             "Training is locked by your instructor.", False)


def test_that_a_step_about_a_trained_model_offers_to_train_one(window, user, quick):
    user.lesson.open(shipped("en")[2])
    user.lesson.show_step(lambda step: step.title == "Always the most likely token")
    user.wait(user.lesson.next_button.isVisible)
    card = user.lesson.runner.guide
    before = window.state.train_values
    assert offered(card)[1]
    user.click(card.findChild(object, "quick_train"))
    offers = []
    window.training.events_arrived.connect(lambda _: offers.append(offered(card)))
    user.wait(lambda: isinstance(window.state.model, SavedModel))
    assert any(each and "It is chosen here when it is ready." in each[0] for each in offers)
    assert offered(card)[0].startswith("✓ The model has been trained")
    assert window.state.train_values == before
    user.lesson.next()
    user.lesson.back()
    user.lesson.show_step(lambda step: step.page)
    assert offered(card) is None
    user.lesson.end()
