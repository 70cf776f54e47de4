"""The Texts page: texts to train on."""

from __future__ import annotations

from pages.page import Inside, Page


class TextsPage(Page):
    """The table of texts and the selection in it."""

    place = "texts"
    names, ticked, busy = Inside("table.names"), Inside("table.ticked_names"), Inside("busy")
