"""The explanation of a failed installation."""

import children
import pytest


@pytest.mark.parametrize(("log", "words"), [
    ("ERROR: [Errno 28] No space left on device", "disk is full"),
    ("WARNING: Retrying ... NameResolutionError(...)\nERROR: No matching distribution found for x", "network"),
    ("ERROR: No matching distribution found for torch~=2.13.0", "no fitting build"),
    ("Read timed out.\n$ pip install\nERROR: something odd\nbye", "ERROR: something odd")])
def test_that_a_failed_installation_is_explained_by_its_last_command(log: str, words: str):
    assert words in children.explain(log)
