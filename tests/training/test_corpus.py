"""The training and validation parts: one text as in the study notes, and several, joined or split
by documents."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gptstudio.data import texts, tokens
from gptstudio.fields import SpecError
from gptstudio.gpt import tokenizer
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.training import corpus
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec

END = tokenizer.END_OF_TEXT
words = st.text(st.sampled_from("ab. \n,'é北"), min_size=1, max_size=60).filter(str.strip)


@pytest.fixture
def write(tmp_path):
    def files(*contents: str) -> tuple[str, ...]:
        paths = [tmp_path / f"{i}.txt" for i in range(len(contents))]
        for path, content in zip(paths, contents, strict=True):
            path.write_bytes(content.encode())
        return tuple(map(str, paths))

    return files


def ids(read: corpus.Corpus) -> tuple[list[int], list[int]]:
    return read.train_ids[:].tolist(), read.val_ids[:].tolist()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_that_the_verdict_has_the_books_tokens_with_any_line_endings(verdict, numbers, tmp_path, monkeypatch, end):
    content = verdict.read_bytes().replace(b"\r\n", b"\n")
    monkeypatch.setenv("GPTSTUDIO_TEXTS", str(tmp_path))
    (tmp_path / texts.VERDICT_FILE).write_bytes(content.replace(b"\n", end.encode()))
    whole = tokens.of(texts.read("verdict")).tolist()
    assert len(whole) == numbers["the_verdict"]["tokens"] == 5145
    assert whole == GPT2.encode(content.decode())
    read = corpus.read(TrainSpec())
    at = int(0.9 * len(content.decode()))
    assert ids(read) == (GPT2.encode(content.decode()[:at]), GPT2.encode(content.decode()[at:]))
    assert (len(read.train_ids), len(read.val_ids)) == (4612, 534)


@given(words, st.floats(0.01, 0.99))
def test_that_one_text_is_cut_by_characters_as_in_the_study_notes(write, content, ratio):
    read = corpus.read(TrainSpec(text=write(content), train_ratio=ratio))
    at = int(ratio * len(content))
    assert ids(read) == (GPT2.encode(content[:at]), GPT2.encode(content[at:]))


@given(st.lists(words, min_size=2, max_size=4), st.floats(0.01, 0.99))
def test_that_several_texts_are_joined_and_cut_by_characters(write, contents, ratio):
    """The cut is at the position that it would have without the separator tokens; none of these is left at the end of a
    part."""
    read = corpus.read(TrainSpec(text=write(*contents), train_ratio=ratio))
    at = int(ratio * sum(map(len, contents)))
    train, validation = [], []
    for content in contents:
        train.append(content[:at])
        validation.append(content[at:])
        at = max(0, at - len(content))
    expected = [GPT2.encode(END.join(filter(None, part))) for part in (train, validation)]
    assert ids(read) == tuple(expected)


@given(st.lists(words, min_size=2, max_size=5), st.floats(0.01, 0.99))
def test_that_the_last_documents_validate_and_the_others_train(write, contents, ratio):
    read = corpus.read(TrainSpec(text=write(*contents), train_ratio=ratio, split="documents"))
    parts = [
        (GPT2.encode(END.join(contents[:n])), GPT2.encode(END.join(contents[n:])))
        for n in range(1, len(contents))
    ]
    assert ids(read) in parts
    share = [sum(map(len, contents[:n])) / sum(map(len, contents)) for n in range(1, len(contents))]
    chosen = [abs(each - ratio) for each, part in zip(share, parts, strict=True) if part == ids(read)]
    assert min(chosen) == pytest.approx(min(abs(each - ratio) for each in share))


def test_that_one_document_cannot_be_split_by_documents(write):
    with pytest.raises(SpecError) as caught:
        corpus.read(TrainSpec(text=write("the cat"), split="documents"))
    assert [problem.field for problem in caught.value.problems] == ["split"]
    assert "there is only one document, 0.txt. Add another text, or split by characters." in str(caught.value)


def test_that_a_large_text_gives_the_ids_of_a_small_one(write, monkeypatch):
    paths = write("the cat sat on the mat. " * 40, "a dog, a fox,\n\nan owl. " * 40)
    small = ids(corpus.read(TrainSpec(text=paths)))
    monkeypatch.setattr(tokens, "KEPT_FROM", 0)
    for _ in ("computed", "kept"):
        assert ids(corpus.read(TrainSpec(text=paths))) == small


def test_that_progress_is_reported_over_all_texts(write):
    progress_reports = []
    paths = write("one " * 40, "two " * 60)
    corpus.read(TrainSpec(text=paths), lambda done, total: progress_reports.append((done, total)))
    encoded = [done for done, total in progress_reports if total]
    assert encoded[-1] == 400
    assert all(before <= after for before, after in pairwise(encoded))
    assert {total for _, total in progress_reports} == {0, 400}


def test_that_a_guessed_encoding_is_noted(tmp_path):
    (tmp_path / "old.txt").write_bytes("café ".encode("latin-1") * 40)
    [note] = corpus.read(TrainSpec(text=str(tmp_path / "old.txt"))).notes
    assert "Reading it as Windows-1252, which is a guess" in note


def test_that_one_text_may_be_given_by_itself_and_old_records_are_read(tmp_path):
    assert TrainSpec(text="story").text == TrainSpec(text=("story",)).text == TrainSpec.make(text=["story"]).text
    folder = RunFolder.create(TrainSpec(text="story"), "a story", "0" * 64, tmp_path / "run")
    record = json.loads((folder.path / "run.json").read_text())
    record["spec"]["text"] = "story"
    del record["spec"]["split"], record["sha256"]
    (folder.path / "run.json").write_text(json.dumps(record))
    assert folder.record().spec == TrainSpec(text=("story",))


@pytest.mark.parametrize("text", [(), 5, None, [None], {"a": 1}])
def test_that_an_invalid_text_is_a_problem_of_that_field(text):
    assert [problem.field.split(".")[0] for problem in TrainSpec.problems({"text": text})] == ["text"]
