"""``audit list``: the libraries, their pinned versions, and whether their environments are built."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recsys_metric_audit.audit.cli.shared.library_choice import all_libraries
from recsys_metric_audit.audit.cli.shared.options import Adapters
from recsys_metric_audit.audit.cli.shared.safe_text import show

if TYPE_CHECKING:
    from recsys_metric_audit.audit.libraries.manifest import Manifest

_HEADINGS = ("library", "version", "python", "environment", "functions")


class Format(StrEnum):
    """The formats of the list."""

    text = "text"
    json = "json"


def list_(
    form: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.text,
    adapters: Adapters = None,
) -> None:
    """List libraries, versions and their environments.

    An environment is ready (built), missing (the next run builds it), without a lock or with a bad one (run
    `audit lock`), or unavailable (it cannot be installed). Slow versions and versions that are not usual run only with
    `audit run --all`, or if they are named.

    \b
    Examples:
      audit list
      audit list --format json
    """
    manifests = all_libraries(adapters)
    if form is Format.json:
        show(json.dumps([_entry(manifest) for manifest in manifests.values()], indent=1, ensure_ascii=False))
    else:
        show("\n".join(_lines(list(manifests.values()))))


def _entry(manifest: Manifest) -> dict[str, Any]:
    from recsys_metric_audit.audit.environments.environment import state

    return {
        "library": manifest.name,
        "title": manifest.title,
        "about": manifest.about,
        "homepage": manifest.homepage,
        "functions": [function.name for function in manifest.functions],
        "versions": [
            {
                "version": version.version,
                "python": version.python,
                "environment": state(manifest, version),
                "usual": version.usual,
                "heavy": version.heavy,
                "unavailable": version.unavailable,
            }
            for version in manifest.versions
        ],
    }


def _lines(manifests: list[Manifest]) -> list[str]:
    from recsys_metric_audit.audit.environments.environment import state

    rows = [_HEADINGS]
    for manifest in manifests:
        for version in manifest.versions:
            count = str(len(manifest.functions_of(version)))
            rows.append((manifest.name, version.version, version.python, state(manifest, version), count))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip() for row in rows]
