"""``audit list``: which libraries and versions there are, and whether their environments stand."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from audit.cli.options import Adapters, registry

if TYPE_CHECKING:
    from audit.libraries.manifest import Manifest

_HEADINGS = ("library", "version", "python", "environment", "functions")


class Format(StrEnum):
    """How the list is printed."""

    text = "text"
    json = "json"


def show(
    form: Annotated[Format, typer.Option("--format", help="For people or for programs.")] = Format.text,
    adapters: Adapters = None,
) -> None:
    """List libraries, versions, and the state of their environments.

    ready: built; missing: will be built by the next run; no lock, bad lock: needs `audit lock`; unavailable:
    cannot be installed. Heavy ones are audited by `audit run --all` or when named.

    \b
    Examples:
      audit list
      audit list --format json
    """
    manifests = registry(adapters)
    if form is Format.json:
        typer.echo(json.dumps([_entry(manifest) for manifest in manifests.values()], indent=1, ensure_ascii=False))
    else:
        typer.echo("\n".join(_lines(list(manifests.values()))))


def _entry(manifest: Manifest) -> dict[str, Any]:
    from audit.environments.environment import state

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
    from audit.environments.environment import state

    rows = [_HEADINGS]
    for manifest in manifests:
        for version in manifest.versions:
            count = str(len(manifest.functions_of(version)))
            rows.append((manifest.name, version.version, version.python, state(manifest, version), count))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip() for row in rows]
