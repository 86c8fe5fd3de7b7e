"""Keeps the answers to the claims of all papers but that of 2021: to make them again takes data and minutes."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable
from pathlib import Path

from pydantic import TypeAdapter

from recsys_metric_audit.reports.model.atomic_write import write_file
from recsys_metric_audit.reports.paper.reaudit import Reaudit

RECORDED = Path(__file__).parent.parent / "cited" / "answers.json.xz"


def write_recorded(audited: Iterable[Reaudit]) -> None:
    """Write the re-audits of papers, to be shown where nothing is made again."""
    made = _reaudits().dump_python({each.key: each for each in audited}, mode="json")
    write_file(lzma.compress(json.dumps(made).encode()), RECORDED)


def recorded(key: str) -> Reaudit:
    """Return the recorded re-audit of a paper."""
    return _reaudits().validate_python(json.loads(lzma.decompress(RECORDED.read_bytes())))[key]


def _reaudits() -> TypeAdapter[dict[str, Reaudit]]:
    return TypeAdapter(dict[str, Reaudit])
