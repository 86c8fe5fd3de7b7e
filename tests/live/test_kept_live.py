"""Audits a real library again without a call, with and without kept findings: it is found to compute the same."""

from __future__ import annotations

import shutil

import pytest

from recsys_metric_audit.audit import data, run
from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.libraries import discovery
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.refutation import identify_functions
from recsys_metric_audit.audit.responders import live
from recsys_metric_audit.audit.responders.choice import find_cached_responder
from recsys_metric_audit.reports.model.result import Result
from tests.support.one_metric_library import Endings

pytestmark = pytest.mark.live


def test_the_second_audit_takes_no_call_and_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    ((library, version),) = discovery.select(discovery.discover([discovery.adapters_dir()]), ["surprise==1.1.5"])
    folder = environment.ensure(library, version).folder
    shutil.rmtree(folder / "answers", ignore_errors=True)
    shutil.rmtree(folder / "findings", ignore_errors=True)
    case = data.load("synthetic:20x30")

    def audited() -> Result:
        request = run.Request(((library, version),), case, (3,), 1, Limits(), "audit run")
        return run.run(request, Endings(), find_cached_responder)

    first = audited()
    monkeypatch.setattr(live, "converse", lambda *_, **__: pytest.fail("the library was asked"))
    identified = identify_functions.diagnose
    monkeypatch.setattr(identify_functions, "diagnose", lambda *_, **__: pytest.fail("it was identified again"))
    second = audited()
    assert first.libraries[0].status == "audited"
    assert first.libraries[0].kept is None
    assert second.libraries[0].kept is not None
    assert second.libraries[0].installed == first.libraries[0].installed
    assert [each.model_dump_json() for each in second.findings] == [each.model_dump_json() for each in first.findings]
    monkeypatch.setattr(identify_functions, "diagnose", identified)
    shutil.rmtree(folder / "findings")
    without = audited().model_copy(update={"time": second.time})
    assert without.model_dump_json() == second.model_dump_json()
