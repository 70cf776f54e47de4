"""Sections of a report about what the model has written: samples, copied passages, probe prompts."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

import numpy as np

from gptstudio.history.copied_words import copied_words
from gptstudio.history.probe_history import RIBBONS, ProbeHistory
from gptstudio.history.report.about_run import Parts
from gptstudio.history.report.curves import LEFT, RIGHT, WIDTH, Chart, Curve
from gptstudio.history.report.page import Child, cut, element, isolated, table
from gptstudio.history.report.reading import ReportedRun
from gptstudio.i18n import message
from gptstudio.training.events import CopiesFound, SampleWritten

MOST_SAMPLES, LONGEST_SAMPLE, MOST_COPIES = 6, 2_500, 5
MOST_PROBES, MOST_FRAMES, STRIP = 5, 48, 110
"""Probe prompts that are shown, readings of each, and the height of a strip in units of the drawing."""
T = TypeVar("T")


def samples(run: ReportedRun) -> Parts:
    """Yield a few samples from the first to the last, with the stretches underlined that were copied."""
    say, found = run.say, {each.step: each for each in run.history.copies_found}
    if not run.history.samples:
        return
    yield element("p", say(message(
        "The model continued the sample prompt after each epoch; {shown} of {n} samples are shown. Underlined: "
        "stretches of at least five tokens that stand word for word in the training text.",
        shown=min(len(run.history.samples), MOST_SAMPLES), n=f"{len(run.history.samples):,}")), class_="muted")
    for sample in spread(run.history.samples, MOST_SAMPLES):
        when = say(message("After step {n}, epoch {epoch}", n=f"{sample.step + 1:,}", epoch=f"{sample.epoch:,}"))
        yield element("figure", element("figcaption", element("b", when), _copied(run, found.get(sample.step))),
                      element("blockquote", *_underlined(sample, found.get(sample.step)), dir="auto"), class_="sample")


def memorisation(run: ReportedRun) -> Parts:
    """Yield how much of the samples was copied, and the longest copies."""
    say, history = run.say, run.history
    copies = history.copies
    chart = Chart(say(message("Copied share of each sample (%)")), [
        Curve(say(message("Copied")), "validation", 1 + copies["step"], copies["copied_percent"])],
        x_title=say(message("Steps")), height=130)
    if len(copies) > 1 and not chart.is_empty:
        yield chart.drawn()
    by_step = {each.step: each for each in history.samples}
    longest = sorted(
        ((copy.tokens, found.step, by_step[found.step].text[copy.start : copy.stop])
         for found in history.copies_found if found.step in by_step for copy in found.copies), reverse=True)
    rows: list[tuple[list[Child], str]] = [
        ([f"{tokens:,}", f"{step + 1:,}", isolated(" ".join(words.split()), 400)], "")
        for tokens, step, words in longest[:MOST_COPIES]]
    if rows:
        yield element("h3", say(message("Longest copied stretches")))
        yield table([say(message("Tokens")), say(message("After step")), say(message("Text"))], rows)


def probes(run: ReportedRun) -> Parts:
    """Yield for each probe prompt a strip of the probabilities of its next token, reading by reading."""
    say, readings = run.say, run.history.probes
    count = max((len(each.probes) for each in readings), default=0)
    if not count:
        return
    yield element("p", say(message(
        "The most probable next tokens of each probe prompt, from the first reading to the last. The height of a "
        "colour is the probability of its token; what is left above belongs to all other tokens.")), class_="muted")
    for place in range(min(count, MOST_PROBES)):
        probe = ProbeHistory(run.history, place)
        probe.update()
        yield _strip(run, probe)


def _strip(run: ReportedRun, probe: ProbeHistory) -> ET.Element:
    frames = spread(range(probe.count), MOST_FRAMES)
    wide = (WIDTH - LEFT - RIGHT) / max(1, len(frames))
    drawing = element("svg", element("title", run.say(message("Probe prompt"))), viewBox=f"0 0 {WIDTH} {STRIP + 24}",
                      role="img")
    for place, frame in enumerate(frames):
        tops = [0.0, *(float(probe.table[f"top{ribbon}"][frame]) for ribbon in range(RIBBONS))]
        for ribbon, (low, high) in enumerate(pairwise(tops)):
            if high > low:
                drawing.append(element(
                    "rect", x=round(LEFT + place * wide, 1), width=max(1.0, round(wide - 1, 1)),
                    y=round(STRIP * (1 - min(high, 1)), 1), height=round(STRIP * (min(high, 1) - low), 1),
                    class_=f"ribbon r{ribbon}"))
        if place % max(1, len(frames) // 6) == 0:
            drawing.append(element("text", f"{probe.step(frame) + 1:,}", x=LEFT + (place + 0.5) * wide, y=STRIP + 16,
                                   class_="middle"))
    for share in (0, 0.5, 1):
        drawing.append(element("text", f"{share:.0%}", x=LEFT - 7, y=STRIP * (1 - share) + (10 if share == 1 else 4),
                               class_="end"))
    last = probe.readings[-1]
    names = [element("span", element("i", class_=f"key r{ribbon}"), isolated(run.tokenizer.visible(id)))
             for ribbon, id in enumerate(probe.tokens) if id is not None]
    true = None if last.true_id is None else element("span", run.say(message(
        "in the text: {token}, rank {rank} at the end", token=run.tokenizer.visible(last.true_id),
        rank=f"{last.true_rank:,}" if last.true_rank else "–")), class_="muted")
    prompt = next((each.text for each in reversed(probe.readings) if each.text), "")
    return element("figure", element("figcaption", element("b", isolated(prompt)), *names, true), drawing,
                   class_="chart")


def spread(items: Sequence[T], most: int) -> list[T]:
    """Return at most ``most`` items, evenly spread, the first and the last among them."""
    if len(items) <= most:
        return list(items)
    return [items[int(each)] for each in np.linspace(0, len(items) - 1, most).round()]


def _underlined(sample: SampleWritten, found: CopiesFound | None) -> Iterator[Child]:
    """Yield the text of a sample, its copied stretches as elements. Places that are no places count for none."""
    text, at = cut(sample.text, LONGEST_SAMPLE), 0
    for copy in sorted(found.copies if found else (), key=lambda copy: copy.start):
        start, stop = max(copy.start, at), min(copy.stop, len(text), LONGEST_SAMPLE)
        if start < stop:
            yield text[at:start]
            yield element("u", text[start:stop])
            at = stop
    yield text[at:]


def _copied(run: ReportedRun, found: CopiesFound | None) -> ET.Element | None:
    if not found or not found.tokens:
        return None
    return element("span", run.say(copied_words(found.share, found.longest)), class_="muted")
