"""Heads of a run over its checkpoints."""
