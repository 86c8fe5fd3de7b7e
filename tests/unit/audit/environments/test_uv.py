"""Calling uv: where packages come from, what its log gives away, and what its failures mean."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from recsys_metric_audit.audit.environments import uv
from tests.support.fake_libraries import FakeUv


@pytest.mark.parametrize(
    ("torch", "environ", "options"),
    [
        (None, {}, []),
        ("cpu", {}, ["--torch-backend", "cpu"]),
        ("cpu", {"PIP_FIND_LINKS": "/wheels"}, ["--find-links", "/wheels"]),
        (
            None,
            {"PIP_FIND_LINKS": "/a  /b", "UV_FIND_LINKS": "https://example.org/x y.html,/b"},
            ["--find-links", "https://example.org/x y.html", "--find-links", "/b", "--find-links", "/a"],
        ),
        (None, {"UV_FIND_LINKS": "wheels"}, ["--find-links", str(Path.cwd() / "wheels")]),
    ],
)
def test_where_packages_come_from(
    monkeypatch: pytest.MonkeyPatch, torch: str | None, environ: dict[str, str], options: list[str]
) -> None:
    for name in ("PIP_FIND_LINKS", "UV_FIND_LINKS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert uv.sources(torch) == options


def test_addresses_are_cut() -> None:
    said = "Failed to fetch: `https://me:pass@example.org/simple/six/`\nfile:///a/b/c.whl"
    assert uv.redact(said) == "Failed to fetch: `<index>/six/`\n<index>/c.whl"
    assert uv.redact("for url (https://example.org/simple/six/)") == "for url (<index>/six/)"


@pytest.mark.parametrize(
    ("log", "kind"),
    [
        ("cause: Hash mismatch for `six==1.17.0`", "hashes"),
        ("failed to copy: No space left on device (os error 28)", "disk"),
        ("Disk quota exceeded", "disk"),
        ("cause: dns error", "network"),
        ("Connection refused (os error 111)", "network"),
        ("Because there is no version of torch==2.13.0+cpu", "no such package"),
        ("Because nope was not found in the package registry", "no such package"),
        ("Because daisyrec==2.2.0 has no usable wheels and you require daisyrec==2.2.0", "no wheel"),
        ("HTTP status (403)", "other"),
        ("", "other"),
    ],
)
def test_a_failure_is_classified_by_the_log(log: str, kind: str) -> None:
    assert uv.failure_kind(log) == kind


def test_what_failed_is_named() -> None:
    assert uv.guilty("cause: Hash mismatch for `six==1.17.0`\n") == "six==1.17.0"
    assert uv.guilty("Because there is no version of torch==2.13.0+cpu, and") == "torch==2.13.0+cpu"
    assert uv.guilty("Because nope was not found in the package registry") == "nope"
    assert uv.guilty("Because daisyrec==2.2.0 has no usable wheels and you") == "daisyrec==2.2.0"
    assert uv.guilty("building from source is disabled. Wheels are required for `daisyrec` because") == "daisyrec"
    assert uv.guilty("building from source is disabled") == "a distribution"


@pytest.mark.parametrize(
    ("log", "release"),
    [
        ('warning: `six==1.17.0` is yanked (reason: "breaks everything")', "six==1.17.0 (breaks everything)"),
        ("warning: `six==1.17.0` is yanked", "six==1.17.0"),
        ("Installed 3 packages", ""),
    ],
)
def test_a_yanked_release_is_named_with_its_reason(log: str, release: str) -> None:
    assert uv.yanked(log) == release


@pytest.mark.slow  # a process of its own
def test_a_run_returns_output_and_log_and_hides_the_users_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_PYTHON", "/some/python")
    fake = FakeUv(tmp_path, monkeypatch)
    lines: list[str] = []
    assert uv.run(["python", "find"], cwd=tmp_path, on_line=lines.append) == uv.Done(0, "", "/some/python\n")
    fake.fails("python find", "https://me:pass@example.org/simple/six/ is gone")
    done = uv.run(["python", "find"], cwd=tmp_path, text="six", on_line=lines.append)
    assert (done.code, done.log, lines) == (1, "<index>/six/ is gone", ["<index>/six/ is gone"])
    assert fake.told()[-1]["input"] == "six"
    monkeypatch.setenv("VIRTUAL_ENV", "/somebody")
    assert "VIRTUAL_ENV" in os.environ and "VIRTUAL_ENV" not in uv._environ()
