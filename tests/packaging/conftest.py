"""packaging/ is not a package, so that its scripts can be started where they are: this adds it to the path."""

import shutil
import sys
from pathlib import Path

import pytest
from installing import installer, package

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
sys.path.insert(0, str(PACKAGING))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A separate checkout, whose path has a space and an umlaut."""
    root = tmp_path / "Schöne Modelle" / "studio"
    shutil.copytree(PACKAGING, root / "packaging", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "pyproject.toml").write_text('[project]\ndependencies = ["torch~=2.13.0"]\n')
    return root


@pytest.fixture
def here(checkout: Path, monkeypatch) -> Path:
    """The same checkout, set as the project of the imported modules."""
    import bootstrap
    import environment

    monkeypatch.setattr(bootstrap, "ROOT", checkout)
    monkeypatch.setattr(environment, "ROOT", checkout)
    monkeypatch.setattr(environment, "VENV", checkout / ".venv")
    monkeypatch.setattr(environment, "STAMP", checkout / ".venv" / environment.STAMP.name)
    return checkout
