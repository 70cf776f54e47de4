"""Words of a page whose examples are not the book's."""

from __future__ import annotations

from gptstudio.gui.learn.kit.page import LabPage
from gptstudio.gui.translation import tr


def name_own_examples(page: LabPage) -> None:
    """Call the examples of a page what they are: the book prints no numbers for them."""
    page.back.setText(tr("Reset to the first example"))
    page.back.setAccessibleName(page.back.text())
    page.back.setToolTip(tr("Takes back all changes on this page"))
    page.examples.setAccessibleName(tr("Examples"))
    page.examples.setToolTip(tr("Loads the input of an example"))
