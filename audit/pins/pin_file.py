"""Pins: what a library version is expected to compute, in ``expected/VERSION.json`` beside its adapter.

What most functions of a version do at the edges is written once: ``common_behaviours`` holds, for each experiment, its
most frequent outcome; ``behaviours`` of a function holds the outcomes that differ from it, ``null`` for an experiment
that the function was not asked. A file without ``common_behaviours`` lists every behaviour of every function.

From pins come the definitions that are tried before all others, and findings of libraries that a run lacks. A pin is
never believed: it is tried first, against the same rivals and held-out cases as any other definition.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries import discovery
from recsys_metric_audit.audit.libraries.known import KnownDefinitions
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.reference.catalogue.lookup import CATALOGUE
from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError, parse
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reference.space.averaging import NOBODY
from recsys_metric_audit.reports.model.atomic_write import replace_file
from recsys_metric_audit.reports.model.regular_file import read_regular_text
from recsys_metric_audit.reports.model.result import Finding, Library, Result
from recsys_metric_audit.reports.model.result_file import LoadedRun
from recsys_metric_audit.reports.model.statement import axis_statements
from recsys_metric_audit.reports.paper.claims import compared_libraries
from recsys_metric_audit.reports.pins.expectation import FORMAT, FunctionExpectation, VersionExpectation

_COMMON = "common_behaviours"
_ORDER = (
    "metric", "status", "verdict", "formulas", "who_counts", "input", "unknown", "does_not_apply", "assumed",
    "behaviours",
)  # fmt: skip
"""The fields of a function in the order in which a person reads them."""


def read_pin(manifest: Manifest, version: Version) -> VersionExpectation | None:
    """Return what `version` is expected to compute; None if it was never accepted.

    Raises:
        UserError: if its file is damaged, of another format, or of another version.
    """
    path = manifest.expected_path(version)
    hint = f"make it again: audit accept -l {manifest.name}=={version.version} --yes"
    try:
        pin = from_text(read_regular_text(path))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read ({error})", hint) from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(step) for step in first["loc"]) or "the file"
        raise UserError(f"{path}: {place}: {first['msg']}; this version reads format {FORMAT}", hint) from error
    if (pin.library, pin.version) != (manifest.name, version.version):
        raise UserError(f"{path}: is of {pin.library} {pin.version}, as it says itself", hint)
    return pin


def write_pin(manifest: Manifest, version: Version, pin: VersionExpectation) -> Path:
    """Write what `version` is expected to compute, whole or not at all; return the file.

    Raises:
        UserError: if the adapter lies in an installed package.
    """
    discovery.refuse_installed(manifest.folder)
    path = manifest.expected_path(version)
    replace_file(path, to_text(pin))
    return path


def is_written(manifest: Manifest, version: Version, pin: VersionExpectation) -> bool:
    """Return True if the file of `version` holds `pin` as this version of the tool writes it."""
    path = manifest.expected_path(version)
    return path.is_file() and path.read_text(encoding="utf-8") == to_text(pin)


def orphan_pins(manifest: Manifest) -> list[Path]:
    """Return the pin files of versions that library.toml does not have."""
    known = {version.version for version in manifest.versions}
    return sorted(path for path in manifest.folder.glob("expected/*.json") if path.stem not in known)


def to_text(pin: VersionExpectation) -> str:
    """Return the text of the file that holds `pin`."""
    document = {"format": pin.format} | pin.model_dump(mode="json", exclude_defaults=True)
    functions = document.pop("functions")
    common = _common([function["behaviours"] for function in functions.values() if "behaviours" in function])
    for function in functions.values():
        if "behaviours" in function:
            function["behaviours"] = _differing(function["behaviours"], common)
    functions = {name: {key: each[key] for key in _ORDER if key in each} for name, each in functions.items()}
    document |= {_COMMON: common, "functions": functions} if common else {"functions": functions}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def from_text(text: str) -> VersionExpectation:
    """Return the pin that the text of a file holds.

    Raises:
        pydantic.ValidationError: if it is damaged or of another format.
    """
    try:
        document = json.loads(text)
        common = document.pop(_COMMON, {})
        for function in document["functions"].values():
            if "behaviours" in function:
                merged = {**common, **function["behaviours"]}
                function["behaviours"] = {name: merged[name] for name in sorted(merged) if merged[name] is not None}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return VersionExpectation.model_validate_json(text)  # raises the error that says what is wrong
    return VersionExpectation.model_validate_json(json.dumps(document))


def _common(behaviours: list[Mapping[str, str]]) -> dict[str, str]:
    """Return the most frequent outcome of every experiment; of equally frequent ones the first by name."""
    outcomes: dict[str, Counter[str]] = {}
    for each in behaviours:
        for name, outcome in each.items():
            outcomes.setdefault(name, Counter())[outcome] += 1
    return {name: min(outcomes[name], key=lambda each: (-outcomes[name][each], each)) for name in sorted(outcomes)}


def _differing(behaviours: Mapping[str, str], common: Mapping[str, str]) -> dict[str, str | None]:
    own: dict[str, str | None] = {name: behaviours.get(name) for name in common}
    return {name: outcome for name, outcome in own.items() if outcome != common[name]}


def known_definitions(libraries: Iterable[Manifest] = ()) -> KnownDefinitions:
    """Return what functions are known to compute.

    Of a metric that is its canonical definition and those of the catalogue; of a function, what is pinned for it in any
    version of its library, complete with the values that its pin assumes. What is pinned for other libraries is left
    out: what is found would depend on which of them are audited together.

    Args:
        libraries: The libraries whose pins are read; a damaged pin is left out.
    """
    of_metric = {metric: [Definition.of(metric)] for metric in FAMILIES}
    of_function: dict[tuple[str, str, str], Definition] = {}
    for entry in CATALOGUE:
        of_metric[entry.definition.metric].append(entry.definition.with_(k="k"))
    for manifest in {each.name: each for each in libraries}.values():
        for version in manifest.versions:
            with suppress(UserError):  # `audit check` reports it
                for name, definition in _pinned_definitions(read_pin(manifest, version)):
                    of_function[manifest.name, version.version, name] = definition
    return KnownDefinitions(of_function, {metric: tuple(dict.fromkeys(own)) for metric, own in of_metric.items()})


def _pinned_definitions(pin: VersionExpectation | None) -> Iterator[tuple[str, Definition]]:
    """Yield every function that is pinned with one formula, by its name, with what its pin assumes where that fits."""
    for name, function in pin.functions.items() if pin is not None else ():
        if function.status == "measured" and len(function.formulas) == 1:
            with suppress(SignatureError):  # of an older space of definitions
                pinned = parse(function.signature)
                with suppress(KeyError, SignatureError):
                    pinned = parse(pinned.with_(**function.assumed).signature())
                yield name, pinned


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
            findings += [made for name, each in pin.functions.items() if (made := _finding(pin, name, each))]
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
