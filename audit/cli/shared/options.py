"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
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
        help="Folder from which a library is imported: its checkout, or its working tree. Can be repeated.",
    ),
]


GroupName = StrEnum("GroupName", ("frameworks", "metrics", "ranking", "search", "paper", "all"))
"""The groups of libraries that tables can show."""


Group = Annotated[
    GroupName | None,
    typer.Option(
        "--group",
        help="Libraries that the printed tables show. Default: recommender frameworks if the run is large, else all.",
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
Predictions = Annotated[Path | None, typer.Option(metavar="FILE", help="Predictions, with columns user, item, score.")]
Truth = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Held-out items, with columns user, item and, if wanted, gain.")
]
TrainingItems = Annotated[Path | None, typer.Option(metavar="FILE", help="Training items: columns user, item.")]
Threshold = Annotated[
    float | None, typer.Option(metavar="GAIN", help="Gain from which an item counts as relevant. Default: 1.")
]
Scenarios = Annotated[
    list[str] | None,
    typer.Option(
        "--scenario",
        metavar="NAME",
        help="Evaluate under another protocol too: sampled:N, sampled_popular:N, leave_one_out, train_filtered,"
        " threshold:GAIN, users:N, or several joined by +. Can be repeated.",
    ),
]
Seeds = Annotated[
    list[int] | None,
    typer.Option("--seed", metavar="N", help="Seed of what scenarios draw. Can be repeated. Default: 1 to 5."),
]
DatasetName = Annotated[
    str | None, typer.Option(metavar="NAME", help="Data instead of files, as for audit run. Default: ml-100k.")
]
Shape = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="How a function is called: see audit identify -h. Default: recognised."),
]
Python = Annotated[
    Path | None,
    typer.Option(
        metavar="PATH", help="The Python to run a function with; numpy must be installed there. Default: this one."
    ),
]
OutFile = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="File to write. Default: printed.")]

TextOrJson = StrEnum("TextOrJson", ("text", "json"))
TextMdOrJson = StrEnum("TextMdOrJson", ("text", "md", "json"))
AnyForm = StrEnum("AnyForm", ("text", "md", "latex", "csv", "parquet", "json", "html"))
OUTPUT_FORMAT = typer.Option("--format", help="Output format.")
FormTextOrJson = Annotated[TextOrJson, OUTPUT_FORMAT]
FormTextMdOrJson = Annotated[TextMdOrJson, OUTPUT_FORMAT]
FormAnything = Annotated[AnyForm, OUTPUT_FORMAT]

REPORT_FOLDER = Path("audit-report")
"""Where ``audit run`` writes, and other commands look, unless told otherwise."""
