"""GPT Studio: build a GPT-2, train it, and watch it choose every token.

The packages and their import directions (enforced by import-linter in ``pyproject.toml``)::

    gui | cli -> labs -> history | weights_io | inference -> training -> data -> gpt

``gpt`` is the mathematics, ``training`` is work over time reported as events, ``cli`` prints these events, and ``gui``
displays them. Only ``gui`` imports Qt.
"""

import os

# Read when torch is loaded, so set before anything here can load it. Threads that spin for long while they wait slow a
# busy machine down thirtyfold; threads that sleep at once take as long to wake as a small product takes. A thousand
# turns bridge the time between two products (libgomp's own setting; on Linux); ten thousand took up to twice the
# processor's time, and five times the clock's, beside two busy programs. At a low priority a thread may have to wait
# for its processor until others rest: then those that wait for it sleep at once.
_waits_for_others = hasattr(os, "getpriority") and os.getpriority(os.PRIO_PROCESS, 0) > 0
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("GOMP_SPINCOUNT", "0" if _waits_for_others else "1000")

__version__ = "0.1.0"
