"""Files that somebody changes: in an environment, in uv's cache, or while a library is asked. With the real uv.

The user has named a cache, out of which files are copied, except where a test says that environments share files.
"""

from __future__ import annotations

import base64
import hashlib
import threading
import zipfile
from pathlib import Path

import numpy as np
import pytest

from recsys_metric_audit.audit.environments import environment as e
from recsys_metric_audit.audit.environments import installed_files
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.process.protocol import Ask, Conversation, Limits, Measured
from recsys_metric_audit.audit.responders.choice import find_cached_responder
from tests.support.fake_libraries import write_library, write_lock_by_hand
from tests.support.recorded_answers import one_row_case

pytestmark = pytest.mark.slow  # environments and processes of their own

Library = tuple[Manifest, Version]
RIGHT, WRONG = "def ndcg():\n    return 0.25\n", "def ndcg():\n    return 0.5\n"
ADAPTER = """\
import fake_metrics
prepare = lambda case: case
FUNCTIONS = {"fake_metrics.ndcg": lambda case, k: fake_metrics.ndcg()}
"""
CHANGES_ITSELF = f"{ADAPTER}open(fake_metrics.__file__, 'a').write('x = 1\\n')\n"


def wheel(folder: Path, name: str, files: dict[str, str]) -> str:
    """Write a wheel; return the hash of the file."""
    info = f"{name}-1.2.0.dist-info"
    files = files | {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    rows = [f"{path},sha256={_encoded(text)},{len(text)}" for path, text in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,"]) + "\n"
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}-1.2.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for each, text in files.items():
            archive.writestr(each, text)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _encoded(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    """Return a library of one wheel, which finds numpy where this interpreter has it."""
    here = Path(np.__file__).parents[1]
    digest = wheel(tmp_path / "wheels", "fake_metrics", {"fake_metrics.py": RIGHT, "numpy_of_tests.pth": f"{here}\n"})
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv"))
    monkeypatch.setenv("UV_FIND_LINKS", str(tmp_path / "wheels"))
    monkeypatch.setenv("UV_NO_INDEX", "1")
    monkeypatch.setenv("UV_LINK_MODE", "hardlink")  # what a user has set changes nothing
    manifest, version = write_library(tmp_path / "fake")
    write_lock_by_hand(manifest, version, f"fake-metrics==1.2.0 --hash=sha256:{digest}")
    (manifest.folder / "adapter.py").write_text(ADAPTER)
    return manifest, version


def module(built: e.Environment) -> Path:
    (found,) = built.folder.glob("lib/python*/site-packages/fake_metrics.py")
    return found


def in_cache(folder: Path) -> Path:
    (found,) = (folder / "uv").glob("archive-v0/*/fake_metrics.py")
    return found


def asked(library: Library) -> tuple[Conversation, str]:
    """Ask the library, and return what it said and the caution."""
    responder = find_cached_responder(*library, {}, Limits(), lambda step: None)
    ask = Ask(0, "p", ("fake_metrics.ndcg",), (5,))
    try:
        said = responder.ask({"p": one_row_case()}, [ask], lambda done, total: None, threading.Event())
        return said, responder.caution
    finally:
        responder.close()


def measured(library: Library) -> tuple[float | None, str]:
    said, caution = asked(library)
    (answer,) = said.answers
    assert isinstance(answer.outcome, Measured), said
    return answer.outcome.mean, caution


def test_a_changed_file_stays_where_it_is_and_costs_no_answer(library: Library, tmp_path: Path) -> None:
    built = e.ensure(*library)
    module(built).write_text(WRONG)
    assert in_cache(tmp_path).read_text() == RIGHT
    assert measured(library) == (
        0.25,
        f"its environment was damaged ({module(built).relative_to(built.folder)} changed since it was installed) "
        "and was built again",
    )
    assert module(built).read_text() == RIGHT
    assert measured(library) == (0.25, "")


def test_what_was_changed_in_the_cache_of_uv_is_not_installed(library: Library, tmp_path: Path) -> None:
    e.ensure(*library)
    in_cache(tmp_path).write_text(WRONG)
    manifest, version = library
    path = manifest.lock_path(version)
    path.write_text(path.read_text() + "# another lock is another environment\n")
    said: list[str] = []
    built = e.ensure(manifest, version, progress=said.append)
    assert module(built).read_text() == RIGHT
    assert any("uv's cache holds a changed file" in line and "fake_metrics.py" in line for line in said)
    assert measured(library) == (0.25, "")


def test_what_differs_in_its_wheel_is_refused_with_its_name(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "wheels" / "fake_metrics-1.2.0-py3-none-any.whl"
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, WRONG if name == "fake_metrics.py" else text)
    write_lock_by_hand(*library, f"fake-metrics==1.2.0 --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}")
    with pytest.raises(e.BuildFailed, match=r"fake_metrics\.py is not the file that fake_metrics-1.2.0") as caught:
        e.ensure(*library)
    assert caught.value.step == "install"
    assert e.state(*library) == "missing"


def test_an_adapter_that_changes_its_own_package_is_refused(library: Library, tmp_path: Path) -> None:
    manifest, _ = library
    (manifest.folder / "adapter.py").write_text(CHANGES_ITSELF)
    said, caution = asked(library)
    assert said.hello is None and not any(isinstance(each.outcome, Measured) for each in said.answers)
    assert "fake_metrics.py changed since it was installed, too, while it was asked" in said.stderr
    assert "was damaged" in caution
    assert in_cache(tmp_path).read_text() == RIGHT
    (manifest.folder / "adapter.py").write_text(ADAPTER)
    assert measured(library)[0] == 0.25
    assert module(e.ensure(*library)).read_text() == RIGHT


@pytest.fixture
def sharing(library: Library, monkeypatch: pytest.MonkeyPatch) -> tuple[Library, e.Environment]:
    """Return the library and the environment of another lock, which shares the files of its wheel."""
    monkeypatch.delenv("UV_CACHE_DIR")
    manifest, version = library
    other = e.ensure(manifest, version)
    path = manifest.lock_path(version)
    path.write_text(path.read_text() + "# another lock is another environment\n")
    return library, other


def test_a_file_that_environments_share_is_found_where_another_changed_it(
    sharing: tuple[Library, e.Environment], tmp_path: Path
) -> None:
    library, other = sharing
    built = e.ensure(*library)
    assert module(built).samefile(module(other))
    assert not (tmp_path / "uv").exists() and (tmp_path / "cache" / "recsys-metric-audit" / "uv").is_dir()
    module(other).write_text(WRONG)
    value, caution = measured(library)
    assert value == 0.25 and "fake_metrics.py changed since it was installed" in caution
    assert module(built).read_text() == RIGHT
    assert "fake_metrics.py changed" in installed_files.changed(other.folder)
    assert measured(library) == (0.25, "")


def test_a_shared_file_that_another_environment_touched_is_hashed_once(
    sharing: tuple[Library, e.Environment], monkeypatch: pytest.MonkeyPatch
) -> None:
    library, other = sharing
    e.ensure(*library)
    hashed: list[str] = []
    digest = installed_files._sha256
    monkeypatch.setattr(installed_files, "_DIGESTS", {})
    monkeypatch.setattr(installed_files, "_sha256", lambda path: hashed.append(Path(path).name) or digest(path))
    assert installed_files.changed(other.folder) == ""
    assert "fake_metrics.py" in hashed
    (other.folder / "later").touch()
    module(other).with_name("numpy_of_tests.pth").touch()  # the last touch: what was touched before is not hashed again
    assert installed_files.changed(other.folder) == ""
    hashed.clear()
    monkeypatch.setattr(installed_files, "_DIGESTS", {})  # as in another run
    assert installed_files.changed(other.folder) == ""
    assert hashed == ["numpy_of_tests.pth"]
