"""Progress is bars on a terminal and lines elsewhere."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from recsys_metric_audit.audit.cli.progress.progress_bars import ProgressBars
from recsys_metric_audit.audit.cli.progress.progress_lines import ProgressLines
from recsys_metric_audit.audit.cli.progress.watch import watch
from tests.support import drifting_library


@pytest.mark.parametrize(("terminal", "kind"), [(True, ProgressBars), (False, ProgressLines)])
def test_bars_only_on_a_terminal(terminal: bool, kind: type, tmp_path: Path) -> None:
    manifest = drifting_library.write(tmp_path / "drifting", "2.0", "1.0")
    console = Console(file=io.StringIO(), force_terminal=terminal, width=100)
    with watch(console, [(manifest, version) for version in manifest.versions]) as progress:
        assert isinstance(progress, kind)
        progress.finished("drifting", "2.0", "audited", 1.5, ())
    assert isinstance(console.file, io.StringIO)
    assert "drifting 2.0: audited in 1.5 s" in console.file.getvalue()
