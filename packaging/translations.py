"""Collect the program's sentences, update their translations, and compile them for Qt.

    python packaging/translations.py update [--merge FILE.json ...]

Updates resources/translations: unused sentences are removed, and new ones added, with their translations from the
merged files, {"English": "translation"}. Prints the sentences without a translation.
"""

import argparse
import ast
import json
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from pathlib import Path

from children import call
from places import ROOT

CODE = ROOT / "gptstudio"
TS = ROOT / "resources" / "translations" / "gptstudio_zh_CN.ts"
CONTEXT = "GPTStudio"

QT = {
    "QFileDialog": {"&Look in:": "查找范围(&L)：", "Files of &type:": "文件类型(&T)："},
    "QFileSystemModel": {"Size": "大小"},
}
"""Texts of Qt, by context, that its own translation leaves in English or words differently from the program."""

SAYING = ("tr", "tr_for_file", "message")
"""Functions whose first argument is a sentence."""
SETTING = {"label": 1, "help": 2, "empty": None, "group": None}
"""Names and positions of the arguments of setting() that are shown to users."""


# Collecting.


def sentences(*roots: Path) -> dict[str, str]:
    """Return all sentences in the Python files of these folders, with file and line of their first use."""
    found: dict[str, str] = {}
    for file in (file for root in roots for file in sorted(root.rglob("*.py"))):
        for node in _said(ast.parse(file.read_text(encoding="utf-8"))):
            where = f"{file.name}:{node.lineno}"
            if isinstance(node, ast.JoinedStr):
                raise SystemExit(f"{where}: this is made of pieces and cannot be translated: {ast.unparse(node)}")
            if isinstance(node.value, str) and node.value.strip():
                found.setdefault(node.value, where)
    return found


def _said(tree: ast.Module) -> Iterator[ast.Constant | ast.JoinedStr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in SAYING and node.args:
                yield from _texts(node.args[0])
            elif node.func.id == "setting":
                yield from _of_setting(node)
        elif isinstance(node, ast.AnnAssign) and _is_setting(node.value):
            yield from _choices(node.annotation)


def _texts(node: ast.expr) -> Iterator[ast.Constant | ast.JoinedStr]:
    """Yield the sentence in an argument, or both sentences of a conditional expression."""
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        yield node
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)


def _of_setting(call: ast.Call) -> Iterator[ast.Constant | ast.JoinedStr]:
    named = {each.arg: each.value for each in call.keywords}
    for name, place in SETTING.items():
        if name in named:
            yield from _texts(named[name])
        elif place is not None and place < len(call.args):
            yield from _texts(call.args[place])


def _is_setting(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "setting"


def _choices(annotation: ast.expr) -> Iterator[ast.Constant | ast.JoinedStr]:
    """Yield the texts of the choices of a field."""
    for node in ast.walk(annotation):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Literal":
            for each in ast.walk(node.slice):
                if isinstance(each, ast.expr):
                    yield from _texts(each)


def blanks(sentence: str) -> list[str]:
    """Return the names in braces, for which values are filled in."""
    return sorted(re.findall(r"\{(\w+)[^{}]*\}", sentence))


# Saving.


def read(file: Path) -> dict[str, str]:
    """Return the translation of each sentence; empty if there is none yet."""
    if not file.is_file():
        return {}
    contexts = ET.parse(file).getroot().iter("context")  # noqa: S314 - the repository's own file
    return {each.findtext("source", ""): each.findtext("translation", "")
            for context in contexts if context.findtext("name") == CONTEXT for each in context.iter("message")}


def write(file: Path, translations: dict[str, str]) -> None:
    """Write a file of Qt Linguist, in alphabetical order, so that a changed sentence changes one place."""
    root = ET.Element("TS", version="2.1", language="zh_CN", sourcelanguage="en")
    for name, words in ({CONTEXT: translations} | QT).items():
        context = ET.SubElement(root, "context")
        ET.SubElement(context, "name").text = name
        for sentence, translation in sorted(words.items()):
            message = ET.SubElement(context, "message")
            ET.SubElement(message, "source").text = sentence
            made = ET.SubElement(message, "translation")
            made.text = translation
            if not translation:
                made.set("type", "unfinished")
    ET.indent(root, " ")
    text = ET.tostring(root, encoding="unicode")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{text}\n', encoding="utf-8", newline="\n")


def compile_for_qt(file: Path, to: Path) -> None:
    """Compile the file that the window loads, with Qt's own program."""
    import PySide6

    folder = Path(PySide6.__file__).parent
    program = next(each for name in ("lrelease", "lrelease.exe") if (each := folder / name).is_file())
    call(program, "-silent", file, "-qm", to, check=True, stdout=None, stderr=None)


def merged(files: Iterable[Path]) -> dict[str, str]:
    """Return the union of files of {"English": "translation"}."""
    found: dict[str, str] = {}
    for file in files:
        found |= json.loads(file.read_text(encoding="utf-8"))
    return found


def update(ts: Path, roots: Iterable[Path], more: Iterable[Path]) -> dict[str, str]:
    """Update ``ts`` and the compiled file next to it; return the sentences without a translation and their places in
    the code."""
    said = sentences(*roots)
    known = read(ts) | merged(more)
    write(ts, {sentence: known.get(sentence, "") for sentence in said})
    compile_for_qt(ts, ts.with_suffix(".qm"))
    return {sentence: where for sentence, where in said.items() if not known.get(sentence)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["update"])
    parser.add_argument("--merge", nargs="+", type=Path, default=[], metavar="FILE.json")
    asked = parser.parse_args()
    missing = update(TS, [CODE], asked.merge)
    for sentence, where in missing.items():
        print(f"{where}: {json.dumps(sentence, ensure_ascii=False)}")
    print(f"{len(read(TS)):,} sentences, {len(missing):,} without a translation.")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
