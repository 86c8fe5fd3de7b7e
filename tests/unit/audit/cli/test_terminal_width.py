"""Hold that nothing is printed wider than a terminal of 80 columns, and that what is wrapped stays whole."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from rich.cells import cell_len

from recsys_metric_audit.audit.cli import app
from recsys_metric_audit.reports.model.result_file import PACKAGED_RUN, read_result, result_json
from tests.support.command_line import audit

EXAMPLE = Path(__file__).resolve().parents[4] / "docs" / "example"
FILES = (str(EXAMPLE / "predictions.csv"), str(EXAMPLE / "truth.csv"))
DATA = ("--predictions", FILES[0], "--truth", FILES[1])


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def fits(*words: str) -> str:
    """Return what a command prints, no line of which is too wide, but for one word that cannot be broken."""
    done = audit(*words)
    assert done.exit_code in (0, 1, 4), done.output
    assert done.stdout
    assert [line for line in done.stdout.splitlines() if cell_len(line) > 80 and len(line.split()) > 1] == []
    return done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("table", "2"), ("history", "rs_metrics"), ("history", "recommenders"),
        ("evaluate", *FILES, "-k", "5", "--metrics", "ndcg,map", "--as", "rectools", "--as", "recbole"),
        ("evaluate", *FILES, "-k", "5", "--as", "lenskit"),
        ("evaluate", *FILES, "-k", "5", "--interval", "0.9", "--against", FILES[0]),
        ("show", "recbole"), ("show", "rectools:NDCG"), ("show", "ndcg"), ("explain", "ndcg@20|gain:exp2|ideal:all"),
        ("which", "--value", "hr@10=0.512", "--value", "ndcg@10=0.302", "--value", "mrr=0.20", "--one-relevant"),
        ("which", "--value", "hr@10=0.30", "--value", "mrr@10=0.41"),
        ("which", "--value", "ndcg@5=0.2589", *DATA, "--library"),
        ("diff", "recall@2", "recall@2|denominator:min", *DATA),
        ("convert", "mrr@10", "--value", "HR@10=0.512"), ("paper",), ("paper", "--list"),
    ],
)  # fmt: skip
@pytest.mark.slow
def test_no_line_is_wider_than_80_columns(words: tuple[str, ...]) -> None:
    fits(*words)


@pytest.mark.slow
def test_the_summary_of_an_own_function_fits_and_its_words_stand_below_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(EXAMPLE)  # the line with the name and the signature stays whole, however long the name is
    lines = fits("identify", "metrics.py:ndcg").splitlines()
    (at,) = (n for n, line in enumerate(lines) if line.startswith("  not asked"))
    assert lines[at + 1].startswith(" " * 15 + "truth_duplicates")


@pytest.mark.slow
def test_a_report_and_a_comparison_fit_and_no_label_is_cut(tmp_path: Path) -> None:
    run = read_result(PACKAGED_RUN)
    for name, findings in (("old", run.findings), ("new", run.findings[10:])):
        (tmp_path / name).mkdir()
        made = result_json(run.model_copy(update={"findings": findings}))
        (tmp_path / name / "audit.json").write_text(made, encoding="utf-8")
    shown = fits("report", "old", "--format", "text")
    (entry,) = (each for each in run.libraries if each.library == "generative_recommenders")
    label = " ".join(shown.split("HSTU (generative-recommenders)\n")[-1].split()[:1])
    assert label == f"{entry.version[:8]}°"
    assert len(fits("compare", "old", "new")) > 1000
    fits("report", "old", "--verify")


def test_a_long_label_stands_above_its_numbers(tmp_path: Path) -> None:
    """Holds that a wide terminal shows label and numbers of a row in one line where they fit."""
    shutil.copy(PACKAGED_RUN, tmp_path / PACKAGED_RUN.name)
    lines = fits("table", "1", "--from", str(tmp_path / PACKAGED_RUN.name)).splitlines()
    at = lines.index("HSTU (generative-recommenders)")
    assert lines[at + 1].startswith("  ") and lines[at + 1].split()[1:3] == ["0.223", "c"]


@pytest.mark.parametrize("verb", [None, *(command.name for command in app.registered_commands)])
def test_help_fits(verb: str | None) -> None:
    fits(*filter(None, (verb, "--help")))


def test_names_of_functions_are_parted_after_dots_and_before_brackets() -> None:
    """Prints a name of 49 characters, which does not fit beside its definition, and one of 29, which stays whole."""
    shown = fits("evaluate", *FILES, "-k", "5", "--metrics", "map", "--as", "recbole")
    assert "  recbole.evaluator.metrics.MAP" in shown
    head, *lines = shown[shown.index("metric  ") :].splitlines()
    parts = [line[head.index("function") :].strip() for line in lines if not line.startswith("!")]
    assert "".join(filter(None, parts[:4])).endswith("recbole.evaluator.Evaluator.evaluate[metrics=MAP]")
