"""Builds of strangers see where things are, and nothing that lets them in anywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from recsys_metric_audit.audit.environments import uv
from recsys_metric_audit.audit.environments.locking import compile_lock
from recsys_metric_audit.audit.environments.uv import build_variables, without_credentials
from recsys_metric_audit.audit.errors import UserError
from tests.support.fake_libraries import write_library

SECRETS = {
    "GITHUB_TOKEN": "secret-1", "AWS_SECRET_ACCESS_KEY": "secret-2", "UV_INDEX_MINE_PASSWORD": "secret-3",
    "UV_PUBLISH_TOKEN": "secret-4", "PYTHONPATH": "/secret-5", "SSH_AUTH_SOCK": "/secret-6", "NETRC": "/secret-7",
    "UV_DEFAULT_INDEX": "https://me:secret-8@example.org/simple", "HTTPS_PROXY": "http://me:secret-9@proxy:8080",
}  # fmt: skip

# Stands in for uv: tells all that a build would see, and leaves processes behind: of a build, one that left its session
# and holds the log open.
SPY = """\
import json, os, resource, subprocess, sys
asleep = [sys.executable, "-c", "import time; time.sleep(600)"]
left = subprocess.Popen(asleep)
seen = {"environ": dict(os.environ), "argv": sys.argv[1:], "left": left.pid, "home": os.listdir(os.environ["HOME"])}
if os.environ["HOME"] == os.path.join(os.getcwd(), "home"):
    seen["apart"] = subprocess.Popen(asleep, start_new_session=True).pid
seen["bytes"] = resource.getrlimit(resource.RLIMIT_AS)[0]
print(json.dumps(seen))
"""


@pytest.fixture
def spy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "spy.py").write_text(SPY)
    monkeypatch.setattr(uv, "command", lambda: [sys.executable, str(tmp_path / "spy.py")])
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("UV_CACHE_DIR", "/the/cache")
    monkeypatch.setenv("UV_LINK_MODE", "hardlink")  # what a user has set changes nothing


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("https://me:pass@example.org/simple", "https://example.org/simple"),
        ("mine=https://token@example.org/a https://b.org/@x", "mine=https://example.org/a https://b.org/@x"),
        ("--find-links", "--find-links"),
        ("name @ file:///a/b@c", "name @ file:///a/b@c"),
    ],
)
def test_users_and_passwords_are_left_out_of_addresses(text: str, without: str) -> None:
    assert without_credentials(text) == without


def test_the_users_own_settings_of_uv_are_found_from_a_home_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "UV_NO_CONFIG", "UV_CONFIG_FILE"):
        monkeypatch.delenv(name, raising=False)
    settings = tmp_path / ".config" / "uv" / "uv.toml"
    assert "UV_CONFIG_FILE" not in build_variables(Path("/h"))
    settings.parent.mkdir(parents=True)
    settings.touch()
    found = build_variables(Path("/h"))
    assert (found["HOME"], found["UV_CONFIG_FILE"]) == ("/h", str(settings))


@pytest.mark.slow  # processes of its own
@pytest.mark.usefixtures("spy")
def test_a_build_gets_no_credentials_a_home_of_its_own_and_limits_and_leaves_nothing_running(tmp_path: Path) -> None:
    links = "https://me:secret-10@example.org/links"
    done = uv.run(["pip", "install", "--find-links", links], cwd=tmp_path, building=True)
    seen = json.loads(done.out)
    assert "secret" not in done.out.replace(str(tmp_path), "")
    assert seen["environ"]["HOME"] == str(tmp_path / "home") and seen["home"] == []
    assert (seen["environ"]["UV_CACHE_DIR"], seen["environ"]["UV_LINK_MODE"]) == ("/the/cache", "copy")
    assert seen["environ"]["UV_DEFAULT_INDEX"] == "https://example.org/simple"
    assert seen["environ"]["HTTPS_PROXY"] == "http://proxy:8080"
    assert seen["environ"]["PATH"] == os.environ["PATH"]
    assert seen["bytes"] == uv.BUILD_BYTES
    assert _is_gone(seen["left"]) and _is_gone(seen["apart"])


@pytest.mark.slow  # processes of its own
@pytest.mark.usefixtures("spy")
def test_what_installs_wheels_only_keeps_the_users_index(tmp_path: Path) -> None:
    seen = json.loads(uv.run(["pip", "install"], cwd=tmp_path).out)
    assert seen["environ"]["UV_DEFAULT_INDEX"] == SECRETS["UV_DEFAULT_INDEX"]
    assert seen["environ"]["HOME"] == os.environ["HOME"]
    assert _is_gone(seen["left"])


@pytest.mark.slow  # processes of its own
def test_a_build_that_takes_too_long_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slow.py").write_text("import time; time.sleep(600)")
    monkeypatch.setattr(uv, "command", lambda: [sys.executable, str(tmp_path / "slow.py")])
    monkeypatch.setattr(uv, "BUILD_SECONDS", 1.0)
    began = time.monotonic()
    done = uv.run([], cwd=tmp_path, building=True)
    assert done.code == -9 and "ended: it took more than 1 s" in done.log
    assert time.monotonic() - began < 60


def _is_gone(pid: int) -> bool:
    for _ in range(100):
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.05)
    return False


SETUP = """\
import json, os, pathlib
from setuptools import setup
pathlib.Path({mark!r}).write_text(json.dumps(dict(os.environ)))
setup(name="stranger", version="1.0", py_modules=[])
"""


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a source distribution whose setup.py writes down what it sees; return the file that it writes."""
    mark, folder = tmp_path / "was-run", tmp_path / "stranger-1.0"
    folder.mkdir()
    (folder / "setup.py").write_text(SETUP.format(mark=str(mark)))
    (folder / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n")
    (tmp_path / "links").mkdir()
    subprocess.run(
        ["tar", "-czf", tmp_path / "links" / "stranger-1.0.tar.gz", "stranger-1.0"], cwd=tmp_path, check=True
    )
    monkeypatch.setenv("UV_FIND_LINKS", str(tmp_path / "links"))
    monkeypatch.setenv("UV_NO_INDEX", "1")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv-cache"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("A_TOKEN", "a-secret")
    return mark


@pytest.mark.slow  # uv itself
def test_a_source_distribution_is_not_run_unless_its_library_says_why(stranger: Path, tmp_path: Path) -> None:
    manifest, version = write_library(tmp_path / "lib")
    asking = version.model_copy(update={"requires": ("stranger",), "no_deps": "nothing else"})
    alone = manifest.model_copy(update={"source": manifest.source.model_copy(update={"package": "stranger"})})
    with pytest.raises(UserError, match="stranger") as told:
        compile_lock(alone, asking.model_copy(update={"version": "1.0"}))
    assert '`builds = "why"`' in told.value.hint
    assert not stranger.exists()


BACKEND = """\
import os, pathlib, subprocess
left = subprocess.Popen(["sleep", "600"], start_new_session=True, env={{}})  # holds the output open
pathlib.Path({mark!r}).write_text(str(left.pid))

def prepare_metadata_for_build_wheel(folder, config_settings=None):
    info = pathlib.Path(folder) / "stranger-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\\nName: stranger\\nVersion: 1.0\\n")
    return info.name

def build_wheel(folder, config_settings=None, metadata_directory=None):
    raise OSError("never built")
"""
PYPROJECT = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'


@pytest.mark.slow  # uv itself
def test_what_a_build_leaves_running_is_not_waited_for(tmp_path: Path, stranger: Path) -> None:
    folder = tmp_path / "stranger-1.0"
    (folder / "pyproject.toml").write_text(PYPROJECT)
    (folder / "backend.py").write_text(BACKEND.format(mark=str(stranger)))
    archive = tmp_path / "links" / "stranger-1.0.tar.gz"
    subprocess.run(["tar", "-czf", archive, folder.name], cwd=tmp_path, check=True)
    began = time.monotonic()
    words = ["pip", "compile", "--no-index", *uv.sources(None), "-"]
    done = uv.run(words, cwd=tmp_path, text="stranger", building=True)
    assert done.code == 0 and "stranger==1.0" in done.out, done.log
    assert time.monotonic() - began < 300
    assert _is_gone(int(stranger.read_text()))
