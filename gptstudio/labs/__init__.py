"""Experiments of the book, one module each, as pure functions from a frozen request to a frozen answer.

Constraint of this package: an answer depends only on its request (and on the model passed in). Random numbers come from
:mod:`draws`, never from torch's global generator, which belongs to the runs. No Qt, no print, no writing to disk.
"""
