"""Environments are built a few versions ahead, in order, and what is found and never asked is closed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.environments.environment import BuildFailed
from recsys_metric_audit.audit.libraries.manifest import Manifest, load
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.process.stoppable import StoppableThreads
from recsys_metric_audit.audit.run import Request, all_versions, run
from recsys_metric_audit.audit.run.building_ahead import BuildingAhead
from tests.support.defined_responder import DefinedResponder
from tests.support.one_metric_library import DATASET, KS, TOML, Endings

NAMES = [f"n{number}" for number in range(9)]


class Closable(DefinedResponder):
    closed = False

    def close(self) -> None:
        self.closed = True


class Finder:
    """Finds a responder for each version; keeps the order, and waits where it is told to."""

    def __init__(self) -> None:
        self.order: list[str] = []
        self.made: dict[str, Closable] = {}
        self.gate = threading.Event()
        self.gate.set()

    def __call__(self, manifest: Manifest, *given: Any) -> Closable:
        given[-1]("creating an environment")
        self.order.append(manifest.name)
        self.gate.wait(10)
        if manifest.name == "n1":
            raise BuildFailed("install", "no network", "plug it in", "")
        self.made[manifest.name] = Closable({"statistics.mean": "precision@k"})
        return self.made[manifest.name]


@pytest.fixture
def request_of(tmp_path: Path) -> Callable[..., Request]:
    def make(**options: Any) -> Request:
        for name in NAMES:
            (tmp_path / name).mkdir()
            (tmp_path / name / "library.toml").write_text(TOML)
            (tmp_path / name / "adapter.py").write_text("")
        chosen = tuple((each, each.versions[0]) for each in (load(tmp_path / name) for name in NAMES))
        given = {"jobs": 2, "limits": Limits(), "command": "audit run"} | options
        return Request(chosen, data.load(DATASET), KS, **given)

    return make


def until(met: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + 10
    while not met():
        assert time.monotonic() < end
        time.sleep(0.01)


def asked_for(ahead: BuildingAhead, request: Request, number: int) -> Any:
    manifest, version = request.chosen[number]
    return ahead(manifest, version, {}, request.limits, lambda step: None)


def test_versions_are_found_in_order_and_only_a_few_ahead(request_of: Callable[..., Request]) -> None:
    finder, request = Finder(), request_of()
    ahead = BuildingAhead(finder, request, request.chosen, Endings(), StoppableThreads())
    until(lambda: len(finder.order) == 4)
    time.sleep(0.3)
    assert sorted(finder.order) == NAMES[:4]  # two for each of two threads
    assert asked_for(ahead, request, 0) is finder.made["n0"]
    with pytest.raises(BuildFailed, match="no network"):
        asked_for(ahead, request, 1)
    until(lambda: len(finder.order) == 6)
    ahead.close()
    asked = {"n0"}
    assert {name for name, each in finder.made.items() if each.closed} == finder.made.keys() - asked
    assert len(finder.made) < len(NAMES)


def test_the_end_of_a_run_ends_what_waits_for_room(request_of: Callable[..., Request]) -> None:
    finder, request, threads = Finder(), request_of(), StoppableThreads()
    ahead = BuildingAhead(finder, request, request.chosen, Endings(), threads)
    until(lambda: len(finder.order) == 4)
    threads.stop()
    ahead.close()
    assert len(finder.order) == 4
    with pytest.raises(CancelledError):
        asked_for(ahead, request, len(NAMES) - 1)


@pytest.mark.parametrize(("options", "used"), [({}, 1), ({"jobs": 1}, 0), ({"remove_environments": True}, 0)])
def test_a_run_of_several_at_a_time_builds_ahead(
    request_of: Callable[..., Request], options: dict[str, Any], used: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[BuildingAhead] = []

    class Counted(BuildingAhead):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            made.append(self)

    monkeypatch.setattr(all_versions, "BuildingAhead", Counted)
    request, endings = request_of(**options), Endings()
    run(replace(request, chosen=request.chosen[:3]), endings, Finder())
    assert len(made) == used
    assert endings.ended == {"n0": "failed", "n1": "unavailable", "n2": "failed"}  # none greets
