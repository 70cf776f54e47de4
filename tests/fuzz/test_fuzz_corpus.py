"""The files with which fuzzing reached the most, opened again by the readers: each returns a value or raises a user
error."""

import fuzz
import pytest


@pytest.mark.parametrize("target", sorted(fuzz.readers()))
def test_that_each_kept_file_is_read_or_refused_with_a_message(target):
    files = list(fuzz.kept(target))
    assert files
    for file in files:
        fuzz.attempt(target, file.read_bytes())


def test_that_an_error_other_than_a_user_error_is_noticed(monkeypatch):
    def read(path):
        raise ValueError("not in words")

    monkeypatch.setattr(fuzz, "readers", lambda: {"lesson": (".toml", read)})
    with pytest.raises(ValueError, match="not in words"):
        fuzz.attempt("lesson", b"")
