"""One tab, one task: train, generate."""
