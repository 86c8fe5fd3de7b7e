"""The newest release of a library against its last pinned version, on a library that changes its mind.

By construction of the library: precision moves from over k to over what is shown in 2.0, recall comes in 1.1, the
hit rate never moves, 3.0 has no environment.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.pins.upgrade import with_version
from tests.support import drifting_library
from tests.support.drifting_library import Audits, assert_bad_usage, audit

pytestmark = pytest.mark.slow  # processes of their own, or whole audits


def test_upgrading_needs_a_library(audits: Audits) -> None:
    assert_bad_usage(("lock", "--upgrade"), "take one library", "audit lock --upgrade NAME")


def test_the_newest_release_is_told_against_the_last_pinned(audits: Audits, tmp_path: Path) -> None:
    folder = tmp_path / "mine" / "drifting"
    drifting_library.write(folder, "1.1", "1.0")
    (tmp_path / "index" / "drifting-3.0-py3-none-any.whl").unlink()
    before = {path: path.read_bytes() for path in folder.rglob("*.*")}
    done = audit("lock", "--upgrade", "drifting")
    assert done.exit_code == 1
    assert sorted(audits.built) == ["1.1", "2.1"]  # side by side: whichever is first
    assert done.stdout.startswith("# Drifting 1.1 → 2.1\n\n## `statistics.mean` computes another formula\n")
    assert "| before | `precision@k (agrees)` |" in done.stdout
    assert "| moved | denominator: k → shown (formula) |" in done.stdout
    assert done.stdout.endswith("\n2 functions compute what they did.\n")
    assert {path: path.read_bytes() for path in folder.rglob("*.*")} == before

    assert audit("lock", "--upgrade", "drifting", "--pin").exit_code == 1
    entries = tomllib.loads((folder / "library.toml").read_text())["version"]
    assert [entry["version"] for entry in entries] == ["2.1", "1.1", "1.0"]
    assert {**entries[1], "version": "2.1"} == entries[0]
    assert audit("lock", "--check", "drifting==2.1").exit_code == 0
    assert not (folder / "expected").exists(), "what is pinned is not accepted by that"


def test_a_newer_release_without_drift_changes_nothing(audits: Audits, tmp_path: Path) -> None:
    folder = tmp_path / "mine" / "drifting"
    drifting_library.write(folder, "2.0.1", "2.0")
    (tmp_path / "index" / "drifting-3.0-py3-none-any.whl").unlink()
    before = (folder / "library.toml").read_bytes()
    done = audit("lock", "--upgrade", "drifting", "--pin")
    assert done.exit_code == 0, done.output
    assert done.stdout == "# Drifting 2.0.1 → 2.1\n\n3 functions compute what they did.\n"
    assert (folder / "library.toml").read_bytes() == before


def test_a_newest_release_that_does_not_run_is_drift(audits: Audits, tmp_path: Path) -> None:
    drifting_library.write(tmp_path / "mine" / "drifting", "2.1")
    done = audit("lock", "--upgrade", "drifting")
    assert done.exit_code == 1
    assert "## drifting 3.0 does not run any more" in done.stdout
    assert "no wheel fits" in done.stdout


def test_the_newest_release_is_pinned_already(audits: Audits) -> None:
    done = audit("lock", "--upgrade", "drifting")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "newest release is pinned" in done.stderr
    assert audits.built == []


def test_without_an_index_upgrading_says_so(audits: Audits, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    done = audit("lock", "--upgrade", "drifting")
    assert done.exit_code == 2
    assert "the releases of drifting cannot be looked up" in done.stderr


TOML = """\
# head
[[version]]
version = "2.0"
python = "3.11"
exclude_newer = "2024-01-01"
stubs = { a = "never used" }

# why 1.0 is here
[[version]]
version = "1.0"
python = "3.9"

[version.stubs]
b = "never used"

# functions
[[function]]
name = "x"
"""


def test_a_version_is_added_above_the_last_and_all_else_stays() -> None:
    made = with_version(TOML, "2.0", "2.1", Path("library.toml"))
    added = '[[version]]\nversion = "2.1"\npython = "3.11"\nstubs = { a = "never used" }\n\n'
    assert made == TOML.replace("# head\n", "# head\n" + added)
    deeper = tomllib.loads(with_version(TOML, "1.0", "1.1", Path("library.toml")))["version"]
    assert deeper[1] == {"version": "1.1", "python": "3.9", "stubs": {"b": "never used"}}
    assert deeper[2] == {**deeper[1], "version": "1.0"}


def test_a_version_that_is_written_otherwise_is_left_to_the_user() -> None:
    with pytest.raises(UserError, match=r"library\.toml.*2\.0") as caught:
        with_version("version = [{ version = '2.0', python = '3.11' }]\n", "2.0", "2.1", Path("library.toml"))
    assert "by hand" in caught.value.hint
