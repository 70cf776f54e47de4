#!/usr/bin/env python3
"""Contents of the frozen program and their licences: versions, SHA-256 and the texts of the licences.

    python packaging/notices.py WORK APP NOTICES.txt     (by the Python of the environment that was frozen)

WORK contains PyInstaller's lists of the included files and their sources; only these files are listed. Python packages
state their licences in their metadata, which includes the texts as files. All of them are copied (almost a hundred for
torch alone), which is why this does not use one of the tools that take only the first text of each package. Debian
packages have theirs in /usr/share/doc.
"""

import ast
import hashlib
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import Distribution, distributions
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))  # PYTHONSAFEPATH leaves out a script's own folder

from children import call
from freezing.measures import sha256
from places import ROOT, program_version

from gptstudio.app.about import licence_of

LISTS = ("PYZ-*.toc", "COLLECT-*.toc", "EXE-*.toc")
LICENCE_FILE = re.compile(r"(licen[cs]e|copying|notice|authors|copyright)", re.I)
BOOT_LOADER = "pyinstaller"
"""Name of PyInstaller, whose bootloader is part of the program."""
RULE = "=" * 100
HEAD = """\
GPT Studio {version}: what is inside, with versions, licences and SHA-256

GPT Studio itself is under the MIT licence, below. What it is built of keeps its own licences.
The SHA-256 of a package is that of the list of its files here, one `SHA-256  name` a line, sorted by name: of compiled
modules as they lie in this program, of others as their source was. The SHA-256 of each library stands at the end.
Qt and PySide6 are used under the LGPL, version 3: they lie in this program as shared libraries of their own, which may
be replaced by others that fit; their source is at https://download.qt.io/official_releases/QtForPython/.
"""


@dataclass
class Part:
    """Part of the program: a Python package, a Debian package, or Python itself."""

    name: str
    version: str = ""
    licence: str = ""
    ecosystem: str = "generic"  # type in its package URL: pypi, deb or generic
    texts: dict[str, str] = field(default_factory=dict)  # texts of its licences, by name
    files: dict[str, Path] = field(default_factory=dict)  # original files, by their names in the program

    @property
    def title(self) -> str:
        return f"{self.name} {self.version}".strip()

    def sha256(self) -> str:
        lines = (f"{sha256(file)}  {name}\n" for name, file in sorted(self.files.items()))
        return hashlib.sha256("".join(lines).encode()).hexdigest()


def main(argv: list[str]) -> int:
    work, app, target = map(Path, argv)
    target.write_text(notices(taken(work), app, list(distributions())), encoding="utf-8")
    return 0


def taken(work: Path) -> dict[str, Path]:
    """Return the original paths of all files that PyInstaller included, by their names in the program."""
    found: dict[str, Path] = {}
    for pattern in LISTS:
        for toc in work.glob(pattern):
            found |= {name: Path(file) for name, file in _entries(ast.literal_eval(toc.read_text(encoding="utf-8")))}
    return found


def _entries(toc: object) -> Iterator[tuple[str, str]]:
    """Yield name and file of each tuple (name, file, kind) in nested lists."""
    if isinstance(toc, tuple) and len(toc) == 3 and all(isinstance(part, str) for part in toc):
        if toc[2] not in ("SYMLINK", "OPTION", "PYZ", "PKG") and Path(toc[1]).is_absolute():
            yield toc[0], toc[1]
    elif isinstance(toc, (list, tuple)):
        for part in toc:
            yield from _entries(part)


def notices(files: dict[str, Path], app: Path, known: list[Distribution]) -> str:
    """Return the text of NOTICES.txt.

    Args:
        files: included files, from :func:`taken`.
        app: folder of the program, with the libraries to list.
        known: packages of the environment.
    """
    parts = parts_of(files, known)
    texts: dict[str, str] = {}  # each is printed once, since many packages have the same
    lines = [HEAD.format(version=program_version()), "Contents", ""]
    lines += [f"  {part.title:<48} {part.licence}" for part in parts]
    for part in parts:
        lines += ["", RULE, part.title, f"Licence: {part.licence or 'see its words below'}"]
        lines += [f"SHA-256: {part.sha256()}  ({len(part.files):,} files)"] if part.files else []
        for name, text in part.texts.items():
            first = texts.setdefault(" ".join(text.split()), f"{part.title}, {name}")
            here = first == f"{part.title}, {name}"
            lines += ["", f"--- {name}", text.strip() if here else f"The same words as: {first}"]
    lines += ["", RULE, "SHA-256 of each library in this program", ""]
    return "\n".join([*lines, *libraries(app), ""])


def parts_of(files: dict[str, Path], known: list[Distribution]) -> list[Part]:
    """Return the parts to which these files belong: GPT Studio, Python, its packages, and system packages."""
    owners = {path: each for each in known for path in _files_of(each)}
    taken_of: dict[Distribution, dict[str, Path]] = {each: {} for each in known if each.name.lower() == BOOT_LOADER}
    rest: dict[str, Path] = {}
    for name, file in files.items():
        owner = owners.get(_real(file))
        (rest if owner is None else taken_of.setdefault(owner, {}))[name] = file
    packages = [package(each, theirs) for each, theirs in taken_of.items() if each.name != "gptstudio"]
    home = Path(sys.base_prefix).resolve()
    python = {name: file for name, file in rest.items() if file.resolve().is_relative_to(home)}
    system = {name: file for name, file in rest.items() if name not in python and ".so" in file.suffixes}
    return [ours(), python_itself(python), *sorted(packages, key=lambda part: part.name.lower()), *of_system(system)]


def ours() -> Part:
    """Return GPT Studio with the texts that it includes."""
    texts = {"LICENSE": ROOT / "LICENSE", "GPT-2's vocabulary": ROOT / "resources" / "gpt2" / "NOTICE"}
    there = {name: _read(file) for name, file in texts.items() if file.is_file()}
    part = Part("GPT Studio", program_version(), "MIT", texts=there)
    part.texts["The Verdict"] = (
        "resources/texts/the-verdict.txt is Edith Wharton's story of 1908, as Wikisource has it. It is in the public "
        "domain."
    )
    part.texts["The Late Bell"] = "resources/texts/story.txt was written for GPT Studio, and is under its licence."
    part.texts["Two tales of the Brothers Grimm"] = (
        "resources/texts/grimm.txt has the tales Hänsel und Gretel and Die Bremer Stadtmusikanten (KHM 15 and 27) by "
        "Jacob Grimm (1785-1863) and Wilhelm Grimm (1786-1859), from the seventh edition of Kinder- und Hausmärchen "
        "(Göttingen, 1857) as Wikisource has it, with later spelling and punctuation. They are in the public domain: "
        "their authors died more than 70 years ago, and they were published before 1931."
    )
    part.texts["Two stories by Lu Xun"] = (
        "resources/texts/luxun.txt has the stories Kong Yiji (孔乙己, 1919) and Hometown (故乡, 1921) by Lu Xun "
        "(鲁迅, 1881-1936), published in Nahan (呐喊, Beijing, 1923), in simplified characters. They are in the public "
        "domain: their author died more than 70 years ago, and they were published before 1931."
    )
    return part


def python_itself(files: dict[str, Path]) -> Part:
    """Return the Python interpreter and its standard library."""
    places = (Path(sysconfig.get_path("stdlib")) / "LICENSE.txt", Path(sys.base_prefix) / "LICENSE.txt")
    text = next((_read(place) for place in places if place.is_file()), "https://docs.python.org/3/license.html")
    return Part("Python", sys.version.split()[0], "PSF-2.0", texts={"LICENSE.txt": text}, files=files)


def package(found: Distribution, files: dict[str, Path]) -> Part:
    """Return a Python package with the facts from its metadata."""
    part = Part(found.name, found.version, licence_of(found), "pypi", files=files)
    for file in found.files or []:
        place = Path(str(found.locate_file(file)))
        if ".dist-info" in str(file) and LICENCE_FILE.match(place.name) and place.is_file():
            part.texts[re.sub(r"^.*?\.dist-info/(licenses/)?", "", file.as_posix())] = _read(place)
    if not part.texts:
        part.texts |= {place.name: _read(place) for place in common_texts(part.licence)}
    return part


def common_texts(licence: str) -> list[Path]:
    """Return the texts of a licence of the Free Software Foundation, for a package without licence texts."""
    names = [name for name in ("LGPL-3", "GPL-3") if f"{name}.0" in licence]
    names += ["GPL-3"] if names == ["LGPL-3"] else []  # the LGPL is an addition to the GPL
    return [place for place in (ROOT / "packaging" / "licences" / f"{name}.txt" for name in names) if place.is_file()]


def of_system(files: dict[str, Path]) -> list[Part]:
    """Return the system packages of these libraries; on systems other than Debian, the libraries themselves."""
    debian, found = debian_packages(files.values()), dict[str, Part]()
    for name, file in sorted(files.items()):
        owner = debian.get(file)
        part = found.setdefault(owner or name, _debian_part(owner) if owner else Part(name, licence="of the system"))
        part.files[name] = file
    return [found[name] for name in sorted(found)]


def debian_packages(files: Iterable[Path]) -> dict[Path, str]:
    """Return the system package of each file, as far as known."""
    names = {str(name): file for file in files for name in (file, file.resolve(), Path("/", *file.parts[2:]))}
    lines = _ask("dpkg", "-S", *names).splitlines()  # /usr/lib is the same as /lib, and dpkg knows only one of them
    pairs = (line.rsplit(": ", 1) for line in lines if ": " in line)
    return {names[name]: owner.partition(",")[0].partition(":")[0] for owner, name in pairs if name in names}


def _debian_part(name: str) -> Part:
    part = Part(name, _ask("dpkg-query", "-W", "-f", "${Version}", name).strip(), ecosystem="deb")
    file = Path("/usr/share/doc") / name / "copyright"
    if file.is_file():
        part.texts["copyright"] = _read(file)
        kinds = dict.fromkeys(re.findall(r"^License: (\S.*)$", part.texts["copyright"], re.MULTILINE))
        part.licence = ", ".join(kinds)[:120]
    return part


def libraries(app: Path) -> Iterable[str]:
    """Yield each library of the program with its SHA-256, in the format of ``sha256sum --check``."""
    for file in sorted(app.rglob("*")):
        if file.is_file() and not file.is_symlink() and {".so", ".dll", ".dylib", ".pyd"} & set(file.suffixes):
            yield f"{sha256(file)}  {file.relative_to(app).as_posix()}"


def _files_of(found: Distribution) -> Iterator[Path]:
    for file in found.files or []:
        yield _real(Path(str(found.locate_file(file))))


def _real(file: Path) -> Path:
    """Return a file with its folder resolved, since environments contain symbolic links."""
    return _folder(file.parent) / file.name


@cache
def _folder(folder: Path) -> Path:
    return folder.resolve()


def _ask(*command: str) -> str:
    try:
        return call(*command).stdout
    except OSError:  # not Debian
        return ""


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
