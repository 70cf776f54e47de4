"""The syntax trees of the program's files, each read once for all tests that look at them."""

import ast
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "gptstudio"


@cache
def trees() -> dict[Path, ast.Module]:
    """By file."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")}


@cache
def nodes() -> dict[Path, list[ast.AST]]:
    """All of each tree, by file."""
    return {path: list(ast.walk(tree)) for path, tree in trees().items()}
