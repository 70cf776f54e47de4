"""Lessons: the contents that their files may have, and the messages about other contents."""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gptstudio import paths
from gptstudio.errors import Fault, UserError
from gptstudio.gpt import sizing
from gptstudio.gpt.config import PRESETS
from gptstudio.labs import catalogue, lesson
from gptstudio.labs.lesson import Check, LessonError, load, shipped
from gptstudio.pointed_token import PointedToken

HEAD = 'title = "First steps"\nminutes = 20\n'
STEP = '\n[[step]]\ntitle = "Look"\ntext = "There is something to see."\n'
LANGUAGES = ("en", "zh_CN")


def parse(text: str, name: str) -> lesson.Lesson:
    return lesson.parse(text.encode(), name)


def faults(text: str) -> list[str]:
    """Return the messages about a text that is not a lesson."""
    with pytest.raises(LessonError) as raised:
        parse(text, "mine")
    return [fault.message() for fault in raised.value.faults]


def said_of(text: str) -> list[Fault]:
    """Return the faults of a text; none for a valid lesson."""
    try:
        parse(text, "mine")
    except LessonError as error:
        return error.faults
    return []


def fault_of_step(rest: str) -> str:
    """Return the only message about a step with these lines."""
    [text] = faults(HEAD + STEP + rest)
    return text


def test_that_a_complete_lesson_is_read_as_written():
    made = parse(
        HEAD + 'about = "What it is for."\n' + STEP + '''try = "Turn it."
page = "layernorm"
settings = { shift = 0.5, unbiased = true, batch = [[1, 2], [3, 4]] }
point = "lab_layernorm_scale"
hide = ["lab_layernorm_eps"]
lock = ["lab_layernorm_shift", "lab_layernorm_unbiased"]
check = { value = "variance", name = "the variance", at_least = 0.9, at_most = 1.1 }
''' + STEP + 'tab = "texts"\n', "mine")
    assert (made.title, made.minutes, made.about) == ("First steps", 20, "What it is for.")
    first, second = made.steps
    assert (first.title, first.text, first.task) == ("Look", "There is something to see.", "Turn it.")
    assert (first.page, first.tab) == ("layernorm", "")
    assert first.settings == {"shift": 0.5, "unbiased": True, "batch": ((1.0, 2.0), (3.0, 4.0))}
    assert (first.point, first.hide) == ("lab_layernorm_scale", ("lab_layernorm_eps",))
    assert first.lock == ("lab_layernorm_shift", "lab_layernorm_unbiased")
    assert first.check == Check("variance", "the variance", at_least=0.9, at_most=1.1)
    assert (second.page, second.tab, second.check, second.hide) == ("", "texts", None, ())


def test_that_a_lesson_cannot_be_changed():
    made = parse(HEAD + STEP + 'page = "layernorm"\nsettings = { shift = 1 }\n', "mine")
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.title = "Another"
    with pytest.raises(TypeError):
        made.steps[0].settings["shift"] = 2


def test_that_all_problems_are_reported_at_once_each_with_its_line():
    text = '''title = "First steps"
minutes = "many"
colour = "red"

[[step]]
title = "One"
text = "Read."
page = "atention"

[[step]]
text = "Read."
tab = "train"
settings = { epochs = 0, speed = 3 }
check = { value = "loss", at_most = 2 }
'''
    messages = faults(text)
    assert messages[0] == "line 2: minutes is 'many'; it must be a whole number between 1 and 1440."
    assert messages[1] == "line 3: 'colour' is not part of a lesson; the parts are title, minutes, about, step."
    pages = ", ".join(catalogue.ENTRIES)
    assert messages[2] == f"line 8: there is no page 'atention'; available pages: {pages}."
    assert messages[3] == "line 10: title is missing."
    assert messages[4] == "line 13: epochs is 0; it must be a whole number between 1 and 100,000."
    assert messages[5].startswith("line 13: speed is not a setting. The settings are: text, epochs, steps,")
    assert messages[6] == (
        "line 14: there is no value 'loss' to check here; available values: validation_loss, training_loss, step."
    )
    assert len(messages) == 7
    with pytest.raises(UserError, match=r"Cannot open “mine” as a lesson(.|\n)*\nline 13: epochs is 0"):
        parse(text, "mine")


@pytest.mark.parametrize(("text", "expected"), [
    ('title = "a"\nminutes = \n', "line 2: the file is not valid TOML: Invalid value."),
    ('title = "a\nminutes = 3\n', "line 1: the file is not valid TOML: Illegal character '\\n'."),
    ("minutes = 1\nminutes = 2\nabout = 3\n", "line 2: the file is not valid TOML: Cannot overwrite a value."),
    (
        'title = "a"\n\n[[step]\n',
        "line 3: the file is not valid TOML: Expected ']]' at the end of an array declaration.",
    ),
    ("a = " + "[" * 20_000, "line 1: the file is not valid TOML: brackets are nested too deeply."),
    ("\n\ntext = '''", "line 3: the file is not valid TOML: Expected \"'''\"."),
])
def test_that_invalid_toml_is_reported_with_its_line(text, expected):
    assert faults(text) == [expected]


def test_that_a_lesson_needs_a_title_a_time_and_a_step():
    missing_step = "this lesson has no steps. Start each step with [[step]] on a separate line."
    assert faults("") == ["line 1: minutes is missing.", f"line 1: {missing_step}", "line 1: title is missing."]
    assert faults(f"step = []\n{HEAD}") == [f"line 1: {missing_step}"]
    assert faults('title = " "\nminutes = 0\n[step]\n') == [
        "line 1: title is empty; enter some text.",
        "line 2: minutes is 0; it must be a whole number between 1 and 1440.",
        "line 3: step is not a list of steps; each step begins with [[step]] on its own line.",
    ]


ASK = '\n[step.predict]\nquestion = "How many?"\n'
ONE_KIND = "a question needs one of these: choices with an answer, a number, or a token."
WRONG_QUESTIONS = [
    ("", f"line 9: {ONE_KIND}"),
    ('number = 3\nchoices = ["a", "b"]\n', f"line 9: {ONE_KIND}"),
    ('number = 3\ntoken = "most_uncertain"\n', f"line 9: {ONE_KIND}"),
    ('token = "most_uncertain"\ntolerance = 1\n', "line 12: tolerance is for a number, and cannot be below 0."),
    ('token = "most_uncertain"\n',
     'line 11: no token can be pointed at here; that is possible with tab = "generate".'),
    ('choices = ["a", "a"]\nanswer = "a"\n', "line 11: choices needs at least two answers, all of them different."),
    ('choices = ["a", "b"]\nanswer = "c"\n', "line 12: answer is 'c'; it must be one of the choices: a, b."),
    ('choices = ["a", "b"]\n', "line 9: answer is ''; it must be one of the choices: a, b."),
    ("number = 3\ntolerance = -1\n", "line 12: tolerance is for a number, and cannot be below 0."),
    ("number = true\n", "line 11: number is true; it must be a number, or the name of a value."),
    ("number = nan\n", "line 11: number is nan; it must be a number, or the name of a value."),
    ('number = "unbiased"\n', "line 11: unbiased is not a number."),
    ("number = 3\nhint = 4\n", "line 12: 'hint' is not part of a question; the parts are question, choices, answer, "
     "number, token, tolerance, explanation."),
]


@pytest.mark.parametrize(("rest", "expected"), [
    ("", "line 4: a step needs either a page or a tab, not both."),
    ('page = ""\n', "line 4: a step needs either a page or a tab, not both."),
    ('page = "gelu"\ntab = "train"\n', "line 4: a step needs either a page or a tab, not both."),
    ('tab = "learn"\n', "line 7: there is no tab 'learn'; available tabs: train, generate, model, runs, texts."),
    ('tab = "texts"\npiont = "x"\n', "line 8: 'piont' is not part of a step; the parts are title, text, try, page, "
     "tab, settings, point, result, hide, lock, trained, minutes, optional, check, predict."),
    ('tab = "texts"\nlock = "start"\n',
     "line 8: lock is 'start'; it must be a list of names in quotes, such as [\"name\"]."),
    ('tab = "texts"\nhide = [3]\n', "line 8: hide is [3]; it must be a list of names in quotes, such as [\"name\"]."),
    ('tab = "texts"\ntry = true\n', "line 8: try is true; it must be text."),
    ('tab = "texts"\nsettings = { seed = 1 }\n', "line 8: seed is not a setting: nothing can be set here."),
    ('tab = "texts"\nsettings = 3\n', "line 8: settings is 3; it must be a table of settings."),
    ('tab = "texts"\ncheck = { value = "words", at_least = 1 }\n', "line 8: nothing can be checked here."),
    ('page = "layernorm"\n\n[step.settings]\nscale = 1.0\neps = 3.0\n',
     "line 11: eps is 3.0; it must be a number between 0 and 1."),
    ('page = "layernorm"\nsettings = { batch = [[1, 2], [3]] }\n',
     "line 8: Batch: the length of row 2 is 1, but that of row 1 is 2. All rows must have the same length."),
    ('page = "gelu"\ncheck = { value = "slope", at_least = 1 }\n',
     "line 8: there is no value 'slope' to check here; available values: x, reach, points, misplaced, gelu_tanh, gelu, "
     "relu, swish, gelu_tanh_slope, gelu_slope, relu_slope, swish_slope, lowest_at, bracket."),
    ('page = "layernorm"\n[step.check]\nvalue = "scale"\nat_least = 11\n',
     "line 8: the maximum of scale is 10, so it can never be at least 11."),
    ('page = "layernorm"\ncheck = { value = "eps", at_most = -1 }\n',
     "line 8: the minimum of eps is 0, so it can never be at most -1."),
    ('page = "layernorm"\ncheck = { value = "unbiased", at_least = 1 }\n',
     "line 8: unbiased is not a number, so a check can only use equals."),
    ('page = "layernorm"\ncheck = { value = "unbiased", equals = "maybe" }\n',
     "line 8: unbiased is 'maybe'; it must be true or false."),
    ('page = "layernorm"\ncheck = { value = "variance", equals = "one" }\n',
     "line 8: variance is a number and can never equal 'one'."),
    ('tab = "train"\ncheck = { value = "step", at_least = 5, at_most = 3 }\n',
     "line 8: at_least is 5 and at_most is 3: no value can meet both."),
    ('tab = "train"\ncheck = { value = "step" }\n',
     "line 8: this check can never be met: it needs at_least, at_most or equals."),
    ('tab = "train"\ncheck = { value = "step", equals = 3, at_least = 3 }\n',
     "line 8: equals cannot be combined with at_least or at_most."),
    ('tab = "train"\ncheck = { value = "step", at_least = nan }\n', "line 8: at_least is nan; it must be a number."),
    ('tab = "train"\ncheck = { value = "step", at_least = 0x' + "f" * 40 + " }\n",
     "line 8: at_least is a number with 160 bits; it must be a number."),
    ('tab = "train"\ncheck = { at_least = 3 }\n', "line 8: value is missing."),
    ('page = "layernorm"\ncheck = { value = "variance", at_least = 1, when = { epsilon = 3 } }\n',
     "line 8: there is no field 'epsilon' here; available fields: unbiased, eps, scale, shift."),
    ('page = "layernorm"\ncheck = { value = "variance", at_least = 1, when = { eps = 3 } }\n',
     "line 8: eps is 3; it must be a number between 0 and 1."),
    ('tab = "model"\nsettings = { preset = "huge" }\n',
     f"line 8: preset is 'huge'; available presets: {', '.join(PRESETS)}."),
    ('tab = "model"\nsettings = { preset = "workshop", n_heads = 7 }\n',
     "line 8: Width (256) must be a multiple of Heads (7), for example 259."),
    ('tab = "generate"\n' + ASK + 'token = "longest"\n',
     "line 11: there is no token 'longest' to point at here; available tokens: most_surprising, most_uncertain."),
    ('tab = "texts"\n' + ASK + 'number = "x"\n', "line 11: there are no values here; write the number itself."),
    ('tab = "train"\n' + ASK + 'number = "loss"\n',
     "line 11: there is no value 'loss' here; available values: validation_loss, training_loss, step."),
    ('tab = "texts"\nminutes = 0\n', "line 8: minutes is 0; it must be a number above 0 and at most 1440."),
    ('tab = "texts"\nminutes = 21\n', "line 2: minutes is 20, but the steps take 21 minutes together."),
    ('tab = "texts"\noptional = 1\n', "line 8: optional is 1; it must be true or false."),
    *(('page = "layernorm"\n' + ASK + rest, expected) for rest, expected in WRONG_QUESTIONS),
])
def test_that_a_wrong_step_is_reported_with_its_line(rest, expected):
    assert fault_of_step(rest) == expected


def test_that_words_in_a_text_of_several_lines_are_not_taken_for_keys():
    text = HEAD + '''
[[step]]
title = "One # no comment"
text = """
[[step]]
page = "x"  # said "so""""
tab = "texts"

[[step]]  # the second
title = 'Two'
text = "Read."
tab = "nowhere"
'''
    assert [said.split(":")[0] for said in faults(text)] == ["line 14"]


def test_that_the_lines_of_a_paragraph_are_joined():
    text = 'text = """\nA line\nand more.\n\n词元，\n窗口\n"""\n'
    made = parse(HEAD + '[[step]]\ntitle = "One"\ntab = "texts"\n' + text, "mine")
    assert made.steps[0].text == "A line and more.\n\n词元，窗口"


@pytest.mark.parametrize(("rest", "settings"), [
    ('tab = "generate"\nsettings = { top_k = "", stop_text = "" }\n', {"top_k": None, "stop_text": ""}),
    ('page = "dropout"\nsettings = { preset = "workshop", rate = 0.2 }\n', {"preset": "workshop", "rate": 0.2}),
], ids=["an empty text clears an optional field", "a field of a lab may be called preset, too"])
def test_that_settings_are_read(rest, settings):
    assert parse(HEAD + STEP + rest, "mine").steps[0].settings == settings


def test_that_a_model_is_a_preset_with_changes():
    assert lesson.config_of({"preset": "gpt2-medium"}) == PRESETS["gpt2-medium"]
    assert lesson.config_of({"n_layers": 2}) == PRESETS["workshop"].but(n_layers=2)


@pytest.mark.parametrize(("check", "now", "reached"), [
    (Check("x", at_least=2), 2, True),
    (Check("x", at_least=2), 1.9, False),
    (Check("x", at_most=2), 2.1, False),
    (Check("x", at_least=1, at_most=2), 1.5, True),
    (Check("x", at_most=2), None, False),
    (Check("x", at_most=2), float("nan"), False),
    (Check("x", at_most=2), "small", False),
    (Check("x", equals=0.7), 0.1 * 7, True),
    (Check("x", equals=0), 1e-3, False),
    (Check("x", equals="before"), "before", True),
    (Check("x", equals=1), True, False),
    (Check("x", equals=True), True, True),
])
def test_that_a_check_is_reached_by_its_condition(check, now, reached):
    assert check.reached(now) is reached


def test_that_a_file_that_is_not_text_is_reported(tmp_path):
    path = tmp_path / "mine.toml"
    with pytest.raises(UserError, match="File not found"):
        load(path)
    with pytest.raises(UserError, match="File not found"):
        load(tmp_path)
    path.write_bytes(HEAD.encode() + b'about = "caf\xe9"\n')
    with pytest.raises(LessonError, match="line 3: the file is not UTF-8"):
        load(path)
    path.write_bytes(b"#" * (lesson.MOST_BYTES + 1))
    with pytest.raises(UserError, match="at most 256 KB"):
        load(path)


def test_that_a_file_of_another_system_is_read(tmp_path):
    """With the byte order mark that Windows' editor writes first, and its line ends."""
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbf" + (HEAD + STEP + 'tab = "texts"\n').replace("\n", "\r\n").encode())
    assert load(path).title == "First steps"
    path.write_bytes(b"\xef\xbb\xbf" + (HEAD + STEP + 'tab = "text"\n').replace("\n", "\r\n").encode())
    with pytest.raises(LessonError, match="line 7: there is no tab 'text'"):
        load(path)


@given(st.text(max_size=300))
def test_that_any_file_is_a_lesson_or_a_list_of_problems(text):
    assert said_of(text) or parse(text, "mine").steps


KEYS = st.sampled_from(["title", "text", "try", "page", "tab", "settings", "point", "hide", "lock", "check", "x"])
VALUES = st.sampled_from([
    '"train"', '"layernorm"', '""', "3", "-1e400", "true", "[]", "[[1]]", '["a"]', "{}", "{ seed = 1 }", "nan",
    "2024-01-01", "0x" + "f" * 40, '{ value = "step", at_least = 1 }', '{ value = [], equals = {} }',
])


@given(st.dictionaries(KEYS, VALUES, max_size=8))
def test_that_a_step_of_wrong_types_is_reported_and_never_raises(parts):
    text = HEAD + "[[step]]\n" + "".join(f"{key} = {value}\n" for key, value in parts.items())
    assert all(1 <= fault.line <= text.count("\n") for fault in said_of(text))


# Questions.


def test_that_a_question_about_a_token_names_one_of_its_place():
    step = 'tab = "generate"\n' + ASK
    [asked] = parse(HEAD + STEP + step + 'token = "most_uncertain"\n', "mine").steps
    first, other = PointedToken(3, " the"), PointedToken(4, " the")
    assert asked.predict.is_right(first, PointedToken(3, " the"))
    assert not asked.predict.is_right(first, other)


def test_that_a_question_is_read_as_written():
    step = HEAD + STEP + 'page = "layernorm"\n' + ASK
    [asked] = parse(step + 'number = "variance"\ntolerance = 0.1\nexplanation = "So it is."\n', "mine").steps
    assert (asked.predict.value, asked.predict.written) == ("variance", None)
    assert asked.predict.is_right(1.05, 1.0)
    assert not asked.predict.is_right(1.2, 1.0)
    [asked] = parse(step + 'choices = ["one", "two"]\nanswer = "two"\n', "mine").steps
    assert (asked.predict.value, asked.predict.written) == ("", "two")
    [asked] = parse(step + "number = 6\n", "mine").steps
    assert asked.predict.is_right(6.0, 6)


# The lessons that ship.


@pytest.mark.parametrize("path", [path for language in LANGUAGES for path in shipped(language)], ids=str)
def test_that_a_shipped_lesson_has_no_faults_and_a_task_at_each_step(path: Path):
    made = load(path)
    assert 6 <= len(made.steps) <= 10
    assert made.about
    assert all(step.task for step in made.steps)
    assert sum(step.check is not None for step in made.steps) >= len(made.steps) // 2


@pytest.mark.parametrize("number", range(len(lesson.SHIPPED)))
def test_that_both_languages_have_the_same_steps(number):
    ours, theirs = (load(shipped(language)[number]) for language in LANGUAGES)
    assert (ours.minutes, len(ours.steps)) == (theirs.minutes, len(theirs.steps))
    for one, other in zip(ours.steps, theirs.steps, strict=True):
        assert _without_words(one) == _without_words(other)
        assert one.text != other.text


DONE: dict[str, dict[int, dict[str, Any]]] = {
    "from-text-to-tensors": {
        0: {"text": "Every effort moves you, Hildegard Oberhuber, 12 Lindwurmstraße"},
        1: {"text": "Grüße! 你好，世界。 " + "\U0001f600" * 9},
        2: {"word": " someunknownPlace", "step": 14},
        3: {"special": False},
        4: {"text": "story", "context": 4, "stride": 1},
        5: {"text": "story", "context": 8, "stride": 10},
        6: {"position": 3},
        7: {"vocabulary": 50257, "width": 768},
    },
    "attention-from-nothing": {
        0: {"inputs": [[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [2, 2, 2], [0.22, 0.58, 0.33], [0.77, 0.25, 0.1],
                       [0.05, 0.8, 0.55]]},
        1: {"query": 5},
        2: {"stage": "weights", "d_out": 5},
        3: {"scale": True},
        4: {"stage": "mask", "mask": "before"},
        5: {"stage": "mask", "seed": 123, "mask": "after", "renormalise": True},
        6: {"rate": 0.8},
        7: {"stage": "dropout", "seed": 123, "rate": 0.5},
        8: {"stage": "heads", "heads": 3},
    },
    "train-and-decode": {4: {"probabilities": [0.4] * 6}, 6: {"temperature": 0.2, "top_k": None}},
    "inside-a-gpt": {
        0: {"component": "0.0"}, 1: {"layer": 1, "position": 2}, 2: {"kind": "attention", "layer": 1, "position": 5},
        8: {"width": 2},
    },
    "in-your-language": {
        0: {"text": "Es hatte ein Mann einen Esel. A man had a donkey. 孔乙己"}, 1: {"text": "grimm", "step": 600},
        2: {"text": "luxun", "step": 767},
    },
}
"""Settings that a learner who follows the task may choose at each page of a lesson."""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "index"), [(name, index) for name, steps in DONE.items() for index in steps])
def test_that_a_check_is_reached_by_its_task_and_not_before(name, index):
    made = load(shipped("en")[lesson.SHIPPED.index(name)]).steps[index]
    assert not made.check.reached(_value(made, made.settings))
    assert made.check.reached(_value(made, DONE[name][index]))


def test_that_every_check_of_a_page_is_tested():
    for path in shipped("en"):
        pages = {index for index, each in enumerate(load(path).steps) if each.page and each.check}
        assert pages == set(DONE[path.stem])


ANSWERS: dict[str, dict[int, Callable[[], Any]]] = {
    "from-text-to-tensors": {
        0: lambda: "several tokens" if of("tokens", text="Oberhuber")["tokens"] == 4 else "one token",
        1: lambda: of("tokens", text="naïve")["bytes"],
        2: lambda: _last_merge(" someunknownPlace"),
        3: lambda: of("tokens", special=False)["tokens"],
        4: lambda: of("windows", text="story", context=4, stride=1)["windows"],
        5: lambda: round(of("windows", text="story", context=8, stride=10)["skipped"] / 523),
        7: lambda: of("embeddings", vocabulary=50257, width=768)["parameters"] / 1e6,
    },
    "attention-from-nothing": {
        0: lambda: "they become smaller" if of("attention", **DONE["attention-from-nothing"][0])["weight_2"] < of(
            "attention")["weight_2"] else "",
        1: lambda: "starts" if of("attention", stage="products", query=5)["largest_weight"] == of(
            "attention", stage="products", query=5)["weight_3"] else "",
        2: lambda: str(answer("attention", stage="weights", d_out=5).heads[0].scores.shape),
        3: lambda: of("attention", stage="weights", d_out=8, drawn="rand", seed=123, scale=True)["largest_weight"],
        4: lambda: of("attention", stage="mask", seed=123, query=1, mask="before")["weight_1"],
        5: lambda: "equal, apart from rounding" if np.isclose(
            of("attention", stage="mask", seed=123, mask="after", renormalise=True)["weight_1"],
            of("attention", stage="mask", seed=123, mask="before")["weight_1"]) else "",
        6: lambda: 0.8 if np.isclose(of("dropout", rate=0.8)["scale"], 5) else None,
        8: lambda: answer("attention", stage="heads", seed=123, heads=3).context.shape[1],
    },
    "train-and-decode": {
        0: lambda: sizing.parameters(PRESETS["gpt2-xl"]).total / sizing.parameters(PRESETS["gpt2-small"]).total,
        4: lambda: of("loss", probabilities=[0.5] * 6)["loss"],
        6: lambda: 1000 * of("sampling", temperature=5.0, top_k=None)["pizza"],
    },
    "inside-a-gpt": {
        0: lambda: "a head of the first layer" if answer("ablation").figures[:, 0].argmax() < 2 else "",
        1: lambda: _best_word("resid", 1),
        2: lambda: _best_word("attention", 1),
        8: lambda: of("beams", width=2)["best_probability"],
    },
    "in-your-language": {
        0: lambda: of("tokens", text="孔乙己")["tokens"],
        1: lambda: of("vocabulary", text="grimm", step=767)["bytes_per_token"],
        3: lambda: sizing.parameters(PRESETS["pocket"]).total / 1e6,
    },
}
"""The answers that the experiments give to the questions; those about a run are tested elsewhere."""


def answer(page: str, **settings: Any) -> Any:
    lab = catalogue.load(page)
    request = lab.examples[0].request.but(**settings)
    return lab.answer(request, None) if lab.model else lab.answer(request)


def of(page: str, **settings: Any) -> Any:
    """Return the values that an experiment shows with these settings."""
    return catalogue.load(page).values(answer(page, **settings))


def _best_word(kind: str, layer: int) -> str:
    """Return the word at which patching recovers most."""
    found = answer("patching", kind=kind)
    return found.clean_words[found.recovered[layer].argmax()]


def _last_merge(word: str) -> str:
    last = answer("tokens", word=word).steps[-2]
    one, other = (piece.decode() for piece in last.pieces[last.pair:last.pair + 2])
    return f"“{one}” and “{other}”"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "index"), [(name, index) for name, steps in ANSWERS.items() for index in steps])
def test_that_the_experiments_give_the_answer_that_a_lesson_marks_as_right(name, index):
    asked = load(shipped("en")[lesson.SHIPPED.index(name)]).steps[index].predict
    truth = ANSWERS[name][index]()
    assert asked.is_right(truth if asked.written is None else asked.written, truth)


def test_that_each_lesson_asks_for_a_guess_at_least_four_times():
    asked = {path.stem: {n for n, step in enumerate(load(path).steps) if step.predict} for path in shipped("en")}
    assert all(len(steps) >= 4 for steps in asked.values())
    assert {"train-and-decode": {3, 5, 7, 9}, "inside-a-gpt": {4}, "in-your-language": {4}} == {
        name: rest for name, steps in asked.items() if (rest := steps - set(ANSWERS[name]))}


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_the_example_of_how_to_write_a_lesson_is_valid(language):
    words = (paths.resources() / "manual" / language / "lessons.md").read_text(encoding="utf-8")
    made = parse("\n".join(line[4:] for line in words.splitlines() if line.startswith("    ")), "example")
    assert made.steps[0].check == Check("mask", equals="before")


def test_that_a_language_without_lessons_has_the_english_ones():
    assert shipped("fr") == shipped("en")


def _value(made: lesson.LessonStep, settings: dict[str, Any]) -> Any:
    """Return the value of a step's check on its page."""
    lab = catalogue.load(made.page)
    lab_request = lab.examples[0].request.but(**settings)
    if made.check.value in type(lab_request).model_fields:
        return getattr(lab_request, made.check.value)
    return lab.values(lab.answer(lab_request, None) if lab.model else lab.answer(lab_request))[made.check.value]


def _without_words(step: lesson.LessonStep) -> tuple[lesson.LessonStep, Any]:
    check = dataclasses.replace(step.check, name="") if step.check else None
    said = "said" if step.trained else ""
    return dataclasses.replace(step, title="", text="", task="", trained=said, check=check, predict=None), _answer(step)


def _answer(step: lesson.LessonStep) -> Any:
    """Return the answer to a step's question, without its words: the place of the choice, or the number."""
    asked = step.predict
    if asked is None:
        return None
    return (len(asked.choices), asked.choices.index(asked.answer)) if asked.choices else (
        asked.number, asked.token, asked.tolerance)


def test_that_steps_without_minutes_share_the_rest():
    step = STEP + 'tab = "texts"\n'
    made = parse(HEAD + step + step + "minutes = 4\noptional = true\n" + step, "mine")
    assert made.step_minutes == (8, 4, 8)
    assert [each.optional for each in made.steps] == [False, True, False]
