"""Draw the map of packages in the README of gptstudio, each with the packages that it imports.

    python packaging/package_map.py
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "gptstudio"
README = PACKAGE / "README.md"
BEGIN, END = "<!-- packages -->", "<!-- end of packages -->"
PAGES = {"generate", "learn", "runs", "texts", "train", "weights", "help"}
PARTS = {"charts", "forms", "plots", "canvas", "widgets"}
WINDOW, SHARED, LOWER, BASE = (f"gui: {names}" for names in (
    "window, app", "locks, welcome", "actions, save_as", "theme, translation"))
SMALL = "small modules"

Graph = dict[str, set[str]]


def main() -> None:
    before, rest = README.read_text(encoding="utf-8").split(BEGIN)
    README.write_text(f"{before}{BEGIN}\n\n{drawing()}\n\n{END}{rest.split(END)[1]}", encoding="utf-8")


def drawing() -> str:
    """Return one line for each package with its imports, importers first; imports of an imported package are
    omitted."""
    graph = packages(imports_by_module())
    order = list(TopologicalSorter(graph).static_order())[::-1]
    longest = max(map(len, graph))
    lines = [
        f"    {name:<{longest}}  ->  {', '.join(sorted(direct(graph, name), key=order.index))}"
        for name in order if graph[name]
    ]
    return "\n".join(lines)


def imports_by_module() -> Graph:
    """Return the imports of each module of the package, as modules of the package, at the time of loading."""
    files = {_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}
    return {
        module: {found for name in _imported(path) if (found := _module(name, files)) and found != module}
        for module, path in files.items()
    }


def packages(modules: Graph) -> Graph:
    """Return the packages that each package imports. The modules in the window's folder form four groups: those above
    the pages, those shared by pages, those needed by charts and forms, and those needed by all widgets."""
    single = {name for name in modules if name.startswith("gptstudio.gui.") and name.count(".") == 2 and not (
        _is_package(name))}
    inside = {name: {below for below in _below(modules, name) if below.startswith("gptstudio.gui.")} for name in single}
    needed = {below for name in modules if _part(name) in PARTS for below in _below(modules, name)}
    place = {
        name: WINDOW if any(_part(each) in PAGES for each in inside[name])
        else BASE if not inside[name] - single else LOWER if name in needed else SHARED
        for name in single
    } | {"gptstudio.__main__": WINDOW, "gptstudio.gui": BASE}
    graph: Graph = {}
    for name, imported in modules.items():
        own = place.get(name) or _package(name)
        graph.setdefault(own, set()).update({place.get(each) or _package(each) for each in imported} - {own})
    return graph


def direct(graph: Graph, name: str) -> set[str]:
    """Return the imported packages that no other imported package imports, directly or indirectly."""
    return graph[name] - {below for each in graph[name] for below in _below(graph, each)}


def _below(graph: Graph, name: str) -> set[str]:
    """Return everything that a module or package imports, directly or indirectly."""
    found: set[str] = set()
    new = graph[name]
    while new:
        found |= new
        new = {below for each in new for below in graph[each]} - found
    return found


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _imported(path: Path) -> Iterable[str]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)


def _module(name: str, files: dict[str, Path]) -> str | None:
    """Return the module with an imported name, or the module that contains it."""
    return next((each for each in (name, name.rpartition(".")[0]) if each in files), None)


def _is_package(name: str) -> bool:
    return (ROOT / name.replace(".", "/")).is_dir()


def _part(name: str) -> str:
    """Return the package of the window that contains a module, or the module's name if there is none."""
    return name.split(".")[2] if name.startswith("gptstudio.gui.") else ""


def _package(name: str) -> str:
    parts = name.split(".")[1:]
    if not parts or (len(parts) == 1 and not _is_package(name)):
        return "api" if parts == ["api"] else SMALL
    return "/".join(parts[:2]) if parts[0] == "gui" else parts[0]


if __name__ == "__main__":
    main()
