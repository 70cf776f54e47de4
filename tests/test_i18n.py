"""Words for people keep how they were made: through events, a journal and back, but not by what a journal makes up."""

import gc
import json
import weakref

import pytest

from gptstudio.errors import UserError, text_of
from gptstudio.i18n import Message, from_parts, joined, message, to_parts
from gptstudio.training import journal
from gptstudio.training.events import Ended, Warned, from_json, to_json
from gptstudio.weights_io import importing

NESTED = message("{what} at step {n}: {why}", what=message("The loss is {value}", value=3.5), n="1,000", why="{x}")


@pytest.mark.parametrize("text", [NESTED, message("100 %"), message("{{a}} {b}", b=1), joined("; ", NESTED, "plain")])
def test_that_a_message_is_the_same_out_of_json(text):
    again = from_parts(json.loads(json.dumps(to_parts(text))))
    assert again == text
    assert again.source == text.source


@pytest.mark.parametrize("source", [
    "{a.__class__}", "{a[0]}", "{a!r}", "{a:99999999}", "{}", "{0}", "{", "{b}", "{A}", 7, None,
])
def test_that_what_no_message_of_ours_is_made_of_makes_none(source):
    assert from_parts({"source": source, "values": {"a": "x"}}) is None


@pytest.mark.parametrize("parts", [None, "text", [], {}, {"source": "a"}, {"source": "a", "values": []}])
def test_that_other_values_make_no_message(parts):
    assert from_parts(parts) is None


@pytest.mark.parametrize("event", [Warned(message=NESTED), Ended(outcome="failed", message=NESTED)])
def test_that_the_words_of_an_event_can_be_translated_live_and_out_of_a_journal(tmp_path, event):
    assert isinstance(event.message, Message)
    assert "said" not in json.loads(to_json(event))
    file = tmp_path / "journal.jsonl"
    file.write_bytes(journal.sealed(event))
    [read] = journal.read(file)
    assert read == event
    assert (read.message.source, read.message.values["what"].source) == (NESTED.source, "The loss is {value}")


def test_that_words_that_are_not_what_they_claim_to_be_made_of_stay_as_they_are():
    line = json.dumps({"event": "warned", "message": "A", "said": {"source": "B", "values": {}}})
    assert not isinstance(from_json(line).message, Message)


def test_that_a_refusal_of_a_file_keeps_the_reason_to_be_translated(tmp_path):
    path = tmp_path / "model.safetensors"
    path.write_bytes(bytes(8) + b"{}")
    with pytest.raises(UserError) as refused:
        importing.inspect(path)
    words = text_of(refused.value)
    assert isinstance(words, Message)
    assert words.source == "{path} was not opened: {why}"


def test_that_a_message_about_an_error_keeps_nothing_alive_that_its_functions_held():
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
        said = message("Could not save: {why}.", why=error)
    gc.collect()
    assert said == "Could not save: disk full."
    assert held[0]() is None
