"""The definitions that ``audit evaluate`` computes: those that the user names, or those of a library version.

Those of a library are read from a recorded run or from its pin: nothing is installed. What a function computes is more
than its signature: the signature is silent of what the contract of the function or its adapter decides, and of what
could not be identified. What is evaluated is the definition that explains the answers of the function, complete with
the values that it was tested with and those that ``library.toml`` declares; what is not known stays a doubt, and there
is no number where it would matter (:mod:`audit.cli.evaluation.scores`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from recsys_metric_audit.audit.cli.shared.inputs import all_libraries, check_cutoffs, parse_typed
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.discovery import select
from recsys_metric_audit.audit.libraries.function import Data, Function
from recsys_metric_audit.audit.libraries.metric_name import known_metric
from recsys_metric_audit.audit.observations.canonical import GIVEN_BY_INPUT
from recsys_metric_audit.audit.pins.pin_file import read_pin
from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError, parse
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE
from recsys_metric_audit.reports.model.level_meaning import LevelMeaning, level_meaning
from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.model.result_file import LoadedRun
from recsys_metric_audit.reports.wording.labels import METRIC_TITLES

USUAL = ("hit_rate", "average_precision", "reciprocal_rank", "ndcg", "precision", "recall")
"""The metrics that are computed where none is named: those of the paper's Table 1 that have a cut-off."""


@dataclass(frozen=True)
class Note:
    """Says what a reader of a value should know about a function of a library."""

    text: str
    function: str


@dataclass(frozen=True)
class Doubts:
    """Says on which data a definition may not be what the functions of a library compute.

    Attributes:
        others: Other definitions that they may compute, by what is not known of them: an axis, or the formula.
        departs_on: Kinds of data on which they do otherwise, each with what they do there.
    """

    others: tuple[tuple[str, Definition], ...] = ()
    departs_on: tuple[tuple[Data, str], ...] = ()


@dataclass(frozen=True)
class Wanted:
    """Holds a definition to evaluate, the ``functions`` of a library that compute it, ``doubts`` and ``notes``.

    The cut-off of the definition is a number, a letter that stands for each of the cut-offs asked, or None.
    """

    definition: Definition
    functions: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    doubts: Doubts = Doubts()


def split_names(texts: Sequence[str]) -> list[str]:
    """Return the names in texts such as ``ndcg,map``, each once."""
    names = [name.strip() for text in texts for name in text.split(",")]
    return list(dict.fromkeys(name for name in names if name))


def wanted_definitions(names: Sequence[str]) -> list[Wanted]:
    """Return the definitions that everyday names (canonical ones) and signatures stand for, each once.

    Raises:
        UserError: for an unknown metric, or a signature that does not parse.
    """
    return [Wanted(definition) for definition in dict.fromkeys(_definition(name) for name in names or USUAL)]


def metric_names(names: Sequence[str]) -> list[Definition]:
    """Return the metrics that are named, with or without a cut-off: ``ndcg``, ``map@10``; each as canonically defined.

    Raises:
        UserError: for an unknown metric, and for a signature with axes.
    """
    found = []
    for name in names:
        definition = _definition(name)
        if "|" in name:
            hint = f"--metrics {definition.metric}, or leave out --as to compute the definition itself"
            raise UserError(f"--metrics {name}: with --as, the library decides the definition", hint)
        found.append(definition)
    return found


def _definition(name: str) -> Definition:
    known = known_metric(name.partition("|")[0])
    definition = parse_typed(name, f"--metrics {name}", f"audit explain {known} lists its axes and values")
    if isinstance(definition.k, int):
        check_cutoffs([definition.k])
    return definition


_ACTS: Final[Mapping[tuple[str, str], tuple[Data, str]]] = {
    ("close_scores", "tied"): ("scores equal in single precision", "a tie there: it reads scores in single precision")
}
"""The kind of data on which a function departs from its definition, by an experiment and its outcome."""
PER_USER = "one value a user and no mean: the mean is ours"


@dataclass(frozen=True)
class FunctionMeaning:
    """Holds what one function computes: ``meaning`` level by level, or ``failure``: why it is not known.

    ``assumed`` are the values with which its definition was tested, of axes of which the meaning is silent; ``acts``
    are the outcomes of experiments, by name.
    """

    function: str
    metric: str
    meaning: LevelMeaning
    assumed: Mapping[str, str] = field(default_factory=dict)
    acts: Mapping[str, str] = field(default_factory=dict)
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
    text: str, names: Sequence[Definition], runs: Sequence[Callable[[], LoadedRun]]
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
    contracts = _contracts(source.library, source.version)
    wanted: dict[tuple[Definition, Doubts], Wanted] = {}
    left_out = []
    for each, cutoff in _chosen(source.functions, names):
        found = [] if each.failure else _complete_definitions(each, contracts.get(each.function))
        if not found:
            left_out.append(f"{each.function}: {each.failure or 'no definition fits what it returns'}")
            continue
        if isinstance(cutoff, int) and isinstance(found[0].k, str):
            found[0] = found[0].with_(k=cutoff)
        doubts = _doubts(found, each, contracts.get(each.function))
        definition = _with_rules(found[0])
        before = wanted.get((definition, doubts), Wanted(definition, doubts=doubts))
        notes = (*before.notes, *(Note(PER_USER, each.function) for _ in range(each.per_user_only)))
        wanted[definition, doubts] = Wanted(definition, (*before.functions, each.function), notes, doubts)
    return LibraryDefinitions(source.library, source.version, source.origin, tuple(wanted.values()), tuple(left_out))


def side_by_side(found: Sequence[LibraryDefinitions]) -> list[Wanted]:
    """Return the definitions of libraries, those of one metric together; functions of several say whose they are."""
    if len(found) == 1:
        return list(found[0].wanted)
    every = [
        replace(
            each,
            functions=tuple(f"{own.library} {own.version}: {name}" for name in each.functions),
            notes=tuple(Note(note.text, f"{own.library} {own.version}: {note.function}") for note in each.notes),
        )
        for own in found
        for each in own.wanted
    ]
    order = list(dict.fromkeys(each.definition.metric for each in every))
    return sorted(every, key=lambda each: order.index(each.definition.metric))


def _chosen(
    functions: Sequence[FunctionMeaning], names: Sequence[Definition]
) -> Iterator[tuple[FunctionMeaning, int | str | None]]:
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
        acts = {name: done.name for name, done in each.behaviours.items()}
        yield FunctionMeaning(
            each.function, each.metric, level_meaning(each), each.assumed, acts, failure, without_mean
        )


def _pinned(library: str, version: str | None) -> _Source:
    """Read what a version is pinned as; the first version that has a pin if none is named."""
    chosen = select(all_libraries(None), [f"{library}=={version}" if version else library])
    for manifest, each in chosen:
        pin = read_pin(manifest, each)
        if pin is None:
            continue
        functions = tuple(
            FunctionMeaning(
                name, own.metric, own, own.assumed, own.behaviours, "" if own.status == "measured" else own.words
            )
            for name, own in pin.functions.items()
        )
        return _Source(library, each.version, f"the accepted findings of {library} {each.version}", functions)
    raise UserError(
        f"nothing is known of {library} {version or ''}".rstrip(),
        f"audit it first: audit run -l {library}{'==' + version if version else ''}, then add --from audit-report",
    )


def _contracts(library: str, version: str) -> dict[str, Function]:
    """Return the functions of a version as ``library.toml`` declares them, by name; none if there is no such file."""
    manifest = all_libraries(None).get(library)
    if manifest is None:
        return {}
    versions = (each for each in manifest.versions if each.version == version)
    return {function.name: function for each in versions for function in manifest.functions_of(each)}


def _complete_definitions(each: FunctionMeaning, contract: Function | None) -> list[Definition]:
    """Return the complete definitions that fit a function, the shown one first, with the cut-off open.

    There are none if nothing fits, or nothing that this version can compute.
    """
    meaning, decided = each.meaning, {} if contract is None else contract.decided
    beside = {**each.assumed, **{axis: decided[axis] for axis in decided.keys() & set(meaning.does_not_apply)}}
    own = [f"{axis}:{value}" for axis, value in (meaning.who_counts | meaning.input).items()]
    try:
        found = [parse("|".join([formula, *own])) for formula in meaning.formulas]
        complete = (each.with_(k="k", **{axis: beside[axis] for axis in each.axes.keys() & beside}) for each in found)
        return [parse(each.signature()) for each in complete]
    except SignatureError:
        return []


def _doubts(found: Sequence[Definition], function: FunctionMeaning, contract: Function | None) -> Doubts:
    """Return what is not known of a function: which of the formulas that fit, the values of axes, and unusual data."""
    first = found[0]
    others = [("which formula", _with_rules(each)) for each in found[1:]]
    others += [
        (first.family.axis(axis).meaning, other)
        for axis in dict.fromkeys((*function.meaning.unknown, *_without_rule(first)))
        if axis in first.axes
        for other in _other_values(_with_rules(first), axis)
    ]
    departs = dict(_ACTS[act] for act in function.acts.items() if act in _ACTS)
    departs |= contract.unusual_data if contract else {}
    return Doubts(tuple(others), tuple(departs.items()))


def _other_values(definition: Definition, axis: str) -> Iterator[Definition]:
    """Yield a definition with each other value of an axis that gives a rule and that the input can bring about."""
    for value in definition.family.axis(axis).names:
        other = definition.with_(**{axis: value})
        possible = value in GIVEN_BY_INPUT.get(axis, (value,)) and value not in WITHOUT_RULE
        if possible and other != definition and definition.family.refusal(other.axes) is None:
            yield other


def _with_rules(definition: Definition) -> Definition:
    """Return the definition with the canonical value on axes on which a library follows no known rule."""
    canonical = definition.family.canonical
    return definition.with_(**{name: canonical[name] for name in _without_rule(definition)})


def _without_rule(definition: Definition) -> list[str]:
    return [name for name, value in definition.values if value in WITHOUT_RULE]
