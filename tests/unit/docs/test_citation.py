"""CITATION.cff names the version and the licence of the package, and the sources that the catalogue cites."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from recsys_metric_audit.reference.catalogue.bibliography import TAMM

ROOT = Path(__file__).parents[3]
CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def field(name: str) -> str:
    found = re.search(rf"^{name}: (.+)$", CITATION, re.MULTILINE)
    assert found is not None, name
    return found[1].strip('"')


def test_version_licence_and_title_are_those_of_the_package() -> None:
    assert (field("version"), field("license")) == (PROJECT["version"], PROJECT["license"])
    assert field("title").startswith(PROJECT["name"])
    assert field("cff-version") == "1.2.0"


def test_the_paper_is_the_one_that_the_catalogue_cites() -> None:
    assert TAMM.title in CITATION and TAMM.link.removeprefix("https://doi.org/") in CITATION
