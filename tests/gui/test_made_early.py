"""Generate as the program creates it: before it is first shown."""

import pytest

from gptstudio.gui import window as main_window


@pytest.fixture
def made_early() -> tuple[str, ...]:
    return main_window.MADE_EARLY


def test_that_generate_exists_before_it_is_shown_and_works_once_it_is(user, tiny):
    assert "generate" in vars(user.window)
    page = user.window.generate
    assert user.find("generate") is user.generate.go_button
    assert not page.isVisible()
    user.panel.select(tiny)
    user.window.state.prompt = "The house"
    assert user.current == "train"
    user.go_to("generate")
    assert user.window.generate is page
    assert page.isVisible()
    assert user.generate.prompt.toPlainText() == "The house", "what was set before it was shown"
    user.generate.write(3)
    assert len(user.generate.ids()) == 5
