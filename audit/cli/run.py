"""``audit run``: audit libraries on one dataset and write the report."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.cli.group import NOT_AUDITED
from audit.cli.options import Adapters, Chosen, Every, Jobs, Sources, Timeout, choose

LOG = 12
"""Lines of a failed attempt that are printed; the report has more."""

if TYPE_CHECKING:
    from audit.run import Request
    from reports.model.result import Result


def run(
    context: typer.Context,
    libraries: Chosen = None,
    every: Every = False,
    dataset: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="ml-100k (default), ml-100k:global, ml-20m, synthetic[:USERSxITEMS]."),
    ] = None,
    archive: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Your copy of ml-20m.zip, for --dataset ml-20m.")
    ] = None,
    predictions: Annotated[Path | None, typer.Option(metavar="FILE", help="Own data: user, item, score.")] = None,
    truth: Annotated[Path | None, typer.Option(metavar="FILE", help="Own data: user, item[, gain].")] = None,
    train: Annotated[Path | None, typer.Option(metavar="FILE", help="Own data: user, item.")] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            metavar="X", help="Own data: the gain from which an item is relevant, told to libraries that ask; 1."
        ),
    ] = None,
    recommender: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES",
            help="ease (default), itemknn, popular, random; several, with commas or each with the option: do libraries"
            " rank them alike?",
        ),
    ] = None,
    k: Annotated[list[int] | None, typer.Option("-k", metavar="N", help="Cut-off; several times. Default: 20.")] = None,
    jobs: Jobs = None,
    timeout: Timeout = 120.0,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the report goes.")] = Path("audit-report"),
    adapters: Adapters = None,
    source: Sources = None,
    canonical: Annotated[
        list[str] | None,
        typer.Option(metavar="METRIC=SIGNATURE", help="Hold a metric against this definition; several times."),
    ] = None,
    unpinned: Annotated[
        bool, typer.Option("--unpinned", help="Take a --source that is not the pinned commit; its row says so.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Ask libraries again what they answered before on the same input.")
    ] = False,
) -> None:
    """Audit libraries on one dataset and write the report.

    Tables are printed; audit.json, index.html and tables.md are written.

    Environments that are missing are built first; that needs a network once. What a library answered before is kept
    beside its environment, and asked again with --again only. Files are CSV, TSV (also .gz) or
    Parquet; ids are whole numbers or text.

    \b
    Examples:
      audit run
      audit run --all
      audit run -l rs_metrics -l recbole -k 5 -k 20
      audit run --dataset synthetic:2000x500 --jobs 1
      audit run --dataset ml-20m --archive ml-20m.zip
      audit run --recommender ease,itemknn,popular,random
      audit run --predictions p.csv --truth t.parquet --train r.csv --threshold 4
      audit run -l elliot --source elliot=checkouts/elliot
      audit run --canonical 'map=average_precision|denominator:r'
    """
    from audit.cli import inputs
    from audit.cli.report import print_tables
    from audit.process.protocol import Limits
    from audit.run import Request
    from audit.sources.given_folders import resolve
    from reports.renderers.report_folder import write_report

    ks = inputs.cutoffs(k or [20])
    workers = (os.cpu_count() or 1) if jobs is None else jobs
    inputs.positive("--jobs", workers)
    inputs.positive("--timeout", timeout)
    inputs.refuse_unwritable(out)
    held_against = inputs.canonical(canonical or [])
    chosen = tuple(choose(adapters, libraries, every))
    sources = resolve(inputs.sources(source or []), chosen, unpinned=unpinned)
    given = inputs.Files(predictions, truth, train, threshold)
    names = inputs.recommenders(",".join(recommender) if recommender else None, given)
    data = inputs.dataset(dataset, given, names[0] if names else None, archive)
    others = {name: inputs.dataset(dataset, given, name, archive).case for name in names[1:]}
    request = Request(
        chosen=chosen, dataset=data, ks=ks, jobs=workers, limits=Limits(seconds=timeout), command=context.obj,
        recommender=names[0] if names else "", others=others, sources=sources,
        canonical=held_against,
    )  # fmt: skip
    result = _audit(request, again=again)
    print_tables(result)
    written = write_report(result, out)
    _tell(result, out, written)
    hopeless = {(manifest.name, version.version) for manifest, version in chosen if version.unavailable}
    missed = [entry for entry in result.libraries if entry.status != "audited"]
    surprising = [entry for entry in missed if (entry.library, entry.version) not in hopeless]
    if (libraries and surprising) or len(missed) == len(result.libraries):
        raise typer.Exit(NOT_AUDITED)


def _audit(request: Request, *, again: bool) -> Result:
    """Run the audit with its progress in sight."""
    from rich.console import Console

    from audit.cli.progress import watch
    from audit.responders.choice import find_cached_responder, find_responder
    from audit.run import run

    data = request.dataset
    shape = data.shape
    typer.echo(
        f"{data.name}: {shape.users:,} users, {shape.items:,} items, {shape.pairs:,} relevant pairs, "
        f"{shape.rows:,} predicted rows",
        err=True,
    )
    for fact in data.facts:
        typer.echo(f"  {fact.text}", err=True)
    with watch(Console(stderr=True), len(request.chosen)) as progress:
        return run(request, progress, find_responder if again else find_cached_responder)


def _tell(result: Result, out: Path, written: tuple[Path, ...]) -> None:
    """Say what could not be audited, what was written, and what to type next."""
    for entry in result.libraries:
        if entry.status != "audited":
            typer.echo(f"\n{entry.library} {entry.version} is {entry.status}: {entry.reason}", err=True)
            typer.echo("".join(f"    {line}\n" for line in entry.log.strip().splitlines()[-LOG:]), err=True, nl=False)
        elif entry.caution:
            typer.echo(f"\n{entry.library} {entry.version}: {entry.caution}", err=True)
    typer.echo(f"\nWritten: {', '.join(map(str, written))}")
    typer.echo(f"Next:    open {shlex.quote(str(out / 'index.html'))} for the evidence behind every mark")
    typer.echo(f"         audit report {shlex.quote(str(out))} --format md   for a pull request; also latex, csv, ...")
    typer.echo(f"         audit compare OTHER {shlex.quote(str(out))}   what changed since another run")
