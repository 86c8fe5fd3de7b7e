"""Type a command of the tool in a test, with a stand-in for the audit itself."""

from __future__ import annotations

from typing import Any

import pytest
from typer.testing import CliRunner, Result

from recsys_metric_audit.audit import cli
from recsys_metric_audit.audit.responders.choice import find_responder
from tests.support.result_samples import finding, library, result


def audit(*words: str) -> Result:
    """Run the command line in this process, as if `words` were typed after ``audit``."""
    return CliRunner().invoke(cli.app, words, prog_name="audit")


def audit_mine(*words: str) -> Result:
    """Run the command line on the adapters in the folder ``mine``."""
    return audit(*words, "--adapters", "mine")


def run_small(*words: str) -> Result:
    """Run ``audit run`` on five users and twenty items."""
    return audit("run", "--dataset", "synthetic:5x20", *words)


class Audit:
    """Stands in for :func:`audit.run.run`: keeps the request, tells progress, gives back ``result``."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.result: Any = result(libraries=(library(),), findings=(finding(),))
        self.request: Any = None
        self.find: Any = None
        self.recorded: Any = None
        self.raises: BaseException | None = None
        monkeypatch.setattr("recsys_metric_audit.audit.run.run", self)

    def __call__(self, request: Any, progress: Any, find: Any = find_responder, recorded: Any = None) -> Any:
        self.request, self.find, self.recorded = request, find, recorded
        if self.raises is not None:
            raise self.raises
        progress.building("alpha", "1.0", "installing 3 distributions")
        for done in range(4):
            progress.asking("alpha", "1.0", done, 3)
        for done in range(3):
            progress.identifying("alpha", "1.0", done, 2)
        progress.finished("alpha", "1.0", "audited", 2.25, ())
        return self.result
