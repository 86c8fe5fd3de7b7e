"""The text of a pin file: what most functions of a version do at the edges is written once.

``common_behaviours`` holds, for each experiment, its most frequent outcome; ``behaviours`` of a function holds the
outcomes that differ from it, ``null`` for an experiment that the function was not asked. A file without
``common_behaviours`` lists every behaviour of every function.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping

from reports.pins.expectation import VersionExpectation

_COMMON = "common_behaviours"


def to_text(accepted: VersionExpectation) -> str:
    """Return the text of the file that holds `accepted`."""
    document = {"format": accepted.format} | accepted.model_dump(mode="json", exclude_defaults=True)
    functions = document.pop("functions")
    common = _common([function["behaviours"] for function in functions.values() if "behaviours" in function])
    for function in functions.values():
        if "behaviours" in function:
            function["behaviours"] = _differing(function["behaviours"], common)
    document |= {_COMMON: common, "functions": functions} if common else {"functions": functions}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def from_text(text: str) -> VersionExpectation:
    """Return what the text of a pin file says.

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
    except (ValueError, TypeError, KeyError, AttributeError):
        return VersionExpectation.model_validate_json(text)  # which says what is wrong
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
