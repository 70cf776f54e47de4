"""Guided tour of the window: the card with the text, the highlight of a widget, the locks, and the runner of the steps.

Constraint of this package: a lesson only shows, highlights and locks. Whatever it hid or locked is restored as it was,
and the user is never trapped: each step can be left, even if its check is not reached.
"""
