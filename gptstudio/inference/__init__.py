"""Decoding, scoring and looking inside: what a model does with a text. torch, but no Qt and no print."""
