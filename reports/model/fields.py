"""What every part of the result file is made of: numbers that JSON cannot write, foreign words, times."""

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
    PlainSerializer,
    WithJsonSchema,
)

_UNWRITABLE = ("nan", "inf", "-inf")


def _number_in(value: Any) -> Any:
    return float(value) if isinstance(value, str) and value in _UNWRITABLE else value


def _number_out(value: float) -> float | str:
    return value if math.isfinite(value) else str(value)


def _words(value: Any) -> Any:
    # A library's error text may hold lone surrogates, which no encoding can write.
    if not isinstance(value, str) or value.isascii():
        return value
    return value.encode("utf-8", "replace").decode("utf-8")


Number = Annotated[
    float,
    BeforeValidator(_number_in),
    PlainSerializer(_number_out, when_used="json"),
    WithJsonSchema({"anyOf": [{"type": "number"}, {"enum": list(_UNWRITABLE)}]}),
]
SafeText = Annotated[str, BeforeValidator(_words)]
Utc = Annotated[AwareDatetime, AfterValidator(lambda time: time.astimezone(UTC))]


class FrozenModel(BaseModel):
    """Base of every part: immutable, no unknown names, docstrings become the schema's descriptions."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
