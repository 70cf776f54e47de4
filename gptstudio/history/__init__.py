"""What runs were: journals as columns, one line each, what differs, signs in a curve, archives, a plain script.

The law of this room: it reads what ``runs`` has written, and starts nothing. No torch, no Qt, no print.
"""
