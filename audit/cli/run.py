"""``audit run`` and ``audit reproduce``: ask libraries, and write the report or a script that shows a difference."""

from __future__ import annotations

import shlex
import tempfile
import textwrap
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from recsys_metric_audit.audit.cli.shared import inputs, options, output
from recsys_metric_audit.audit.cli.shared.output import said_while
from recsys_metric_audit.audit.errors import UserError

if TYPE_CHECKING:
    from recsys_metric_audit.audit.data.dataset import Dataset
    from recsys_metric_audit.audit.libraries.function import Function
    from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
    from recsys_metric_audit.audit.process.sandbox import SandboxKind
    from recsys_metric_audit.audit.run import Request
    from recsys_metric_audit.reports.model.result import Finding, Result


SandboxName = StrEnum("SandboxName", ("bwrap",))
"""Names the walls that can stand around a library."""


_LOG_LINES = 12
"""Lines of a failed build or start that are printed; the report has more."""


def run(
    context: typer.Context,
    libraries: list[str] | None = options.CHOSEN,
    every: bool = options.EVERY,
    dataset: str | None = typer.Option(
        None, metavar="NAME", help="ml-100k, ml-100k:global, ml-20m or synthetic[:USERSxITEMS]. Default: ml-100k."
    ),
    archive: Path | None = typer.Option(None, metavar="FILE", help="Your copy of ml-20m.zip, with --dataset ml-20m."),
    predictions: Path | None = typer.Option(
        None, metavar="FILE", help="Own data: predictions, with columns user, item, score."
    ),
    truth: Path | None = typer.Option(
        None, metavar="FILE", help="Own data: held-out items, with columns user, item and, if wanted, gain."
    ),
    train: Path | None = typer.Option(None, metavar="FILE", help="Own data: training items, with columns user, item."),
    threshold: float | None = typer.Option(
        None, metavar="GAIN", help="Own data: gain from which an item counts as relevant. Default: 1."
    ),
    recommender: list[str] | None = typer.Option(
        None,
        metavar="NAMES",
        help="Recommenders that predict on ml-100k, separated by commas: ease, itemknn, popular, random. With"
        " several, the report compares how libraries rank them. Default: ease.",
    ),
    scenario: str | None = typer.Option(
        None,
        metavar="NAME",
        help="Ask libraries under another protocol: sampled:N, sampled_popular:N, leave_one_out, train_filtered,"
        " threshold:GAIN, users:N, or several joined by +. Default: the data as they are.",
    ),
    seed: int | None = typer.Option(None, metavar="N", help="Seed of what the scenario draws. Default: 1."),
    k: list[int] | None = typer.Option(
        None, "-k", metavar="N", help="Cut-off: length of the top of each list. Can be repeated. Default: 20."
    ),
    jobs: int | None = options.JOBS,
    timeout: float = options.TIMEOUT,
    out: Path = typer.Option(options.REPORT_FOLDER, metavar="DIR", help="Folder of the report."),
    adapters: list[Path] | None = options.ADAPTERS,
    source: list[str] | None = options.SOURCES,
    canonical: list[str] | None = typer.Option(
        None,
        metavar="METRIC=SIGNATURE",
        help="Compare a metric, level by level, with this definition. Default: the canonical one. Can be repeated.",
    ),
    group: options.GroupName | None = options.GROUP,
    unpinned: bool = typer.Option(
        False, "--unpinned", help="Accept a --source that is not at the pinned commit; the report says so."
    ),
    sandbox: SandboxName | None = typer.Option(
        None, "--sandbox", help="Run libraries in bubblewrap: no network, files read-only. Default: without."
    ),
    again: bool = typer.Option(
        False, "--again", help="Ask everything again and identify anew. Default: earlier answers are reused."
    ),
    remove_environments: bool = typer.Option(
        False,
        "--remove-environments",
        help="Remove each environment that this run builds once its version is audited, where the disk is small.",
    ),
) -> None:
    """Audit libraries on one dataset and write a report.

    Writes audit.json, index.html and tables.md, then prints tables. Missing environments are built first, which needs a
    network. Where all initial answers of a version are those of the recorded run, its findings are taken over. Answers
    and findings are stored beside the environments and used again in later runs; with --again, neither. Own data are
    CSV, TSV (also .gz) or Parquet files; ids are whole numbers or text.

    \b
    Examples:
      audit run
      audit run --all
      audit run -l rs_metrics -l recbole -k 5 -k 20
      audit run --dataset synthetic:2000x500 --jobs 1
      audit run --dataset ml-20m --archive ml-20m.zip
      audit run --recommender ease,itemknn,popular,random
      audit run --predictions p.csv --truth t.parquet --train r.csv --threshold 4
      audit run --scenario leave_one_out+sampled:99
      audit run -l elliot --source elliot=checkouts/elliot
      audit run --canonical 'map=average_precision|denominator:r'
    """
    from recsys_metric_audit.audit.pins.pin_file import known_definitions
    from recsys_metric_audit.audit.process.protocol import Limits
    from recsys_metric_audit.audit.process.sandbox import refuse_unusable
    from recsys_metric_audit.audit.run import Request
    from recsys_metric_audit.audit.run.definition_rankings import with_rankings
    from recsys_metric_audit.reports.writers.report_folder import write_report

    ks = inputs.check_cutoffs(k or [20])
    workers = inputs.check_workers(jobs, timeout)
    inputs.refuse_unwritable(out)
    wall: SandboxKind | None = None if sandbox is None else "bwrap"
    if wall is not None:
        refuse_unusable(Path(tempfile.gettempdir()))
    canonical_definitions = inputs.parse_canonical(canonical or [])
    protocol = inputs.choose_scenario(scenario, seed)
    chosen = tuple(inputs.choose_versions(adapters, libraries, every))
    sources = inputs.folders_in_place(source, chosen, unpinned=unpinned)
    files = inputs.UserFiles(predictions, truth, train, threshold)
    names = inputs.parse_recommenders(",".join(recommender) if recommender else None, files)
    given = inputs.load_dataset(dataset, files, names[0] if names else None, archive)
    data = protocol.applied(given)
    others = {name: protocol.applied(inputs.load_dataset(dataset, files, name, archive)).case for name in names[1:]}
    request = Request(
        chosen=chosen, dataset=data, ks=ks, jobs=workers, command=context.obj,
        limits=Limits(seconds=timeout, sandbox=wall), recommender=names[0] if names else "", others=others,
        sources=sources, canonical=canonical_definitions,
        known=known_definitions(manifest for manifest, _ in chosen), remove_environments=remove_environments,
    )  # fmt: skip
    result = _audit_with_progress(request, again=again, group=group)
    if ranked := inputs.recommenders_to_rank(names, files, dataset):
        with said_while("ranking recommenders by the definitions found"):
            known = {ranked[0]: data.case, **others}
            missing = {name: inputs.load_dataset(dataset, files, name) for name in ranked if name not in known}
            known |= {name: protocol.applied(each).case for name, each in missing.items()}
            result = with_rankings(result, {name: known[name] for name in ranked})
    with said_while("writing the report"):
        written = write_report(result, out)
    output.report_is_on_disk()
    output.print_tables(result, group)
    if protocol.scenarios:
        _print_scenario(given, protocol, ks)
    _print_ending(result, out, written)
    if _is_failed(result, chosen, named=bool(libraries)):
        raise typer.Exit(output.NOT_AUDITED)


def _print_scenario(given: Dataset, protocol: inputs.ScenarioChoice, ks: Sequence[int]) -> None:
    """Print what the canonical definitions give under the scenario, beside the data as given."""
    from recsys_metric_audit.audit.cli.evaluation.library_definitions import wanted_definitions
    from recsys_metric_audit.audit.cli.evaluation.score_table import print_scenarios, scenario_scores

    output.say("\nThe same recommender by the canonical definitions:")
    rows = scenario_scores(given, protocol.scenarios, protocol.seeds, wanted_definitions([]), ks)
    print_scenarios(rows, protocol.scenarios, output.make_console())


def _is_failed(result: Result, chosen: Sequence[tuple[Manifest, Version]], *, named: bool) -> bool:
    """Return True if nothing was audited, or not all that the user named, less what can never be installed."""
    never = {(manifest.name, version.version) for manifest, version in chosen if version.unavailable}
    missed = [entry for entry in result.libraries if entry.status != "audited"]
    surprising = any((entry.library, entry.version) not in never for entry in missed)
    return (named and surprising) or len(missed) == len(result.libraries)


def _audit_with_progress(request: Request, *, again: bool, group: str | None) -> Result:
    """Print what the data are and what was recorded on them, then run the audit with its progress on stderr."""
    from recsys_metric_audit.audit.cli.shared.progress import watch
    from recsys_metric_audit.audit.cli.shared.recorded_answers import RecordedAnswers
    from recsys_metric_audit.audit.responders.choice import find_cached_responder, find_responder
    from recsys_metric_audit.audit.run import run
    from recsys_metric_audit.audit.run.recorded_findings import recorded_findings

    data = request.dataset
    shape = data.shape
    output.say(
        f"{data.name}: {shape.users:,} users, {shape.items:,} items, {shape.pairs:,} relevant pairs, "
        f"{shape.rows:,} predicted rows",
        err=True,
    )
    for fact in data.facts:
        output.say(f"  {fact.text}", err=True)
    console, recorded = output.make_console(stderr=True), RecordedAnswers.of(request)
    if recorded is not None:
        recorded.print(console, group)
    with watch(console, request.chosen, recorded) as progress:
        if again:
            return run(request, progress, find_responder)
        return run(request, progress, find_cached_responder, recorded_findings(request))


def _print_ending(result: Result, out: Path, written: tuple[Path, ...]) -> None:
    """Print what could not be audited, what was written, and what to type next."""
    from recsys_metric_audit.reports.wording.labels import joined

    for entry in result.libraries:
        if entry.status != "audited":
            output.say(f"\n{entry.library} {entry.version} is {entry.status}: {entry.reason}", err=True)
            log = "".join(f"    {line}\n" for line in entry.log.strip().splitlines()[-_LOG_LINES:])
            output.say(log, err=True, nl=False)
        elif entry.caution:
            output.say(f"\n{entry.library} {entry.version}: {entry.caution}", err=True)
    if confirming := [entry for entry in result.libraries if entry.confirms]:
        days = joined(sorted({entry.confirms for entry in confirming}))
        told = (
            f"{len(confirming)} of {len(result.libraries)} versions gave the initial answers of the recorded run of"
            f" {days}; what they compute is as identified then. --again asks all questions and identifies them anew."
        )
        output.say("\n" + textwrap.fill(told, output.make_console().width))
    output.say(f"\nWritten: {', '.join(map(str, written))}")
    output.say(f"Next:    open {shlex.quote(str(out / 'index.html'))} for the evidence behind every mark")
    output.say(f"         audit report {shlex.quote(str(out))} --format md   for a pull request; also latex, csv, ...")
    output.say(f"         audit compare OTHER {shlex.quote(str(out))}   what changed since another run")


_DEFAULT_K = 20


def reproduce(
    subject: str = typer.Argument(
        metavar="LIBRARY[==VERSION]:FUNCTION", help="A function, in full or the last part of its name."
    ),
    k: int | None = typer.Option(
        None, "--k", metavar="N", help="Cut-off of the finding. Default: 20, with --from the first one there."
    ),
    source: Path | None = typer.Option(
        None, "--from", metavar="DIR", help="Report folder to read. Default: run the library now."
    ),
    adapters: list[Path] | None = options.ADAPTERS,
) -> None:
    """Print a script that shows what a function computes.

    The script calls the library's public API on the smallest input that shows a difference, and prints the value
    beside the one that the audit saw and the canonical one: ready for an issue of that library. The levels on which it
    differs (formula, who counts, input handling) are told on stderr.

    \b
    Examples:
      audit reproduce rs_metrics==0.6.0:ndcg
      audit reproduce "rectools:MAP[divide_by_k=True]" --from report > issue.py
    """
    manifest, version, function = _choose(inputs.all_libraries(adapters), subject)
    if source:
        finding = _find_in_report(source, manifest, version, function, k)
    else:
        finding = _audit_function(manifest, version, function, k)
    script = _script(finding)
    if differences := _differences(finding):
        output.say(differences, err=True)
    if source and finding.script is not None:
        output.say(f"The script is from {source}: read it before you run it, unless that audit was yours.", err=True)
    output.show(script, nl=False)


def _choose(manifests: dict[str, Manifest], subject: str) -> tuple[Manifest, Version, Function]:
    """Return the function that the user named, in the first pinned version if none was named."""
    from recsys_metric_audit.audit.libraries.discovery import select

    library, colon, name = subject.partition(":")
    if not colon or not name:
        raise UserError(f"{subject!r} names no function", "type LIBRARY:FUNCTION, such as rs_metrics:ndcg")
    manifest, version = select(manifests, [library])[0]
    return manifest, version, inputs.function_of(manifest, version, name)


def _find_in_report(source: Path, manifest: Manifest, version: Version, function: Function, k: int | None) -> Finding:
    from recsys_metric_audit.reports.model.result_file import read_result

    for finding in read_result(source).findings:
        about = (finding.library, finding.version, finding.function)
        if about == (manifest.name, version.version, function.name) and k in (None, finding.k):
            return finding
    at = f" at k = {k}" if k is not None else ""
    raise UserError(
        f"{source} has nothing on {manifest.name} {version.version} {function.name}{at}",
        "leave out --from to ask the library now",
    )


def _audit_function(manifest: Manifest, version: Version, function: Function, k: int | None) -> Finding:
    """Return the finding on one function, run now; small data will do, because the script does not use them."""
    from recsys_metric_audit.audit import data
    from recsys_metric_audit.audit.cli.shared.progress import watch
    from recsys_metric_audit.audit.process.protocol import Limits
    from recsys_metric_audit.audit.run import Request, run

    alone = manifest.model_copy(update={"functions": (function,)})
    small = data.load("synthetic:20x30")
    request = Request(((alone, version),), small, (k or _DEFAULT_K,), 1, Limits(), "audit reproduce")
    with watch(output.make_console(stderr=True), request.chosen) as progress:
        return run(request, progress).findings[0]


def _differences(finding: Finding) -> str:
    """Return in words on which levels, and on which axes, the function is not canonical; empty if none is known."""
    from recsys_metric_audit.reports.model.level_meaning import LEVEL_TITLES
    from recsys_metric_audit.reports.wording.labels import joined

    parts = [f"{LEVEL_TITLES[level]} ({', '.join(axes)})" for level, axes in finding.levels.items() if axes]
    return f"{finding.function} differs from the canonical definition in {joined(parts)}" if parts else ""


def _script(finding: Finding) -> str:

    name = f"{finding.library} {finding.version} {finding.function}"
    if finding.script is not None:
        return finding.script
    if finding.status != "measured":
        raise UserError(f"{name} has no value to show: {finding.status}", finding.reason or "")
    if finding.witness is None:
        raise UserError(f"{name} was canonical in all that was asked", "there is no difference to reproduce")
    raise UserError(
        f"{finding.library} {finding.version} has no script.py.txt that says how it is called",
        "adapters/README.md describes it",
    )
