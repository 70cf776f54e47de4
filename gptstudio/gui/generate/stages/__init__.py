"""From logits to the sampled token: the sampling parameters, and a table of the candidates left by each stage."""
