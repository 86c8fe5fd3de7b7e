"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import typer

ADAPTERS = typer.Option(
    None,
    "--adapters",
    metavar="DIR",
    help="Folder with more adapters; they replace built-in ones of the same name. Can be repeated.",
)
CHOSEN = typer.Option(
    None,
    "-l",
    "--library",
    metavar="NAME[==VERSION]",
    help="Only this library or version. Can be repeated. Default: the usual versions of all libraries.",
)
EVERY = typer.Option(
    False, "--all", help="Every pinned version, also slow ones (Spark, TensorFlow). Ignored if -l is given."
)
JOBS = typer.Option(None, metavar="N", help="Libraries audited at a time. Default: the number of CPU cores.")
TIMEOUT = typer.Option(120.0, metavar="SECONDS", help="Time limit of one call of a library.")

SOURCES = typer.Option(
    None,
    "--source",
    metavar="NAME[==VERSION]=DIR",
    help="Folder from which a library is imported: its checkout, or its working tree. Can be repeated.",
)


GroupName = StrEnum("GroupName", ("frameworks", "metrics", "ranking", "search", "paper", "all"))
"""The groups of libraries that tables can show."""


GROUP = typer.Option(
    None,
    "--group",
    help="Libraries that the printed tables show. Default: recommender frameworks if the run is large, else all.",
)
RUN = typer.Option(
    None,
    "--from",
    metavar="DIR|FILE",
    help="Report folder or audit.json to read. Default: audit-report, else the run that comes with the tool.",
)
PREDICTIONS = typer.Option(None, metavar="FILE", help="Predictions, with columns user, item, score.")
TRUTH = typer.Option(None, metavar="FILE", help="Held-out items, with columns user, item and, if wanted, gain.")
TRAINING_ITEMS = typer.Option(None, metavar="FILE", help="Training items: columns user, item.")
THRESHOLD = typer.Option(None, metavar="GAIN", help="Gain from which an item counts as relevant. Default: 1.")
SCENARIOS = typer.Option(
    None,
    "--scenario",
    metavar="NAME",
    help="Evaluate under another protocol too: sampled:N, sampled_popular:N, leave_one_out, train_filtered,"
    " threshold:GAIN, users:N, or several joined by +. Can be repeated.",
)
SEEDS = typer.Option(None, "--seed", metavar="N", help="Seed of what scenarios draw. Can be repeated. Default: 1 to 5.")
DATASET_NAME = typer.Option(None, metavar="NAME", help="Data instead of files, as for audit run. Default: ml-100k.")
SHAPE = typer.Option(None, metavar="NAME", help="How a function is called: see audit identify -h. Default: recognised.")
PYTHON = typer.Option(
    None, metavar="PATH", help="The Python to run a function with; numpy must be installed there. Default: this one."
)
OUT_FILE = typer.Option(None, "--out", metavar="FILE", help="File to write. Default: printed.")

TextOrJson = StrEnum("TextOrJson", ("text", "json"))
TextMdOrJson = StrEnum("TextMdOrJson", ("text", "md", "json"))
AnyForm = StrEnum("AnyForm", ("text", "md", "latex", "csv", "parquet", "json", "html"))
FORM_TEXT_OR_JSON = typer.Option(TextOrJson.text, "--format", help="Output format.")
FORM_TEXT_MD_OR_JSON = typer.Option(TextMdOrJson.text, "--format", help="Output format.")
FORM_ANYTHING = typer.Option(AnyForm.text, "--format", help="Output format.")

REPORT_FOLDER = Path("audit-report")
"""Where ``audit run`` writes, and other commands look, unless told otherwise."""
