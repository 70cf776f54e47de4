"""Sampling, from logits to the sampled token: the sampling parameters, and a table of the candidates after each
stage."""
