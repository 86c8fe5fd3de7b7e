"""A tiny real environment: locked, installed with its hashes, used without network, refused when tampered with."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from recsys_metric_audit.audit.environments import environment, locking
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version, load

pytestmark = pytest.mark.live

TOML = """\
title = "six"
about = "One module without dependencies: the smallest library there is."
homepage = "https://github.com/benjaminp/six"
[source]
package = "six"
[[version]]
version = "1.16.0"
python = "{python}"
{more}
"""


def write(folder: Path, python: str = "3.11", more: str = "") -> tuple[Manifest, Version]:
    folder.mkdir(exist_ok=True)
    (folder / "library.toml").write_text(TOML.format(python=python, more=more))
    manifest = load(folder)
    version = manifest.versions[0]
    manifest.lock_path(version).parent.mkdir(exist_ok=True)
    manifest.lock_path(version).write_text(locking.compile_lock(manifest, version))
    return manifest, version


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def installed(python: Path) -> str:
    code = "import six, sys; print(six.__version__, '%d.%d' % sys.version_info[:2])"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_locked_built_and_used_without_network(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest, version = write(tmp_path / "six")
    text = manifest.lock_path(version).read_text()
    (pin,) = locking.parse_lock(text, tmp_path).pins
    assert (pin.name, pin.version, len(pin.hashes)) == ("six", "1.16.0", 1), "the wheel: nothing is built"
    assert "://" not in text
    built = environment.ensure(manifest, version)
    assert installed(built.python) == "1.16.0 3.11"
    monkeypatch.setattr("recsys_metric_audit.audit.environments.uv.run", lambda *_, **__: pytest.fail("uv was called"))
    assert environment.ensure(manifest, version) == built


def test_a_tampered_hash_is_refused_and_the_file_named(tmp_path: Path, cache: Path) -> None:
    manifest, version = write(tmp_path / "six")
    path = manifest.lock_path(version)
    for digest in locking.parse_lock(path.read_text(), path).pins[0].hashes:
        path.write_text(path.read_text().replace(digest, digest[:-4] + "0000"))
    with pytest.raises(environment.BuildFailed) as caught:
        environment.ensure(manifest, version)
    assert caught.value.step == "install"
    assert caught.value.reason == f"six==1.16.0 has not the hash that {path} holds"
    assert [p for p in environment.root().iterdir() if p.is_dir()] == []


def test_a_withdrawn_release_is_refused_and_named(tmp_path: Path, cache: Path) -> None:
    """attrs 21.1.0 was yanked by its authors on the day of its release."""
    manifest, version = write(tmp_path / "six", more='requires = ["attrs==21.1.0"]')
    with pytest.raises(environment.BuildFailed, match=r"attrs==21\.1\.0 .*which .* holds, was withdrawn") as caught:
        environment.ensure(manifest, version)
    assert "audit lock six" in caught.value.hint
    assert [p for p in environment.root().iterdir() if p.is_dir()] == []


def test_no_network_and_not_built(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest, version = write(tmp_path / "six")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "empty"))
    monkeypatch.setenv("UV_OFFLINE", "1")
    with pytest.raises(environment.BuildFailed, match="no network, and the environment of six") as caught:
        environment.ensure(manifest, version)
    assert "audit run -l six==1.16.0" in caught.value.hint
    monkeypatch.delenv("UV_OFFLINE")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    with pytest.raises(environment.BuildFailed, match="no network"):
        environment.ensure(manifest, version)


def test_an_upload_after_the_day_is_not_seen(tmp_path: Path, cache: Path) -> None:
    more = 'requires = ["typing-extensions"]\nexclude_newer = "2023-01-01"'
    manifest, version = write(tmp_path / "six", more=more)
    pins = {pin.name: pin.version for pin in locking.parse_lock(manifest.lock_path(version).read_text(), tmp_path).pins}
    assert pins == {"six": "1.16.0", "typing-extensions": "4.4.0"}


def test_an_older_python_is_found_without_any_variable(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYENV_ROOT", raising=False)
    manifest, version = write(tmp_path / "six", python="3.9")
    assert installed(environment.ensure(manifest, version).python) == "1.16.0 3.9"
