"""Settings of the tests of people's own functions."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Print in lines of 100 columns; :mod:`tests.unit.audit.cli.test_terminal_width` looks at narrower ones."""
    monkeypatch.setenv("COLUMNS", "100")
