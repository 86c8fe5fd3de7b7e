"""What the pins say of libraries: every accepted version beside the next, and libraries that a run lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.libraries.manifest import Manifest
from recsys_metric_audit.audit.pins.pin_drift import smallest_difference_text
from recsys_metric_audit.audit.pins.pin_file import read_pin
from recsys_metric_audit.reference.definitions.definition import SignatureError, parse
from recsys_metric_audit.reference.space.averaging import NOBODY
from recsys_metric_audit.reports.model.default_run import LoadedRun
from recsys_metric_audit.reports.model.result import Finding, Library, Result
from recsys_metric_audit.reports.model.statement import axis_statements
from recsys_metric_audit.reports.paper.claims import compared_libraries
from recsys_metric_audit.reports.pins.expectation import FunctionExpectation, VersionExpectation
from recsys_metric_audit.reports.pins.library_meanings import LibraryMeanings
from recsys_metric_audit.reports.pins.meaning_changes import version_steps


def library_meanings(manifests: Iterable[Manifest]) -> tuple[LibraryMeanings, ...]:
    """Return every library's accepted versions, oldest first, and what changed from each to the next."""
    return tuple(map(_meanings, manifests))


def _meanings(manifest: Manifest) -> LibraryMeanings:
    versions = [version.version for version in reversed(manifest.versions)]
    pins = {version.version: pin for version in manifest.versions if (pin := read_pin(manifest, version)) is not None}
    functions = {function.name: function for function in manifest.functions}
    filled = {name for name, function in functions.items() if "unlisted" in function.ruled_out}
    accepted = [pins[name] for name in versions if name in pins]
    steps = version_steps(accepted, dict.fromkeys(pins, filled), lambda *told: _probe_witness(functions, *told))
    reasons = {version.version: version.unavailable or "never accepted" for version in manifest.versions}
    without = {name: reasons[name] for name in versions if name not in pins}
    return LibraryMeanings(manifest.name, manifest.title, tuple(accepted), without, steps)


def _probe_witness(functions: dict[str, Function], name: str, old: str, new: str) -> str:
    """Return in words the smallest probe that a function is asked and on which two signatures have different values."""
    try:
        return smallest_difference_text(old, new, functions.get(name))
    except SignatureError:
        return ""


_SAID = "by its accepted pin"


def run_for_paper(loaded: LoadedRun, key: str, known: Callable[[], Mapping[str, Manifest]]) -> LoadedRun:
    """Return a run with the libraries that a paper's claims hold against each other, from their pins where it has none.

    Args:
        loaded: The run, and where it was read from.
        key: The paper.
        known: Returns every library by name; called where the run lacks one that is wanted.
    """
    missing = set(compared_libraries(key)) - {each.library for each in loaded.result.libraries}
    if not missing:
        return loaded
    wanted = [manifest for name, manifest in known().items() if name in missing]
    result = with_pinned(loaded.result, wanted)
    added = [f"{each.title} {each.version} {_SAID}" for each in result.libraries[len(loaded.result.libraries) :]]
    return LoadedRun(result, "; ".join([loaded.origin, *added]))


def with_pinned(result: Result, manifests: Iterable[Manifest]) -> Result:
    """Return ``result`` with the newest accepted version of each library that is not in it: meanings, no values.

    Args:
        result: The result of a run.
        manifests: The libraries that are wanted. Those in the run, and those without a pin, are left as they are.
    """
    libraries, findings = list(result.libraries), list(result.findings)
    there = {each.library for each in libraries}
    for manifest in manifests:
        pins = (read_pin(manifest, version) for version in manifest.versions)
        pin = next(filter(None, pins), None)
        if manifest.name not in there and pin is not None:
            libraries.append(_pinned_library(manifest, pin))
            findings += [
                made for name, each in pin.functions.items() if (made := _finding(pin, name, each)) is not None
            ]
    return result.model_copy(update={"libraries": tuple(libraries), "findings": tuple(findings)})


def _pinned_library(manifest: Manifest, pin: VersionExpectation) -> Library:
    return Library(
        library=manifest.name, title=manifest.title, version=pin.version, about=manifest.about, python="",
        source=_SAID, status="audited", live=False,
    )  # fmt: skip


def _finding(pin: VersionExpectation, name: str, function: FunctionExpectation) -> Finding | None:
    """Return what a pin says of a function; None if it identifies no definition that this version of the tool knows."""
    if function.status != "measured" or not function.formulas:
        return None
    # Not as the parsed definition is written: where all is relevant, parsing adds an axis that need not apply.
    values = [f"{axis}:{value}" for axis, value in (function.who_counts | function.input).items()]
    texts = ["|".join([function.formulas[0], *values]), *function.formulas]
    try:
        definition = parse(texts[0])
    except SignatureError:
        return None
    # A pin states what comes out where nobody is left at any value; one without it does not know.
    unstated = function.unstated | ({NOBODY.name} - function.who_counts.keys())
    axes = {axis: value for axis, value in definition.axes.items() if axis not in unstated}
    differs = tuple(axis for axis in definition.differs_on if axis in axes)
    signature, formula, *others = (text.replace("@k", f"@{pin.k}", 1) for text in texts)
    return Finding(
        library=pin.library, version=pin.version, function=name, metric=function.metric,
        k=None if definition.k is None else pin.k, status="measured", verdict=function.verdict, signature=signature,
        formula=formula, equivalent=tuple(others), live=False,
        axes=axis_statements(
            axes, differs, function.unknown, does_not_apply=dict.fromkeys(function.does_not_apply, _SAID)
        ),
    )  # fmt: skip
