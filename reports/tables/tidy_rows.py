"""The table of findings for other programs: its columns with their meanings, and a row for each finding."""

from __future__ import annotations

from dataclasses import dataclass
from types import NoneType
from typing import Annotated, Any, Final, Literal, get_args, get_origin

from recsys_metric_audit.reference.space.levels import LEVELS, Level
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
    """Describes one column: the field of the result file that it holds; ``part`` says which part of it, if any.

    ``level`` is that whose axes it holds, of a field that has some for each.
    """

    name: str
    model: type[FrozenModel]
    field: str
    part: str = ""
    level: Level | None = None

    def of(self, part: FrozenModel | None) -> Any:
        """Return what a part of the result holds of the column; None without that part."""
        value: Any = getattr(part, self.field, None)
        if self.level is not None:
            value = value[self.level]
        return "; ".join(value) if isinstance(value, tuple | dict) else value

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
    *(TidyColumn(f"differs_{level}", Finding, "levels", f"Here those of `{level}`.", level) for level in LEVELS),
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
    rows = []
    for finding in result.findings:
        canonical = right.get((finding.metric, finding.k)) or right.get((finding.metric, None))
        entry = libraries[finding.library, finding.version]
        parts = {
            Finding: finding,
            Reference: canonical,
            Effect: finding.effect,
            Library: entry,
            Dataset: result.dataset,
        }
        rows.append({column.name: column.of(parts[column.model]) for column in COLUMNS})
    return rows
