"""The conda recipe: it can be rendered, and it has the requirements of pyproject.toml."""

import re
import tomllib

from places import ROOT, program_version
from rattler_build import Stage0Recipe, VariantConfig

RECIPE = ROOT / "packaging" / "conda" / "recipe.yaml"
CONDA_NAMES = {"torch": "pytorch", "PySide6-Essentials": "pyside6"}


def bounds(requirement: str) -> tuple[str, frozenset[str]]:
    """Return the name and the limits of a requirement; ~=2.13.0 is >=2.13.0,<2.14."""
    name, limits = re.fullmatch(r"([\w.-]+)\s*(.*)", requirement).groups()
    if limits.startswith("~="):
        major, minor, _ = limits[2:].split(".")
        limits = f">={limits[2:]},<{major}.{int(minor) + 1}"
    return CONDA_NAMES.get(name, name).lower().replace("_", "-"), frozenset(limits.split(","))


def test_that_it_renders_and_has_the_requirements_of_the_wheel():
    (rendered,) = Stage0Recipe.from_file(str(RECIPE)).render(VariantConfig({"c_compiler": ["gcc"]}))
    recipe = rendered.recipe.to_dict()
    assert recipe["package"] == {"name": "gptstudio", "version": program_version()}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = {bounds(line) for line in [f"python {project['requires-python']}", *project["dependencies"]]}
    assert {bounds(line) for line in recipe["requirements"]["run"]} == asked
