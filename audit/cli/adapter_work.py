"""``audit list``, ``new``, ``try``, ``lock``, ``fetch`` and ``record``: adapters, their environments and checkouts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from recsys_metric_audit.audit.cli.shared import inputs, output
from recsys_metric_audit.audit.cli.shared.options import ADAPTERS, FORM_TEXT_OR_JSON, SOURCES, TIMEOUT, TextOrJson
from recsys_metric_audit.audit.cli.shared.output import DRIFTED, NOT_AUDITED, make_console, said_while, say
from recsys_metric_audit.audit.errors import UserError

if TYPE_CHECKING:
    from recsys_metric_audit.audit.libraries.function import Function
    from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
    from recsys_metric_audit.audit.pins.renew_recordings import Recorded
    from recsys_metric_audit.audit.run import Request
    from recsys_metric_audit.audit.sources.checkout import Checkouts


_HEADINGS = ("library", "version", "python", "environment", "functions")


def list_(
    form: TextOrJson = FORM_TEXT_OR_JSON,
    adapters: list[Path] | None = ADAPTERS,
    outdated: bool = typer.Option(
        False, "--outdated", help="List releases on the package index that are newer than what is pinned."
    ),
) -> None:
    """List libraries, their versions and environments.

    An environment is ready (built), missing (the next run builds it), without a lock or with a bad one (run
    `audit lock`), or unavailable (it cannot be installed). Slow versions and versions that are not usual run only with
    `audit run --all`, or if they are named.

    With --outdated, the newest release of each library is looked up on the package index, for whatever Python it asks;
    this needs a network and a minute. `audit lock --upgrade NAME` tells what it changes.

    \b
    Examples:
      audit list
      audit list --format json
      audit list --outdated
    """
    manifests = inputs.all_libraries(adapters)
    if outdated:
        _print_outdated(list(manifests.values()), form)
    elif form is TextOrJson.json:
        output.show_json([_entry(manifest) for manifest in manifests.values()])
    else:
        output.show("\n".join(_lines(list(manifests.values()))))


def _print_outdated(manifests: list[Manifest], form: TextOrJson) -> None:
    """Print which libraries have a newer release, and which could not be looked up."""
    from recsys_metric_audit.audit.pins.releases import newer_releases

    with said_while("looking up releases"):
        found, unknown = newer_releases(manifests)
    if form is TextOrJson.json:
        output.show_json({"newer": [asdict(each) for each in found], "not_known": unknown})
        return
    rows = [("library", "pinned", "newest"), *((each.library, each.pinned, each.newest) for each in found)]
    output.show("\n".join(_columns(rows)) if found else "no library has a newer release")
    for name, why in unknown.items():
        say(f"! {name}: {why}", err=True)


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

    rows: list[tuple[str, ...]] = [_HEADINGS]
    for manifest in manifests:
        for version in manifest.versions:
            count = str(len(manifest.functions_of(version)))
            rows.append((manifest.name, version.version, version.python, state(manifest, version), count))
    return _columns(rows)


def _columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip() for row in rows]


class Like(StrEnum):
    """Names the forms in which functions of a library take recommendations and truth."""

    dicts = auto()
    frames = auto()
    matrix = auto()
    tensors = auto()
    per_list = "per-list"
    model = auto()


def new(
    name: str = typer.Argument(metavar="NAME", help="The library's name here, and its folder's."),
    package: str = typer.Option(metavar="P", help="The package to install."),
    like: Like = typer.Option(
        help="What its functions take: dictionaries by user and item, data frames, a matrix of all users and "
        "items, flat tensors, one user's lists, or a model."
    ),
    to: Path | None = typer.Option(
        None, metavar="DIR", help="Folder of adapters to write in. Default: that of this checkout."
    ),
    version: str | None = typer.Option(None, metavar="N", help="The release. Default: the newest."),
    python: str = typer.Option("3.11", metavar="X.Y", help="The Python to run it with."),
    requires: list[str] | None = typer.Option(
        None, metavar="REQ", help="What else it needs, such as 'numpy<2'. Can be repeated."
    ),
    builds: str | None = typer.Option(
        None, metavar="WHY", help="Why its authors' code may run to build it. Default: wheels only."
    ),
    call: list[str] | None = typer.Option(
        None,
        metavar="METRIC=EXPRESSION",
        help="How a metric is called, for a package whose functions are not named after metrics. The expression "
        "reads `truth`, `shown` and `k`; of one user's lists `relevant` and `recommended`, of tensors `target` and "
        "`preds`. A dictionary by user that it gives holds the values of users. Can be repeated.",
    ),
    force: bool = typer.Option(False, "--force", help="Replace an adapter of that name. Default: it is refused."),
    timeout: float = TIMEOUT,
) -> None:
    """Write a first adapter of a package.

    Locks and installs the package's newest release, finds the functions in it that are named after a metric, writes
    library.toml, lock and adapter.py, and tries every function on ten plain cases. Functions that give no number are
    listed in library.toml as out of scope, with what they said; tell how they are called with --call, or change
    adapter.py and look again with `audit try NAME`. Say in library.toml what the documentation claims. What
    the package imports and does not ask for (pandas, scipy, torch and the like) is added. Nothing is written where
    anything fails.

    \b
    Examples:
      audit new ranx --package ranx --like dicts \\
        --call 'map=ranx.evaluate(ranx.Qrels(truth), ranx.Run(shown), "map")'
      audit new mine --package my-metrics --like per-list --requires 'numpy<2'
    """
    from recsys_metric_audit.audit.authoring.new_adapter import NewLibrary, write_new_adapter
    from recsys_metric_audit.audit.authoring.trial_text import trial_lines
    from recsys_metric_audit.audit.libraries.discovery import adapters_dir

    wanted = NewLibrary(name, package, like.value, to or adapters_dir(), python, version, tuple(requires or ()), builds,
                        tuple(call or ()), force)  # fmt: skip
    written = write_new_adapter(wanted, timeout, lambda step: say(f"  {step}", err=True))
    folder = written.manifest.folder
    say("\n".join([*trial_lines(written.trial), ""]))
    say(f"Written: {folder / 'library.toml'}, {folder / 'adapter.py'}, its lock")
    more = "" if to is None else f" --adapters {to}"
    say(f"Next:    mend adapter.py, then audit try {name}{more}")
    say(f"         audit run -l {name} --dataset synthetic{more}")


def try_(
    subject: str = typer.Argument(metavar="LIBRARY[==VERSION][:FUNCTION]", help="A library, or one of its functions."),
    timeout: float = TIMEOUT,
    adapters: list[Path] | None = ADAPTERS,
    source: list[str] | None = SOURCES,
) -> None:
    """Try an adapter on ten plain cases.

    Shows for one function each value that it returned beside the canonical value and that of the nearest formula; for
    a library a line for each function. Says whether the adapter is sane: a perfect list counts for more than the same
    list reversed, a hit below the cut-off for nothing, the cut-off cuts where it should, and nothing contradicts the
    contract that library.toml declares. Exit code 1: it is not; 3: nothing could be run.

    \b
    Examples:
      audit try rs_metrics
      audit try rs_metrics:ndcg
      audit try mine:mine.metrics.recall --adapters my-adapters
      audit try mine --adapters my-adapters --source mine=checkouts/mine
    """
    from recsys_metric_audit.audit.authoring.adapter_trial import try_functions
    from recsys_metric_audit.audit.authoring.trial_text import answering, trial_lines

    manifest, version, functions, sources = _chosen(inputs.all_libraries(adapters), subject, source)
    say(f"{manifest.name} {version.version}: {len(functions)} of {len(manifest.functions_of(version))} functions")
    with answering(manifest, version, timeout, lambda step: say(f"  {step}", err=True), sources) as responder:
        trial = try_functions(functions, responder)
    say("\n".join(trial_lines(trial)))
    if not any(each.measured for each in trial.functions):
        raise typer.Exit(NOT_AUDITED)
    if not trial.sane:
        raise typer.Exit(DRIFTED)


def _chosen(
    manifests: dict[str, Manifest], subject: str, source: list[str] | None
) -> tuple[Manifest, Version, tuple[Function, ...], Checkouts]:
    """Return the library, its first version of that name, the functions that the user named, and the folders given.

    Where no version is named, it is that of which a folder is given.
    """
    from recsys_metric_audit.audit.libraries.discovery import select

    library, colon, name = subject.partition(":")
    named = select(manifests, [library])
    sources = inputs.folders_in_place(source, named)
    manifest, version = next((pair for pair in named if (pair[0].name, pair[1].version) in sources), named[0])
    if colon:
        return manifest, version, (inputs.function_of(manifest, version, name),), sources
    if not manifest.functions_of(version):
        raise UserError(f"{manifest.folder / 'library.toml'} names no function", "adapters/README.md describes it")
    return manifest, version, manifest.functions_of(version), sources


def lock(
    libraries: list[str] | None = typer.Argument(
        None, metavar="[NAME[==VERSION]]...", help="Libraries or versions. Default: all."
    ),
    check: bool = typer.Option(False, "--check", help="Only check the locks; needs no network."),
    upgrade: bool = typer.Option(False, "--upgrade", help="Audit NAME's newest release and print what changed."),
    pin: bool = typer.Option(False, "--pin", help="With --upgrade: pin that release if anything changed."),
    timeout: float = TIMEOUT,
    adapters: list[Path] | None = ADAPTERS,
) -> None:
    """Lock the environments of libraries, or check locks.

    A lock lists the exact, hashed requirements of one library version. With --upgrade, the newest release of one
    library is locked in the cache and audited instead, and what it computes differently from the last pinned version
    (its formula, who counts, its input handling) is printed as Markdown; exit code 1 if anything changed. No file is
    changed without --pin.

    \b
    Examples:
      audit lock --check
      audit lock rs_metrics==0.6.0
      audit lock mine --adapters my-adapters
      audit lock --upgrade rs_metrics
    """
    from recsys_metric_audit.audit.environments.locking import check_lock, orphans, write_lock
    from recsys_metric_audit.audit.libraries.discovery import refuse_installed, select, whole

    if upgrade or pin:
        _upgrade(libraries or [], pin, timeout, adapters)
        return
    chosen = select(inputs.all_libraries(adapters), libraries or ())
    if check:
        faults = [fault for pair in chosen for fault in check_lock(*pair)]
        faults += [fault for manifest in whole(chosen) for fault in orphans(manifest)]
        if faults:
            raise UserError("\n".join(faults), "make them again: audit lock NAME==VERSION")
        say(f"{sum(version.unavailable is None for _, version in chosen)} locks are in order")
        return
    for manifest, _ in chosen:
        refuse_installed(manifest.folder)
    for manifest, version in chosen:
        if version.unavailable is not None:
            say(f"{manifest.name} {version.version}: no lock: {version.unavailable}", err=True)
            continue
        say(f"{manifest.name} {version.version}: resolving", err=True)
        say(str(write_lock(manifest, version)))


def _upgrade(names: list[str], write: bool, timeout: float, adapters: list[Path] | None) -> None:
    from recsys_metric_audit.audit.cli.shared.progress import audit_with_progress
    from recsys_metric_audit.audit.libraries.discovery import refuse_installed
    from recsys_metric_audit.audit.pins.releases import add_version, try_upgrade
    from recsys_metric_audit.reports.renderers.drift_formats import as_pull_request

    if len(names) != 1:
        raise UserError("--upgrade and --pin take one library", "audit lock --upgrade NAME")
    manifest = inputs.one_library(adapters, names[0])
    if write:
        refuse_installed(manifest.folder)
    if all(version.git is not None for version in manifest.versions):
        say(f"{manifest.name} comes from a repository: its versions are pinned by hand", err=True)
        return
    found = try_upgrade(manifest, lambda chosen: audit_with_progress(chosen, None, timeout))
    if found is None:
        say(f"{manifest.name}: the newest release is pinned", err=True)
        return
    output.show(as_pull_request(found.title, found.drifts, found.same), nl=False)
    if found.drifts:
        for path in add_version(found) if write else ():
            say(f"written: {path}", err=True)
        raise typer.Exit(DRIFTED)


def fetch(
    libraries: list[str] = typer.Argument(metavar="NAME[==VERSION]...", help="Libraries or versions."),
    folder: Path | None = typer.Option(
        None, "--dir", metavar="DIR", help="Folder of the clone, for one version. Default: in the cache."
    ),
    mirror: str | None = typer.Option(
        None, metavar="ADDRESS", help="Clone from here: https, ssh, or a folder. Default: as library.toml says."
    ),
    adapters: list[Path] | None = ADAPTERS,
) -> None:
    """Clone libraries that come from a repository.

    Clones the pinned commits. Later runs find the clones in the cache by themselves and run them instead of replaying
    recordings; a clone in --dir has to be passed with --source. Git runs without your settings, so that nothing they
    or a repository name is executed; --mirror takes the same commit from elsewhere.

    \b
    Examples:
      audit fetch elliot
      audit fetch neurec==2.00 --dir checkouts/neurec
      audit fetch elliot --mirror /srv/mirrors/elliot.git
    """
    from recsys_metric_audit.audit.libraries.discovery import select
    from recsys_metric_audit.audit.sources import checkout

    named = [request.partition("==")[0].strip() for request in libraries if "==" in request]
    chosen = select(inputs.all_libraries(adapters), libraries)
    wanted = [pair for pair in chosen if pair[1].git is not None or pair[0].name in named] or chosen
    if folder is not None and len(wanted) > 1:
        versions = ", ".join(f"{manifest.name}=={version.version}" for manifest, version in wanted)
        raise UserError(f"--dir takes one version, and there are {len(wanted)}: {versions}", "name one of them")
    if mirror is not None and len({manifest.name for manifest, _ in wanted}) > 1:
        raise UserError("--mirror is of one library", "fetch one library at a time")
    for manifest, version in wanted:
        say(f"{manifest.name} {version.version}: cloning {mirror or manifest.origin(version)}", err=True)
        say(str(checkout.fetch(manifest, version, folder, mirror=mirror)))


def record(
    libraries: list[str] | None = typer.Argument(
        None, metavar="[NAME[==VERSION]]...", help="Libraries or versions. Default: all that have a checkout."
    ),
    source: list[str] | None = SOURCES,
    check: bool = typer.Option(
        False, "--check", help="Write nothing; fail unless the answers are the same to the last bit."
    ),
    timeout: float = TIMEOUT,
    adapters: list[Path] | None = ADAPTERS,
) -> None:
    """Record the answers of libraries from checkouts.

    A library that comes from a repository is run from its checkout on the probe inputs and the default datasets.
    `audit run` replays the recording if there is no checkout.

    \b
    Examples:
      audit record --source elliot=elliot-0.3.1 --source neurec=neurec
      audit record elliot==0.3.1 --check --source elliot=checkouts/elliot-0.3.1
    """
    from recsys_metric_audit.audit.libraries.discovery import select
    from recsys_metric_audit.audit.pins import renew_recordings

    inputs.check_positive("--timeout", timeout)
    request = renew_recordings.request(
        select(inputs.all_libraries(adapters), libraries or ()),
        inputs.parse_sources(source or []),
        bool(libraries),
        timeout,
        os.cpu_count() or 1,
    )
    recorded = _record_with_progress(request)
    faults = [fault for each in recorded for fault in (each.differences() if check else each.write())]
    for each in recorded if not faults else ():
        say(f"{each.path}: {'the same' if check else 'written'}")
    if faults:
        raise UserError("\n".join(faults), "renew what changed for a reason: audit record NAME --source NAME=DIR")


def _record_with_progress(request: Request) -> list[Recorded]:
    from recsys_metric_audit.audit.cli.shared.progress import watch
    from recsys_metric_audit.audit.pins import renew_recordings

    with watch(make_console(stderr=True), request.chosen) as progress:
        return renew_recordings.record(request, progress)
