#!/usr/bin/env python3
"""Make a USB stick for a class: installers, settings, texts, a lesson, a start page and checksums, in one folder.

    python packaging/stick.py STICK --settings settings.toml [--installers DIR ... | --without-installers]

STICK is the folder of the stick; files from an earlier call are replaced, except the results that were handed in. The
settings are first checked, as by `gptstudio settings FILE`. Their lesson and texts are copied to the stick, whose own
settings have their paths on the laptops, in ~/gptstudio-class. With --without-installers, the stick is for laptops that
have the program: it has no installers, and its scripts only install settings, texts and lesson. Needs the environment
made by packaging/bootstrap.py: .venv/bin/python.
"""

import argparse
import json
import shutil
import sys
from html import escape
from pathlib import Path
from string import Template

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))  # PYTHONSAFEPATH leaves out a script's own folder

from children import SetupError, in_words
from freezing import measures
from places import ROOT, program_version

from gptstudio import settings
from gptstudio import settings_file as settings_content
from gptstudio.app.computer_check import lesson_faults
from gptstudio.i18n import ENGLISH, LANGUAGES

HERE = ROOT / "packaging" / "stick"
ON_LAPTOPS = "~/gptstudio-class"
"""Folder on the laptops for texts and lesson."""
KINDS = (".deb", ".run", ".AppImage", ".exe", ".dmg")
SYSTEMS = {"linux": "*.run", "windows": "*.exe", "macos": "*.dmg"}
"""Pattern of the installer that each system's script runs."""
SCRIPTS = ("install.sh", "install.cmd", "install.command")
NO_INSTALLERS = "# Settings, texts and lesson alone: this stick has no installers.\n"
"""First line of the checksums of a stick without installers; sha256sum and shasum skip it."""
OWN = ("installers", "class", "results", "settings.toml", "START.html", "SHA256SUMS", *SCRIPTS)


@in_words
def main(argv: list[str]) -> int:
    options = read_arguments(argv)
    folders = [] if options.without_installers else [path.resolve() for path in options.installers]
    make(options.stick.resolve(), options.settings.resolve(), folders)
    print(f"{options.stick}: {measures.size_of(options.stick) / measures.MB:.1f} MB. Its start page is START.html.")
    return 0


def read_arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stick", type=Path, metavar="STICK", help="the folder of the stick")
    parser.add_argument("--settings", type=Path, required=True, help="the settings of the class")
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--installers", type=Path, nargs="+", default=[ROOT / "dist"], help="folders with installers")
    either.add_argument("--without-installers", action="store_true",
                        help="only settings, texts and lesson, for laptops that have the program")
    return parser.parse_args(argv)


def make(stick: Path, settings_file: Path, installers: list[Path]) -> None:
    """Write everything to the stick, the checksums last.

    Args:
        installers: folders with installers; none for a stick with only settings, texts and lesson.

    Raises:
        SetupError: the settings have faults, there is no installer, or the folder contains other files.
    """
    found = settings.load(settings_file)
    if faults := sorted((*found.faults, *found.missing_paths(), *lesson_faults(found))):
        raise SetupError("\n".join([f"{settings_file} contains errors:", *(str(fault.message()) for fault in faults)]))
    files = sorted(file for folder in installers for file in folder.glob("gptstudio[-_]*") if file.suffix in KINDS)
    if installers and not files:
        raise SetupError(f"There is no installer in {', '.join(map(str, installers))}: packaging/build.py builds them. "
                         "For laptops that have the program, use --without-installers.")
    clear(stick)
    for file in files:
        shutil.copyfile(file, folder(stick / "installers") / file.name)
    folder(stick / "results")
    copy_class(found, stick / "class")
    (stick / "settings.toml").write_text(class_settings(found, handed_in_to(settings_file)), encoding="utf-8")
    for script in SCRIPTS:
        lines = "\r\n" if script.endswith(".cmd") else "\n"
        (stick / script).write_text((HERE / script).read_text(encoding="utf-8"), encoding="utf-8", newline=lines)
    (stick / "START.html").write_text(start_page(found.language, [file.name for file in files]), encoding="utf-8")
    written = (path for path in stick.rglob("*") if path.is_file() and path.relative_to(stick).parts[0] in OWN)
    sums = "".join(f"{measures.sha256(path)}  {path.relative_to(stick).as_posix()}\n" for path in sorted(written))
    (stick / "SHA256SUMS").write_text(("" if files else NO_INSTALLERS) + sums, encoding="utf-8")


def clear(stick: Path) -> None:
    """Remove the files of an earlier call.

    Raises:
        SetupError: there is another file with one of these names.
    """
    if not (stick / "SHA256SUMS").exists() and (there := [name for name in OWN if (stick / name).exists()]):
        raise SetupError(f"{stick / there[0]} already exists and was not created by this script. Choose an empty "
                         "folder.")
    for name in OWN:
        if (path := stick / name).is_dir() and name != "results":  # results that were handed in are kept
            shutil.rmtree(path)
        elif path.is_file():
            path.unlink()


def folder(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    return path


def copy_class(found: settings.Settings, target: Path) -> None:
    """Copy the texts (.txt and .md) and the lesson that the settings refer to."""
    if found.texts:
        for file in (path for path in found.texts.iterdir() if path.suffix in (".txt", ".md") and path.is_file()):
            shutil.copyfile(file, folder(target / "texts") / file.name)
    if Path(found.lesson).is_absolute():
        shutil.copyfile(found.lesson, folder(target) / Path(found.lesson).name)


def handed_in_to(settings_file: Path) -> str:
    """Return the folder for handing in, as written: a relative path or ~ means a different folder on each laptop."""
    return settings_content.read(settings_file.read_bytes())[0].hand_in


def class_settings(found: settings.Settings, hand_in: str) -> str:
    """Return the settings file for the laptops. JSON's strings and lists are also valid TOML."""
    lesson = f"{ON_LAPTOPS}/{Path(found.lesson).name}" if Path(found.lesson).is_absolute() else found.lesson
    values = {"language": found.language, "lesson": lesson, "texts": f"{ON_LAPTOPS}/texts" if found.texts else "",
              "hand_in": hand_in, "train": found.train, "reset": found.reset, "lock": list(found.lock),
              "hide": list(found.hide), "releases": found.releases}
    return "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items() if value)


def start_page(language: str, installers: list[str]) -> str:
    """Return the start page with instructions, beginning with the language of the class."""
    none = "–" if installers else ""
    ours = {system: next((escape(name) for name in installers if Path(name).match(kind)), none)
            for system, kind in SYSTEMS.items()}
    kind = "install" if installers else "settings"
    first, *_ = order = sorted(LANGUAGES, key=lambda each: each != (language or ENGLISH))
    about = {each: filled(f"{kind}.{each}.html", version=program_version()) for each in order}
    texts = {each: filled(f"start.{each}.html", version=program_version(), about=about[each], **ours) for each in order}
    sections = (f'<section lang="{each.replace("_", "-")}">\n{text}</section>' for each, text in texts.items())
    return filled("start.html", language=first.replace("_", "-"), sections="\n".join(sections))


def filled(template: str, **values: str) -> str:
    return Template((HERE / template).read_text(encoding="utf-8")).substitute(values)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
