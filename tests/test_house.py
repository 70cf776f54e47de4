"""Rules of the project: allowed imports, the places of its files, and forbidden content."""

import ast
import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from source_trees import nodes

from gptstudio import paths
from gptstudio.data import texts
from gptstudio.gpt import native_library

CHECKOUT = Path(__file__).resolve().parents[1]
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK|TBD|WIP|NotImplementedError|lorem ipsum|placeholder)\b", re.IGNORECASE)

THEIR_WORD = re.compile(r"\bplaceholder\b", re.IGNORECASE)
"""The book's first model, whose blocks do nothing, has this name. The lab of the block uses it."""


def python(code: str, cwd: Path = CHECKOUT, **environment: str) -> str:
    """Return the output of a new interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=cwd, env=os.environ | environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def own_files() -> list[Path]:
    """Return the files of the repository, also uncommitted ones; without git, all except the output of tools."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=CHECKOUT, capture_output=True, check=True).stdout.decode().split("\0")
        return [CHECKOUT / name for name in listed if (CHECKOUT / name).is_file()]
    except (OSError, subprocess.CalledProcessError):
        folders = [CHECKOUT / name for name in ("gptstudio", "resources", "tests", "packaging")]
        return [path for folder in folders for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]


RESOURCES = """
import sys
from gptstudio import paths
from gptstudio.gpt import tokenizer
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.data import texts
print(paths.resources())
assert GPT2.encode("Hello, I am") == [15496, 11, 314, 716]
assert len(texts.read("story").content) > 20_000
assert (paths.resources() / "gpt2" / "NOTICE").is_file()
"""


def test_that_resources_are_found_from_the_checkout(tmp_path):
    assert Path(python(RESOURCES, tmp_path, PYTHONPATH=str(CHECKOUT)).strip()) == CHECKOUT / "resources"


@pytest.mark.slow
def test_that_resources_are_found_from_a_wheel(tmp_path):
    if not importlib.util.find_spec("hatchling") or not importlib.util.find_spec("pip"):
        pytest.skip("hatchling and pip are needed to build a wheel")
    command = [
        sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
        "--disable-pip-version-check", "--wheel-dir", str(tmp_path / "dist"), str(CHECKOUT),
    ]
    built = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert built.returncode == 0, built.stderr
    [wheel] = (tmp_path / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
        names = archive.namelist()
    found = Path(python(RESOURCES, tmp_path, PYTHONPATH=str(tmp_path / "site")).strip())
    assert found == tmp_path / "site" / "gptstudio" / "resources"
    shipped = {path.relative_to(CHECKOUT) for path in own_files() if path.is_relative_to(CHECKOUT / "resources")}
    assert {f"gptstudio/{path.as_posix()}" for path in shipped} <= set(names)
    assert {"gptstudio/py.typed", "gptstudio/__init__.pyi"} <= set(names), "types for those who import it"
    assert not [name for name in names if name.startswith("tests/") or texts.VERDICT_FILE in name]
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert native_library.LIBRARY.exists() == any(name.endswith(native_library.LIBRARY.name) for name in names)


def test_that_resources_are_found_in_a_frozen_app(tmp_path, monkeypatch):
    (tmp_path / "resources" / "gpt2").mkdir(parents=True)
    (tmp_path / "resources" / "gpt2" / "vocab.bpe").touch()
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert paths.resources.__wrapped__() == tmp_path / "resources"


def test_that_a_copy_without_resources_is_reported(tmp_path, monkeypatch):
    (tmp_path / "gptstudio").mkdir()
    monkeypatch.setattr(paths, "__file__", str(tmp_path / "gptstudio" / "paths.py"))
    with pytest.raises(FileNotFoundError, match="Reinstall GPT Studio"):
        paths.resources.__wrapped__()


def test_that_the_users_folder_is_in_their_home_unless_set(tmp_path, monkeypatch):
    assert paths.user_data() == tmp_path
    monkeypatch.delenv("GPTSTUDIO_HOME")
    monkeypatch.delenv("XDG_DATA_HOME")
    assert paths.user_data().is_relative_to(Path.home())
    assert paths.runs().parent == paths.texts().parent == paths.user_data()


def test_that_no_file_in_the_repository_is_the_verdict():
    """Users fetch its publisher's copy; the repository has only its digest."""
    for path in own_files():
        data = path.read_bytes()
        for version in (data, data.replace(b"\r\n", b"\n"), data.removeprefix(b"\xef\xbb\xbf")):
            assert hashlib.sha256(version).hexdigest() != texts.VERDICT_SHA256, path
        assert path.name != texts.VERDICT_FILE, path


def test_that_nothing_in_the_program_is_left_unfinished():
    for path in (CHECKOUT / "gptstudio").rglob("*.py"):
        shows_theirs = path.parent.name == "block" or path.stem.startswith("block")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            ours = THEIR_WORD.sub("", line) if shows_theirs else line
            assert not UNFINISHED.search(ours), f"{path.relative_to(CHECKOUT)}:{number}: {line.strip()}"


def test_that_every_module_has_a_docstring():
    for path in (CHECKOUT / "gptstudio").rglob("*.py"):
        assert path.read_text(encoding="utf-8").lstrip().startswith(('"""', "'''")), path.relative_to(CHECKOUT)


def test_that_every_package_has_tests():
    for package in ("gpt", "data", "training", "inference", "history", "weights_io", "labs"):
        assert list((CHECKOUT / "tests" / package).glob("test_*.py")), package


@pytest.mark.parametrize("page", [".github/SECURITY.md", ".github/CONTRIBUTING.md", "README.md"])
def test_that_the_files_linked_from_a_page_for_developers_exist(page):
    file = CHECKOUT / page
    links = re.findall(r"\]\(([^)#\s]+)", file.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if "://" not in link and not (file.parent / link).exists()] == []


NOT_EVERYWHERE = {"fcntl", "grp", "msvcrt", "pty", "pwd", "resource", "termios", "tty", "winreg"}


def test_that_every_test_can_be_collected_on_every_system():
    """A module that one system does not have is imported where it is used, after a check that skips there."""
    found = {}
    for file in sorted((CHECKOUT / "tests").rglob("*.py")):
        names = set(re.findall(r"^(?:import|from) (\w+)", file.read_text(encoding="utf-8"), re.MULTILINE))
        if names & NOT_EVERYWHERE:
            found[file.name] = names & NOT_EVERYWHERE
    assert found == {}


# Words: .github/CONTRIBUTING.md, section Words.

PRIVATE_WORDS = re.compile(
    r"\b(anew|afresh|by heart|dials?|whoever|luck|by chance|struck|strikes?|seeds' |the seeds|brought in|"
    r"(?<!random )seed \d{3}|"
    r"broken off|is told|are told|goes? on|hands on|blanks?|stands? behind|looked at|likeliest)\b",
    re.IGNORECASE,
)
"""Words that are not shown to users."""
PRIVATE_NAMES = re.compile(
    r"(^|_)(bench|keeper|shelf|school|desk|clerk|errand|deeds?|manuscript|moment|dials?|luck|haul|afresh|anew|"
    r"retell|retold|tells?|told|heard|strays?|twin|house|together|experience|insight|mishaps?|steering|study|studied)"
    r"($|_)"
)
"""Names that were known only in this program."""
PLACEHOLDER = re.compile(r"\{[^{}]*\}")


@pytest.mark.slow
def test_that_no_sentence_on_screen_uses_a_private_word():
    sys.path.insert(0, str(CHECKOUT / "packaging"))
    translations = importlib.import_module("translations")
    sentences = set(translations.sentences(CHECKOUT / "gptstudio"))
    for lesson_file in (CHECKOUT / "resources" / "lessons" / "en").glob("*.toml"):
        steps = tomllib.loads(lesson_file.read_text(encoding="utf-8"))["step"]
        sentences |= {step[key] for step in steps for key in ("title", "text", "try") if key in step}
    for page in (CHECKOUT / "resources" / "manual" / "en").glob("*.md"):
        sentences |= {f"{page.stem}: {line}" for line in page.read_text(encoding="utf-8").splitlines()
                      if not line.startswith("<!--")}
    shown = {text: PLACEHOLDER.sub("", text) for text in sentences}
    found = {text: match[0] for text, plain in shown.items() if (match := PRIVATE_WORDS.search(plain))}
    assert found == {}


SAYING = {"refused", "_refused", "_damaged", "Problem", "Fault", "HeaderError", "UnsupportedHeaderError"}
"""Names of callables that take messages for the user, besides the errors for users."""


def test_that_every_error_message_can_be_translated():
    """The terminal's messages are in English only."""
    bases = {node.name: {ast.unparse(base).rpartition(".")[2] for base in node.bases}
             for each in nodes().values() for node in each if isinstance(node, ast.ClassDef)}
    saying = SAYING | {"UserError"}
    while more := {name for name, its in bases.items() if its & saying} - saying:
        saying |= more
    found = {
        f"{path.relative_to(CHECKOUT)}:{node.lineno}"
        for path, each in nodes().items() if "cli" not in path.parts for node in each
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in saying
        and any(map(_is_plain_sentence, node.args))
    }
    assert found == set()


def _is_plain_sentence(node: ast.expr) -> bool:
    match node:
        case ast.JoinedStr():
            return True
        case ast.Constant(str(words)):
            return " " in words
        case ast.IfExp():
            return _is_plain_sentence(node.body) or _is_plain_sentence(node.orelse)
        case ast.BinOp():
            return _is_plain_sentence(node.left) or _is_plain_sentence(node.right)
    return False


def test_that_an_ellipsis_follows_its_word_without_a_space():
    sys.path.insert(0, str(CHECKOUT / "packaging"))
    translations = importlib.import_module("translations")
    sentences = translations.read(translations.TS)
    ends = [each for pair in sentences.items() for each in pair if each.endswith(" …")]
    assert ends == []


def test_that_nothing_has_a_nonstandard_name():
    found = set()
    for path, each in nodes().items():
        for node in each:
            for name in (getattr(node, key, None) for key in ("name", "arg", "id", "attr")):
                if isinstance(name, str) and name != "tell" and PRIVATE_NAMES.search(name.lower()):  # file.tell()
                    found.add(f"{path.relative_to(CHECKOUT)}: {name}")
    assert found == set()


AMBIGUOUS_NAMES = {
    "permit", "quieten", "holding", "in_words", "follow", "turn", "go_on", "whole", "show_whole", "there", "if_there",
    "Walk", "Looking", "Places", "Stroke", "Beside", "Tall", "Frugal", "Way", "Board", "Borrowed", "Attempt",
    "Happened",
}
"""Names that said too little about what they name."""
ONE_EACH = {"Page"}
"""The class of an experiment's page has this name in each of them."""


def test_that_no_function_or_class_has_an_ambiguous_name():
    definitions = (node for each in nodes().values() for node in each)
    defined = {node.name for node in definitions if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    assert defined & AMBIGUOUS_NAMES == set()


def test_that_the_name_of_a_public_class_has_one_meaning():
    found: dict[str, set[str]] = {}
    for path, each in nodes().items():
        for node in each:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and "gptstudio" in path.parts:
                found.setdefault(node.name, set()).add(str(path.relative_to(CHECKOUT)))
    assert {name: files for name, files in found.items() if len(files) > 1 and name not in ONE_EACH} == {}


def test_that_no_docstring_begins_with_a_question_word():
    found = set()
    for path, each in nodes().items():
        for node in each:
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                words = (ast.get_docstring(node) or "").split()
                if words and words[0] in ("What", "How", "Where", "Whether", "Who", "Why"):
                    found.add(f"{path.relative_to(CHECKOUT)}: {' '.join(words[:8])}")
    assert found == set()


def test_that_a_docstring_returns_only_what_its_function_returns():
    """A setter returns nothing, and a generator yields."""
    found = set()
    for path, each in nodes().items():
        for node in each:
            if isinstance(node, ast.FunctionDef) and (ast.get_docstring(node) or "").startswith("Return "):
                returns_nothing = isinstance(node.returns, ast.Constant) and node.returns.value is None
                if returns_nothing or (_yields(node.body) and "contextmanager" not in ast.dump(node)):
                    found.add(f"{path.relative_to(CHECKOUT)}: {node.name}")
    assert found == set()


def _yields(body: list[ast.AST]) -> bool:
    """Return whether statements yield, outside the functions that they define."""
    return any(isinstance(node, ast.Yield | ast.YieldFrom) or (
        not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef) and _yields(list(ast.iter_child_nodes(node))))
        for node in body)


SPACING = ("setSpacing", "setContentsMargins", "setHorizontalSpacing", "setVerticalSpacing")


def test_that_gaps_and_margins_of_the_window_are_on_one_grid():
    """The grid has a step of 8 pixels; half steps are allowed."""
    found = set()
    for path, each in nodes().items():
        for call in (node for node in each if isinstance(node, ast.Call)):
            given = [word.value for word in call.keywords if word.arg in ("spacing", "margins")]
            given += call.args if getattr(call.func, "attr", "") in SPACING else []
            numbers = [each.value for part in given for each in ast.walk(part) if isinstance(each, ast.Constant)]
            if any(isinstance(number, int) and number % 4 for number in numbers):
                found.add(f"{path.relative_to(CHECKOUT)}:{call.lineno}")
    assert found == set()
