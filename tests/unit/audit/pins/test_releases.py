"""The release at which a function changed, found by halving, on a library that changes its mind.

By construction of the library: precision moves from over k to over what is shown in 2.0, recall comes in 1.1, the
hit rate never moves, 3.0 has no environment.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version, load
from recsys_metric_audit.audit.pins import releases
from recsys_metric_audit.audit.pins.releases import (
    Newer,
    function_named,
    newer_releases,
    releases_between,
    with_version,
)
from recsys_metric_audit.audit.run import Request
from recsys_metric_audit.reports.model.result import Result as AuditResult
from tests.support import drifting_library
from tests.support.command_line import audit_mine as audit
from tests.support.drifting_library import Audits, Environments, assert_bad_usage

# The release at which a function changed, found by halving, on a library that changes its mind.


pytestmark = pytest.mark.slow  # processes of their own, or whole audits


def test_bisect_looks_at_both_ends_and_halves_what_is_between(audits: Audits, tmp_path: Path) -> None:
    manifest = load(tmp_path / "mine" / "drifting")
    mean = function_named(manifest, "mean")

    def run(chosen: Sequence[tuple[Manifest, Version]]) -> AuditResult:
        return audits.run(cast(Request, SimpleNamespace(chosen=chosen, ks=(20,))), None)

    found = releases.bisect(manifest, mean, ["1.0", "1.1", "2.0", "2.1"], run)
    assert (found.after, found.at, found.unknown) == ("1.1", "2.0", ())
    assert audits.built == ["1.0", "2.1", "1.1", "2.0"]
    assert found.drift is not None and found.drift.kind == "changed"
    assert found.drift.witness.startswith("probe ")


def test_releases_between_two_ends_in_the_order_of_time(drifting: Path) -> None:
    manifest = load(drifting)
    assert releases_between(manifest, "1.0", "2.0", index=False) == ["1.0", "1.1", "2.0"]
    assert releases_between(manifest, "1.1", "2.0", index=True) == ["1.1", "1.2", "1.3", "2.0"]
    with pytest.raises(UserError, match="does not come before"):
        releases_between(manifest, "2.0", "2.0", index=False)


def test_bisect_halves_the_pinned_versions(audits: Audits) -> None:
    done = audit("bisect", "drifting", "mean", "--from", "1.0", "--to", "2.1")
    assert done.exit_code == 0, done.output
    assert "statistics.mean changed in 2.0, after 1.1" in done.stdout
    assert "denominator: k → shown" in done.stdout
    assert "before    precision@k (agrees)" in done.stdout
    assert "3.0" not in audits.built


def test_bisect_over_the_index_builds_only_what_it_needs(audits: Audits, tmp_path: Path) -> None:
    done = audit("bisect", "drifting", "mode", "--from", "1.0", "--to", "2.1", "--index")
    assert done.exit_code == 0, done.output
    assert "statistics.mode changed in 1.1, after 1.0.1" in done.stdout
    # 1.0 1.0.1 1.1 1.2 1.3 2.0 2.0.1 2.1: both ends, then 1.2, 1.0.1, 1.1.
    assert audits.built == ["1.0", "2.1", "1.2", "1.0.1", "1.1"]
    assert "(5 of 8)" in done.stdout
    kept = {path.relative_to(tmp_path / "mine") for path in (tmp_path / "mine").rglob("*.*")}
    assert kept == {Path("drifting/library.toml"), Path("drifting/adapter.py")}, "locks on the fly stay in the cache"


def test_bisect_tells_a_change_of_input_handling_with_its_level(audits: Audits) -> None:
    ties = {(1, 0): "best", (1, 1): "best"}
    audits.signatures["statistics.median"] = lambda release: f"hit_rate@20|ties:{ties.get(release, 'worst')}"
    done = audit("bisect", "drifting", "median", "--from", "1.0", "--to", "2.1")
    assert "statistics.median changed in 2.0, after 1.1" in done.stdout
    assert "moved     ties: best → worst (input handling)" in done.stdout


def test_bisect_takes_what_became_unknown_for_no_change(audits: Audits) -> None:
    """In 1.1 and 2.0 the tie rule was not identified; 2.1 has another one than 1.0, so it changed in 2.1."""
    rules = {(1, 0): "best", (2, 1): "worst"}
    audits.signatures["statistics.median"] = lambda release: (
        f"hit_rate@20|ties:{rules[release]}" if release in rules else "hit_rate@20"
    )
    audits.unknown = lambda release: () if release in rules else ("ties",)
    done = audit("bisect", "drifting", "median", "--from", "1.0", "--to", "2.1")
    assert "statistics.median changed in 2.1, after 2.0" in done.stdout
    assert "moved     ties: best → worst (input handling)" in done.stdout


def test_bisect_goes_round_what_does_not_run(audits: Audits) -> None:
    audits.broken |= {"1.3", "2.0"}
    done = audit("bisect", "drifting", "mean", "--from", "1.0", "--to", "2.1", "--index")
    assert "statistics.mean changed in 2.0.1, after 1.2" in done.stdout
    assert "unknown   1.3, 2.0: they do not run" in done.stdout


def test_nothing_to_find_is_said(audits: Audits) -> None:
    done = audit("bisect", "drifting", "median", "--from", "1.0", "--to", "2.1")
    assert (done.exit_code, done.stdout) == (0, "statistics.median computes the same in 1.0 and in 2.1\n")


BAD = [
    (("bisect", "drifting", "mean", "--from", "1.0", "--to", "9"), "9 is not there", "--index adds"),
    (("bisect", "drifting", "mean", "--from", "2.1", "--to", "1.0"), "does not come before", "1.0, 1.1, 2.0"),
    (("bisect", "drifting", "mena", "--from", "1.0", "--to", "2.1"), "no function 'mena'", "statistics.mean"),
    (("bisect", "drifting", "mean", "--from", "1.0", "--to", "3.0"), "3.0 does not run", "another end"),
]


@pytest.mark.parametrize(("words", "said", "hint"), BAD)
def test_bad_usage(words: tuple[str, ...], said: str, hint: str, audits: Audits) -> None:
    assert_bad_usage(words, said, hint)


# A history tells what a library's functions computed in every pinned version, of a library that changes its mind.


def test_history_marks_the_release_that_changed_a_meaning(environments: Environments) -> None:
    assert audit("accept", "-l", "drifting==1.0", "-l", "drifting==2.0", "--yes").exit_code == 0
    environments.built.clear()
    told = json.loads(audit("history", "drifting", "--format", "json").stdout)
    assert sorted(environments.built) == ["1.1", "2.1", "3.0"], "what was accepted is not run again"
    assert told["versions"] == ["1.0", "1.1", "2.0", "2.1", "3.0"]
    mean, median, mode = told["rows"]
    assert [row["changed_in"] for row in (mean, median, mode)] == [["2.0"], [], []]
    assert [cell["words"] for cell in median["cells"]] == ["hit_rate@k"] * 4 + ["unavailable"]
    assert [cell["words"] for cell in mode["cells"]] == ["not offered", *["recall@k"] * 3, "unavailable"]
    assert mode["cells"][1]["change"]["kind"] == "new"
    words = [cell["words"] for cell in mean["cells"]]
    assert words[:2] == ["precision@k"] * 2
    assert words[2] == words[3]
    assert words[2].startswith("precision@k|denominator:shown")

    text = audit("history", "drifting", "--metric", "precision").stdout
    assert "statistics.mean (precision)   changed in 2.0" in text
    assert "* 2.0, 2.1  precision@k|denominator:shown" in text
    assert "denominator: k → shown" in text
    assert "statistics.median" not in text

    table = audit("history", "drifting", "--format", "md").stdout.splitlines()
    assert table[2] == "| Function | 1.0 | 1.1 | 2.0 | 2.1 | 3.0 | Changed in |"
    assert table[4].startswith("| **`statistics.mean`** | `precision@k` | `precision@k` | **`precision@k\\|denominator")
    assert table[4].endswith(" | `unavailable` | 2.0 (formula) |")


def test_history_tells_a_change_of_input_handling_with_its_level(audits: Audits) -> None:
    ties = {(1, 0): "best", (1, 1): "best"}
    audits.signatures["statistics.median"] = lambda release: f"hit_rate@20|ties:{ties.get(release, 'worst')}"
    told = audit("history", "drifting", "--metric", "hit_rate").stdout
    assert "statistics.median (hit_rate)   changed in 2.0 (input handling)" in told


BAD_OF_RELEASES_HISTORY = [
    (("history", "drifting", "--metric", "ndcg"), "no function called ndcg", "precision, hit_rate, recall"),
    (("history", "driftign"), "no library is called 'driftign'", "did you mean drifting?"),
]


@pytest.mark.parametrize(("words", "said", "hint"), BAD_OF_RELEASES_HISTORY)
def test_bad_usage_of_releases_history(words: tuple[str, ...], said: str, hint: str, audits: Audits) -> None:
    assert_bad_usage(words, said, hint)


# The newest release of a library against its last pinned version, on a library that changes its mind.


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


def test_newer_releases_are_told_for_any_python(drifting: Path) -> None:
    assert newer_releases([load(drifting)]) == ([], {})
    drifting_library.write(drifting, "1.1", "1.0")
    toml = drifting / "library.toml"
    toml.write_text(toml.read_text().replace('python = "3.11"', 'python = "3.9"'))
    old = load(drifting)
    assert newer_releases([old]) == ([Newer("drifting", "1.1", "3.0")], {})
    gone = old.model_copy(update={"source": old.source.model_copy(update={"package": "gone-x"})})
    newer, unknown = newer_releases([old, gone])
    assert [each.newest for each in newer] == ["3.0"]
    assert len(unknown) == 1
    with pytest.raises(UserError, match="the releases of gone-x cannot be looked up"):
        newer_releases([gone])


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
