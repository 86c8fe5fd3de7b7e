"""REQUIRE_ALL=1: what is skipped has failed, in a test, in a fixture and while a file is collected."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # processes of their own, or whole audits

TESTS = """\
import pytest
@pytest.fixture
def absent():
    pytest.skip("no browser here")
def test_by_fixture(absent): pass
@pytest.mark.skip(reason="not today")
def test_by_mark(): pass
@pytest.mark.xfail(reason="known")
def test_expected_failure(): assert False
def test_passes(): pass
"""


def outcome(folder: Path, require: str) -> tuple[int, str]:
    shutil.copy(Path(__file__).parents[2] / "conftest.py", folder)
    (folder / "test_some.py").write_text(TESTS)
    (folder / "test_module.py").write_text('import pytest\npytest.importorskip("no_such_module_at_all")\n')
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", str(folder), str(folder)]
    shown = {**os.environ, "REQUIRE_ALL": require}
    done = subprocess.run(
        [*command, "--continue-on-collection-errors"], cwd=folder, env=shown, capture_output=True, text=True
    )
    return done.returncode, done.stdout


def test_a_skip_fails_with_its_reason(tmp_path: Path) -> None:
    code, said = outcome(tmp_path, "1")
    assert code == pytest.ExitCode.TESTS_FAILED
    for reason in ("no browser here", "not today", "could not import 'no_such_module_at_all'"):
        assert reason in said
    assert "1 passed, 1 xfailed" in said
    assert "skipped," not in said.splitlines()[-1]


def test_otherwise_a_skip_is_a_skip(tmp_path: Path) -> None:
    code, said = outcome(tmp_path, "")
    assert code == pytest.ExitCode.OK
    assert "1 passed, 3 skipped, 1 xfailed" in said
