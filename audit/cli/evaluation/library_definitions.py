"""Finds what definitions a library version computes, from a recorded run or from its pin: nothing is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from recsys_metric_audit.audit.cli.evaluation.wanted import MetricName, Note, Wanted
from recsys_metric_audit.audit.cli.shared.library_choice import all_libraries
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.discovery import select
from recsys_metric_audit.audit.pins.pin_file import read_pin
from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError, parse
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE
from recsys_metric_audit.reports.model.default_run import LoadedRun
from recsys_metric_audit.reports.model.level_meaning import LevelMeaning, level_meaning
from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.wording.labels import METRIC_TITLES


@dataclass(frozen=True)
class FunctionMeaning:
    """Holds what one function computes: ``meaning`` level by level, or ``failure``: why it is not known."""

    function: str
    metric: str
    meaning: LevelMeaning
    failure: str = ""
    per_user_only: bool = False


@dataclass(frozen=True)
class LibraryDefinitions:
    """Holds the definitions of a library version, where they were read, and the functions left out, with why."""

    library: str
    version: str
    origin: str
    wanted: tuple[Wanted, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class _Source:
    library: str
    version: str
    origin: str
    functions: tuple[FunctionMeaning, ...]


def library_definitions(
    text: str, names: Sequence[MetricName], runs: Sequence[Callable[[], LoadedRun]]
) -> LibraryDefinitions:
    """Return what a library computes under the names of metrics.

    Args:
        text: ``LIBRARY`` or ``LIBRARY==VERSION``, as the user typed it.
        names: The metrics; none stands for all that the library offers.
        runs: Load the runs in which the library is looked up, one after the other, before its pins.

    Raises:
        UserError: for a library, version or metric that is not known.
    """
    library, _, version = (part.strip() for part in text.partition("=="))
    source = _find(library, version or None, runs)
    offered = list(dict.fromkeys(each.metric for each in source.functions))
    for name in names:
        if name.metric not in offered:
            titles = ", ".join(METRIC_TITLES.get(metric, metric) for metric in offered)
            raise UserError(f"{source.library} {source.version} offers no {name.metric}", f"it offers {titles}")
    wanted: dict[Definition, Wanted] = {}
    left_out = []
    for each, cutoff in _chosen(source.functions, names):
        definition = None if each.failure else _definition(each.meaning)
        if definition is None:
            left_out.append(f"{each.function}: {each.failure or 'no definition fits what it returns'}")
            continue
        if cutoff is not None and isinstance(definition.k, str):
            definition = definition.with_(k=cutoff)
        notes = tuple(Note(text, each.function) for text in _notes(each, definition))
        definition = _with_rules(definition)
        before = wanted.get(definition, Wanted(definition))
        wanted[definition] = Wanted(definition, (*before.functions, each.function), (*before.notes, *notes))
    return LibraryDefinitions(source.library, source.version, source.origin, tuple(wanted.values()), tuple(left_out))


def _chosen(
    functions: Sequence[FunctionMeaning], names: Sequence[MetricName]
) -> Iterator[tuple[FunctionMeaning, int | None]]:
    """Yield the functions that bear the names, in the order of the names, each with the cut-off beside its name."""
    if not names:
        yield from ((each, None) for each in functions)
    for name in names:
        yield from ((each, name.k) for each in functions if each.metric == name.metric)


def _find(library: str, version: str | None, runs: Sequence[Callable[[], LoadedRun]]) -> _Source:
    for load in runs:
        loaded = load()
        findings = [each for each in loaded.result.findings if each.library == library]
        for entry in loaded.result.libraries:
            own = [each for each in findings if each.version == entry.version]
            if entry.library == library and version in (None, entry.version) and own:
                return _Source(library, entry.version, loaded.origin, tuple(_functions(own)))
    return _pinned(library, version)


def _functions(findings: Sequence[Finding]) -> Iterator[FunctionMeaning]:
    """Yield the functions of a version, each at the first cut-off of the run; documented calls come first."""
    first: dict[str, Finding] = {}
    for each in findings:
        first.setdefault(each.function, each)
    for each in sorted(first.values(), key=lambda finding: finding.documented_call is None):
        failure = "" if each.status == "measured" else f"{each.status.replace('_', ' ')}: {each.reason}"
        without_mean = each.status == "measured" and each.value is None
        yield FunctionMeaning(each.function, each.metric, level_meaning(each), failure, without_mean)


def _pinned(library: str, version: str | None) -> _Source:
    """Read what a version is pinned as; the first version that has a pin if none is named."""
    chosen = select(all_libraries(None), [f"{library}=={version}" if version else library])
    for manifest, each in chosen:
        pin = read_pin(manifest, each)
        if pin is None:
            continue
        functions = tuple(
            FunctionMeaning(name, own.metric, own, "" if own.status == "measured" else own.words)
            for name, own in pin.functions.items()
        )
        return _Source(library, each.version, f"the accepted findings of {library} {each.version}", functions)
    raise UserError(
        f"nothing is known of {library} {version or ''}".rstrip(),
        f"audit it first: audit run -l {library}{'==' + version if version else ''}, then add --from audit-report",
    )


def _definition(meaning: LevelMeaning) -> Definition | None:
    """Return the definition with its cut-off open; None if there is none, or none that this version can compute."""
    if not meaning.signature:
        return None
    try:
        return parse(meaning.signature).with_(k="k")
    except SignatureError:
        return None


def _with_rules(definition: Definition) -> Definition:
    """Return the definition with the canonical value on axes on which a library follows no known rule."""
    canonical = definition.family.canonical
    return definition.with_(**{name: canonical[name] for name in _without_rule(definition)})


def _without_rule(definition: Definition) -> list[str]:
    return [name for name, value in definition.values if value in WITHOUT_RULE]


def _notes(each: FunctionMeaning, definition: Definition) -> Iterator[str]:
    """Yield what a reader of the value should know."""
    if len(each.meaning.formulas) > 1:
        yield f"not told apart from {', '.join(each.meaning.formulas[1:])}"
    if unknown := dict.fromkeys((*each.meaning.unknown, *_without_rule(definition))):
        yield f"not known, taken as canonical: {', '.join(unknown)}"
    if each.per_user_only:
        yield "one value a user and no mean: the mean is ours"
