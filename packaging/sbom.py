#!/usr/bin/env python3
"""Write the bill of materials of the frozen program: CycloneDX 1.6, JSON (ECMA-424).

    python packaging/sbom.py WORK TARGET     (by the Python of the environment that was frozen)

The parts are the same as in ``notices.py``, with name, version, licence, and the SHA-256 from NOTICES.txt. CycloneDX's
own library writes them, so that the file follows its schema. Its content does not depend on where it was made.
"""

import platform
import sys
import uuid
from collections.abc import Iterable
from importlib.metadata import distributions
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))  # PYTHONSAFEPATH leaves out a script's own folder

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense, License
from cyclonedx.output.json import JsonV1Dot6
from notices import Part, parts_of, taken
from packageurl import PackageURL
from places import released


def main(argv: list[str]) -> int:
    work, target = map(Path, argv)
    target.write_text(bill(parts_of(taken(work), list(distributions()))), encoding="utf-8")
    return 0


def bill(parts: Iterable[Part]) -> str:
    """Return the bill of materials as JSON.

    Args:
        parts: GPT Studio first, then the parts that it is built from.
    """
    first, *rest = parts
    ours, others = component(first), [component(part) for part in rest]
    made = Bom(components=others, metadata=BomMetaData(component=ours, timestamp=released()))
    made.register_dependency(ours, others)
    content = "\n".join(sorted(f"{each.bom_ref} {part.sha256()}" for each, part in zip(others, rest, strict=True)))
    made.serial_number = uuid.uuid5(uuid.NAMESPACE_URL, content)
    return str(JsonV1Dot6(made).output_as_string(indent=2)) + "\n"


def component(part: Part) -> Component:
    """Return a component with its package URL (purl), which advisories use as its name."""
    namespace = distribution() if part.ecosystem == "deb" else None
    url = PackageURL(part.ecosystem, namespace, part.name.lower().replace(" ", "-"), part.version or None)
    kind = ComponentType.APPLICATION if part.name == "GPT Studio" else ComponentType.LIBRARY
    hashes = [HashType(alg=HashAlgorithm.SHA_256, content=part.sha256())] if part.files else []
    licences: list[License] = [DisjunctiveLicense(name=part.licence)] if part.licence else []
    return Component(name=part.name, version=part.version or None, type=kind, bom_ref=str(url), purl=url, hashes=hashes,
                     licenses=licences)


def distribution() -> str:
    """Return the id of the Linux distribution, such as debian or ubuntu."""
    return platform.freedesktop_os_release()["ID"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
