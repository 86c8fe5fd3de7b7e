"""``audit evaluate --as`` evaluates all that is known of a function: contract, adapter and doubts; values by hand."""

from __future__ import annotations

import csv
from math import isnan
from pathlib import Path

import pytest

from recsys_metric_audit.audit.cli.evaluation.library_definitions import library_definitions
from recsys_metric_audit.reports.model.result import Behaviour
from recsys_metric_audit.reports.model.result_file import LoadedRun, packaged_run
from tests.support.command_line import audit


@pytest.fixture
def as_library(tmp_path: Path):
    """Write rows as files, and return the value and the note of a function."""

    def run(
        library: str, metric: str, function: str, shown: str, truth: str, *words: str, train: str = ""
    ) -> tuple[float | None, str]:
        files = {"p": ("user,item,score", shown), "t": ("user,item,gain", truth), "r": ("user,item", train)}
        for name, (header, rows) in files.items():
            (tmp_path / f"{name}.csv").write_text("\n".join([header, *rows.split()]) + "\n")
        seen = ("--train", "r.csv") if train else ()
        options = ["--as", library, "--metrics", metric, *seen, *words, "--out", "v.csv"]
        done = audit("evaluate", "p.csv", "t.csv", *options)
        assert done.exit_code == 0, done.output
        rows = csv.DictReader((tmp_path / "v.csv").open())
        (own,) = (row for row in rows if any(each.endswith(function) for each in row["functions"].split("; ")))
        return float(own["value"]) if own["value"] else None, own["note"]

    return run


# Three rated pairs with a score, best first of gain 5, 1 and 3; item 9 is not in the truth.
RATED = "1,1,.9 1,9,.8 1,2,.7 1,3,.5", "1,1,5 1,2,1 1,3,3"


def test_recbole_s_labelled_auc_ranks_the_rated_pairs_by_labels_from_the_threshold_up(as_library) -> None:
    value, _ = as_library("recbole", "auc", "metrics.AUC[mode=labeled]", *RATED, "--threshold", "3")
    assert value == 0.5  # of the pairs (1, 2) and (3, 2) the first is in order
    value, _ = as_library("recbole", "auc", "metrics.AUC[mode=labeled]", *RATED, "--threshold", "1")
    assert value is not None and isnan(value)  # no rated pair is irrelevant


def test_labels_are_made_at_the_threshold(as_library) -> None:
    shown, truth = "1,1,.9 1,2,.8 1,3,.7", "1,1,1 1,2,5"
    each = "average_precision_score[each user]"
    assert as_library("scikit_learn==0.24.2", "map", each, shown, truth)[0] == 1.0  # items 1 and 2
    assert as_library("scikit_learn==0.24.2", "map", each, shown, truth, "--threshold", "4")[0] == 0.5  # item 2, second


def test_ranks_are_read_and_not_scores(as_library) -> None:
    # The scores tie; the rank of item 1 is 1. By scores the pair would count half.
    value, _ = as_library("rectools", "auc", "rectools.metrics.PartialAUC", "1,1,.5 1,2,.5", "1,1,1", "-k", "1")
    assert value == 1.0


DEPARTING = [
    ("recommenders", "novelty", ".novelty", "1,1,.9 1,2,.5", "1,1,1", (), "1,2 2,1", "train items in lists"),
    ("recommenders", "catalogue_coverage", ".catalog_coverage", "1,1,.9", "1,1,1", (), "", "no train data"),
    ("cornac", "ndcg", "ranking_eval[NDCG]",
     "1,1,.9 1,2,.5", "1,1,1", ("-k", "5"), "", "k above the candidates of a user"),
    ("recbole", "mae", "metrics.MAE[mode=labeled,LABEL_FIELD=rating]",
     "1,1,.9", "1,1,1", (), "", "one rated pair with a score"),
    ("recbole", "ndcg", "Evaluator.evaluate[metrics=NDCG]",
     "1,1,.9 1,2,.5", "1,1,1 1,3,1", ("-k", "3"), "", "shorter than k"),
    ("daisyrec", "recall", "calc_ranking_results[recall]",
     "1,1,.9 1,2,.5 2,1,.5", "1,1,1 2,1,1", ("-k", "2"), "", "lists of unequal length"),
    ("rectools", "mcc", "rectools.metrics.MCC", "1,1,.9 1,2,.5", "1,1,1", ("-k", "9"), "", "above the items"),
    ("pytrec_eval", "ndcg", "RelevanceEvaluator[ndcg_cut]",
     "1,1,.702106 1,2,.702105999", "1,1,1", (), "", "single precision"),
    ("torchmetrics", "map", "retrieval.RetrievalMAP",
     "1,1,.702106 1,2,.702105999", "1,1,1", (), "", "single precision"),
    # torchmetrics 1.9.0 gives 0.5 for labels 1, 0, 1, 0 of these scores, and 0.75 for a tenth of them.
    ("torchmetrics", "auc", "retrieval.RetrievalAUROC",
     "1,1,90 1,2,80 1,3,70 1,4,60", "1,1,1 1,3,1", (), "", "after a sigmoid"),
    ("xgboost", "ndcg", "Booster.eval[ndcg]",
     "1,1,.702106 1,2,.702105999", "1,1,1", (), "", "single precision"),
    ("pytrec_eval", "ndcg", "RelevanceEvaluator[ndcg_cut]", "1,1,.9 1,2,.5", "1,1,1.5", (), "", "fractional"),
    ("catboost", "map", "eval_metric[MAP]", "1,1,.9 1,2,.5", "1,1,1 1,3,1", (), "", "unlisted relevant"),
    ("lightgbm", "ndcg", "train[ndcg]", "1,1,.9 1,2,.5", "1,1,1 1,3,1", (), "", "unlisted item"),
    ("openrec", "recall", "full_eval[Recall]", "1,1,.9 1,2,.5", "1,1,1 1,3,1", (), "", "unlisted item"),
    ("pytorch_ignite", "ndcg", "NDCG", "1,1,.9 1,2,.5", "1,1,1 1,3,1", (), "", "unlisted item"),
    ("scikit_learn", "auc", "roc_auc_score[each user]", "1,1,.9 1,2,.5", "1,1,1 1,3,1", (), "", "unlisted"),
    ("recommenders", "r_precision", ".r_precision_at_k", "1,1,.9 1,2,.5", "1,2,1", (), "", "none in the first r"),
    ("recommenders==1.2.0", "ndcg", ".ndcg_at_k[score_type=raw]",
     "1,1,.9 2,1,.9", "1,1,1 2,1,0", (), "", "gains are all 0"),
    ("implicit", "precision", ".precision_at_k", "1,1,.9", "1,1,1", ("-k", "1"), "", "every item is relevant"),
    ("recbole", "catalogue_coverage", "metrics.ItemCoverage",
     "1,1,.5 1,2,.5", "1,1,1", ("-k", "1"), "1,3", "equal scores of a user"),
]  # fmt: skip
"""Holds data on which a function departs from its definition: library, metric, function, rows, options, why."""


@pytest.mark.parametrize(("library", "metric", "function", "shown", "truth", "words", "train", "why"), DEPARTING)
def test_no_number_is_told_for_data_on_which_the_library_departs(
    as_library, library, metric, function, shown, truth, words, train, why
) -> None:
    value, note = as_library(library, metric, function, shown, truth, *words, train=train)
    assert value is None and "not known for these data" in note and why in note


def test_scores_that_a_sigmoid_leaves_apart_have_a_number(as_library) -> None:
    where = ("torchmetrics", "auc", "retrieval.RetrievalAUROC")
    assert as_library(*where, "1,1,9 1,2,8 1,3,7 1,4,6", "1,1,1 1,3,1")[0] == 0.75
    assert as_library(*where, "1,1,.9 1,2,.8 1,3,.7 1,4,.6", "1,1,1 1,3,1")[0] == 0.75


def test_what_is_not_known_is_told_with_the_values_that_it_may_have(as_library) -> None:
    # RecBole's pipeline orders ties by no known rule: item 1 is first or second.
    where = ("recbole", "ndcg", "Evaluator.evaluate[metrics=NDCG]")
    assert "order of equal scores (0.6309 to 1.0000)" in as_library(*where, "1,1,.5 1,2,.5", "1,1,1", "-k", "2")[1]
    assert as_library(*where, "1,1,.5 1,2,.4", "1,1,1", "-k", "2")[0] == 1.0


def test_a_tie_in_single_precision_that_an_experiment_showed_is_a_doubt() -> None:
    run = packaged_run()
    tied = {"close_scores": Behaviour(name="tied")}
    findings = [each.model_copy(update={"behaviours": each.behaviours | tied}) for each in run.result.findings]
    shown = LoadedRun(run.result.model_copy(update={"findings": findings}), run.origin)
    kinds = [
        [
            kind
            for each in library_definitions("cornac", [], [lambda own=own: own]).wanted
            for kind, _ in each.doubts.departs_on
        ]
        for own in (run, shown)
    ]
    assert ["scores equal in single precision" in each for each in kinds] == [False, True]


def test_a_truth_that_gives_an_item_two_gains_is_refused(tmp_path: Path) -> None:
    """Which of them counts depends on the library and on their order: there is no number for such a file."""
    (tmp_path / "p.csv").write_text("user,item,score\n46,280,.9\n46,281,.5\n")
    (tmp_path / "t.csv").write_text("user,item,gain\n46,280,2\n46,280,4\n")
    words = ["evaluate", str(tmp_path / "p.csv"), str(tmp_path / "t.csv"), "--as", "cornac", "--threshold", "4"]
    done = audit(*words)
    assert done.exit_code == 2
    assert "row 2: user 46, item 280 already stands in row 1" in done.output
