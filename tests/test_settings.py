"""The settings of a computer: valid settings are in force, all errors are reported at once, and no exception is ever
raised."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from gptstudio import paths, settings, settings_file
from gptstudio.data import texts
from gptstudio.i18n import LANGUAGES
from gptstudio.labs.lesson import SHIPPED

EXAMPLE = paths.resources() / "settings.example.toml"
WHOLE = """language = "zh_CN"
lesson = "train-and-decode"
texts = "our texts"
hand_in = "results"
lock = ["preset", "runs_tab"]
hide = ["reset"]
releases = "https://class.example/latest"
"""


@pytest.fixture
def computer(tmp_path, monkeypatch):
    """Return a function that writes the settings of this computer and returns the ones in force."""
    file = tmp_path / "settings.toml"
    monkeypatch.setenv("GPTSTUDIO_SETTINGS", str(file))

    def put(text: str | bytes) -> settings.Settings:
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return settings.in_force()

    return put


def texts_of(found: settings.Settings) -> list[str]:
    return [fault.message() for fault in found.faults]


def test_that_all_keys_are_in_force(computer, tmp_path):
    found = computer(WHOLE)
    assert texts_of(found) == []
    assert (found.language, found.lesson, found.texts) == ("zh_CN", "train-and-decode", tmp_path / "our texts")
    assert (found.lock, found.hide) == (("preset", "runs_tab"), ("reset",))
    assert found.hand_in == tmp_path / "results"
    assert found.releases == "https://class.example/latest"
    assert found.restricts("reset", "start")
    assert not found.restricts("start")


@pytest.mark.parametrize("hostile", [
    '"><script>alert(1)</script>', "$(touch x) `touch x` ; touch x & %PATH% ~", "''' \"\"\" ]]> # no comment",
    'a"\nlock = ["start"]\nlanguage = "en',
])
def test_that_a_string_stays_a_string_with_any_content(computer, tmp_path, hostile):
    found = computer(f"texts = {json.dumps(hostile)}\nlock = [{json.dumps(hostile)}]")
    assert (found.texts, found.lock, found.hide) == (tmp_path / hostile, (), ())
    assert found.language == ""
    assert list(tmp_path.iterdir()) == [tmp_path / "settings.toml"]


def test_that_no_file_is_no_settings_and_no_error(monkeypatch):
    monkeypatch.setenv("GPTSTUDIO_SETTINGS", "")
    assert settings.in_force() == settings.Settings()


def test_that_a_missing_named_file_is_an_error(monkeypatch, tmp_path):
    monkeypatch.setenv("GPTSTUDIO_SETTINGS", str(tmp_path / "none.toml"))
    assert texts_of(settings.in_force()) == ["the file does not exist."]


def test_that_every_error_is_reported_at_once_with_its_line_and_the_rest_is_in_force(computer):
    found = computer(
        'language = "klingon"\nlesson = "attention"\ntexts = 7\nlock = ["runs_tab",\n  "strat", 3]\n'
        'hide = "reset"\ncolour = "red"\n'
    )
    assert [fault.line for fault in found.faults] == [1, 2, 3, 4, 4, 6, 7]
    assert texts_of(found)[:4] == [
        "line 1: language is 'klingon'; it must be one of en, zh_CN.",
        "line 2: there is no lesson 'attention'; the included lessons are attention-from-nothing, "
        "from-text-to-tensors, in-your-language, inside-a-gpt, train-and-decode, and the name of a file of your own "
        "must end in .toml or .gptlesson.",
        "line 3: texts is 7; it must be text.",
        "line 4: lock contains 'strat', which is not a control; similar: start.",
    ]
    assert texts_of(found)[4] == (
        "line 4: lock is ['runs_tab', 'strat', 3]; it must be a list of names in quotes, such as [\"name\"]."
    )
    assert texts_of(found)[5].startswith("line 6: hide is 'reset'; it must be a list")
    assert texts_of(found)[6] == (
        "line 7: 'colour' is not part of the settings; the parts are language, lesson, texts, hand_in, train, "
        "reset, lock, hide, releases."
    )
    assert (found.language, found.lesson, found.texts, found.lock, found.hide) == ("", "", None, ("runs_tab",), ())


@pytest.mark.parametrize(("content", "what"), [
    (b"lock = [", "line 1: the file is not valid TOML: Invalid value."),
    (b'language = "en"\nlesson = "\xff"', "line 2: the file is not UTF-8. Save it in this encoding."),
    (b"\0", "line 1: the file is not valid TOML"),
    (b"[" * 5_000, "line 1: the file is not valid TOML"),
    (b"#" * 70_000, "the file was not read: settings may have at most 64 KB."),
])
def test_that_invalid_toml_is_reported_with_its_place(computer, content, what):
    found = computer(content)
    assert len(found.faults) == 1
    assert texts_of(found)[0].startswith(what)
    assert found.lock == ()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such files")
def test_that_a_path_that_is_not_a_file_is_reported_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "pipe", tmp_path):
        assert texts_of(settings.load(place)) == ["this is not a file."]
    assert texts_of(settings.load(Path("a\0b"))) == ["the file does not exist."]


def test_that_not_all_pages_can_be_locked(computer):
    found = computer('lock = ["train_tab", "generate_tab", "start"]\nhide = ["runs_tab", "texts_tab", "learn_tab"]')
    assert texts_of(found) == ["line 1: all pages are locked or hidden; at least one must remain, so all of them do."]
    assert (found.lock, found.hide) == (("start",), ())


def test_that_a_changed_file_is_read_again(computer):
    assert computer('language = "en"').language == "en"
    assert computer('language = "zh_CN"').language == "zh_CN"


def test_that_missing_paths_are_checked_when_they_are_requested(computer, tmp_path):
    found = computer('texts = "none"\nlesson = "mine.toml"\n')
    assert texts_of(found) == []
    assert [fault.message() for fault in found.missing_paths()] == [
        f"line 1: the folder {tmp_path / 'none'} for texts does not exist.",
        f"line 2: the file {tmp_path / 'mine.toml'} for lesson does not exist.",
    ]
    (tmp_path / "none").mkdir()
    (tmp_path / "mine.toml").touch()
    assert list(found.missing_paths()) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SHIPPED)
def test_that_a_lesson_that_ships_is_found_in_each_language(computer, name, language):
    file = computer(f'lesson = "{name}"').lesson_file(language)
    assert file == paths.resources() / "lessons" / language / f"{name}.toml"
    assert file.is_file()


def test_that_a_users_lesson_is_beside_the_settings_or_at_its_path(computer, tmp_path):
    for name in ("mine.toml", "mine.gptlesson"):
        assert computer(f'lesson = "{name}"').lesson_file("en") == tmp_path / name
    assert computer('lesson = "/srv/mine.toml"').lesson_file("en") == Path("/srv/mine.toml")
    assert computer('lesson = "~/mine.toml"').lesson_file("en") == Path.home() / "mine.toml"


def test_that_texts_are_searched_and_offered_where_the_settings_say(computer, tmp_path, monkeypatch):
    for folder, names in (("ours", ("b.txt", "a.md", "c.pdf", texts.VERDICT_FILE)), ("mine", ("d.txt",))):
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / name).write_text("words")
    computer('texts = "ours"')
    assert texts.locate(texts.VERDICT) == tmp_path / "ours" / texts.VERDICT_FILE
    assert texts.shared() == [tmp_path / "ours" / "a.md", tmp_path / "ours" / "b.txt"]
    monkeypatch.setenv("GPTSTUDIO_TEXTS", str(tmp_path / "mine"))  # the user's own folder has priority
    assert texts.verdict_places()[0] == tmp_path / "mine" / texts.VERDICT_FILE
    assert texts.shared() == [tmp_path / "mine" / "d.txt"]
    monkeypatch.delenv("GPTSTUDIO_TEXTS")
    computer('texts = "gone"')
    assert texts.shared() == []


def test_that_the_places_are_those_of_all_users_unless_one_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("GPTSTUDIO_SETTINGS", "here.toml")
    assert paths.settings() == [Path("here.toml")]
    monkeypatch.delenv("GPTSTUDIO_SETTINGS")
    everybodys = paths.settings()
    assert everybodys
    assert not any(place.is_relative_to(Path.home()) for place in everybodys)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "gptstudio"))
    assert paths.settings() == [tmp_path / "settings.toml", *everybodys]


def test_that_the_example_sets_nothing_and_is_valid_with_every_line_in_force(tmp_path):
    text = EXAMPLE.read_text(encoding="utf-8")
    assert tomllib.loads(text) == {}
    lines = [line.removeprefix("# ") for line in text.splitlines()]
    whole = tmp_path / "settings.toml"
    whole.write_text("\n".join(line for line in lines if line.split(" = ")[0] in settings.KEYS), encoding="utf-8")
    found = settings.load(whole)
    assert texts_of(found) == []
    assert set(found.lines) == set(settings.KEYS)


def test_that_every_control_named_in_the_example_exists():
    named = {
        part for line in EXAMPLE.read_text(encoding="utf-8").splitlines() if line.startswith('#   "')
        for part in line.split('"')[1::2]
    }
    assert len(named) > 20
    assert named <= {name for group in settings_file.controls().values() for name in group}


LINES = st.sampled_from([*WHOLE.splitlines(), "[lock]", "[[hide]]", 'lock = "x"', 'lesson = "../x.toml"'])
MUTANTS = st.builds(
    lambda data, place, new: data[: place % (len(data) + 1)] + new + data[place % (len(data) + 1) + len(new):],
    st.just(WHOLE.encode()), st.integers(0, 1_000), st.binary(max_size=4),
)


@pytest.mark.slow
@examples(max_examples=400)
@given(st.one_of(MUTANTS, st.lists(LINES, max_size=8).map(lambda lines: "\n".join(lines).encode()), st.binary()))
def test_that_no_file_keeps_the_program_from_starting(tmp_path, data):
    file = tmp_path / "settings.toml"
    file.write_bytes(data)
    found = settings.load(file)
    known = {name for group in settings_file.controls().values() for name in group}
    assert {*found.lock, *found.hide} <= known
    assert found.language in ("", *LANGUAGES)
    assert all(fault.what and fault.line <= data.count(b"\n") + 1 for fault in (*found.faults, *found.missing_paths()))
    assert str(settings.problems_text(found))
    assert bool(found.faults) or data == b"" or found.lines or tomllib.loads(data.decode("utf-8-sig")) == {}


def test_that_settings_are_known_without_reading_toml_where_there_is_no_file():
    code = (
        "import sys; from gptstudio import settings; settings.in_force(); "
        "print({'tomllib', 'pydantic'} & sys.modules.keys())"
    )
    environment = os.environ | {"GPTSTUDIO_SETTINGS": ""}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "set()", done.stderr
