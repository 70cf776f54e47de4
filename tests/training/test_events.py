"""The closed set of events, as lines of a journal and back."""

import math
import re
from typing import get_args

import pytest
from pydantic import ValidationError

from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.training import events, journal
from gptstudio.training.events import Warned, from_json, to_json

ALL = [
    events.RunStarted(
        run="/runs/ä b", device="CPU", dtype="fp32", path="fast", parameters=163_009_536, total_steps=90,
        steps_per_epoch=9, tokens_per_step=512,
    ),
    events.PhaseChanged(phase="paused"),
    events.StepDone(
        step=3, epoch=1, loss=0.1 + 0.2, learning_rate=4e-4, gradient_norm=1 / 3, tokens_seen=2**40, elapsed_s=1e-9
    ),
    events.StepReport(
        step=3, loss_before=2.5, loss_after=1 / 3, gradient_norm=0.1,
        changes=[
            events.Change(component="attention", parameter="trf_blocks.0.att.W_key.weight", largest=4e-4),
            events.Change(component="output_layer", parameter="out_head.weight", largest=math.inf)],
    ),
    events.CopiesFound(
        step=3, tokens=50, copied=31, longest=23, copies=(events.Copy(start=22, stop=120, tokens=23),)),
    events.UpdatesRead(step=5, tokens_seen=3_072, parts=(
        events.PartUpdate(part="attention", block=0, gradient_norm=0.125, weight_norm=1 / 3, update_ratio=1e-3),
        events.PartUpdate(part="final_norm", weight_norm=math.inf),
    )),
    events.ActivationsRead(
        step=5, tokens_seen=3_072, tokens=64, most_entropy=4.6, logit_std=0.5, largest_logit=2.25,
        blocks=(events.BlockActivations(dead_share=0.25, entropies=(4.5, 1 / 3)),),
    ),
    events.ProbesRead(step=-1, tokens_seen=0, probes=(
        events.ProbeReading(text="Every", ids=(11, 262), probabilities=(0.25, 1 / 3), entropy_bits=3.5, true_id=262,
                            true_probability=1 / 3, true_rank=1),)),
    events.LearningRateChanged(step=4, learning_rate=4e-5),
    events.Evaluated(step=0, tokens_seen=512, train_loss=9.781, val_loss=9.933),
    events.SampleWritten(step=8, epoch=1, text='Every effort\nmoves "you" \u2028 \ufffd 😀 \x00'),
    events.CheckpointSaved(step=8, path="/runs/a/checkpoints/step-000008", val_loss=None),
    events.MemoryRead(used_bytes=1, peak_bytes=2, total_bytes=3),
    events.Warned(message="…"),
    events.Ended(outcome="failed", message="No.", details="Traceback\n  File", user_error=True),
    events.PromptRead(pieces=[events.Piece(id=6109, text="Every")], dropped=0, model="workshop"),
    events.TokenRead(position=0, id=6109, text="Every", plain_probability=None, rank=None, plain_entropy_bits=None),
    events.TokenDrawn(
        position=4, id=11, text=",", plain_probability=0.25, rank=2, plain_entropy_bits=1.5, sample=3, probability=0.5,
        entropy_bits=0.0, random_number=0.99, took_s=0.1, sampling_params=SamplingParams(
            temperature=0.0, top_p=0.9, min_p=0.05, repetition_penalty=1.1, typical_p=0.5,
            order=("top_k", "temperature"),
        ),
        alternatives=[
            events.Candidate(
                id=11, text=",", logit=-3.5, probability=1e-300, stages={"top_k": -3.5, "temperature": None},
                cut_by="temperature", after=0.0,
            )
        ],
    ),
    events.BeamStep(step=2, kept=(events.Beam(
        ids=(11, 262), text=" the", plain_probability=1 / 3, rank=2, plain_entropy_bits=1.5, log_probability=-3.25,
        score=-1.625, ending="end_of_text"),)),
    events.TextEnded(sample=3, position=4, reason="stop_text"),
]
READINGS = [event for event in ALL if isinstance(event, (events.TokenRead, events.TokenDrawn))]
ids = [event.event for event in ALL]


def test_that_every_event_of_the_set_is_tested_here():
    assert {type(event) for event in ALL} == set(get_args(events.Event))


@pytest.mark.parametrize("event", ALL, ids=ids)
def test_that_an_event_is_read_back_from_its_line_also_with_numbers_that_are_not_finite(event):
    line = to_json(event)
    assert "\n" not in line
    assert from_json(line) == event
    assert from_json(line.encode()) == event
    floats = [name for name, info in type(event).model_fields.items() if info.annotation in (float, float | None)]
    for odd in (math.nan, math.inf, -math.inf):
        changed = event.model_copy(update=dict.fromkeys(floats, odd))
        back = from_json(to_json(changed))
        assert to_json(back) == to_json(changed)
        for name in floats:
            value = getattr(back, name)
            assert math.isnan(value) if math.isnan(odd) else value == odd


@pytest.mark.parametrize("event", ALL, ids=ids)
def test_that_a_message_cannot_be_changed(event):
    with pytest.raises(ValidationError):
        event.event = "other"


@pytest.mark.parametrize("reading", READINGS, ids=[event.event for event in READINGS])
def test_that_logits_stay_in_memory(reading):
    event = reading.model_copy(update={"logits": [1.0] * 50_257})
    assert "logits" not in to_json(event)
    assert len(repr(event)) < 1000


@pytest.mark.parametrize(
    "line", [
        "", "{}", "null", "[]", '{"event":"unheard_of"}', '{"event":"step_done"}', "{", b"\xff",
        to_json(ALL[0]).replace('"steps_per_epoch":', '"steps_per_epoch":-'),
        to_json(ALL[0].model_copy(update={"steps_per_epoch": 0})),
        to_json(ALL[0].model_copy(update={"total_steps": 2**53 + 1})),
    ]
)
def test_that_an_invalid_event_is_refused(line):
    with pytest.raises(ValidationError):
        from_json(line)


def write(path, some) -> None:
    record = journal.Journal(path)
    for event in some:
        record(event)
    record.close()


def test_that_a_journal_can_be_read_while_it_is_written(tmp_path):
    record = journal.Journal(tmp_path / "journal.jsonl")
    for count, event in enumerate(ALL, 1):
        record(event)
        assert list(journal.read(tmp_path / "journal.jsonl")) == ALL[:count]
    record.close()


@pytest.mark.parametrize("every", [13, pytest.param(1, marks=pytest.mark.release)])
def test_that_a_journal_cut_off_anywhere_gives_all_whole_lines(tmp_path, every):
    path = tmp_path / "journal.jsonl"
    write(path, ALL)
    data = path.read_bytes()
    ends = (end.start() + more for end in re.finditer(b"\n", data) for more in (-1, 0, 1))
    for cut in {*range(0, len(data), every), *ends}:
        path.write_bytes(data[:cut])
        whole = data[:cut].count(b"\n")
        found = list(journal.read(path))
        # a last line that lacks only its line end is whole as well
        assert found in (ALL[:whole], ALL[: whole + 1])
        assert len(found) == whole or data[cut : cut + 1] == b"\n"


def test_that_a_broken_line_costs_only_itself_and_is_reported(tmp_path):
    path = tmp_path / "journal.jsonl"
    lines = [to_json(event).encode() for event in ALL[:3]]
    path.write_bytes(b"\n".join([lines[0], b"\x00\xff half a li", b"", lines[1], b'{"event":"of tomorrow"}', lines[2]]))
    read = list(journal.read(path))
    assert [event for event in read if not isinstance(event, Warned)] == ALL[:3]
    warned = [isinstance(event, Warned) for event in read]
    assert warned == [False, True, True, False, False], "an empty line was not written either; what is of tomorrow was"


def test_that_a_missing_journal_is_an_empty_one(tmp_path):
    assert list(journal.read(tmp_path / "none.jsonl")) == []
