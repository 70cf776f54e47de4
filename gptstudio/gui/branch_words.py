"""Words for a run that is a branch of another one."""

from __future__ import annotations

from gptstudio.gui.translation import tr
from gptstudio.training.parent import Parent


def branch_words(parent: Parent) -> str:
    """Return from which run, and after which step, a branch continues."""
    return tr("from {run}, step {n}", run=parent.name, n=f"{parent.step + 1:,}")
