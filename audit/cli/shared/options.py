"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Adapters = Annotated[
    list[Path] | None,
    typer.Option(
        "--adapters",
        metavar="DIR",
        help="Folder with more adapters; they replace built-in ones of the same name. Can be repeated.",
    ),
]
Chosen = Annotated[
    list[str] | None,
    typer.Option(
        "-l",
        "--library",
        metavar="NAME[==VERSION]",
        help="Only this library or version. Can be repeated. Default: the usual versions of all libraries.",
    ),
]
Every = Annotated[
    bool,
    typer.Option("--all", help="Every pinned version, also slow ones (Spark, TensorFlow). Ignored if -l is given."),
]
Jobs = Annotated[
    int | None, typer.Option(metavar="N", help="Libraries audited at a time. Default: the number of CPU cores.")
]
Timeout = Annotated[float, typer.Option(metavar="SECONDS", help="Time limit of one call of a library.")]

Sources = Annotated[
    list[str] | None,
    typer.Option(
        "--source",
        metavar="NAME[==VERSION]=DIR",
        help="Folder with a checkout of a library that comes from a repository. Can be repeated.",
    ),
]
Run = Annotated[
    Path | None,
    typer.Option(
        "--from",
        metavar="DIR|FILE",
        help="Report folder or audit.json to read. Default: audit-report, else the run that comes with the tool.",
    ),
]
OutFile = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="File to write. Default: printed.")]

REPORT_FOLDER = Path("audit-report")
"""Where ``audit run`` writes, and other commands look, unless told otherwise."""
