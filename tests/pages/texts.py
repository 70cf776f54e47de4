"""The Texts page: what can be learned from."""

from __future__ import annotations

from pages.page import Inside, Page


class TextsPage(Page):
    """A table of texts, and what is in them."""

    place = "texts"
    names, ticked, busy = Inside("table.names"), Inside("table.ticked_names"), Inside("busy")
