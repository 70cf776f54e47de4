"""What fuzzing has found to reach the most, opened again by the readers: a value or an error in words, nothing else."""

import fuzz
import pytest


@pytest.mark.parametrize("target", sorted(fuzz.readers()))
def test_that_each_kept_file_is_read_or_refused_in_words(target):
    files = list(fuzz.kept(target))
    assert files
    for file in files:
        fuzz.attempt(target, file.read_bytes())


def test_that_another_error_than_one_in_words_would_be_noticed(monkeypatch):
    def read(path):
        raise ValueError("not in words")

    monkeypatch.setattr(fuzz, "readers", lambda: {"lesson": (".toml", read)})
    with pytest.raises(ValueError, match="not in words"):
        fuzz.attempt("lesson", b"")
