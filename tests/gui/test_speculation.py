"""Draft and check: one model drafts, another checks, and each token says what became of it."""

from PySide6.QtWidgets import QLabel

from gptstudio.gpt.config import GPTConfig
from gptstudio.gui.generate.comparison.speculation_view import COLOURS

FIRST_PAGE = "generate"


def test_that_a_model_that_drafts_for_itself_is_accepted_whole_and_a_text_too_long_is_told(user):
    user.window.state.config = GPTConfig(context_length=32, emb_dim=16, n_heads=2, n_layers=1, drop_rate=0.0)
    user.generate.set(max_new_tokens=9)
    user.generate.turn_to_view(1)
    user.click(user.generate.draft_button)
    user.wait(lambda: "Accepted" in user.reads("speculation_figures"))
    made = user.generate.speculation
    assert user.reads("speculation_figures").startswith("Accepted: 100.0 % of the drafted tokens. 9 tokens in 2 passes")
    assert [each.fate for each in made.outcomes] == ["accepted"] * 4 + ["extra"] + ["accepted"] * 3 + ["extra"]
    assert {each.fate for each in made.outcomes} <= set(COLOURS)
    assert user.generate.draft_button.text() == "Draft and check"

    user.generate.drafted_box.setValue(2)
    user.click(user.generate.draft_button)
    user.wait(lambda: "9 tokens in 3 passes" in user.reads("speculation_figures"))

    user.generate.set(max_new_tokens=60)
    user.click(user.generate.draft_button)
    user.wait(lambda: "does not fit the context" in user.reads("speculation_notice"))


def test_that_the_number_of_drafted_tokens_has_a_caption(user):
    user.generate.turn_to_view(1)
    labels, field = user.window.findChildren(QLabel), user.find("compare_drafted")
    assert [each.text() for each in labels if each.buddy() is field] == ["Drafted tokens"]
