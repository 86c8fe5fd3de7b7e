"""Pins on disk: what a library version is expected to compute, in ``expected/VERSION.json`` beside its adapter.

What most functions of a version do at the edges is written once: ``common_behaviours`` holds, for each experiment, its
most frequent outcome; ``behaviours`` of a function holds the outcomes that differ from it, ``null`` for an experiment
that the function was not asked. A file without ``common_behaviours`` lists every behaviour of every function.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries import discovery
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.reports.model.atomic_write import replace_file
from recsys_metric_audit.reports.model.regular_file import read_regular_text
from recsys_metric_audit.reports.pins.expectation import FORMAT, VersionExpectation

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
