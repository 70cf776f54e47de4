"""A guided walk through the window: the card that tells, the ring that points, the locks, and what leads them.

The law of this room: a lesson only shows, points and holds back. Whatever it hid or locked is given back as it was, and
nobody is ever kept in it: each step can be left, also when its check is not reached.
"""
