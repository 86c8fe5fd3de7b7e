"""A case becomes the arguments of each shape of call."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from recsys_metric_audit.audit.inhouse.calling import call_shapes, call_sources
from recsys_metric_audit.audit.inhouse.calling.call_answers import Caller as _Caller
from recsys_metric_audit.audit.inhouse.calling.call_parameters import Parameters, likely_shapes
from recsys_metric_audit.audit.inhouse.calling.call_shapes import COLUMNS, READS, frames
from recsys_metric_audit.audit.inhouse.calling.call_sources import iterates
from recsys_metric_audit.audit.inhouse.calling.caller import load
from tests.support.two_users import case


@pytest.fixture(autouse=True)
def _nothing_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget what was read of another function's source, in a test that ran before."""
    for name in READS:
        monkeypatch.setitem(READS, name, False)
    for name in COLUMNS:
        monkeypatch.setitem(COLUMNS, name, name)


def Caller(function: Callable[..., Any], shape: str) -> _Caller:  # noqa: N802
    """Return the caller of a function whose parameters are its own."""
    return _Caller(call_shapes, function, shape, Parameters(function))


def read_source(function: Callable[..., Any], *file: str) -> list[str]:
    """Read the source of a function, as it is read before it is called."""
    names: list[str] = call_sources.read_source(function, COLUMNS, READS, *file)
    return names


def one_user() -> SimpleNamespace:
    """Keep user 3 of the case."""
    both = case()
    both.recommended = SimpleNamespace(**{name: column[:2] for name, column in vars(both.recommended).items()})
    both.relevant = SimpleNamespace(**{name: column[1:] for name, column in vars(both.relevant).items()})
    return both


def calls(shape: str, of: SimpleNamespace, function: Callable[..., float] | None = None) -> list[Any]:
    """Return the arguments of every call of a function of that shape."""
    seen: list[Any] = []

    def metric(*rows: Any) -> float:
        seen.append(rows)
        return 0.5

    Caller(function or metric, shape)(of, 7, float)
    return seen


def plain(arguments: tuple[Any, ...]) -> list[Any]:
    return [each.tolist() if isinstance(each, np.ndarray) else each for each in arguments]


@pytest.mark.parametrize(
    ("shape", "arguments"),
    [
        ("recommended", [[30, 31], {31: 2.0}, 7]), ("actual", [{31: 2.0}, [30, 31], 7]),
        ("recommended-one", [[30, 31], 31, 7]), ("one-recommended", [31, [30, 31], 7]),
        ("scores", [[0, 2], [0.9, 0.8], 7]), ("scores-first", [[0.9, 0.8], [0, 2], 7]), ("vector", [[0, 2], 7]),
        ("vectors", [[[0, 2]], 7]), ("indexes", [[0.9, 0.8], [0, 2], [3, 3], 7]),
        ("qrels-run", [{"3": {"31": 2}}, {"3": {"30": 0.9, "31": 0.8}}, 7]),
        ("run-qrels", [{"3": {"30": 0.9, "31": 0.8}}, {"3": {"31": 2}}, 7]),
        ("qrel-run", [{"31": 2}, {"30": 0.9, "31": 0.8}, 7]),
        ("actual-users", [[[31]], [[30, 31]], 7]), ("recommended-users", [[[30, 31]], [[31]], 7]),
        ("positive-negatives", [[0.8], [0.9], 7]), ("scores-target", [[0.8, 0.9], 0, 7]),
        ("positive-first", [[0.8, 0.9], 7]), ("positive-first-matrix", [[[0.8, 0.9]], 7]),
        ("positive-last", [[0.9, 0.8], 7]), ("positive-last-matrix", [[[0.9, 0.8]], 7]),
        ("ranks", [[1], 7]), ("ranks-from-1", [[2], 7]), ("vector-count", [[0, 1], 1, 7]),
        ("sizes", [[0.9, 0.8], [0, 2], [2], 7]), ("sizes-labels-first", [[0, 2], [0.9, 0.8], [2], 7]),
        ("users-scores-labels", [[3, 3], [0.9, 0.8], [0, 2], 7]),
        ("users-labels-scores", [[3, 3], [0, 2], [0.9, 0.8], 7]),
        ("distances-target", [[-0.8, -0.9], 0, 7]),
        ("scores-target-from-1", [[0.8, 0.9], 1, 7]), ("target-scores-from-1", [1, [0.8, 0.9], 7]),
        ("ranks-negatives", [[1], 1, 7]), ("ranks-from-1-negatives", [[2], 1, 7]),
        ("diagonal", [[[0.8, 0.9], [0.9, 0.8]], 7]),
        ("recommended-users-one", [[[30, 31]], [31], 7]), ("one-recommended-users", [[31], [[30, 31]], 7]),
        ("ranks-labels", [[[*range(17)]], [[0, 2, *[0] * 15]], 7]),
        ("labels-ranks", [[[0, 2, *[0] * 15]], [[*range(17)]], 7]),
    ],
)  # fmt: skip
def test_the_arguments_of_a_shape(shape: str, arguments: list[Any]) -> None:
    assert plain(calls(shape, one_user())[0]) == arguments


def test_of_a_value_for_each_place_that_of_the_cutoff_is_read() -> None:
    seen: list[Any] = []

    def recall(pos_index: Any, pos_len: Any) -> Any:
        seen.append((pos_index.tolist(), pos_len.tolist()))
        return np.cumsum(pos_index, axis=1) / pos_len

    values = Caller(recall, "hits-counts")(case(), 2, float)
    # User 4 lists one item, which is none of hers: her second place is a miss as well.
    assert seen == [([[False, False]], [1]), ([[False, True]], [1])]
    assert values == (None, [4, 3], [0.0, 1.0])


def test_a_booster_gives_labels_and_sizes_and_takes_a_name_and_a_value() -> None:
    def metric(preds: Any, dataset: Any) -> Any:
        sizes = dataset.get_field("group")
        assert dataset.get_group().tolist() == sizes.tolist() == [1, 2] and dataset.get_weight() is None
        return "sum", float((preds * dataset.get_label()).sum()), True

    # The rows of user 4 come first, as the truth names her first.
    assert Caller(metric, "scores-dataset")(case(), 2, float) == pytest.approx(0.8 * 2)


def test_one_table_has_the_gain_of_each_row() -> None:
    (table, k) = calls("table", case())[0]
    assert table.columns.tolist() == ["user", "item", "score", "gain"] and k == 7
    assert table["gain"].tolist() == [0, 2, 0]


def test_a_matrix_has_more_than_2k_items_and_the_missed_ones_stand_last() -> None:
    (of_missed, of_listed) = calls("matrix", case())
    labels, scores, k = of_missed
    assert labels.tolist() == [[0] * 16 + [1]] and k == 7  # item 40, 15 others, and 41 behind them
    assert scores.shape == labels.shape and (np.diff(scores) < 0).all()
    assert of_listed[0].tolist() == [[0, 2] + [0] * 15]
    assert calls("matrix-scores-first", case())[0][0].tolist() == scores.tolist()


def of_sparse(scores: Any, held_out: Any, k: int) -> Any:
    return np.array([held_out.getnnz(axis=1) + k])


def test_labels_are_a_sparse_matrix_where_the_source_reads_one(monkeypatch: pytest.MonkeyPatch) -> None:
    made = SimpleNamespace(csr_matrix=lambda rows: SimpleNamespace(getnnz=lambda axis: (rows != 0).sum()))
    monkeypatch.setitem(sys.modules, "scipy", SimpleNamespace(sparse=made))
    monkeypatch.setitem(sys.modules, "scipy.sparse", made)
    read_source(of_sparse)
    assert Caller(of_sparse, "matrix-scores-first")(one_user(), 7, float) == 8
    read_source(of_usual_columns)
    with pytest.raises(AttributeError, match="getnnz"):
        Caller(of_sparse, "matrix-scores-first")(one_user(), 7, float)


def test_data_frames_have_the_columns_of_the_case() -> None:
    (predictions, truth, k) = calls("frames", case())[0]
    assert list(predictions.columns) == ["user", "item", "score"] and k == 7
    assert truth.to_dict("list") == {"user": [4, 3], "item": [41, 31], "gain": [1.0, 2.0]}
    assert [list(each.columns) for each in calls("frames-truth-first", case())[0][:2]] == [
        list(truth.columns), list(predictions.columns)
    ]  # fmt: skip


def test_a_scorer_asks_its_estimator_for_scores() -> None:
    estimator, rows, labels, _ = calls("scorer", one_user())[0]
    assert estimator.predict(rows).tolist() == estimator.decision_function(rows).tolist() == [0.9, 0.8]
    assert estimator.predict_proba(rows)[:, 1].tolist() == [0.9, 0.8] and labels.tolist() == [0, 2]


def test_each_user_of_the_truth_is_a_call_and_gives_a_value() -> None:
    made = Caller(lambda _, relevant, k: k * sum(relevant.values()), "recommended")(case(), 2, float)
    assert made == (None, [4, 3], [2.0, 4.0])
    assert Caller(lambda recommended, relevant, k: len(recommended), "recommended")(one_user(), 2, float) == 2


def test_a_dict_of_all_users_gives_their_values() -> None:
    made = Caller(lambda qrels, run, k: {user: len(run[user]) / k for user in qrels}, "qrels-run")(case(), 2, float)
    assert made == (None, ["4", "3"], [0.5, 1.0])


def test_relevant_items_come_as_a_set_where_a_dict_does_not_do() -> None:
    def metric(recommended: list[int], relevant: set[int], k: int) -> float:
        return len(set(recommended) & relevant) / k

    def listed(recommended: list[int], relevant: list[int], k: int) -> float:
        return sum(item in recommended for item in relevant[:k]) / k

    assert Caller(metric, "recommended")(one_user(), 2, float) == 0.5
    assert Caller(listed, "recommended")(one_user(), 2, float) == 0.5


@pytest.mark.parametrize(("form", "relevant"), [(list, {4: [41], 3: [31]}), (set, {4: {41}, 3: {31}})])
def test_items_of_all_users_come_in_dicts_where_lists_do_not_do(form: type, relevant: dict[int, Any]) -> None:
    seen: list[Any] = []

    def metric(actual: Any, predicted: Any, k: int) -> dict[int, float]:
        if not all(isinstance(own, form) for own in actual.values()):
            raise TypeError(f"no {form.__name__}")
        seen.append((actual, predicted, k))
        return {user: float(user) for user in actual}

    assert Caller(metric, "actual-users")(case(), 7, float) == (None, ["4", "3"], [4.0, 3.0])
    assert seen == [(relevant, {3: [30, 31], 4: [40]}, 7)]


def test_an_error_of_the_function_is_its_first() -> None:
    def refuses(recommended: list[int], relevant: dict[int, float], k: int) -> float:
        raise ValueError("grades are whole numbers")

    with pytest.raises(ValueError, match="grades are whole numbers"):
        Caller(refuses, "recommended")(one_user(), 2, float)
    with pytest.raises(ValueError, match="could not convert"):
        Caller(lambda *_: "high", "recommended")(one_user(), 2, float)


def test_the_cutoff_is_passed_where_it_stands_and_left_out_where_there_is_none() -> None:
    def first(k: int, actual: Any, predicted: Any) -> float:
        return k + len(predicted)

    def without(ranked: Any, truth: Any) -> float:
        return len(ranked)

    def by_word(y_true: Any, y_score: Any, *, k: int | None = None, sample_weight: Any = None) -> float:
        return 10 * (k or 0)

    assert Caller(first, "actual")(one_user(), 7, float) == 9
    assert Caller(without, "recommended")(one_user(), 7, float) == 2
    assert Caller(by_word, "scores")(one_user(), 7, float) == 70
    assert [str(Parameters(each)) for each in (first, without, by_word)] == [
        "actual, predicted, k", "ranked, truth", "y_true, y_score, k"
    ]  # fmt: skip


def of_quoted_columns(recs: Any, test: Any, k: int) -> float:
    top = recs.sort_values("prediction").groupby("user_id").head(k)
    return float(len(top.merge(test, on=["user_id", "item_id"]).rating.item()))


def of_usual_columns(recs: Any, test: Any) -> float:
    return float(len(recs.merge(test, on=["user", "item"])))


def test_columns_are_named_as_the_source_names_them() -> None:
    assert read_source(of_quoted_columns) == ["user_id", "item_id", "prediction", "rating"]
    predictions, truth = frames(case())
    assert [*predictions.columns, *truth.columns] == [
        "user_id",
        "item_id",
        "prediction",
        "user_id",
        "item_id",
        "rating",
    ]
    assert read_source(of_usual_columns) == [] and [name for name, read in READS.items() if read] == ["frames"]
    assert all(usual == name for usual, name in COLUMNS.items())


def of_a_list(recommended: Any, relevant: Any, k: int) -> float:
    return float(sum(rank for rank, item in enumerate(recommended[:k]) if item in relevant))


def of_a_column(recs: Any, test: Any) -> float:
    return float(len([user for user in recs.user if "item" in test and user in recs["user"]]))


@pytest.mark.parametrize(
    ("function", "names", "expected"),
    [
        (of_a_list, ["recommended", "relevant"], True),
        (of_a_list, ["recommended"], True),
        (of_a_list, ["k"], False),
        (of_a_list, [], False),
        (of_a_column, ["recs", "test"], False),
        (of_quoted_columns, ["recs", "test"], False),
        (len, ["obj"], False),
    ],
)
def test_a_parameter_that_is_gone_over_is_no_data_frame(function: Any, names: list[str], expected: bool) -> None:
    assert iterates(function, names) is expected


def test_without_a_source_the_file_tells_the_columns(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("USER, ITEM = 'userID', 'itemID'\n")
    assert read_source(len, str(tmp_path / "own.py")) == ["userID", "itemID"]
    assert read_source(len) == []


def test_a_number_of_half_precision_tells_its_type() -> None:
    class Tensor(SimpleNamespace):
        """Stands for a tensor, with the methods of one that a caller uses."""

        def detach(self) -> Tensor:
            return self

        cpu = float = detach

        def item(self) -> float:
            return 0.5

    function = lambda recommended, relevant, k: Tensor(dtype="torch.bfloat16")  # noqa: E731
    value = Caller(function, "recommended")(one_user(), 7, float)
    assert (float(value), value.dtype) == (0.5, "bfloat16")


def test_a_value_for_each_place_is_read_at_the_cut_off() -> None:
    """User 3 has the irrelevant item 30, then the relevant 31."""

    def precision(recommended: list[int], relevant: dict[int, float]) -> list[float]:
        hits = [item in relevant for item in recommended]
        return [sum(hits[:k]) / k for k in range(1, len(hits) + 1)]

    assert [Caller(precision, "recommended-places")(one_user(), k, float) for k in (1, 2)] == [0.0, 0.5]
    with pytest.raises(TypeError):
        Caller(precision, "recommended")(one_user(), 2, float)


@pytest.mark.parametrize(
    "made",
    [
        lambda value: [value],
        lambda value: np.array([[value]]),
        lambda value: Scored(value),
        lambda value: f"NDCG@2: {value}",
        lambda value: [f"{value}\n"],
    ],
)
def test_the_one_number_of_a_user_is_read_in_what_holds_it(made: Callable[[float], Any]) -> None:
    assert Caller(lambda recommended, relevant: made(0.25), "recommended")(one_user(), 2, float) == 0.25


class Scored:
    """Holds a result, as some evaluators return one."""

    def __init__(self, score: float) -> None:
        self.score = score


def test_users_are_passed_with_dicts_or_rows_of_theirs() -> None:
    assert calls("actual-users-listed", case()) == [({4: {41}, 3: {31}}, {4: [40], 3: [30, 31]}, [4, 3], 7)]
    (arguments,) = calls("hits-truth", one_user())
    assert plain(arguments) == [[[0, 1]], [[31]], 7]  # a batch of one


def test_all_users_are_passed_as_pairs_and_give_a_value_each() -> None:
    """User 4 has 40 and misses 41; of user 3, 31 of 30 and 31 is relevant."""

    def precision(prediction_and_labels: list[tuple[list[int], list[int]]]) -> np.ndarray:
        return np.array([len({*listed} & {*true}) / len(listed) for listed, true in prediction_and_labels])

    assert Caller(precision, "list-pairs")(case(), 2, float) == (None, [4, 3], [0.0, 0.5])


def of_pairs(recommended: list[tuple[int, float]], relevant: dict[int, float]) -> float:
    return float(sum(item in relevant for item, _ in recommended))


def of_groups(truth: list[list[list[int]]], listed: list[list[int]]) -> list[float]:
    return [sum(item in shown for group in own for item in group) / 2 for own, shown in zip(truth, listed, strict=True)]


def test_pairs_groups_and_lists_of_values_are_passed_and_read() -> None:
    """Of user 3, 31 of 30 and 31 is relevant; user 4 has 40 and misses 41."""
    assert Caller(of_pairs, "recommended")(one_user(), 2, float) == 1
    assert Caller(of_groups, "actual-users")(case(), 2, float) == (None, [4, 3], [0.0, 0.5])


def test_labels_of_the_list_come_with_those_of_all_relevant_items() -> None:
    def metric(ranks: list[int], gt_ranks: list[int], k: int) -> float:
        seen.append(plain([ranks, gt_ranks]))
        return 0.0 if len(gt_ranks) == k else [][0]  # which needs as many as the cut-off

    seen: list[Any] = []
    assert Caller(metric, "vector-ideal")(one_user(), 2, float) == 0
    assert seen == [[[0, 2], [2]], [[0, 2], [2, 0]]]


def test_a_series_is_passed_where_the_source_reads_one() -> None:
    """Of user 3, 31 comes second; the function of scores counts those above the relevant one's, as a frame's column."""

    def place(result: Any, next_item: int) -> float:
        return float(result.iloc[:2].index.get_loc(next_item))

    def above(preds: Any, iid: Any) -> float:
        return float((preds.fillna(0).values > preds.loc[list(iid)].values).sum())

    def offered(function: Callable[..., Any]) -> list[str]:
        read_source(function)
        return call_sources.offered(function, Parameters(function), likely_shapes(Parameters(function)), call_shapes)

    assert {"series", "series-one"} == {*offered(place)[:2]} and offered(above)[0] == "series-scores-one"
    assert not any(shape.startswith("series") for shape in offered(of_pairs))
    assert (
        Caller(place, "series-one")(one_user(), 2, float)
        == 1
        == Caller(above, "series-scores-one")(one_user(), 2, float)
    )


def of_users(predict: dict[int, list[int]], truth: dict[int, list[int]]) -> float:
    return float(sum(len({*truth[user]} & {*predict[user]}) for user in truth))


def test_users_are_looked_up_in_dicts_where_the_source_does_so() -> None:
    read_source(of_users)
    assert READS["by_user"]
    assert call_shapes.OF_ALL_USERS["recommended-users"](case())[0] == ({4: [40], 3: [30, 31]}, {4: [41], 3: [31]})


def of_ids_as_text(recommended: list[str], relevant: list[str]) -> float:
    return float(sum(each.strip() in relevant for each in recommended))


def test_ids_are_passed_as_text_where_the_source_reads_them_so() -> None:
    try:
        read_source(of_ids_as_text)
        assert Caller(of_ids_as_text, "recommended")(one_user(), 2, float) == 1.0
    finally:
        read_source(of_usual_columns)


def test_the_source_of_a_function_is_read_where_an_entry_is_picked(tmp_path: Path) -> None:
    file = tmp_path / "two.py"
    file.write_text("def both(df):\n    return df['userID'].nunique(), len(df['itemID'])\n")
    picked = load(str(file), "both[1]")
    try:
        assert read_source(picked) == ["userID", "itemID"]
        assert picked({"userID": SimpleNamespace(nunique=lambda: 3), "itemID": [1, 2]}) == 2
    finally:
        read_source(of_usual_columns)


def test_of_a_dict_by_cut_offs_the_number_at_the_cut_off_is_read() -> None:
    def precisions(hit_matrix: np.ndarray, num_positive_ids: np.ndarray) -> dict[int, float]:
        assert hit_matrix.ndim == 2 and num_positive_ids.shape == (1,)  # or it is another form that is wanted
        return {k: float(hit_matrix[:, :k].mean()) for k in (1, 2)}

    assert [Caller(precisions, "vector-count")(one_user(), k, float) for k in (1, 2)] == [0.0, 0.5]
    with pytest.raises(TypeError):
        Caller(precisions, "vector-count")(one_user(), 3, float)


def test_an_item_of_padding_is_first_and_the_worst() -> None:
    ((scores, place, _),) = calls("padded-scores-target", one_user())
    assert scores.argmin() == 0 and scores[1:].tolist() == [0.8, 0.9] and place == 1


def test_numbers_of_items_lead_to_their_labels() -> None:
    """User 3 lists 30 and 31, of which 31 is relevant with gain 2; user 4 lists 40 and misses 41."""
    for (listed, labels, _), gains in zip(calls("recommended-dense", case()), ([0], [0, 2]), strict=True):
        assert labels[listed].tolist() == gains
    missed = calls("dense-recommended", case())[0][0]
    assert missed.sum() == 1 and len(missed) > 7


def test_a_list_of_cut_offs_is_passed_to_what_goes_over_them() -> None:
    def precisions(recommended: list[int], relevant: dict[int, float], n: Any) -> dict[int, float]:
        return {k: sum(item in relevant for item in recommended[:k]) / k for k in n}

    caller = Caller(precisions, "recommended")
    assert [caller(one_user(), k, float) for k in (1, 2)] == [0.0, 0.5]
    assert not caller.parameters.many  # which all calls that are tried share

    def of_numbers(recommended: list[int], relevant: dict[int, float], k: int) -> float:
        return len(k) + len(recommended.rows)  # type: ignore[arg-type, attr-defined]

    with pytest.raises(TypeError, match="has no len"):
        Caller(of_numbers, "recommended")(one_user(), 2, float)


def test_the_form_of_a_number_is_passed_alone() -> None:
    def of_arrays(scores: Any, index: int, k: int) -> int:
        return len(np.shape(scores))

    forms = [_Caller(call_shapes, of_arrays, "scores-target", Parameters(of_arrays), form=form) for form in range(4)]
    assert [each(one_user(), 2, float) for each in forms] == [1, 2, 1, 2]
    with pytest.raises(IndexError):
        _Caller(call_shapes, of_arrays, "scores-target", Parameters(of_arrays), form=99)(one_user(), 2, float)
