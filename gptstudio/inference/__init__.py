"""Decoding, scoring and interpretability. This package may import torch, but not Qt, and does not print."""
