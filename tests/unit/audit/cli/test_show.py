"""Hold audit show: what a run says of a library, a function, a metric and a formula."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.audit.cli.shared import lookup
from recsys_metric_audit.reports.headlines.library_differences import value_range
from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.model.result_file import result_json
from tests.support.command_line import audit
from tests.support.result_samples import finding, library
from tests.support.result_samples import result as sample


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the file of a run of two libraries: alpha's newer NDCG is canonical, its older one and beta's are not."""
    monkeypatch.setenv("COLUMNS", "100")
    findings = (
        _ndcg("alpha", "2.0"),
        finding("recall", function="alpha.recall", version="2.0", value=0.25),
        _ndcg("alpha", "1.0", signature="ndcg@20|ideal:all", verdict="variant", value=0.2),
        _ndcg("beta", "1.0", signature="ndcg@20|ideal:all", verdict="variant", value=0.125),
        finding("auc", "beta", function="beta.auc", signature=None, definition={}, verdict="unexplained"),
    )
    libraries = (library(version="2.0"), library(), library("beta"))
    file = tmp_path / "audit.json"
    file.write_text(result_json(sample(libraries=libraries, findings=findings)), encoding="utf-8")
    return str(file)


def _ndcg(name: str, version: str, **more: object) -> Finding:
    return finding("ndcg", name, version, function=f"{name}.ndcg", **more)


def shown(run: str, subject: str) -> list[str]:
    done = audit("show", subject, "--from", run)
    assert done.exit_code == 0, done.stderr
    return [line.strip() for line in done.stdout.splitlines() if line.strip()]


def test_a_library_shows_each_formula_with_its_numbers_and_functions(run: str) -> None:
    lines = shown(run, "beta")
    assert lines[0].endswith(" 1.0")
    (at,) = (n for n, line in enumerate(lines) if line.startswith("NDCG 0.125: divides by the DCG of all relevant"))
    assert lines[at + 1] == "beta.ndcg"
    assert any(line.startswith("AUC") and "no formula" in line for line in lines)


def test_a_library_without_a_version_is_its_newest(run: str) -> None:
    assert any(line.endswith(": canonical") for line in shown(run, "alpha"))
    assert not any(line.endswith(": canonical") for line in shown(run, "alpha==1.0"))


def test_a_function_shows_both_numbers_and_the_calls_that_compute_the_same(run: str) -> None:
    text = " ".join(shown(run, "alpha==1.0:ndcg"))
    assert "variant: it computes another documented formula" in text
    assert "0.200; the canonical NDCG gives" in text
    assert "the same formula in other libraries: beta.ndcg (beta 1.0)" in text
    assert "the same formula in other libraries: none of this run" in " ".join(shown(run, "alpha:ndcg"))


def test_a_metric_and_a_formula_show_who_computes_them_in_their_newest_version(run: str) -> None:
    metric = " ".join(shown(run, "ndcg"))
    assert "canonical (ndcg@k) Alpha" in metric and "(ndcg@k|ideal:all) Beta" in metric
    formula = shown(run, "ndcg@10|ideal:all")
    assert any("beta.ndcg" in line for line in formula) and not any("alpha.ndcg" in line for line in formula)
    assert any("no newest version" in line for line in shown(run, "ndcg@10|gain:exp2"))


CANONICAL, OTHER = ("ndcg@k",), ("ndcg@k|gain:exp2",)


@pytest.mark.parametrize(
    ("pins", "words"),
    [
        ([("2", CANONICAL), ("1", CANONICAL)], "in every version that was accepted, from 1 on"),
        ([("2", CANONICAL), ("1", None)], "since 2; 1 has no such function"),
        ([("3", CANONICAL), ("2", CANONICAL), ("1", OTHER)], "since 2; in 1: gain 2^g - 1"),
        ([("2", CANONICAL), ("1", ())], "since 2; in 1: no formula that is known"),
        ([("2", OTHER), ("1", OTHER)], ""),  # this run found something else than what was accepted
        ([("2", CANONICAL)], ""),
        ([], ""),
    ],
)
def test_since_which_version(
    pins: list[tuple[str, tuple[str, ...] | None]], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookup, "_formulas_by_version", lambda finding: pins)
    assert lookup._since(_ndcg("alpha", "2")) == words


def test_a_version_that_is_not_known_has_no_history() -> None:
    assert lookup._formulas_by_version(_ndcg("rs_metrics", "99")) == []
    assert lookup._formulas_by_version(_ndcg("unheard_of", "1")) == []


def test_the_numbers_of_several_functions_are_the_least_and_the_greatest_with_nan_last() -> None:
    means = [_ndcg("alpha", "1", value=value) for value in (float("nan"), 0.5, None, 0.25)]
    assert value_range(means) == "0.250 to nan" and value_range(means[1:2]) == "0.500" and value_range(means[2:3]) == ""


def test_since_when_a_function_computes_what_it_does_is_read_from_the_accepted_versions() -> None:
    done = audit("show", "rs_metrics:mrr")
    assert "in every version that was accepted, from " in " ".join(done.stdout.split())


def test_the_smallest_input_is_told_by_what_is_unusual_in_it() -> None:
    """The list alone, one hit and three misses, would not say why NDCG is above 1."""
    text = " ".join(audit("show", "omnirec:ndcg").stdout.split())
    assert "at k = 3: ndcg@k is 1.22629, the library says 0.613147: the hit is listed twice in the truth" in text


def test_a_library_that_the_run_lacks_is_named_as_one(run: str) -> None:
    done = audit("show", "librecommender", "--from", run)
    assert done.exit_code == 2
    assert "no library librecommender" in done.stderr and "audit run -l librecommender" in done.stderr


@pytest.mark.parametrize("subject", ["nothing", "choosing", "alpha:nothing"])
def test_what_cannot_be_shown_ends_with_2_and_what_to_type(run: str, subject: str) -> None:
    done = audit("show", subject, "--from", run)
    assert done.exit_code == 2 and "→" in done.stderr
