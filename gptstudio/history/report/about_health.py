"""Section of a report about the health of the layers."""

from __future__ import annotations

import numpy as np

from gptstudio.history.health_history import Quantity
from gptstudio.history.health_readings import reading
from gptstudio.history.report.about_run import Parts
from gptstudio.history.report.curves import HALF, Chart, Curve
from gptstudio.history.report.page import Child, element, isolated, table
from gptstudio.history.report.reading import ReportedRun
from gptstudio.i18n import message

QUANTITIES: dict[Quantity, str] = {
    "update_ratio": message("Update ratio"), "gradient_norm": message("Gradient norm"),
    "weight_norm": message("Weight norm"), "dead_units": message("Dead units (%)"),
    "attention_entropy": message("Attention entropy (bits)"), "logits": message("Logits"),
}


def health(run: ReportedRun) -> Parts:
    """Yield what the rules say of each quantity at the last evaluation, and its range over the layers in each."""
    say, tables = run.say, run.history.health
    found = [(name, words, each) for name, words in QUANTITIES.items() if (each := reading(tables, name))]
    if not found:
        return
    rows: list[tuple[list[Child], str]] = [
        ([say(words), isolated(say(each.message), 600)], "differs" if each.level == "bad" else "")
        for _, words, each in found]
    yield table([say(message("Quantity")), say(message("At the last evaluation"))], rows)
    yield element("p", say(message(
        "The curves are the lowest and the highest value over the layers. The rules are rules of thumb.")),
        class_="muted")
    charts = (_chart(run, name, words) for name, words, _ in found if name != "logits")
    yield element("div", *(chart.drawn() for chart in charts if not chart.is_empty), class_="pairs")


def _chart(run: ReportedRun, name: Quantity, words: str) -> Chart:
    layers, say = run.history.health[name], run.say
    steps, values = 1 + layers.place("step"), layers.values
    lowest, highest = np.fmin.reduce(values, axis=0), np.fmax.reduce(values, axis=0)
    return Chart(say(words), [
        Curve(say(message("lowest")), "training", steps, lowest),
        Curve(say(message("highest")), "validation", steps, highest)], (), say(message("Steps")), 130, width=HALF)
