"""History of runs: journals as columns, one-line summaries, comparison, anomalies, archives, and a plain script.

Constraint of this package: it reads the files that ``training`` writes, and starts nothing. No torch, no Qt, no print.
"""
