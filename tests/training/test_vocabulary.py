"""Training with a vocabulary of the text itself, a byte-pair encoding of it or its characters: a run has a separate
tokenizer, which everything of the run uses and keeps."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from lessons import TINY, write_lesson
from whole_runs import assert_same, continue_run, journal_lines, of, seal, steps, train, weights

import gptstudio as gs
from gptstudio.errors import UserError
from gptstudio.fields import SpecError
from gptstudio.gpt.tokenizer import FILE, GPT2
from gptstudio.training import branching, checkpoint_files, corpus, launch, model_source, run_text
from gptstudio.training.control import Control
from gptstudio.training.events import CopiesFound, ProbesRead, RunStarted, SampleWritten
from gptstudio.training.model_source import SavedModel
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec

OWN, CHARACTERS = TINY.but(vocabulary="own", vocab_size=512), TINY.but(vocabulary="characters")
CONFIGS = pytest.mark.parametrize("config", [OWN, CHARACTERS], ids=["own", "characters"])
CUT = 0.9
"""Share of the text to learn from."""


@pytest.fixture
def lesson(lesson) -> Path:
    """The lesson, with words in its validation part that occur nowhere else."""
    lesson.write_text(lesson.read_text(encoding="utf-8") + "zyzy é zyzy 猫 " * 9, encoding="utf-8")
    return lesson


@pytest.fixture
def own_spec(tiny_spec) -> Callable[..., TrainSpec]:
    """A short run with a vocabulary of the lesson, with some settings changed."""

    def spec(**changes) -> TrainSpec:
        return tiny_spec(**{"config": OWN, "steps": 8, "eval_freq": 4, "save_every_s": None, "sample_prompt": "the cat",
                            "probes": ("the dog sat", "the cat")} | changes)

    return spec


def refused(spec: TrainSpec, folder: Path) -> str:
    """Return the message of a run that did not begin."""
    ended = launch.launch(spec, Control(), [], folder)
    assert (ended.outcome, ended.user_error) == ("failed", True)
    return ended.message


# Uses of the vocabulary.


@CONFIGS
def test_that_samples_probes_and_copied_passages_are_texts_of_the_own_tokens(own_spec, lesson, tmp_path, config):
    run = train(own_spec(config=config, learning_rate=0.03, steps=60, sample_tokens=28, eval_freq=20), tmp_path / "run")
    tokenizer, learned = run.tokenizer(), lesson.read_text(encoding="utf-8")
    for sample in of(run, SampleWritten):
        assert sample.text.startswith("the cat")
        assert config is OWN or set(sample.text) <= set(learned) | set("\ufffd<|endoftext|>")
    probes = of(run, ProbesRead)[-1].probes
    assert [probe.text for probe in probes] == ["the dog sat", "the cat"]
    assert all(max(probe.ids) < tokenizer.size for probe in probes)
    best = dict(zip(probes[0].ids, probes[0].probabilities, strict=True))
    assert tokenizer.decode([max(best, key=best.__getitem__)]) == (" on" if config is OWN else " ")
    copies = of(run, CopiesFound)[-1]
    assert copies.copies
    for each in copies.copies:
        stretch = sample.text[each.start : each.stop]
        assert stretch in learned
        assert len(tokenizer.encode(stretch)) == each.tokens >= 5
    assert copies.longest == max(each.tokens for each in copies.copies)


@CONFIGS
def test_that_the_losses_in_bits_need_the_mean_bytes_of_a_token(own_spec, lesson, tmp_path, config):
    run = train(own_spec(config=config, steps=2), tmp_path / "run")
    text, tokenizer = lesson.read_text(encoding="utf-8"), run.tokenizer()
    at = int(CUT * len(text))
    expected = [len(part.encode()) / len(tokenizer.encode(part)) for part in (text[:at], text[at:])]
    assert of(run, RunStarted)[0].bytes_per_token == pytest.approx(expected)
    assert (expected[0] == 1) == (config is CHARACTERS), "the training part has letters of one byte"


def test_that_a_sample_in_chinese_does_not_end_in_half_a_character(own_spec, lesson, tmp_path):
    """With few tokens in the vocabulary, most characters are two or three of them."""
    lesson.write_text("孔乙己是站着喝酒而穿长衫的唯一的人。" * 60, encoding="utf-8")
    shape = TINY.but(vocabulary="own", vocab_size=270, context_length=32, emb_dim=32, drop_rate=0)
    spec = own_spec(config=shape, sample_prompt="孔乙己", learning_rate=0.01, steps=150, batch_size=4, sample_tokens=26,
                    eval_freq=100, stride=5)
    run = train(spec, tmp_path / "run")
    text, encode = of(run, SampleWritten)[-1].text, run.tokenizer().encode
    assert text.endswith("是站着喝酒而穿长衫的")
    assert "\ufffd" not in text
    assert len(encode(text)) < len(encode(spec.sample_prompt)) + spec.sample_tokens, "it had to leave out a token"


# Sources of the vocabulary.


def test_that_tokens_are_learned_from_the_training_part_and_characters_from_the_whole_text(own_spec):
    own, characters = (corpus.read(own_spec(config=config)).tokenizer for config in (OWN, CHARACTERS))
    joined = [own.token_bytes(number) for number in range(256, own.size)]
    assert b" cat" in joined
    assert not [token for token in joined if b"zy" in token]
    assert characters.decode(characters.encode("zyzy é 猫")) == "zyzy é 猫"


def test_that_characters_that_are_not_in_the_text_become_one_unknown_token(own_spec):
    tokenizer = corpus.read(own_spec(config=CHARACTERS)).tokenizer
    assert tokenizer.decode(tokenizer.encode("the 狗")) == "the \ufffd"


def test_that_of_whole_documents_only_the_training_part_gives_tokens(own_spec, lesson):
    other = lesson.with_name("other.txt")
    other.write_text("zyzy wxwx " * 20, encoding="utf-8")
    lesson.write_text("the cat sat on the mat. " * 60, encoding="utf-8")
    read = corpus.read(own_spec(text=(str(lesson), str(other)), split="documents"))
    joined = b" ".join(read.tokenizer.token_bytes(number) for number in range(256, read.tokenizer.size))
    assert (b"cat" in joined, b"zy" in joined) == (True, False)


def test_that_a_text_with_fewer_pairs_gives_fewer_tokens_and_the_run_reports_their_number(own_spec, tmp_path):
    spec = own_spec(steps=2)
    run = train(spec, tmp_path / "run")
    size = run.tokenizer().size
    assert 257 < size < spec.config.vocab_size
    assert run.record().spec == spec.but(config=OWN.but(vocab_size=size))
    assert weights(run)["tok_emb.weight"].shape[0] == size
    assert of(run, RunStarted)[0].parameters == sum(each.numel() for each in weights(run).values())


def test_that_the_same_text_gives_the_same_tokenizer(own_spec, lesson):
    first, copy = corpus.read(own_spec()).tokenizer, lesson.with_name("copy.txt")
    shutil.copy(lesson, copy)
    again = corpus.read(own_spec(text=str(copy))).tokenizer
    assert (again.file, again) == (first.file, first)


def test_that_a_vocabulary_of_the_weights_needs_weights():
    with pytest.raises(SpecError, match="no weights to begin with") as refusal:
        TrainSpec(config=TINY.but(vocabulary="file", vocab_size=300))
    assert [each.field for each in refusal.value.problems] == ["vocabulary"]


@pytest.mark.parametrize("size", [256, 8_193])
def test_that_a_vocabulary_of_the_text_has_a_possible_number_of_tokens(size):
    with pytest.raises(SpecError, match="between 257 and 8,192 for a vocabulary of the text itself"):
        TrainSpec(config=OWN.but(vocab_size=size))


# Saved files.


@CONFIGS
def test_that_run_and_checkpoints_have_the_tokenizer_and_its_digest(own_spec, tmp_path, config):
    run = train(own_spec(config=config, keep_others=9), tmp_path / "run", stop_at=3)
    continue_run(run)
    content = (run.path / FILE).read_bytes()
    assert json.loads((run.path / "run.json").read_text())["tokenizer_sha256"] == hashlib.sha256(content).hexdigest()
    assert len(run.checkpoints()) > 1
    for folder in run.checkpoints():
        assert (folder / FILE).read_bytes() == content
        assert checkpoint_files.known_sum(folder / FILE) == hashlib.sha256(content).hexdigest()
        assert model_source.tokenizer_of(SavedModel(folder)) == run.tokenizer()


@pytest.mark.usefixtures("few_tokens")
def test_that_a_run_with_gpt2s_vocabulary_has_no_such_file(tiny_spec, tmp_path):
    write_lesson(tmp_path)  # without rare words
    run = train(tiny_spec(steps=1), tmp_path / "run")
    assert run.tokenizer() is GPT2
    assert not [*run.path.rglob(FILE)]
    assert "tokenizer" not in (run.path / "run.json").read_text()


@CONFIGS
def test_that_a_stopped_run_with_its_own_vocabulary_equals_one_never_stopped(own_spec, tmp_path, whole_run, config):
    spec = own_spec(config=config)
    run = train(spec, tmp_path / "run", stop_at=3)
    assert continue_run(run).outcome == "finished"
    assert_same(run, whole_run(spec))


def test_that_a_run_continues_with_the_tokens_that_it_began_with(own_spec, tmp_path, whole_run, monkeypatch):
    """This also applies if another version of the program would learn other tokens from the same text."""
    spec = own_spec()
    run = train(spec, tmp_path / "run", stop_at=3)
    began = (run.path / FILE).read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(corpus.vocabulary, "merges", lambda blocks, most: [(b"o", b"g")])
        assert corpus.read(spec).tokenizer != run.tokenizer()
        assert continue_run(run).outcome == "finished"
    assert (run.path / FILE).read_bytes() == began
    assert (run.newest_checkpoint() / FILE).read_bytes() == began
    assert journal_lines(run) == journal_lines(whole_run(spec))


def test_that_a_branch_keeps_the_tokenizer(own_spec, tmp_path, monkeypatch):
    parent = train(own_spec(), tmp_path / "run", stop_at=3)
    monkeypatch.setattr(corpus.vocabulary, "merges", lambda blocks, most: [])
    branch = branching.make(parent, parent.newest_checkpoint())
    assert branch.tokenizer() == parent.tokenizer()
    assert continue_run(branch).outcome == "finished"
    assert {(folder / FILE).read_bytes() for folder in branch.checkpoints()} == {parent.tokenizer().file}
    assert len(steps(branch)) == 8


@CONFIGS
def test_that_fine_tuning_keeps_the_tokenizer_of_the_weights(own_spec, lesson, tmp_path, config):
    first = train(own_spec(config=config), tmp_path / "first")
    other = lesson.with_name("other.txt")
    other.write_text("a coat sat there, and the cat sat there. " * 40, encoding="utf-8")
    shape = first.record().spec.config
    spec = own_spec(config=shape, text=str(other), init_from=str(first.path))
    second = train(spec, tmp_path / "second")
    assert second.tokenizer() == first.tokenizer()
    assert second.record().spec.config == shape
    text = corpus.read(spec, tokenizer=first.tokenizer())
    assert text.tokenizer.decode(text.train_ids[0:9].tolist()) in other.read_text(encoding="utf-8")
    assert run_text.corpus_of(second).train_ids[0:99].tolist() == text.train_ids[0:99].tolist()
    assert of(second, RunStarted)[0].bytes_per_token == text.bytes_per_token


def test_that_weights_with_another_vocabulary_do_not_fit(own_spec, tmp_path):
    first = train(own_spec(steps=2), tmp_path / "first")
    words = refused(own_spec(config=CHARACTERS, init_from=str(first.path)), tmp_path / "second")
    assert "Vocabulary: own, from this text in the weights, characters in this model" in words


# Damage.


def change(file: Path) -> None:
    """Change letters in a tokenizer."""
    file.write_bytes(file.read_bytes().replace(b"cat", b"car"))


HARMS = [(change, "is damaged"), (Path.unlink, "No such file")]


def test_that_a_run_without_its_tokenizer_says_where_it_still_is(own_spec, tmp_path):
    stopped = train(own_spec(), tmp_path / "run", stop_at=3)
    for damage, expected in HARMS:
        damage(stopped.path / FILE)
        ended = continue_run(stopped)
        assert (ended.outcome, ended.user_error) == ("failed", True)
        assert expected in ended.message
        assert str(stopped.path / FILE) in ended.message
        assert "Copy the file of the same name from a checkpoint" in ended.message
        shutil.copy(stopped.newest_checkpoint() / FILE, stopped.path / FILE)
    assert continue_run(stopped).outcome == "finished"


def test_that_a_checkpoint_without_its_tokenizer_reads_no_text_and_explains_the_remedy(own_spec, tmp_path):
    stopped = train(own_spec(), tmp_path / "run", stop_at=3)
    folder = stopped.newest_checkpoint()
    file, sums = folder / FILE, folder / checkpoint_files.SUMS
    for damage, expected in (*HARMS, (lambda file: file.write_bytes(b"{"), "is damaged")):
        damage(file)
        with pytest.raises(UserError, match=expected) as refusal:
            model_source.tokenizer_of(SavedModel(folder))
        assert str(file) in str(refusal.value)
        assert "A run and each of its checkpoints have the same one: copy it from there." in str(refusal.value)
        shutil.copy(stopped.path / FILE, file)
        assert model_source.tokenizer_of(SavedModel(folder)) == stopped.tokenizer()
    file.write_bytes(b'{"model": {}}')
    seal(folder)
    with sums.open("a") as lines:
        lines.write(checkpoint_files.line_of(hashlib.sha256(b'{"model": {}}').hexdigest(), file))
    with pytest.raises(UserError, match=r"tokenizer\.json is damaged"):
        model_source.tokenizer_of(SavedModel(folder))


# The Python interface.


@CONFIGS
def test_that_the_python_interface_reads_and_writes_with_the_tokens_of_the_model(own_spec, tmp_path, config):
    run = gs.train(own_spec(config=config), folder=tmp_path / "run")
    model = gs.load(run, device="cpu")
    tokens, prompt = RunFolder(run.path).tokenizer(), "the dog sat on the cat"
    assert model.tokenizer == tokens
    written = list(gs.generate(model, prompt, max_new_tokens=5, seed=3))
    assert len(written) == 5 or written[-1].id == tokens.end
    assert [token.text for token in written] == [tokens.decode([token.id]) for token in written]
    found, ids = gs.score(model, prompt), tokens.encode(prompt)
    assert [each.id for each in found.readings] == ids
    of_the_first = len(tokens.token_bytes(ids[0]))
    assert found.bits_per_byte == pytest.approx(found.bits / (len(prompt) - of_the_first)), "it has no context"
    token = " sat" if config is OWN else " "
    inspected = gs.inspect(model, prompt, token=token)
    assert (tokens.decode([inspected.asked]), inspected.ids) == (token, ids[-16:])
