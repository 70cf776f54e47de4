"""Errors that the user can resolve."""


class UserError(Exception):
    """A plain sentence for the user: what happened, what it means, what to do. Never a traceback."""
