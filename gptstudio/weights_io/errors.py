"""Errors of importing and exporting weights. No torch."""

from __future__ import annotations

from gptstudio.errors import UserError


class ExchangeError(UserError):
    """A file that cannot be opened, fetched or written: what happened, what it means, what to do."""
