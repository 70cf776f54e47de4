"""The Learn tab when something is wrong: unusual questions, broken models, deleted files, faulty lessons."""

import contextlib
import io
import json
import math
import os
import shutil
import sys
import warnings
from itertools import count

import pytest
import tiktoken
import torch
from disks import disk_is_full
from hypothesis import given, settings
from hypothesis import strategies as st
from pages.lab import messages_of, problems, save
from pages.learn import ABOUT_A_MODEL, QUICK
from pages.lesson import lesson_file
from pages.painted import drop
from PySide6.QtCore import Qt
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QLineEdit, QPlainTextEdit, QWidget

from gptstudio import __main__, devices
from gptstudio.errors import UserError
from gptstudio.fields import FieldView, fields_of
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.forms.field import NumberBox
from gptstudio.gui.learn.kit.matrix import Matrix
from gptstudio.gui.widgets.drop import FileOpen
from gptstudio.labs.catalogue import ENTRIES, load
from gptstudio.labs.lab import compare, plain
from gptstudio.training.events import StepDone, TokenDrawn
from gptstudio.training.model_source import UntrainedModel, newest_of_each_run

FIRST_PAGE = "learn"

READER = GPTConfig(context_length=16, emb_dim=16, n_heads=2, n_layers=2)


# Every question, without a window.


TEXTS = (
    "", " ", "Every effort moves you", "你好，世界", "😀👩‍👧", "\ud83d", "half \ud83d of one", "<|endoftext|>",
    "\x00 a b c d e", "{x} {}", "'\"\\", "a" * 200, "a" * 10_000, "Your journey starts with one step",
)
NUMBERS = (0.0, -0.0, 1.0, 1e-320, 1e6, 1e30, 3e38, 1e308, math.nan, math.inf, "x")


def numbers(view: FieldView):
    low, high = (bound if bound is not None else end for bound, end in ((view.low, -1e6), (view.high, 1e6)))
    if view.kind == "float":
        return st.floats(low, high) | st.sampled_from([low, high, 5e-324, 1e308, math.nan, "x"])
    low, high = int(low), int(high)
    near = st.integers(low, min(high, low + 12))
    return near | st.sampled_from([low, high, low - 1, high + 1, 10**400])


def rows(view: FieldView, given):
    """Draw lists and matrices, mostly of the shape that the book has."""
    if view.kind == "ints":
        one = st.integers(0, 12) | st.sampled_from([-1, 64, 50_257, 10**30])
    else:
        one = st.floats(-1, 1) | st.floats(0, 1) | st.sampled_from(NUMBERS)
    def several(inner, count):
        return st.lists(inner, min_size=count, max_size=count) | st.lists(inner, max_size=9)

    return several(several(one, len(given[0])) if view.kind == "matrix" else one, len(given)).map(
        lambda found: tuple(map(tuple, found)) if view.kind == "matrix" else tuple(found))


def values_of(view: FieldView, given):
    match view.kind:
        case "int" | "float":
            found = numbers(view)
        case "bool":
            found = st.booleans()
        case "choice":
            found = st.sampled_from([*view.choices, "nonsense"])
        case "text":
            found = st.sampled_from(TEXTS)
        case _:
            found = rows(view, given)
    return found | st.none() if view.optional else found


@st.composite
def questions(draw, lab):
    """Draw a question of the book with some fields changed, to valid and invalid values."""
    given = draw(st.sampled_from(lab.examples)).request.shallow()
    views = draw(st.lists(st.sampled_from(fields_of(lab.request)), max_size=4, unique_by=lambda view: view.name))
    changed = {view.name: draw(values_of(view, given[view.name])) for view in views}
    # Logits of whole models take seconds each, and training some takes minutes.
    heavy = {"compute": "shapes only", "story": "chosen", "points": "recorded"}
    return {**given, **changed, **{name: each for name, each in heavy.items() if isinstance(given.get(name), str)}}


@pytest.fixture(scope="module")
def reader() -> GPTModel:
    """An untrained tiny model."""
    from gptstudio.torch_settings import RandomStream

    with RandomStream(123).active():
        return GPTModel(READER).eval()


@pytest.mark.parametrize("many", [False, pytest.param(True, marks=pytest.mark.release)])
@pytest.mark.parametrize("name", ENTRIES)
def test_that_every_question_is_answered_or_refused_with_a_message(name, many, reader, monkeypatch):
    monkeypatch.setattr(tiktoken, "get_encoding", lambda name: GPT2.encoding)  # no network
    lab = load(name)
    fields, tried = {view.name for view in fields_of(lab.request)}, {"answered": 0, "refused": 0}

    # Answers of tokens and block take a tenth of a second; few questions about a vocabulary are refused.
    @settings(max_examples={"tokens": 6, "block": 6, "vocabulary": 30}.get(name, 12) * (2 if many else 1))
    @given(questions(lab))
    def hold(values):
        problems = lab.request.problems(values)
        if problems:
            tried["refused"] += 1
            assert all(problem.field in fields and 0 < len(problem.message) < 600 for problem in problems), problems
            return
        lab_request, before = lab.request.make(values), torch.get_rng_state()
        answer = answered(lab, lab_request, reader)
        assert torch.equal(torch.get_rng_state(), before), "torch's own generator belongs to the run beside"
        if answer is None:
            return
        tried["answered"] += 1
        for each in (answer, lab_request, lab.table(answer), lab.values(answer)):
            json.loads(json.dumps(plain(each), allow_nan=False))
        compare(lab, answer)
        if name not in ABOUT_A_MODEL or getattr(lab_request, "source", "") == "hand":
            run(lab.code(lab_request))

    hold()
    assert min(tried.values()) > 1, tried


def answered(lab, lab_request, model: GPTModel):
    """Return the answer, or None if the model refuses the question. Warnings count as errors: 0 / 0 in numpy is a
    mistake."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        try:
            return lab.answer(lab_request, model) if lab.model and lab.reads(lab_request) else lab.answer(lab_request)
        except UserError:
            if not lab.model:  # only a model can have too few layers or tokens
                raise
            return None


def run(code: str) -> None:
    state = torch.get_rng_state()
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(code, {})
    torch.set_rng_state(state)


@pytest.mark.parametrize("name", ABOUT_A_MODEL)
@pytest.mark.parametrize("value", [math.nan, math.inf, 3e38])
def test_that_a_model_with_non_finite_numbers_is_refused(name, value):
    lab = load(name)
    lab_request = lab.examples[-1 if name == "loss" else 0].request
    model = GPTModel(READER).eval()
    with torch.no_grad():
        for each in model.parameters():
            each.fill_(value)
    with pytest.raises(UserError, match="not valid numbers"):
        lab.answer(lab_request, model)


@pytest.mark.parametrize("name", ABOUT_A_MODEL)
def test_that_a_model_with_a_small_vocabulary_names_the_unknown_token(name):
    lab = load(name)
    model = GPTModel(READER.but(vocab_size=100)).eval()
    with pytest.raises(UserError, match="token IDs of this model are below 100"):
        lab.answer(lab.examples[-1 if name == "loss" else 0].request, model)


# In the window.


@pytest.fixture
def learn(user):
    user.go_to("learn")
    return user.learn


def opened(user, name: str):
    """Return the opened page of a lab, after it shows an answer or a refusal."""
    user.go_to("learn")
    rest(user, page := user.learn.open(name))
    return page


UNTRAINED = "Settings changed: train these sizes to see their losses."
"""The message of the page that trains models only on request."""


def rest(user, page) -> None:
    user.wait(lambda: not page.waiting)
    assert page.state.text() in (("", UNTRAINED) if page.lab.name == "scaling" else ("",))


JUNK = ("", "x" * 10_000, "😀", "\ud83d", "nan", "inf", "-1e308", "9" * 5000, "1,2", ";", "1e-320")


def some_junk(number: int) -> tuple[str, ...]:
    """Return two inputs for one matrix; consecutive numbers cover all inputs."""
    return tuple(JUNK[(2 * number + each) % len(JUNK)] for each in range(2))


def test_that_any_typed_or_pasted_input_is_answered_or_reported(user, learn):
    """At the end, an edit beside an invalid field, which is text where the question's rules require a number, and a
    tiny probability: e to the loss of 1e-320 exceeds the range of a float."""
    field, number = count(), count()
    for name in (*QUICK, "loss"):
        page = opened(user, name)
        for editor in page.controls.editors.values() if name in QUICK else ():
            line = editor.control.lineEdit() if isinstance(editor.control, NumberBox) else editor.control
            if isinstance(line, QLineEdit):
                junk = JUNK[next(field) % len(JUNK)]
                assert_handled(user, page, lambda line=line, junk=junk: line.setText(junk), editor)
            page.reset()
            rest(user, page)
            assert not editor.problem.text()
        for matrix in (each for each in page.findChildren(Matrix) if each.editable and each.values.size):
            for junk in some_junk(next(number)):
                assert_handled(user, page, lambda matrix=matrix, junk=junk: matrix.edited.emit(0, 0, junk))
                page.grab()
        assert page.grab().width()

    for name, editor in (("tokens", "lab_tokens_text"), ("windows", "lab_windows_own")):
        page = opened(user, name)
        typed = page.findChild(QPlainTextEdit, editor)
        for junk in (*TEXTS, "x " * 15_000):
            if name == "windows":
                page.update_request(text="own")
            assert_handled(user, page, lambda typed=typed, junk=junk: typed.setPlainText(junk))
            page.grab()

    for name, field in (("attention", "query"), ("dropout", "draws"), ("layernorm", "eps"), ("sampling", "draws")):
        page = opened(user, name)
        page.reset()
        page.update_request(**{field: "x"})
        next(each for each in page.findChildren(Matrix) if each.editable).edited.emit(0, 0, "0.5")
        assert page.controls.editors[field].problem.text(), name
        page.update_request(**{field: getattr(page.lab.examples[0].request, field)})
        assert problems(page) == [], name
    page = opened(user, "loss")
    page.reset()
    page.update_request(probabilities=(1e-320,))
    assert page.answer.loss > 709
    page.grab()
    assert page.scale.words()


def assert_handled(user, page, act, editor=None) -> None:
    """Change the book's input: the page answers, or reports the problem and keeps the answer."""
    page.reset()
    rest(user, page)
    shown = page.answer
    act()
    rest(user, page)
    wrong = problems(page)
    if not wrong:
        assert page.notice.text() == ""
        return
    assert page.answer is shown
    here = editor and editor.view.name in {problem.field for problem in wrong}
    assert editor.problem.text() if here else any(messages_of(page)), wrong


# Models.


def about(user, name: str, source):
    """Return a page with this model."""
    page = opened(user, name)
    if name == "loss":
        page.update_request(source="model", first="the cat sat on the mat", second="")
    elif name == "generate":
        page.update_request(prompt="the cat sat on")
    user.wait(lambda: source in page.models.sources)
    page.models.choose(source)
    rest(user, page)
    return page


def test_that_a_deleted_run_is_reported_and_another_model_answers(user, tiny):
    saved = user.train.to_end(steps=2)
    page = about(user, "feedforward", saved)
    shown = page.answer
    assert page.notice.text() == ""
    shutil.rmtree(saved.path.parent.parent)
    user.window.tasks.run(lambda task: user.generate.models_kept.clear(), queue="model")  # as after another model
    page.update_request(text="the cat sat")
    rest(user, page)
    assert str(saved.path) in page.notice.text()
    assert page.answer is shown
    page.models.choose(UntrainedModel(tiny))
    rest(user, page)
    assert page.notice.text() == ""
    assert page.answer is not shown
    page.models.choose(saved)
    rest(user, page)
    user.generate.offer(newest_of_each_run())
    rest(user, page)
    assert page.source == page.lab.model, "what is gone is not offered any more"


@pytest.mark.parametrize("names", [("feedforward", "loss"), pytest.param(("generate",), marks=pytest.mark.release)])
def test_that_a_page_uses_the_model_in_training_also_while_it_is_paused(trainer, small_loss_model, names):
    """The page of greedy steps first loads the book's own model, of half a gigabyte, so it is only tested before a
    release."""
    user = trainer
    pages = [about(user, name, user.generate.live) for name in names]
    first = [page.answer for page in pages]

    def asked_again() -> None:
        for page in pages:
            user.learn.open(page.lab.name)
            page.update_request()
            rest(user, page)
            assert page.notice.text() == ""

    before = len(user.received(StepDone))
    user.wait(lambda: len(user.received(StepDone)) > before + 3)
    asked_again()
    for page, answer in zip(pages, first, strict=True):
        assert page.answer is not answer, "it has learned on, and is asked again"
    user.train.pause_from_afar(True)
    asked_again()
    user.train.pause_from_afar(False)
    user.train.stop_from_afar()
    for page in pages:
        user.learn.open(page.lab.name)
        page.update_request()
        rest(user, page)
        assert page.answer is not None


@pytest.fixture
def no_memory(monkeypatch):
    """Let every device report no free memory."""
    full = devices.Device("cpu", "a small computer", 2**30, 0)
    monkeypatch.setattr(devices, "choose", lambda key="auto": full)
    monkeypatch.setattr(devices, "cpu", lambda: full)


TOO_LARGE = (
    ("feedforward", {}), ("loss", {"source": "model"}), ("generate", {}), ("generate", {"story": "with bias"}),
    ("block", {"compute": "the placeholder's logits"}), ("block", {"compute": "the model's logits"}),
)


def test_that_too_little_memory_is_reported_and_the_page_still_works(user, learn, no_memory):
    for name, changes in TOO_LARGE:
        page = opened(user, name)
        page.update_request(**changes)
        rest(user, page)
        assert "not enough memory" in page.notice.text()
    page.reset()
    assert page.notice.text() == ""


# During other work.


def click_through(user, until) -> None:
    """Open one page after another, change fields, and choose examples, until the condition is true."""
    learn, turn = user.learn, 0
    user.go_to("learn")
    names = (*QUICK, "loss")
    while not until():
        learn.open(names[turn % len(names)])
        page = learn.current
        boxes = [each for each in page.controls.editors.values() if isinstance(each.control, NumberBox)]
        if boxes:
            boxes[turn % len(boxes)].control.stepBy(1)
        examples = [each for each in page.lab.examples if not of_a_whole_model(each.request)]
        page.open_example(examples[turn % len(examples)].name) if turn % 3 == 0 else page.reset()
        turn += 1
        user.rest(0.005)
    assert turn > 5


def of_a_whole_model(lab_request) -> bool:
    """Return whether a question needs a whole model, which takes a second to build. tests/training/test_trainer.py
    compares a run during such work."""
    return getattr(lab_request, "source", "hand") == "model" or getattr(lab_request, "compute", "") not in (
        "", "shapes only")


SHORT = {"steps": 100, "eval_freq": 50, "seed": 7}


def test_that_pages_opened_faster_than_they_answer_are_answered_and_leave_a_run_identical_to_the_bit(user):
    user.go_to("learn")
    for name in (*QUICK, *QUICK, "loss"):
        user.learn.open(name)
    for page in map(user.learn.page, QUICK):
        rest(user, page)
        assert page.answer is not None
        assert page.notice.text() == ""

    user.train.begin(**SHORT)
    click_through(user, lambda: not user.train.running)
    beside = user.train.losses()
    user.go_to("train")
    user.train.begin(**SHORT)
    user.train.wait_ended()
    alone = user.train.losses()
    assert len(alone) == SHORT["steps"]
    assert beside == alone


def test_that_a_page_with_a_model_is_answered_after_a_text_is_written(user, tiny):
    user.panel.select(tiny)
    user.generate.begin(50_000)
    user.wait(lambda: user.received(TokenDrawn))
    user.go_to("learn")
    page = user.learn.open("feedforward")
    page.models.choose(UntrainedModel(tiny))
    before = len(user.received(TokenDrawn))
    user.wait(lambda: len(user.received(TokenDrawn)) > before + 3)
    quick = opened(user, "gelu")
    quick.update_request(x=2.0)
    assert quick.answer.at == 2.0, "what needs no model does not wait for one"
    user.generate.stop()
    rest(user, page)
    assert page.notice.text() == ""
    assert page.answer is not None


def test_that_of_many_slow_questions_the_newest_is_answered_and_a_shown_one_needs_no_wait(user, learn):
    page = opened(user, "embeddings")
    for width in (400, 500, 600, 700, 250):
        page.update_request(vocabulary=50_257, width=width)
        learn.open("gelu")
        learn.open("embeddings")
    assert page.waiting
    rest(user, page)
    assert page.request.width == page.answer.out.shape[-1] == 250
    page.reset()
    rest(user, page)
    page.update_request(vocabulary=50_257, width=900)
    page.reset()
    assert not page.waiting
    user.wait(lambda: not learn.busy)
    assert page.request == page.lab.examples[0].request
    assert page.state.text() == ""


# Closing.


def busy_opening(user) -> None:
    for name in QUICK:
        user.learn.open(name)


def busy_answering(user) -> None:
    user.learn.open("embeddings")
    user.learn.current.update_request(vocabulary=50_257, width=1_024)


def busy_asking_about_training(user) -> None:
    user.go_to("train")
    user.train.begin(steps=20, eval_freq=10)
    user.train.pause_from_afar(True)
    user.go_to("learn")
    page = user.learn.page("feedforward")
    page.models.choose(user.generate.live)
    page.update_request()
    user.train.stop_button.click()
    user.wait(lambda: not user.busy("training"))  # otherwise the window asks whether to stop it


def busy_typing(user) -> None:
    page = opened(user, "layernorm")
    matrix = next(each for each in page.findChildren(Matrix) if each.editable)
    matrix.setFocus()
    user.press(Qt.Key.Key_Right)
    user.press(Qt.Key.Key_5)


@pytest.mark.parametrize("busy", [busy_opening, busy_answering, busy_asking_about_training, busy_typing])
def test_that_closing_the_window_during_a_question_leaves_nothing(user, learn, busy):
    """The fixture checks threads, timers and failures. For a lesson, see test_lesson_runner.py."""
    busy(user)
    assert user.window.close()
    assert not [each for each in QApplication.topLevelWidgets() if each.isVisible()]


# Saving.


def test_that_pages_are_saved_or_the_reason_why_not_is_reported(user, learn, home, monkeypatch):
    """No partial file remains."""
    learn.open("embeddings")
    page = learn.current
    page.answer = None
    save(page, home / "page.csv")
    assert "no numbers" in page.notice.text(), "they are not computed yet"
    assert not (home / "page.csv").exists()
    rest(user, page)

    page = opened(user, "attention")
    page.update_request(words="\ud83d journey starts with one step")
    assert page.answer.words[0] == "\ud83d"
    page.grab()
    for ending in ("svg", "csv"):
        save(page, home / f"page.{ending}")
    assert page.notice.text() == ""
    assert "?" in (home / "page.csv").read_text(encoding="utf-8"), "half a character"

    page, files = opened(user, "gelu"), [home / f"page.{ending}" for ending in ("png", "svg", "csv")]
    for file in files:
        save(page, home / "nowhere" / file.name)
        assert f"Could not save {home / 'nowhere' / file.name}" in page.notice.text()
        file.write_bytes(b"before")
    monkeypatch.setattr(os, "fsync", disk_is_full)
    for file in files:
        page.reset()
        assert page.notice.text() == ""
        save(page, file)
        assert "No space left" in page.notice.text(), file.name
    assert [each.read_bytes() for each in home.glob("page*")] == [b"before"] * 3


# Lessons.


def lesson(home, *steps: str, name: str = "mine"):
    return lesson_file(home / f"{name}.toml", *steps)


BROKEN = {
    "cut off": "title = ", "not UTF-8": "title = \"\xff\"", "no steps": 'title = "A"\nminutes = 5\n',
    "empty": "", "NUL": "\x00",
    "no such place": 'title = "A"\nminutes = 5\n[[step]]\ntitle = "A"\ntext = "B"\npage = "x"',
    "wrong setting": 'title="A"\nminutes=5\n[[step]]\ntitle="A"\ntext="B"\npage="gelu"\nsettings={points=1e9}',
}


def test_that_a_broken_lesson_is_reported_with_its_lines_and_the_open_one_continues(user, home):
    """A broken shipped lesson is listed by the name of its file."""
    user.lesson.open(lesson(home, 'page = "gelu"'))
    before = user.lesson.runner
    bad = home / "bad.toml"
    for harm, written in BROKEN.items():
        bad.write_bytes(written.encode("latin-1"))
        drop(user.window, bad)
        assert user.lesson.runner is before
        assert "line " in user.reads("learn_notice"), harm
    bad.unlink()
    drop(user.window, bad)
    assert "File not found" in user.reads("learn_notice")
    drop(user.window, lesson(home, 'page = "sizes"', name="good"))
    assert user.lesson.runner is not before
    assert user.reads("learn_notice") == ""
    assert user.learn.current.lab.name == "sizes"

    shipped_ones = [home / "gone.toml", lesson(home, name="fine"), home / "no-toml.toml", home / "list.toml"]
    shipped_ones[2].write_text("x", encoding="utf-8")
    shipped_ones[3].write_text("title = 3\nminutes = []", encoding="utf-8")
    user.learn.contents.set_lessons(shipped_ones)
    assert [item.text(0) for item in user.learn.contents.lines[:4]] == ["gone", "Mine", "no-toml", "list"]


def test_that_a_lesson_is_recognised_by_its_ending_and_continues_after_its_file_is_deleted(user, home):
    """Installers associate the ending with the program. The event of a click is macOS's own; elsewhere the window does
    not handle it."""
    path = lesson(home, 'page = "gelu"')
    drop(user.window, path.rename(path.with_suffix(".GPTlesson")))
    assert user.lesson.runner
    assert user.learn.current.lab.name == "gelu"
    before, taker = user.lesson.runner, FileOpen(user.window, user.window.open_files)
    clicked = lesson(home, 'page = "sizes"', 'page = "gelu"', 'tab = "train"', name="clicked")
    QApplication.sendEvent(QApplication.instance(), QFileOpenEvent(str(clicked)))
    QApplication.instance().removeEventFilter(taker)
    assert user.lesson.runner is not before
    assert user.learn.current.lab.name == "sizes"
    user.lesson.next()
    clicked.unlink()
    user.lesson.next()
    clicked.write_text("no lesson", encoding="utf-8")
    user.lesson.back()
    assert user.learn.current.lab.name == "gelu"
    user.lesson.end()


def of_the_window(window) -> dict[str, tuple]:
    """Return the properties that a lesson could leave changed: visibility, enabled state, focus policy and cursor."""
    return {
        each.objectName(): (each.isHidden(), each.isEnabled(), each.focusPolicy(), each.cursor().shape())
        for each in window.findChildren(QWidget) if each.objectName() and not each.objectName().startswith("qt_")
    }


LOCKS = 'lock = ["train_seed", "start", "train_learning_rate"]\nhide = ["train_more", "train_steps"]\npoint = "start"'


def test_that_a_lesson_ended_early_restores_everything_and_only_the_newest_is_present(user, home):
    user.go_to("train")
    before = of_the_window(user.window)
    user.lesson.open(lesson(home, f'tab = "train"\n{LOCKS}', 'page = "gelu"'))
    user.rest(0.05)
    assert user.find("train_seed").focusPolicy() == Qt.FocusPolicy.NoFocus
    assert of_the_window(user.window) != before
    user.lesson.open(lesson(home, f'tab = "train"\n{LOCKS}', name="second"))
    user.rest(0.05)
    assert len([each for each in user.window.findChildren(QDockWidget) if each.objectName() == "lesson_dock"]) == 1
    user.click(user.find("lesson_end"))
    user.rest(0.05)
    assert of_the_window(user.window) == before
    assert user.lesson.runner is None


def test_that_a_lesson_that_sets_up_a_run_during_another_run_says_so(trainer, home):
    steps = trainer.train.setting("steps")
    trainer.lesson.open(lesson(
        home, 'tab = "train"\nsettings = { steps = 3 }\nlock = ["stop"]\ncheck = { value = "step", at_least = 1 }',
        'page = "feedforward"'))
    assert "Training is in progress, so no settings were changed." in trainer.reads("lesson_notes")
    assert trainer.train.setting("steps") == steps
    trainer.wait(lambda: "before the lesson" in trainer.reads("lesson_notes"))
    assert "Goal reached" not in trainer.reads("lesson_check"), "the run that is going on is none of the lesson's"
    trainer.lesson.next()
    rest(trainer, trainer.learn.current)
    trainer.lesson.end()
    assert trainer.train.running


def test_that_a_lesson_checks_any_input_and_a_value_that_a_slow_page_does_not_have(user, home, small_greedy_model):
    """The values of a slow page are not known when the file is read."""
    user.lesson.open(lesson(home, 'tab = "generate"\ncheck = { value = "top_k", equals = 30 }'))
    param = user.find("top_k_number")
    for typed in JUNK:
        param.setText(typed)
        user.lesson.look()
        assert 0 < len(user.reads("lesson_check")) < 200
    user.lesson.end()
    user.rest(0.05)
    user.lesson.open(lesson(home, 'page = "generate"\ncheck = { value = "shallow", at_least = 1 }', name="slow"))
    user.lesson.look()
    assert "no value yet" in user.reads("lesson_check")
    user.lesson.end()
    rest(user, user.learn.current)


def test_that_a_bad_file_given_at_the_start_exits_with_2_and_reports_lines_and_reasons(home, capsys):
    bad = home / "bad.toml"
    bad.write_text('title = "A"\nminutes = 0\n[[step]]\ntitle = "A"\npage = "gelu"\n', encoding="utf-8")
    missing = ("File not found",)
    for path, expected in ((bad, ("line 2:", "line 3:")), (home / "gone.toml", missing), (home, missing)):
        assert __main__.main(["--lesson", str(path)]) == 2
        told = capsys.readouterr().err
        assert all(each in told for each in expected), told
        assert "Traceback" not in told


def test_that_an_installed_program_opens_its_window_for_a_bad_lesson_too(home, monkeypatch, capsys):
    """A double click starts it without a terminal, so the window reports what is wrong with the file."""
    opened = []
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr("gptstudio.gui.app.main", lambda lesson: opened.append(lesson) or 0)
    assert __main__.main(["--lesson", str(home / "gone.gptlesson")]) == 0
    assert opened == [home / "gone.gptlesson"]
    assert capsys.readouterr().err == ""
