"""Result files of format 1 read as format 2: the verdict was about every axis at once, and is about the formula now."""

from __future__ import annotations

from typing import Any

from reference.catalogue.documented_formulas import documents_formula
from reference.definitions.definition import Definition, SignatureError, parse
from reference.definitions.projection import by_level, formula_of

_RENAMED = ("agrees", "variant", "undocumented", "ambiguous")


def upgraded(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document of format 1 as one of format 2; the document itself is not changed.

    Formula and levels follow from the signature that stands in the file. What format 1 did not hold (contract, effect
    on the data, axes that cannot matter) stays empty.
    """
    findings = document.get("findings")
    if not isinstance(findings, list):
        return {**document, "format": 2}
    return {**document, "format": 2, "findings": [_finding(each) for each in findings]}


def _finding(found: Any) -> Any:
    if not isinstance(found, dict) or not isinstance(found.get("signature"), str):
        return found
    try:
        definition = parse(found["signature"])
        others = [parse(each) for each in found.get("equivalent", ())]
    except (SignatureError, TypeError):
        return found  # validation names the field
    formulas = list(dict.fromkeys(formula_of(each) for each in (definition, *others)))
    differs = found.get("differs_on", ())
    out = {
        **found, "formula": formulas[0].signature(), "levels": by_level(map(str, differs)),
        "unknown": found.get("evidence", {}).get("blind", ()),
        "documented_by": _documented_by(found, formulas[0]),
    }  # fmt: skip
    if found.get("verdict") in _RENAMED:
        out["verdict"] = _verdict(found, formulas, bool(out["documented_by"]))
    return out


def _documented_by(found: dict[str, Any], formula: Definition) -> list[str]:
    library = ["library"] if found.get("matches_claim") is True else []
    return library + (["catalogue"] if documents_formula(formula) else [])


def _verdict(found: dict[str, Any], formulas: list[Definition], documented: bool) -> str:
    if len(formulas) > 1:
        return "ambiguous"
    if formulas[0].metric == found.get("metric") and not formulas[0].differs_on:
        return "agrees"
    return "variant" if documented else "undocumented"
