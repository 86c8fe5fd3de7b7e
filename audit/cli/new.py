"""``audit new``: a first adapter of a package, written from the functions that are found in it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from recsys_metric_audit.audit.cli.shared.options import Timeout
from recsys_metric_audit.audit.cli.shared.safe_text import say


class Like(StrEnum):
    """Holds the forms in which functions of a library take recommendations and truth."""

    dicts = "dicts"
    frames = "frames"
    matrix = "matrix"
    tensors = "tensors"
    per_list = "per-list"
    model = "model"


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The library's name here, and its folder's.")],
    package: Annotated[str, typer.Option(metavar="P", help="The package to install.")],
    like: Annotated[
        Like,
        typer.Option(
            help="What its functions take: dictionaries by user and item, data frames, a matrix of all users and "
            "items, flat tensors, one user's lists, or a model."
        ),
    ],
    to: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of adapters to write in. Default: that of this checkout.")
    ] = None,
    version: Annotated[str | None, typer.Option(metavar="N", help="The release. Default: the newest.")] = None,
    python: Annotated[str, typer.Option(metavar="X.Y", help="The Python to run it with.")] = "3.11",
    requires: Annotated[
        list[str] | None, typer.Option(metavar="REQ", help="What else it needs, such as 'numpy<2'. Can be repeated.")
    ] = None,
    builds: Annotated[
        str | None,
        typer.Option(metavar="WHY", help="Why its authors' code may run to build it. Default: wheels only."),
    ] = None,
    call: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METRIC=EXPRESSION",
            help="How a metric is called, for a package whose functions are not named after metrics. The expression "
            "reads `truth`, `shown` and `k`; of one user's lists `relevant` and `recommended`, of tensors `target` and "
            "`preds`. A dictionary by user that it gives holds the values of users. Can be repeated.",
        ),
    ] = None,
    timeout: Timeout = 120.0,
) -> None:
    """Write a first adapter of a package.

    Locks and installs the package's newest release, finds the functions in it that are named after a metric, writes
    library.toml, lock and adapter.py, and tries every function on ten plain cases. Functions that give no number are
    listed in library.toml as out of scope, with what they said; tell how they are called with --call, or change
    adapter.py and look again with `audit try NAME`. Say in library.toml what the documentation claims. Nothing is
    written where anything fails.

    \b
    Examples:
      audit new ranx --package ranx --like dicts --call 'map=ranx.evaluate(ranx.Qrels(truth), ranx.Run(shown), "map")'
      audit new mine --package my-metrics --like per-list --requires 'numpy<2'
    """
    from recsys_metric_audit.audit.authoring.new_adapter import NewLibrary, write_new_adapter
    from recsys_metric_audit.audit.authoring.trial_text import trial_lines
    from recsys_metric_audit.audit.libraries.discovery import adapters_dir

    wanted = NewLibrary(name, package, like.value, to or adapters_dir(), python, version, tuple(requires or ()), builds,
                        tuple(call or ()))  # fmt: skip
    written = write_new_adapter(wanted, timeout, lambda step: say(f"  {step}", err=True))
    folder = written.manifest.folder
    say("\n".join([*trial_lines(written.trial), ""]))
    say(f"Written: {folder / 'library.toml'}, {folder / 'adapter.py'}, its lock")
    more = "" if to is None else f" --adapters {to}"
    say(f"Next:    mend adapter.py, then audit try {name}{more}")
    say(f"         audit run -l {name} --dataset synthetic{more}")
