"""Field types of the result file: numbers with NaN and infinity, text that can always be encoded, UTC times."""

from __future__ import annotations

import math
from datetime import UTC
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
)

_NOT_FINITE = ("nan", "inf", "-inf")


def _parse_number(value: Any) -> Any:
    return float(value) if isinstance(value, str) and value in _NOT_FINITE else value


def _serialize_number(value: float) -> float | str:
    return value if math.isfinite(value) else str(value)


def _encodable(value: Any) -> Any:
    # A library's error text may hold lone surrogates, which no encoding can write.
    if not isinstance(value, str) or value.isascii():
        return value
    return value.encode("utf-8", "replace").decode("utf-8")


Number = Annotated[
    float,
    BeforeValidator(_parse_number),
    PlainSerializer(_serialize_number, when_used="json"),
    WithJsonSchema({"anyOf": [{"type": "number"}, {"enum": list(_NOT_FINITE)}]}),
]
Width = Annotated[Number, Field(ge=0)]
"""A tolerance or another distance that cannot be negative."""
CutOff = Annotated[int, Field(ge=1)]
SafeText = Annotated[str, BeforeValidator(_encodable)]
Utc = Annotated[AwareDatetime, AfterValidator(lambda time: time.astimezone(UTC))]


class FrozenModel(BaseModel):
    """Base class of all parts of a file: frozen, without unknown names, documented in the schema by docstrings."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
