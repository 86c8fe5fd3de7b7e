"""A library that was not run stands in a result with what its pin says, and with nothing else."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.libraries.discovery import adapters_dir, discover
from recsys_metric_audit.audit.pins.pin_file import read_pin
from recsys_metric_audit.audit.pins.pinned_findings import run_for_paper, with_pinned
from recsys_metric_audit.reports.model.level_meaning import LevelMeaning, level_meaning
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.model.result_file import LoadedRun
from tests.support.result_samples import library, result

KNOWN = discover([adapters_dir()])


@pytest.mark.slow
def test_findings_mean_what_the_pins_say() -> None:
    made = with_pinned(result(libraries=(), findings=()), KNOWN.values())
    Result.model_validate(made.model_dump())
    assert {each.library for each in made.libraries} == KNOWN.keys()
    assert not any(each.live for each in made.libraries)
    compared = 0
    for finding in made.findings:
        manifest = KNOWN[finding.library]
        pin = read_pin(manifest, next(each for each in manifest.versions if each.version == finding.version))
        assert pin is not None
        said = pin.functions[finding.function]
        assert finding.value is None and (finding.metric, finding.verdict) == (said.metric, said.verdict)
        assert level_meaning(finding) == LevelMeaning(**said.model_dump(include=set(LevelMeaning.model_fields)))
        compared += 1
    assert compared > 400


def test_a_library_of_the_run_stays_as_it_was_found() -> None:
    own = result(libraries=(library("ranx", "9.9"),), findings=())
    made = with_pinned(own, [KNOWN["ranx"], KNOWN["pytrec_eval"]])
    assert [each.version for each in made.libraries if each.library == "ranx"] == ["9.9"]
    assert {each.library for each in made.findings} == {"pytrec_eval"}


def test_only_what_a_paper_holds_against_each_other_is_added_and_it_is_said() -> None:
    run = LoadedRun(result(libraries=(), findings=()), "a test")
    found = run_for_paper(run, "bassani2022", lambda: KNOWN)
    assert {each.library for each in found.result.libraries} == {"ranx", "pytrec_eval"}
    assert found.origin.startswith("a test; pytrec_eval ") and found.origin.count(" by its accepted pin") == 2
    assert run_for_paper(run, "manzhos2025", lambda: KNOWN) is run
