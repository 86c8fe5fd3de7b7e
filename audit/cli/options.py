"""Options that several verbs share, and the libraries they choose."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from audit.libraries.manifest import Manifest, Version

Adapters = Annotated[
    list[Path] | None,
    typer.Option(
        "--adapters", metavar="DIR", help="More adapters; one replaces those of its name. May be given several times."
    ),
]
Chosen = Annotated[
    list[str] | None,
    typer.Option(
        "-l", "--library", metavar="NAME[==VERSION]", help="Only these; several times. Default: the usual versions."
    ),
]
Every = Annotated[
    bool, typer.Option("--all", help="Every version, heavy ones (Spark, TensorFlow) too, unless -l chooses.")
]
Jobs = Annotated[int | None, typer.Option(metavar="N", help="Libraries at a time. Default: one for each core.")]
Timeout = Annotated[float, typer.Option(metavar="S", help="Seconds that one ask may take.")]

Sources = Annotated[
    list[str] | None,
    typer.Option(
        "--source", metavar="NAME[==VERSION]=DIR", help="A checkout of a library from a repository; several times."
    ),
]


def registry(more: list[Path] | None) -> dict[str, Manifest]:
    """Every library by name: those that come with the tool, and those of the directories in ``more``.

    Raises :class:`~audit.errors.UserError` for a directory or a library.toml that is not as it must be.
    """
    from audit.libraries.discovery import adapters_dir, discover

    return discover([adapters_dir(), *(more or [])])


def choose(more: list[Path] | None, wanted: list[str] | None, every: bool) -> list[tuple[Manifest, Version]]:
    """The versions that ``wanted`` names; without it all that are usual and quick, or all with ``every``.

    Raises :class:`~audit.errors.UserError` for a library or version that is not there.
    """
    from audit.libraries.discovery import select

    chosen = select(registry(more), wanted or ())
    return [pair for pair in chosen if wanted or every or (pair[1].usual and _quick(*pair))]


def _quick(manifest: Manifest, version: Version) -> bool:
    """Whether what answers is not heavy: a replayed recording is not, whatever was recorded."""
    from audit.sources.checkout import fetched_folder

    if version.heavy is None:
        return True
    recorded = version.git is not None and manifest.recording_path(version).is_file()
    return recorded and not fetched_folder(manifest, version).exists()


def one(more: list[Path] | None, name: str) -> Manifest:
    """The library of that name; raises :class:`~audit.errors.UserError` where there is none, or a version is named."""
    from audit.libraries.discovery import select

    known = registry(more)
    return known[name] if name in known else select(known, [name])[0][0]
