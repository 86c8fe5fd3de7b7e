"""The table of findings for other programs: its columns with their meanings, and a row for each finding."""

from __future__ import annotations

from dataclasses import dataclass
from types import NoneType
from typing import Annotated, Any, Final, Literal, get_args, get_origin

from recsys_metric_audit.reports.model.fields import FrozenModel
from recsys_metric_audit.reports.model.result import Dataset, Effect, Finding, Library, Reference, Result

DATASET_FORMAT: Final = 1
"""Version of the names, types and meanings of the columns."""

ColumnType = Literal["text", "number", "integer", "flag"]

TYPE_MEANINGS: dict[ColumnType, str] = {
    "text": "UTF-8 text; of several names, joined with `; `",
    "number": "float64, every digit kept",
    "integer": "int64",
    "flag": "boolean",
}


@dataclass(frozen=True)
class TidyColumn:
    """Describes one column: the field of the result file that it holds; ``part`` says which part of it, if any."""

    name: str
    model: type[FrozenModel]
    field: str
    part: str = ""

    @property
    def type(self) -> ColumnType:
        """Return the type of the column, from the annotation of its field."""
        annotation = self._annotation
        kinds = {each for each in get_args(annotation) if each is not NoneType} or {annotation}
        if kinds == {bool}:
            return "flag"
        bare = {get_args(each)[0] if get_origin(each) is Annotated else each for each in kinds}
        if bare == {int}:
            return "integer"
        return "number" if float in bare else "text"

    @property
    def meaning(self) -> str:
        """Return what the column holds, in the words of its field.

        Raises:
            ValueError: if the field has no docstring.
        """
        field = self.model.model_fields.get(self.field)
        words = field.description if field is not None else getattr(self.model, self.field).__doc__
        if not words:
            raise ValueError(f"{self.source} has no docstring")
        one_of = f"One of {', '.join(self.values)}." if self.values else ""
        return " ".join(f"{words} {one_of} {self.part}".split())

    @property
    def values(self) -> tuple[str, ...]:
        """Return the values that a column can have, where they are named in the annotation of its field."""
        annotation = self._annotation
        named = [each for each in (annotation, *get_args(annotation)) if get_origin(each) is Literal]
        return tuple(str(value) for each in named for value in get_args(each))

    @property
    def _annotation(self) -> object:
        """Return the annotation of the field; of a property, text: it names axes."""
        field = self.model.model_fields.get(self.field)
        return field.annotation if field is not None else str

    @property
    def source(self) -> str:
        """Return the field, as ``Finding.signature``."""
        return f"{self.model.__name__}.{self.field}"


_FINDING_1 = ("library", "version", "function", "metric", "k", "status", "verdict", "value")
_EFFECT = ("formula", "who_counts", "input", "total")
_LEVELS = ("formula", "who_counts", "input")
_FINDING_2 = (
    "unknown", "cannot_matter", "does_not_apply", "documented_by", "classes", "equivalent", "claimed", "matches_claim",
    "reason", "live",
)  # fmt: skip
_NAMES_ONLY = dict.fromkeys(("cannot_matter", "does_not_apply"), "Here the axes alone.")

COLUMNS: tuple[TidyColumn, ...] = (
    *(TidyColumn(name, Finding, name) for name in _FINDING_1),
    TidyColumn("canonical_value", Reference, "value"),
    TidyColumn("same_value", Effect, "same_value"),
    *(TidyColumn(f"effect_{name}", Effect, name) for name in _EFFECT),
    *(TidyColumn(name, Finding, name) for name in ("signature", "formula", "differs_on")),
    *(TidyColumn(f"differs_{level}", Finding, "levels", f"Here those of `{level}`.") for level in _LEVELS),
    *(TidyColumn(name, Finding, name, _NAMES_ONLY.get(name, "")) for name in _FINDING_2),
    TidyColumn("python", Library, "python"),
    TidyColumn("dataset", Dataset, "name"),
    TidyColumn("dataset_digest", Dataset, "digest"),
)

TIDY_COLUMNS = tuple(column.name for column in COLUMNS)
"""Names of the columns of every row; in those that hold several names, the names are joined with ``; ``."""


def tidy_rows(result: Result) -> list[dict[str, Any]]:
    """Return one row per finding in the order of the result: column to value, None where the finding has no value."""
    libraries = {(entry.library, entry.version): entry for entry in result.libraries}
    right = {(row.metric, row.k): row for row in result.reference}
    return [
        _row(finding, libraries[finding.library, finding.version], _canonical(finding, right), result)
        for finding in result.findings
    ]


def _canonical(finding: Finding, right: dict[tuple[str, int | None], Reference]) -> Reference | None:
    return right.get((finding.metric, finding.k)) or right.get((finding.metric, None))


def _row(finding: Finding, entry: Library, canonical: Reference | None, result: Result) -> dict[str, Any]:
    effect = finding.effect
    return {
        "library": finding.library,
        "version": finding.version,
        "function": finding.function,
        "metric": finding.metric,
        "k": finding.k,
        "status": finding.status,
        "verdict": finding.verdict,
        "value": finding.value,
        "canonical_value": canonical.value if canonical else None,
        "same_value": effect.same_value if effect else None,
        "effect_formula": effect.formula if effect else None,
        "effect_who_counts": effect.who_counts if effect else None,
        "effect_input": effect.input if effect else None,
        "effect_total": effect.total if effect else None,
        "signature": finding.signature,
        "formula": finding.formula,
        "differs_on": "; ".join(finding.differs_on),
        "differs_formula": "; ".join(finding.levels.get("formula", ())),
        "differs_who_counts": "; ".join(finding.levels.get("who_counts", ())),
        "differs_input": "; ".join(finding.levels.get("input", ())),
        "unknown": "; ".join(finding.unknown),
        "cannot_matter": "; ".join(finding.cannot_matter),
        "does_not_apply": "; ".join(finding.does_not_apply),
        "documented_by": "; ".join(finding.documented_by),
        "classes": "; ".join(finding.classes),
        "equivalent": "; ".join(finding.equivalent),
        "claimed": finding.claimed,
        "matches_claim": finding.matches_claim,
        "reason": finding.reason,
        "live": finding.live,
        "python": entry.python,
        "dataset": result.dataset.name,
        "dataset_digest": result.dataset.digest,
    }
