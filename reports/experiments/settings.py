"""Types of the settings of experiments in ``claims.toml``."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator

from reference.definitions.definition import parse


def _signature(text: str) -> str:
    parse(text)
    return text


Signature = Annotated[str, AfterValidator(_signature)]
"""A signature without a number for k, such as ``ndcg|ideal:none``."""
