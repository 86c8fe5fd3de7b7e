"""A whole run, libraries out of process: what one of them does costs the others nothing."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version, load
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.responders import live
from recsys_metric_audit.audit.run import AuditInterrupted, Request, run
from recsys_metric_audit.reference.input.case import Predictions
from recsys_metric_audit.reports.model.result import Finding, Result
from tests.support.one_metric_library import GOOD, KS, TOML, Endings, by_hand, ensure

pytestmark = pytest.mark.slow  # processes of their own, or whole audits

HANGS = """\
import time
def hang(case, k):
    while True:
        time.sleep(60)
prepare, FUNCTIONS = (lambda case: case), {"statistics.mean": hang}
"""
DIES = """\
import os, signal
prepare, FUNCTIONS = (lambda case: case), {"statistics.mean": lambda case, k: os.kill(os.getpid(), signal.SIGKILL)}
"""
NAN = 'prepare, FUNCTIONS = (lambda case: case), {"statistics.mean": lambda case, k: float("nan")}\n'
LIBRARIES = {"good": GOOD, "hangs": HANGS, "dies": DIES, "nothing": NAN, "unbuilt": GOOD}


def audited(
    folder: Path, names: list[str], seconds: float = 60.0, endings: Endings | None = None, jobs: int = 1
) -> tuple[Result, Endings]:
    chosen = []
    for name in names:
        (folder / name).mkdir(parents=True)
        (folder / name / "library.toml").write_text(TOML)
        (folder / name / "adapter.py").write_text(LIBRARIES[name])
        manifest = load(folder / name)
        chosen.append((manifest, manifest.versions[0]))
    endings = endings or Endings()
    request = Request(tuple(chosen), data.load("synthetic:20x30"), KS, jobs, Limits(seconds=seconds), "audit run")
    return run(request, endings), endings


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Endings]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(environment, "ensure", ensure)
        return audited(tmp_path_factory.mktemp("together"), list(LIBRARIES), seconds=SECONDS, jobs=2)


SECONDS = 6.0
"""For one ask, the start of a process included: the hanging library costs twice as much."""


def rows(result: Result, library: str) -> list[Finding]:
    return [finding for finding in result.findings if finding.library == library]


def told(findings: list[Finding]) -> list[tuple[object, ...]]:
    return [(each.k, each.status, each.verdict, each.signature, each.value) for each in findings]


def test_every_library_keeps_its_rows_in_order(together: tuple[Result, Endings]) -> None:
    result, endings = together
    assert [(each.library, each.k) for each in result.findings] == [(name, k) for name in LIBRARIES for k in KS]
    assert [each.library for each in result.libraries] == list(LIBRARIES)
    # Of what hangs and of what dies nothing was measured.
    ended = {"hangs": "failed", "dies": "failed", "unbuilt": "unavailable"}
    expected = {name: ended.get(name, "audited") for name in LIBRARIES}
    assert endings.ended == expected
    assert {each.library: each.status for each in result.libraries} == expected
    assert Result.model_validate_json(result.model_dump_json()).model_dump_json() == result.model_dump_json()


def test_the_good_one_is_what_it_is_by_itself(
    together: tuple[Result, Endings], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "ensure", ensure)
    alone, _ = audited(tmp_path, ["good"])
    good = rows(together[0], "good")
    assert told(good) == told(rows(alone, "good"))
    assert [(each.verdict, each.signature) for each in good] == [("agrees", "precision@1"), ("agrees", "precision@5")]
    for each in good:
        assert each.value == pytest.approx(by_hand(each.k or 0))
        assert each.evidence.fitted_value == pytest.approx(each.value)


class InterruptedAt(Endings):
    """Interrupts the run when a library is asked."""

    def asking(self, library: str, version: str, done: int, total: int) -> None:
        if library == "nothing":
            raise KeyboardInterrupt
        super().asking(library, version, done, total)


def test_an_interrupt_loses_nothing_that_was_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "ensure", ensure)
    with pytest.raises(AuditInterrupted) as interrupt:
        audited(tmp_path, ["good", "nothing"], endings=InterruptedAt())
    result = interrupt.value.finished()
    assert [(each.library, each.status) for each in result.libraries] == [("good", "audited")]
    assert [each.signature for each in result.findings] == ["precision@1", "precision@5"]


def test_progress_tells_how_many_functions_are_identified(together: tuple[Result, Endings]) -> None:
    identified = together[1].identified
    assert set(identified) == set(LIBRARIES) - {"unbuilt"}
    assert {(told[0], told[-1]) for told in identified.values()} == {(0, 1)}
    assert all(told == sorted(told) for told in identified.values())


@pytest.mark.parametrize(
    ("library", "status", "words"),
    [("hangs", "timed_out", f"no answer within {SECONDS:g} s"), ("dies", "crashed", "exit code -9"),
     ("unbuilt", "unavailable", "no network (plug it in)")],
)  # fmt: skip
def test_the_others_say_what_became_of_them(
    together: tuple[Result, Endings], library: str, status: str, words: str
) -> None:
    for row in rows(together[0], library):
        assert (row.status, row.verdict, row.value, row.signature) == (status, None, None, None)
        assert row.reason is not None and words in row.reason


def test_not_a_number_is_measured_and_explained_by_nothing(together: tuple[Result, Endings]) -> None:
    for row in rows(together[0], "nothing"):
        assert (row.status, row.verdict, row.signature) == ("measured", "unexplained", None)
        assert row.value is not None and math.isnan(row.value)


def test_the_slow_start_last_and_keep_their_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    def note(manifest: Manifest, version: Version, *, progress: environment.Progress) -> environment.Environment:
        started.append((manifest.name, version.version))
        raise environment.BuildFailed("install", "not needed here")

    monkeypatch.setattr(environment, "ensure", note)
    pin = '[[version]]\nversion = "{}"\npython = "3.11"\n{}\n'
    more = pin.format("2.0", 'heavy = "Spark"') + pin.format("1.5", 'torch = "cpu"')
    chosen = []
    for name in ("alpha", "beta"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "library.toml").write_text(TOML.replace("[[version]]", more + "[[version]]", 1))
        chosen += [(load(tmp_path / name), version) for version in load(tmp_path / name).versions]
    result = run(Request(tuple(chosen), data.load("synthetic:20x30"), KS, 1, Limits(), "audit run"), Endings())
    order = ("1.0", "1.5", "2.0")
    assert started == [(name, version) for version in order for name in ("alpha", "beta")]
    assert [each.version for each in result.libraries] == ["2.0", "1.5", "1.0"] * 2


def test_more_time_for_one_version_is_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "ensure", ensure)
    limits = []
    original = live.converse

    def hear(*arguments: object, **options: object) -> object:
        limits.append(arguments[5])
        return original(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(live, "converse", hear)
    monkeypatch.setattr(
        sys.modules[__name__], "TOML", TOML.replace('python = "3.11"', 'python = "3.11"\ntimeout = 600')
    )
    audited(tmp_path, ["good"])
    assert set(limits) == {Limits(seconds=600.0)}


def test_further_recommenders_are_measured_and_nothing_else_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "ensure", ensure)
    (tmp_path / "good").mkdir()
    (tmp_path / "good" / "library.toml").write_text(TOML)
    (tmp_path / "good" / "adapter.py").write_text(GOOD)
    manifest = load(tmp_path / "good")
    first = data.load("synthetic:20x30")
    best = Predictions(first.case.truth.user, first.case.truth.item, first.case.truth.gain)
    nothing = Predictions(first.case.truth.user, first.case.truth.item + 1000, first.case.truth.gain)
    others = {
        "perfect": replace(first.case, predictions=best),
        "hopeless": replace(first.case, predictions=nothing, catalogue=np.arange(1, 2000)),
    }
    asked = ((manifest, manifest.versions[0]),)
    request = Request(asked, first, (1,), 1, Limits(seconds=60.0), "audit run", "first", others)
    result = run(request, Endings())
    assert result.recommenders == ("first", "perfect", "hopeless")
    found = result.findings[0]
    assert found.by_recommender == {"first": found.value, "perfect": 1.0, "hopeless": 0.0}
    precision = next(row for row in result.reference if row.metric == "precision")
    assert precision.by_recommender == {"first": precision.value, "perfect": 1.0, "hopeless": 0.0}
    assert told([found]) == told(rows(run(replace(request, others={}), Endings()), "good"))


def test_a_library_without_environment_shows_the_log(together: tuple[Result, Endings]) -> None:
    entry = next(each for each in together[0].libraries if each.library == "unbuilt")
    assert (entry.log, entry.reason, entry.seconds) == ("error: could not connect", "no network (plug it in)", None)


def test_the_reference_stands_beside_the_libraries(together: tuple[Result, Endings]) -> None:
    own = {row.k: row.value for row in together[0].reference if row.metric == "precision"}
    assert own == pytest.approx({k: by_hand(k) for k in KS})
    assert together[0].k == KS


@pytest.mark.parametrize(("state", "removed"), [("missing", True), ("ready", False)])
def test_only_environments_that_the_run_built_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str, removed: bool
) -> None:
    gone: list[tuple[str, str]] = []
    monkeypatch.setattr(environment, "ensure", ensure)
    monkeypatch.setattr(environment, "state", lambda manifest, version: state)
    monkeypatch.setattr(environment, "remove", lambda manifest, version: gone.append((manifest.name, version.version)))
    (tmp_path / "good").mkdir()
    (tmp_path / "good" / "library.toml").write_text(TOML)
    (tmp_path / "good" / "adapter.py").write_text(GOOD)
    manifest = load(tmp_path / "good")
    chosen = ((manifest, manifest.versions[0]),)
    request = Request(chosen, data.load("synthetic:20x30"), KS, 1, Limits(seconds=60), "", remove_environments=True)
    result = run(request, Endings())
    assert [each.status for each in result.libraries] == ["audited"]
    assert gone == ([("good", manifest.versions[0].version)] if removed else [])
