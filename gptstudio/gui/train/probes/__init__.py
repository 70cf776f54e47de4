"""Probe prompts of the run that is shown: ribbons over the axis of the loss, bars of one evaluation, the film."""
