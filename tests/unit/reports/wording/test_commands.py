"""Commands that repeat a finding, as they are typed."""

from __future__ import annotations

from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.wording.commands import reproduce_command, rerun_command
from tests.support.result_samples import finding, result


def on(name: str, **changes: object) -> Result:
    made = result(**changes)
    return made.model_copy(update={"dataset": made.dataset.model_copy(update={"name": name})})


def test_a_finding_on_a_named_dataset_is_repeated_alone() -> None:
    made = on("ml-100k", recommenders=("ease", "popular"), k=(5, 20))
    assert rerun_command(made, finding("ndcg")) == (
        "audit run -l alpha==1.0 --dataset ml-100k --recommender ease -k 20"
    )  # fmt: skip


def test_a_finding_without_a_cutoff_is_repeated_at_all_of_the_run() -> None:
    made = on("synthetic:small", recommenders=(), k=(5, 20))
    assert rerun_command(made, finding("auc")) == "audit run -l alpha==1.0 --dataset synthetic:small -k 5 -k 20"


def test_on_data_of_ones_own_the_whole_run_is_repeated() -> None:
    made = on("predictions.csv", command="audit run --predictions predictions.csv --truth truth.csv")
    assert rerun_command(made, finding("ndcg")) == "audit run --predictions predictions.csv --truth truth.csv"


def test_an_option_in_a_function_is_quoted_for_the_shell() -> None:
    given = finding("ndcg", function="alpha.ndcg[type=exp]")
    assert reproduce_command(given) == "audit reproduce 'alpha==1.0:alpha.ndcg[type=exp]' --k 20"
    assert reproduce_command(finding("auc")) == "audit reproduce alpha==1.0:alpha.auc"
