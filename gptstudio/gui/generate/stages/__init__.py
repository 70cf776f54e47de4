"""Sampling, from logits to the sampled token: parameters, and a table of the candidates after each stage."""
