"""The experiments of the book, one module each, as pure functions: a frozen request to a frozen answer.

The law of this room: an answer depends on its question alone (and on the model that is handed in, where one is).
Chance comes from :mod:`draws`, never from torch's own generator, which belongs to the runs. No Qt, no print, nothing is
written.
"""
