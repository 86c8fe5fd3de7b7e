"""Environments that cannot be built: each failure in its own words, and nothing left behind."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from recsys_metric_audit.audit.environments import environment as e
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from tests.support.fake_libraries import FakeUv, write_library, write_lock_by_hand

pytestmark = pytest.mark.slow  # processes of their own, or whole audits


Library = tuple[Manifest, Version]


def folders() -> list[str]:
    return sorted(path.name for path in e.root().iterdir() if path.is_dir())


def test_a_version_that_cannot_be_installed_says_why(library: Library) -> None:
    manifest, version = library
    pin = version.model_copy(update={"unavailable": "it was never built", "log": "error: gone"})
    assert e.state(manifest, pin) == "unavailable"
    with pytest.raises(e.BuildFailed, match="it was never built") as caught:
        e.ensure(manifest, pin)
    assert (caught.value.step, caught.value.log_tail) == ("pin", "error: gone")
    assert not e.root().exists()


def half_built(place: Path) -> None:
    place.mkdir(parents=True)
    (place / "rubbish").touch()


REAL = {
    "network": (
        "error: Request failed after 3 retries in 9.3s\n"
        "  cause: Failed to fetch: https://me:pass@index.example/simple/six/\n  cause: dns error"
    ),
    "hashes": (
        "error: Failed to download `six==1.17.0`\n  cause: Hash mismatch for `six==1.17.0`\n\n"
        "         Expected:\n           sha256:47\n\n         Computed:\n           sha256:46"
    ),
    "disk": "error: Failed to install: a.whl\n  cause: failed to copy: No space left on device (os error 28)",
    "place": "error: No solution found\n  cause: Because there is no version of torch==2.13.0+cpu and you require",
    "wheel": "error: No solution found\n  cause: Because fake-metrics==1.2.0 has no usable wheels and you require",
    "other": "error: Failed to build `fake-metrics==1.2.0`",
    "denied": "error: Failed\n  cause: Failed to fetch: https://index.example/six/\n  cause: HTTP status (403)",
}


@pytest.mark.parametrize(
    ("kind", "reason", "hint"),
    [
        ("network", "no network, and the environment of fake==1.2.0 is not built yet", "audit run -l fake==1.2.0"),
        ("hashes", "six==1.17.0 has not the hash that {lock} holds", "audit lock fake"),
        ("disk", "no space left on the disk", "XDG_CACHE_HOME"),
        ("place", "torch==2.13.0+cpu, which {lock} holds, is in none of the places", "UV_FIND_LINKS"),
        ("wheel", "fake-metrics==1.2.0 has no wheel for this Python and machine", 'builds = "why"'),
        ("other", "uv ended with exit code 1", "below"),
        ("denied", "uv ended with exit code 1", "below"),
    ],
)
def test_each_failure_has_its_words(library: Library, uv: FakeUv, kind: str, reason: str, hint: str) -> None:
    uv.fails("pip install", REAL[kind])
    with pytest.raises(e.BuildFailed) as caught:
        e.ensure(*library)
    failed = caught.value
    assert failed.step == "install"
    assert reason.format(lock=library[0].lock_path(library[1])) in failed.reason
    assert hint in failed.hint
    assert REAL[kind].splitlines()[0] in failed.log_tail
    assert "pass@" not in failed.log_tail
    assert folders() == []
    assert e.state(*library) == "missing"


def test_a_release_that_was_withdrawn_is_refused_and_named(library: Library, uv: FakeUv) -> None:
    said = 'warning: `six==1.17.0` is yanked (reason: "breaks everything")'
    uv.monkeypatch.setenv("FAKE_SAYS_pip_install", said)
    with pytest.raises(e.BuildFailed) as caught:
        e.ensure(*library)
    lock = library[0].lock_path(library[1])
    assert caught.value.reason == f"six==1.17.0 (breaks everything), which {lock} holds, was withdrawn by its authors"
    assert "audit lock fake" in caught.value.hint
    assert folders() == []


def test_a_build_that_failed_can_be_tried_again(library: Library, uv: FakeUv) -> None:
    uv.fails("pip install", REAL["network"])
    with pytest.raises(e.BuildFailed):
        e.ensure(*library)
    uv.monkeypatch.delenv("FAKE_FAILS_pip_install")
    assert e.ensure(*library).python.exists()


def test_no_interpreter(uv: FakeUv, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    manifest, version = write_library(tmp_path / "fake", python="3.5")
    write_lock_by_hand(manifest, version)
    uv.fails("python install", "no")
    with pytest.raises(e.BuildFailed, match=r"Python 3\.5 is not on this machine") as caught:
        e.ensure(manifest, version)
    assert (caught.value.step, "AUDIT_PYTHON_3_5" in caught.value.hint) == ("interpreter", True)


def test_a_python_that_is_not_the_one_fails_the_check(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(e, "version_of", lambda *_: "3.5")
    with pytest.raises(e.BuildFailed, match=r"is Python 3\.5") as caught:
        e.ensure(*library)
    assert caught.value.step == "check"
    assert folders() == []


def test_a_cache_that_cannot_be_written(library: Library, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(e.BuildFailed, match="Not a directory") as caught:
        e.ensure(*library)
    assert (caught.value.step, "XDG_CACHE_HOME" in caught.value.hint) == ("prepare", True)


def test_a_disk_that_is_full_before_uv_starts(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("tempfile.TemporaryDirectory", full)
    monkeypatch.setattr(e, "find_python", lambda _: Path(sys.executable))
    with pytest.raises(e.BuildFailed, match="no space left on the disk"):
        e.ensure(*library)


def stale(manifest: Manifest, version: Version) -> None:
    path = manifest.lock_path(version)
    before = path.read_text()
    path.write_text(before.replace(before.split()[1], f"sha256:{'0' * 64}", 1))


def foreign(manifest: Manifest, version: Version) -> None:
    path = manifest.lock_path(version)
    head, *rest = path.read_text().splitlines()
    path.write_text("\n".join([f"{head.rpartition(' ')[0]} plan9-mips", *rest]) + "\n")


@pytest.mark.parametrize(
    ("spoil", "state", "reason"),
    [
        (lambda m, v: m.lock_path(v).unlink(), "no lock", "there is no such lock"),
        (lambda m, v: m.lock_path(v).write_text("six"), "bad lock", "line 1 is not the digest of a lock"),
        (stale, "bad lock", "library.toml has changed since it was made"),
        (foreign, "bad lock", "is for plan9-mips, this machine is"),
    ],
)
def test_no_environment_without_a_lock_that_fits(
    library: Library, uv: FakeUv, spoil: Callable[[Manifest, Version], None], state: str, reason: str
) -> None:
    spoil(*library)
    assert e.state(*library) == state
    with pytest.raises(e.BuildFailed, match=reason) as caught:
        e.ensure(*library)
    assert (caught.value.step, "audit lock fake" in caught.value.hint) == ("lock", True)
    assert uv.told() == []


def test_only_wheels_are_installed_unless_the_library_says_why_not(library: Library, uv: FakeUv) -> None:
    manifest, version = library
    e.ensure(manifest, version)
    assert "--no-build" in uv.calls("pip", "install")[-1]
