"""Messages for people keep their parts: through events and a journal, but not from an invalid journal."""

import json
import math
import weakref

import pytest

from gptstudio import i18n
from gptstudio.errors import UserError, text_of
from gptstudio.i18n import Message, from_parts, joined, message, to_parts
from gptstudio.training import journal
from gptstudio.training.events import Ended, Warned, from_json, to_json
from gptstudio.weights_io import importing

NESTED = message("{what} at step {n}: {why}", what=message("The loss is {value}", value=3.5), n="1,000", why="{x}")


@pytest.mark.parametrize("text", [NESTED, message("100 %"), message("{{a}} {b}", b=1), joined("; ", NESTED, "plain")])
def test_that_a_message_is_equal_after_json(text):
    again = from_parts(json.loads(json.dumps(to_parts(text))))
    assert again == text
    assert again.source == text.source


@pytest.mark.parametrize("source", [
    "{a.__class__}", "{a[0]}", "{a!r}", "{a:99999999}", "{}", "{0}", "{", "{b}", "{A}", 7, None,
])
def test_that_an_invalid_source_makes_no_message(source):
    assert from_parts({"source": source, "values": {"a": "x"}}) is None


@pytest.mark.parametrize("parts", [None, "text", [], {}, {"source": "a"}, {"source": "a", "values": []}])
def test_that_other_values_make_no_message(parts):
    assert from_parts(parts) is None


@pytest.mark.parametrize("event", [Warned(message=NESTED), Ended(outcome="failed", message=NESTED)])
def test_that_the_message_of_an_event_can_be_translated_live_and_from_a_journal(tmp_path, event):
    assert isinstance(event.message, Message)
    assert "said" not in json.loads(to_json(event))
    file = tmp_path / "journal.jsonl"
    file.write_bytes(journal.sealed(event))
    [read] = journal.read(file)
    assert read == event
    assert (read.message.source, read.message.values["what"].source) == (NESTED.source, "The loss is {value}")


def test_that_text_that_does_not_match_its_claimed_parts_is_unchanged():
    line = json.dumps({"event": "warned", "message": "A", "said": {"source": "B", "values": {}}})
    assert not isinstance(from_json(line).message, Message)


def test_that_a_refusal_of_a_file_keeps_its_translatable_reason(tmp_path):
    path = tmp_path / "model.safetensors"
    path.write_bytes(bytes(8) + b"{}")
    with pytest.raises(UserError) as refused:
        importing.inspect(path)
    words = text_of(refused.value)
    assert isinstance(words, Message)
    assert words.source == "{path} was not opened: {why}"


def test_that_a_message_about_an_error_keeps_no_objects_of_its_functions_alive():
    class Model:
        pass

    held: list[weakref.ref] = []

    def fail() -> None:
        model = Model()
        held.append(weakref.ref(model))
        raise OSError("disk full")

    try:
        fail()
    except OSError as error:
        text = message("Could not save: {why}.", why=error)
    assert text == "Could not save: disk full."
    assert held[0]() is None


@pytest.mark.parametrize(("share", "shown"), [
    (0, "0.00 %"), (0.00005, "< 0.01 %"), (0.0884, "8.84 %"), (0.0999999, "10.0 %"), (0.5, "50.0 %"),
    (0.9996, "99.96 %"), (0.99999, "> 99.99 %"), (1, "100.0 %"), (1.5, "150.0 %"), (-0.25, "−25.0 %"),
    (-0.0, "0.00 %"), (-0.00005, "> −0.01 %"), (-0.99999, "< −99.99 %"),
])
def test_that_a_share_in_percent_is_never_rounded_to_none_or_all_and_has_one_form(share, shown):
    assert i18n.percent(share) == shown


def test_that_numbers_have_a_typographic_minus_sign_and_a_small_number_of_bits_is_not_zero():
    assert i18n.fixed(-1234.5, 1, ",") == "−1,234.5"
    assert [i18n.fixed(each, 2, sign="+") for each in (0.126, -0.126)] == ["+0.13", "−0.13"]
    assert [i18n.fixed(each) for each in (math.inf, -math.inf, math.nan)] == ["∞", "−∞", "–"]
    assert [i18n.bits(each) for each in (None, 0.0, 0.004, 0.006, 1.0, math.inf)] == [
        "–", "0.00", "< 0.01", "0.01", "1.00", "∞"]
    assert i18n.percent(0.25, sign=True) == "+25.0 %"
