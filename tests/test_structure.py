"""The structure of the package: no import cycles, and files, classes and functions that can be read at once."""

import ast
import runpy
from graphlib import CycleError, TopologicalSorter

from source_trees import PACKAGE, nodes

MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in PACKAGE.rglob("*.py")
}

LONGEST_FILE, MOST_METHODS, LONGEST_FUNCTION = 700, 40, 50

LONG_FUNCTIONS = {
    "theme._sheet": "a style sheet, which is one text",
    "memory.train_memory": "half of it is its description",
}
"""Exceptions, each with its reason. None that is no longer needed stays here."""


def by_name() -> dict[str, list[ast.AST]]:
    """Return the nodes of each module."""
    return {name: nodes()[path] for name, path in MODULES.items()}


def imported(found_nodes: list[ast.AST]) -> set[str]:
    """Return the modules of the package that a module imports, those for type checking included."""
    found = set()
    for node in found_nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    inside = {name for name in found & MODULES.keys() if "." in name}
    return {name for name in inside if not any(other.startswith(f"{name}.") for other in inside)}


def test_that_no_imports_form_a_cycle():
    graph = {name: imported(each) - {name} for name, each in by_name().items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" -> ".join(error.args[1])) from None


def test_that_no_file_is_too_long_to_read():
    lines = {name.removeprefix("gptstudio."): len(path.read_text(encoding="utf-8").splitlines())
             for name, path in MODULES.items()}
    assert {name for name, count in lines.items() if count > LONGEST_FILE} == set()


def test_that_no_class_has_too_many_methods():
    found = {
        node.name for each in by_name().values() for node in each
        if isinstance(node, ast.ClassDef)
        and sum(isinstance(part, ast.FunctionDef) for part in node.body) > MOST_METHODS
    }
    assert found == set()


def test_that_no_function_is_too_long():
    found = {
        f"{name.split('.')[-1]}.{node.name}" for name, each in by_name().items() for node in each
        if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno >= LONGEST_FUNCTION
    }
    assert found == LONG_FUNCTIONS.keys()


def test_that_the_drawing_of_the_packages_shows_their_imports():
    """`python packaging/package_map.py` draws it again."""
    drawing = runpy.run_path(str(PACKAGE.parent / "packaging" / "package_map.py"))["drawing"]
    assert drawing() in (PACKAGE / "README.md").read_text(encoding="utf-8")
