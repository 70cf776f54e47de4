"""The syntax trees of the program's files, each read once for all tests that use them."""

import ast
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "gptstudio"


@cache
def trees() -> dict[Path, ast.Module]:
    """Return the tree of each file."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")}


@cache
def nodes() -> dict[Path, list[ast.AST]]:
    """Return all nodes of each tree, by file."""
    return {path: list(ast.walk(tree)) for path, tree in trees().items()}
