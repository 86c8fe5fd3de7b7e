"""Compare what a definition gives with a table of hand-computed values."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.support.generated_inputs import value
from tests.support.hand_computed.shorthand import Row


def each_row(rows: Sequence[Row]) -> pytest.MarkDecorator:
    """Return the mark that calls a test with ``row`` for each row, under the row's signature."""
    return pytest.mark.parametrize("row", rows, ids=[row[0] for row in rows])


def assert_row(row: Row) -> None:
    """Fail unless the definition has the expected mean on the row's input."""
    signature, case, expected, source = row
    assert value(signature, case) == pytest.approx(float(expected), rel=1e-12, abs=1e-12, nan_ok=True), source
