"""One environment for many: threads and processes wait for each other, and a killed build is cleared away."""

from __future__ import annotations

import fcntl
import json
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from recsys_metric_audit.audit.environments import environment as e
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from tests.support.fake_libraries import FakeUv

pytestmark = pytest.mark.slow  # processes of their own, or whole audits


Library = tuple[Manifest, Version]


def folders() -> list[str]:
    return sorted(path.name for path in e.root().iterdir() if path.is_dir())


def half_built(place: Path) -> None:
    place.mkdir(parents=True)
    (place / "rubbish").touch()


def test_threads_build_one_environment(library: Library, uv: FakeUv, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_SECONDS", "0.3")
    built: list[e.Environment] = []
    threads = [threading.Thread(target=lambda: built.append(e.ensure(*library))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(built) == 4
    assert len(set(built)) == 1
    assert len(uv.calls("venv")) == 1


def test_a_second_process_waits_and_says_so(library: Library, tmp_path: Path) -> None:
    place = e.ensure(*library).folder
    shutil.rmtree(place)
    said: list[str] = []
    with place.with_name(f"{place.name}.lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        waiting = threading.Thread(target=lambda: e.ensure(*library, progress=said.append))
        waiting.start()
        time.sleep(0.5)
        assert said == ["waiting for another process that builds it"]
        assert not place.exists()
    waiting.join()
    assert e.state(*library) == "ready"


BUILD = """
import sys
from pathlib import Path
import recsys_metric_audit.audit.environments.uv
from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.libraries import manifest
recsys_metric_audit.audit.environments.uv.command = lambda: [sys.executable, sys.argv[2]]
one = manifest.load(Path(sys.argv[1]))
environment.ensure(one, one.versions[0])
"""


def test_a_killed_build_is_cleared_away(library: Library, uv: FakeUv, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_SECONDS", "1.5")
    builder = subprocess.Popen([sys.executable, "-c", BUILD, str(library[0].folder), str(uv.script)])
    deadline = time.monotonic() + 20
    while not uv.calls("pip", "install") and time.monotonic() < deadline:
        time.sleep(0.05)
    builder.send_signal(signal.SIGKILL)
    builder.wait()
    (left,) = folders()
    assert left.endswith(".building")
    (e.root() / left / "rubbish").touch()
    monkeypatch.setenv("FAKE_SECONDS", "0")
    said: list[str] = []
    built = e.ensure(*library, progress=said.append)
    assert said[0].startswith("waiting"), "the uv that outlived its parent still wrote there"
    assert folders() == [built.folder.name]
    assert not (built.folder / "rubbish").exists()
    assert json.loads((built.folder / e.MARKER).read_text())["environment"] == built.folder.name
