"""Result files of format 1 read as format 2: the verdict was about every axis at once, and is about the formula now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recsys_metric_audit.reference.catalogue import documents_formula
from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError, parse
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reference.space.levels import by_level, level_of

_RENAMED = ("agrees", "variant", "undocumented", "ambiguous")


def upgraded(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document of format 1 as one of format 2; the document itself is not changed.

    Formula and levels follow from the signature that stands in the file. What format 1 did not hold (contract, effect
    on the data, axes that cannot matter) stays empty. Definitions that fit and have one formula
    become one, and the axes on which they differ are unknown.
    """
    findings = document.get("findings")
    if not isinstance(findings, list):
        return {**document, "format": 2}
    return {**document, "format": 2, "findings": [_finding(each) for each in findings]}


def _finding(found: Any) -> Any:
    if not isinstance(found, dict) or not isinstance(found.get("signature"), str):
        return found
    if not isinstance(found.get("differs_on", ()), list | tuple):
        return found  # validation names the field
    try:
        definition = parse(found["signature"])
        others = [parse(each) for each in found.get("equivalent", ())]
    except (SignatureError, TypeError, AttributeError):
        return found  # validation names the field
    formulas = list(dict.fromkeys(formula_of(each) for each in (definition, *others)))
    unknown = _unknown(found, definition, others, len(formulas) > 1)
    differs = [str(axis) for axis in found.get("differs_on", ()) if axis not in unknown]
    stated = found.get("definition")
    out = {
        **found, "formula": formulas[0].signature(), "levels": by_level(differs), "differs_on": differs,
        "signature": definition.with_(**_canonical(definition, unknown)).signature(), "unknown": unknown,
        "equivalent": [each.signature() for each in formulas[1:]],
        "documented_by": _documented_by(found, formulas[0]),
    }  # fmt: skip
    if isinstance(stated, dict):
        out["definition"] = {axis: value for axis, value in stated.items() if axis not in unknown}
    if found.get("verdict") in _RENAMED:
        out["verdict"] = _verdict(found, formulas, bool(out["documented_by"]))
    return out


def _listed(value: Any) -> Sequence[Any]:
    """Return ``value`` if it is a list; an empty one if the file is damaged here, which validation then says."""
    return value if isinstance(value, list | tuple) else ()


def _unknown(found: dict[str, Any], shown: Definition, others: list[Definition], several: bool) -> list[str]:
    """Return the axes that were not identified: those that format 1 said so of, and those on which fits differ."""
    evidence = found.get("evidence")
    unidentified = [str(axis) for axis in _listed(evidence.get("blind") if isinstance(evidence, dict) else None)]
    if several:
        return unidentified
    apart = [name for name in shown.axes if any(each.axes.get(name) != shown.axes[name] for each in others)]
    return [*unidentified, *(name for name in apart if name not in unidentified and level_of(name) != "formula")]


def _canonical(definition: Definition, axes: list[str]) -> dict[str, str]:
    canonical = definition.family.canonical
    return {name: canonical[name] for name in axes if name in canonical and level_of(name) != "formula"}


def _documented_by(found: dict[str, Any], formula: Definition) -> list[str]:
    library = ["library"] if found.get("matches_claim") is True else []
    return library + (["catalogue"] if documents_formula(formula) else [])


def _verdict(found: dict[str, Any], formulas: list[Definition], documented: bool) -> str:
    if len(formulas) > 1:
        return "ambiguous"
    if formulas[0].metric == found.get("metric") and not formulas[0].differs_on:
        return "agrees"
    return "variant" if documented else "undocumented"
