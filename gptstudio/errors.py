"""What can go wrong in a way that the user can mend."""


class UserError(Exception):
    """A plain sentence for the user: what happened, what it means, what to do. Never a traceback."""
