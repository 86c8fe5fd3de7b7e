"""Pins of format 1 read as format 2: formula, who counts and input handling follow from their signatures."""

from __future__ import annotations

from typing import Any

from recsys_metric_audit.reference.catalogue import documents_formula
from recsys_metric_audit.reference.definitions.definition import SignatureError, parse
from recsys_metric_audit.reports.model.level_meaning import LevelMeaning, meaning_of_signatures, varying_axes

_ABOUT_EVERY_AXIS = ("agrees", "variant", "undocumented", "ambiguous")


def upgraded(document: dict[str, Any]) -> dict[str, Any]:
    """Return a pin of format 1 as one of format 2; the document itself is not changed.

    Format 1 told neither the axes that were not identified, unless several definitions fitted, nor those that do not
    apply: they read as canonical.
    """
    functions = document.get("functions")
    if not isinstance(functions, dict):
        return {**document, "format": 2}
    return {**document, "format": 2, "functions": {name: _function(each) for name, each in functions.items()}}


def _function(pinned: Any) -> Any:
    if not isinstance(pinned, dict) or "definitions" not in pinned:
        return pinned
    kept = {name: value for name, value in pinned.items() if name != "definitions"}
    signatures = tuple(pinned["definitions"])
    if not signatures or not all(isinstance(each, str) for each in signatures):
        return {**kept, "formulas": pinned["definitions"]}  # validation names the field
    try:
        meaning = meaning_of_signatures(signatures, unknown=varying_axes(signatures))
    except SignatureError:
        meaning = meaning_of_signatures(signatures)
    out = {**kept, **meaning.model_dump(exclude_defaults=True)}
    if kept.get("verdict") in _ABOUT_EVERY_AXIS:
        out["verdict"] = _verdict(str(kept["verdict"]), str(kept.get("metric")), meaning)
    return out


def _verdict(old: str, metric: str, meaning: LevelMeaning) -> str:
    """Return the verdict on the formula; whether the library's own documentation states it is not known."""
    if len(meaning.formulas) > 1:
        return "ambiguous"
    try:
        formula = parse(meaning.formulas[0])
    except SignatureError:
        return old
    if formula.metric == metric and not formula.differs_on:
        return "agrees"
    return "variant" if old == "variant" or documents_formula(formula) else "undocumented"
