"""Weights in and out: files of others opened without trusting them, downloaded, and written so that others can open
them. No Qt, nothing printed; torch only where tensors are read.

Nothing that is opened here may run code, and nothing is allocated before a file has shown that it holds it.
"""
