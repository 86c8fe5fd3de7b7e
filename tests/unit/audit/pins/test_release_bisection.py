"""The release at which a function changed, found by halving, on a library that changes its mind.

By construction of the library: precision moves from over k to over what is shown in 2.0, recall comes in 1.1, the
hit rate never moves, 3.0 has no environment.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version, load
from recsys_metric_audit.audit.pins import release_bisection
from recsys_metric_audit.audit.pins.release_bisection import function_named, releases_between
from recsys_metric_audit.audit.run import Request
from recsys_metric_audit.reports.model.result import Result as AuditResult
from tests.support.drifting_library import Audits, assert_bad_usage, audit

pytestmark = pytest.mark.slow  # processes of their own, or whole audits


def test_bisect_looks_at_both_ends_and_halves_what_is_between(audits: Audits, tmp_path: Path) -> None:
    manifest = load(tmp_path / "mine" / "drifting")
    mean = function_named(manifest, "mean")

    def run(chosen: Sequence[tuple[Manifest, Version]]) -> AuditResult:
        return audits.run(cast(Request, SimpleNamespace(chosen=chosen, ks=(20,))), None)

    found = release_bisection.bisect(manifest, mean, ["1.0", "1.1", "2.0", "2.1"], run)
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
