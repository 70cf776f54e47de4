"""Find the libraries that are still linked to after files found by PyInstaller were left out."""

from collections.abc import Callable, Iterable
from pathlib import PurePath

Entry = tuple[str, str, str]  # name in the program's folder, original file, kind
LINK = "SYMLINK"


def linked(entries: list[Entry], imports: Callable[[str], Iterable[tuple[str, str | None]]]) -> list[Entry]:
    """Return the entries without the shared libraries to which nothing links any more.

    Args:
        imports: returns names and files of the libraries that a file links to, like PyInstaller's ``get_imports``.
    """
    by_name = {PurePath(entry[0]).name: entry for entry in entries if entry[2] != LINK and _is_linked_to(entry)}
    kept = {entry for entry in entries if not _is_linked_to(entry)}
    waiting = [entry for entry in kept if entry[2] in ("BINARY", "EXTENSION")]
    while waiting:
        _, file, _ = waiting.pop()
        for name, _ in imports(file):
            entry = by_name.pop(PurePath(name).name, None)
            if entry:
                kept.add(entry)
                waiting.append(entry)
    names = {PurePath(entry[0]).name for entry in kept}
    return [entry for entry in entries if entry in kept or (entry[2] == LINK and PurePath(entry[0]).name in names)]


def _is_linked_to(entry: Entry) -> bool:
    """Return whether a library is needed only if another links to it: on Linux, Qt's and the system's libraries.

    Python's is opened by name, extension modules are imported, and torch opens some of its own; on other systems,
    little would be saved.
    """
    path = PurePath(entry[0])
    if entry[2] == "EXTENSION" or ".so" not in path.suffixes or path.name.startswith("libpython"):
        return False
    return len(path.parts) == 1 or path.parts[:-1] == ("PySide6", "Qt", "lib")
