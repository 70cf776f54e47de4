"""Names of models, as stored in texts and events and as shown to the user; also the words for a branch of a run.

Stored names are in English, as :mod:`gptstudio.training.model_source` makes them, so that a saved text names its model
everywhere.
"""

from __future__ import annotations

import re

from gptstudio.errors import UserError
from gptstudio.gpt import sizing
from gptstudio.gpt.config import OWN
from gptstudio.gui.translation import joined, millions, tr
from gptstudio.history.comparison import shown_name
from gptstudio.i18n import message
from gptstudio.training import run_folder
from gptstudio.training.model_source import ImportedModel, LiveModel, ModelSource, TextNgrams, UntrainedModel, config_of
from gptstudio.training.run_folder import Parent, RunFolder

NAMES = (
    message("{config}, untrained, seed {seed}"), message("{run}, step {n}"), message("{run}, as it is now"),
    message("{run}, as it was after step {n}"), message("{run}, before its first step"),
    message("{run}, table of 3-grams"),
)


def display_name(name: str, by_folder: bool = False) -> str:
    """Return a stored name in the user's language, with the display name of its run, or that of the run's folder; a
    name of another form is returned unchanged."""
    for known in NAMES:
        found = re.fullmatch(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(known)), name)
        if found:
            values = found.groupdict()
            if "run" in values and not by_folder and (run := run_folder.find(values["run"])):
                values["run"] = shown_name(run)
            if values.get("config") == OWN:
                values["config"] = tr(OWN)
            return tr(known, **values)
    return name


def short_name(source: ModelSource) -> str:
    """Return a name that fits into a combo box.

    For a saved model, it is the name of its run and the step, or a note that it is a table of 3-grams; for an imported
    model, its name and its number of parameters.
    """
    if isinstance(source, LiveModel):
        return tr("Model in training, current state")
    if isinstance(source, UntrainedModel):
        return tr("Untrained, as set in the Model panel")
    if isinstance(source, ImportedModel):
        return joined("  ·  ", *filter(None, (source.name, _parameters(source))))
    folder = source.folder if isinstance(source, TextNgrams) else source.run_path
    part = tr("table of 3-grams") if isinstance(source, TextNgrams) else source.step
    return joined("  ·  ", shown_name(RunFolder(folder)), part)


def _parameters(source: ImportedModel) -> str:
    """Return the number of parameters as text; empty if the model is unreadable, as reported when it is chosen."""
    try:
        return millions(sizing.parameter_count(config_of(source)))
    except UserError:
        return ""


def branch_words(parent: Parent) -> str:
    """Return the run and the step from which a branch continues, as text."""
    return tr("from {run}, step {n}", run=parent.name, n=f"{parent.step + 1:,}")
