"""The row of a version: its status by whether its adapter answered and can be trusted."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.audit.libraries.manifest import Manifest
from recsys_metric_audit.audit.process.protocol import Conversation, Hello, Limits
from recsys_metric_audit.audit.responders.live import LiveLibrary
from recsys_metric_audit.audit.run.library_row import audited_row, unavailable_row
from recsys_metric_audit.reports.model.result import Finding
from tests.support import drifting_library
from tests.support.result_samples import finding

HELLO = Hello(1, "3.9.7", "here", {"numpy": "1.26.4"}, ("statistics.mean",))
LIVE = LiveLibrary(Path("python"), Path("adapter.py"), (), Limits())
MEASURED = finding()


def failed(reason: str, status: str = "failed") -> Finding:
    """Return a finding without a value."""
    nothing = {"value": None, "verdict": None, "signature": None, "definition": {}}
    return finding(status=status, reason=reason, **nothing)


@pytest.fixture
def manifest(tmp_path: Path) -> Manifest:
    return drifting_library.write(tmp_path / "lib", "1.0")


def test_an_answering_library_tells_its_interpreter_and_distributions(manifest: Manifest) -> None:
    row = audited_row(manifest, manifest.versions[0], Conversation(HELLO, (), 2.5), LIVE, None, (MEASURED,))
    assert (row.status, row.reason, row.python, row.installed) == ("audited", None, "3.9.7", {"numpy": "1.26.4"})
    assert (row.live, row.recorded, row.seconds) == (True, None, 2.5)


def test_a_replayed_recording_took_no_time_of_the_library(manifest: Manifest) -> None:
    replayed = LiveLibrary(Path("python"), Path("adapter.py"), (), Limits(), live=False, recorded_on="2024-05-01")
    row = audited_row(manifest, manifest.versions[0], Conversation(HELLO, (), 2.5), replayed, None, (MEASURED,))
    assert (row.live, row.recorded, row.seconds) == (False, "2024-05-01", None)


def test_a_suspected_adapter_failed(manifest: Manifest) -> None:
    row = audited_row(
        manifest, manifest.versions[0], Conversation(HELLO, (), 2.5), LIVE, "columns confused", (MEASURED,)
    )
    assert (row.status, row.reason, row.log) == ("failed", "columns confused", "")


def test_an_adapter_that_never_answered_failed_with_its_last_words(manifest: Manifest) -> None:
    silent = Conversation(None, (), 0.0, stderr="ImportError: no numpy")
    for fault in (None, "columns confused"):
        row = audited_row(manifest, manifest.versions[0], silent, LIVE, fault, (failed("it did not start"),))
        assert (row.status, row.reason) == ("failed", "its adapter did not answer at all")
        assert (row.log, row.python, row.installed) == ("ImportError: no numpy", "3.11", {})


def test_an_unavailable_version_keeps_the_log_of_its_build(manifest: Manifest) -> None:
    row = unavailable_row(manifest, manifest.versions[0], "no network", "error: could not connect")
    assert (row.status, row.reason, row.log) == ("unavailable", "no network", "error: could not connect")
    assert (row.library, row.version, row.seconds, row.live) == ("lib", "1.0", None, True)


@pytest.mark.parametrize(
    ("findings", "status", "reason"),
    [
        ([failed("ImportError: no x")] * 3, "failed", "no function could be measured: ImportError: no x"),
        (
            [failed("KeyError: 1"), failed("within 2 s", "timed_out"), failed("within 2 s", "timed_out")],
            "failed",
            "no function could be measured: timed out: within 2 s (2 of 3 findings)",
        ),
        ([failed("not built", "unavailable")], "unavailable", "no function could be measured: not built"),
        (
            [failed("a\n  traceback\x1b[31m", "crashed")],
            "failed",
            "no function could be measured: crashed: a traceback",
        ),
        ([failed("KeyError: 1"), MEASURED], "audited", None),
    ],
)
def test_a_version_of_which_nothing_was_measured_is_not_audited(
    manifest: Manifest, findings: list[Finding], status: str, reason: str | None
) -> None:
    conversation = Conversation(HELLO, (), 2.5, stderr="its last words")
    row = audited_row(manifest, manifest.versions[0], conversation, LIVE, None, findings)
    assert row.status == status
    assert row.reason == reason or (
        reason and row.reason and row.reason.startswith(reason) and "\x1b" not in row.reason
    )
    assert row.log == ("" if status == "audited" else "its last words")
