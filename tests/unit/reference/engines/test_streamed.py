"""Hold evaluation of Parquet files that are streamed, by buckets on disk and by a survey of ids."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

from recsys_metric_audit import Values, evaluate
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.engines import blockwise, disk_buckets, streamed
from recsys_metric_audit.reference.engines.disk_buckets import DiskSpaceError, user_buckets
from recsys_metric_audit.reference.engines.id_survey import IdSurvey
from recsys_metric_audit.reference.engines.streamed import Sizes, evaluate_streamed, is_streamed
from recsys_metric_audit.reference.engines.user_block import NotUserByUserError, is_user_by_user
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.input.conversion import case_from_tables
from recsys_metric_audit.reference.input.parquet_rows import ParquetRows, UnreadableRowsError
from recsys_metric_audit.reference.metrics import METRICS
from tests.support.generated_inputs import random_case, sampled
from tests.support.same_values import assert_same

# Hold streamed evaluation equal to evaluation in memory, to the last digit, and clean where it fails.

SMALL = Sizes(batch=3, block=5, bucket=6)
DEFINITIONS = [parse(text) for text in (
    "ndcg@2", "ndcg@3|ties:average", "average_precision@2|ties:text_desc", "precision@2|pooling:pooled",
    "f_score@2|of:means", "recall@2|duplicates:first_closed_up", "auc|negatives:catalogue", "auc|pooling:weighted"
    "|weight:rated", "hit_rate@2|ties:item_desc|users:all", "reciprocal_rank@2|order:rows",
    "average_precision@3|mean:geometric|users:both", "ndcg@2|duplicates:error", "auc|negatives:with_train",
)]  # fmt: skip


def table(case: Case) -> dict[str, Any]:
    return {"user": case.predictions.user, "item": case.predictions.item, "score": case.predictions.score}


def truth(case: Case) -> dict[str, Any]:
    return {"user": case.truth.user, "item": case.truth.item, "gain": case.truth.gain}


def train(case: Case) -> dict[str, Any]:
    return {"user": case.train.user, "item": case.train.item}


def written(folder: Path, columns: Any, group: int = 7) -> Path:
    path = folder / "rows.parquet"
    parquet.write_table(pa.table(columns), path, row_group_size=group)
    return path


def in_memory(predictions: Any, true: Any, seen: Any, definition: Definition, threshold: float) -> Values | ValueError:
    try:
        (made,) = evaluate(pa.table(predictions), true, 1, [definition], train=seen, threshold=threshold).values()
    except ValueError as refusal:
        return refusal
    return made


@pytest.mark.parametrize("seed", range(3))
def test_generated_cases_give_the_same_values(seed: int, tmp_path: Path) -> None:
    """Ties, repeats, users on one side only, rows in any order."""
    case = random_case(random.Random(seed), users=8)
    drawn = [sampled(metric, seed) for number, metric in enumerate(METRICS.values()) if number % 3 == seed % 3]
    chosen = [*DEFINITIONS, *filter(is_user_by_user, drawn)]
    path = written(tmp_path, table(case))
    made = evaluate_streamed(path, truth(case), chosen, train=train(case), threshold=case.threshold, sizes=SMALL)
    for one, definition in zip(made.values, chosen, strict=True):
        assert_same(one, in_memory(table(case), truth(case), train(case), definition, case.threshold))


@pytest.mark.parametrize(
    "kinds", [("int32", "float32"), ("uint64", "int64"), ("text", "float64"), ("mixed", "float64")]
)
@pytest.mark.parametrize("grouped", [True, False])
def test_ids_and_scores_of_other_types_give_the_same_values(
    kinds: tuple[str, str], grouped: bool, tmp_path: Path
) -> None:
    """Ids that are numbers here and text there are compared as text."""
    rng = np.random.default_rng(5)
    user, item = np.repeat(rng.permutation(40)[:9] + 5, 6), rng.integers(1, 120, 54)
    score = rng.integers(0, 4, 54).astype(kinds[1])
    order = np.arange(54) if grouped else rng.permutation(54)
    texts = kinds[0] in ("text", "mixed")
    ids = (lambda column: pa.array(list(map(str, column)))) if texts else (lambda column: column.astype(kinds[0]))
    rows = {"user": ids(user[order]), "item": ids(item[order]), "score": score[order]}
    true_user, true_item = np.append(user[::4], 99), np.append(item[::4], 3)
    true = {"user": true_user if kinds[0] == "mixed" else ids(true_user), "item": ids(true_item)}
    path = written(tmp_path, rows)
    made = evaluate_streamed(path, true, DEFINITIONS[:-1], sizes=SMALL)
    for one, definition in zip(made.values, DEFINITIONS, strict=False):
        assert_same(one, in_memory(rows, true, None, definition, 1.0))


def test_one_user_with_most_rows_and_a_folder_of_files(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    user = np.where(rng.random(200) < 0.8, 7, rng.integers(0, 20, 200))
    rows = pa.table({"user": user, "item": np.arange(200), "score": rng.integers(0, 9, 200)})
    folder = tmp_path / "rows"
    (folder / "day=2").mkdir(parents=True)
    (folder / "_temporary").mkdir()
    parquet.write_table(rows[:90], folder / "a.parquet")
    parquet.write_table(rows[90:], folder / "day=2" / "part.parquet")
    (folder / "_temporary" / "half.parquet").write_bytes(b"not to be read")
    true = {"user": user[::9], "item": np.arange(200)[::9]}
    made = evaluate_streamed(folder, true, DEFINITIONS, sizes=SMALL)
    for one, definition in zip(made.values, DEFINITIONS, strict=True):
        assert_same(one, in_memory(rows, true, None, definition, 1.0))


def test_evaluate_takes_a_folder_either_way(tmp_path: Path) -> None:
    """By hand: ann's rye is at rank 2, bob's ale is not listed: 1/2 and 0."""
    parquet.write_table(pa.table({"user": ["ann", "bob"], "item": ["tea", "rye"], "score": [0.9, 0.8]}),
                        tmp_path / "1.parquet")  # fmt: skip
    parquet.write_table(pa.table({"user": ["ann"], "item": ["rye"], "score": [0.5]}), tmp_path / "2.parquet")
    true = {"user": ["ann", "bob"], "item": ["rye", "ale"]}
    for wish in (True, False, None):
        found = evaluate(tmp_path, true, 2, ["mrr"], streamed=wish, interval=0.9)["reciprocal_rank@2"]
        assert (found.mean, found.by_user()) == (0.25, {"ann": 0.5, "bob": 0.0})
        assert found.interval == (0.0, 0.5)


def test_no_rows_at_all(tmp_path: Path) -> None:
    path = written(tmp_path, {"user": np.empty(0, np.int64), "item": np.empty(0, np.int64), "score": np.empty(0)})
    true = {"user": [3], "item": [4]}
    assert_same(
        evaluate_streamed(path, true, [parse("recall@2")]).values[0],
        in_memory(pq_table(path), true, None, parse("recall@2"), 1.0),
    )


def pq_table(path: Path) -> pa.Table:
    return parquet.read_table(path)


def test_only_large_files_are_streamed_by_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, {"user": [1, 1], "item": [1, 2], "score": [1.0, 2.0]})
    ordinary, across = [parse("ndcg@2")], [parse("ndcg@2"), parse("auc|scope:stacked")]
    assert not is_streamed(path, ordinary, None)
    assert is_streamed(path, ordinary, True)
    monkeypatch.setattr(streamed, "LARGE", 2)
    assert is_streamed(str(path), ordinary, None)
    assert not is_streamed(path, ordinary, False)
    assert not is_streamed(path, across, None)
    assert not is_streamed({"user": [1]}, ordinary, None)
    with pytest.raises(ValueError, match="only Parquet"):
        is_streamed({"user": [1]}, ordinary, True)


@pytest.mark.parametrize("text", ["auc|scope:stacked", "precision@2|no_list:previous"])
def test_a_definition_across_users_is_refused_before_anything_is_read(text: str) -> None:
    with pytest.raises(NotUserByUserError, match="all users at once"):
        evaluate_streamed(Path("nowhere.parquet"), {}, [parse(text)])


APART = {"user": [1, 2, 1], "item": [1, 1, 2], "score": [1.0, 2.0, 3.0]}
TRUE = {"user": [1], "item": [1]}


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_full_disk_is_named_before_anything_is_written(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, APART)
    usage = disk_buckets.shutil.disk_usage(tmp_path)
    monkeypatch.setattr(disk_buckets.shutil, "disk_usage", lambda _: usage._replace(free=10))
    with pytest.raises(DiskSpaceError, match=r"partitions of 3 rows .* are free; TMPDIR"):
        evaluate_streamed(path, TRUE, [parse("ndcg@2")])
    assert list(temporary.iterdir()) == []


def test_nothing_is_left_behind_when_interrupted(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        assert list(temporary.rglob("*.parquet"))  # partitions are there
        raise KeyboardInterrupt

    monkeypatch.setattr(blockwise, "evaluate_block", interrupted)
    with pytest.raises(KeyboardInterrupt):
        evaluate_streamed(written(tmp_path, APART), TRUE, [parse("ndcg@2")])
    assert list(temporary.iterdir()) == []


def test_a_disk_that_fills_up_meanwhile_is_named(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = disk_buckets.shutil.disk_usage(tmp_path)
    free = iter([1 << 40, 10])

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk_buckets.shutil, "disk_usage", lambda _: usage._replace(free=next(free)))
    monkeypatch.setattr(pl.LazyFrame, "sink_parquet", full)
    with pytest.raises(DiskSpaceError, match="the disk is full"):
        evaluate_streamed(written(tmp_path, APART), TRUE, [parse("ndcg@2")])
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("page", ["user", "score"])
def test_a_damaged_file_of_a_folder_is_refused_and_leaves_nothing(tmp_path: Path, temporary: Path, page: str) -> None:
    """Ids are read before rows are partitioned, scores only then."""
    folder = tmp_path / "rows"
    folder.mkdir()
    for number in range(2):
        parquet.write_table(pa.table(APART), folder / f"{number}.parquet", compression="none", use_dictionary=False)
    path = folder / "1.parquet"
    group = parquet.ParquetFile(path).metadata.row_group(0)
    chunk = next(group.column(n) for n in range(3) if group.column(n).path_in_schema == page)
    content = bytearray(path.read_bytes())
    first = chunk.data_page_offset
    content[first : first + 12] = b"\xff" * 12
    path.write_bytes(content)
    with pytest.raises(UnreadableRowsError, match=str(path) if page == "user" else str(folder)):
        evaluate_streamed(folder, TRUE, [parse("ndcg@2")])
    assert list(temporary.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_command_leaves_nothing(tmp_path: Path, temporary: Path, signal_number: int) -> None:
    rng = np.random.default_rng(0)
    rows, users = 3_000_000, 30_000
    order = rng.permutation(rows)
    columns = {"user": order % users, "item": order // users, "score": order.astype(np.float64)}
    folder, true, out = tmp_path / "rows", tmp_path / "truth.csv", tmp_path / "out.csv"
    folder.mkdir()  # a folder is streamed, however many rows it has
    written(folder, columns, 1 << 20)
    true.write_text("user,item\n1,5\n")
    command = [sys.executable, "-m", "recsys_metric_audit", "evaluate", folder, true, "-k", "5", "--out", out]
    shown = {**os.environ, "TMPDIR": str(temporary)}
    with subprocess.Popen(command, env=shown, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as started:
        while started.poll() is None and not list(temporary.rglob("*.parquet")):
            time.sleep(0.01)
        started.send_signal(signal_number)
        _, told = started.communicate(timeout=60)
    assert started.returncode in (130, 128 + signal.SIGTERM) and "Traceback" not in told
    assert list(temporary.iterdir()) == [] and not out.exists()


@pytest.mark.slow
def test_a_command_that_fails_while_threads_of_polars_write_ends_with_its_exit_code(tmp_path: Path) -> None:
    """Python that is shut down while they call it aborts the process (SIGABRT): seen once after Ctrl-C."""
    script = """
import sys, threading, time, types
import polars as pl

writing = threading.Event()

def opened(file):
    writing.set()
    time.sleep(0.002)
    return open(f"{sys.argv[1]}/{file.partition_keys.item()}", "xb")

def command_line():
    target = pl.PartitionBy(sys.argv[1], key="key", file_path_provider=opened)
    rows = pl.LazyFrame({"key": list(range(2000))})
    threading.Thread(target=rows.sink_parquet, args=(target,), kwargs={"engine": "streaming"}, daemon=True).start()
    assert writing.wait(60)
    raise SystemExit(int(sys.argv[2]))

sys.modules["recsys_metric_audit.audit.cli"] = types.SimpleNamespace(main=command_line)
from recsys_metric_audit.__main__ import main
main()
"""
    ended = subprocess.run([sys.executable, "-c", script, tmp_path, "2"], capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stderr) == (2, "")


def test_a_partition_that_cannot_be_written_leaves_nothing(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pl.LazyFrame, "sink_parquet", full)
    with pytest.raises(UnreadableRowsError, match="No space left"):
        evaluate_streamed(written(tmp_path, APART), TRUE, [parse("ndcg@2")])
    assert list(temporary.iterdir()) == []


def test_without_polars_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "polars", None)
    with pytest.raises(ImportError, match=r"recsys-metric-audit\[large\]"):
        evaluate_streamed(written(tmp_path, APART), TRUE, [parse("ndcg@2")])


@pytest.mark.parametrize("score", [float("nan"), None])
def test_a_score_that_is_no_number_is_refused(score: float | None, tmp_path: Path, temporary: Path) -> None:
    path = written(tmp_path, pa.table({**APART, "score": pa.array([1.0, score, 2.0])}))
    with pytest.raises(ValueError, match="NaN score"):
        evaluate_streamed(path, TRUE, [parse("ndcg@2")])
    assert list(temporary.iterdir()) == []


def test_truth_in_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "truth"
    folder.mkdir()
    for number, gain in enumerate((4.0, 5.0)):
        parquet.write_table(pa.table({"user": [1], "item": [number], "gain": [gain], "note": [None]}),
                            folder / f"{number}.parquet")  # fmt: skip
    case = case_from_tables(APART, folder).case
    assert (case.truth.user.tolist(), case.truth.item.tolist(), case.truth.gain.tolist()) == ([1, 1], [0, 1], [4, 5])


# Partitions of rows on disk: nothing is left of them where something fails.


def test_a_thread_that_writes_after_the_error_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Polars raises while its other threads still write; where they are given no file, they make all its folders."""
    given: dict[str, Any] = {}
    removed = threading.Event()

    def partition_by(base_path: Path, **options: Any) -> object:
        given.update(options, base_path=base_path)
        return object()

    def write_late() -> None:
        removed.wait()
        if "file_path_provider" in given:
            with pytest.raises(FileNotFoundError):
                given["file_path_provider"](SimpleNamespace(partition_keys=pl.Series([0]), index_in_partition=0))
        else:
            (Path(given["base_path"]) / "bucket=0").mkdir(parents=True)

    writer = threading.Thread(target=write_late)

    def fail(*_: object, **__: object) -> None:
        writer.start()
        raise OSError("a damaged file")

    monkeypatch.setattr(pl, "PartitionBy", partition_by)
    monkeypatch.setattr(pl.LazyFrame, "sink_parquet", fail)
    columns = {"user": [1, 2, 1], "item": [1, 1, 2], "score": [1.0, 2.0, 3.0]}
    rows, temporary = tmp_path / "rows.parquet", tmp_path / "temporary"
    parquet.write_table(pa.table(columns), rows)
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    with (
        pytest.raises(UnreadableRowsError, match="a damaged file"),
        user_buckets(ParquetRows.of(rows), ("user", "item", "score"), 2),
    ):
        pass
    removed.set()
    writer.join()
    assert list(temporary.iterdir()) == []


def survey(folder: Path, user: object, item: object, size: int = 2) -> IdSurvey:
    path = folder / "rows.parquet"
    parquet.write_table(pa.table({"user": user, "item": item}), path, row_group_size=4)
    return IdSurvey.of(ParquetRows.of(path), "user", "item", size)


@pytest.mark.parametrize(("user", "grouped"), [
    ([5, 5, 5, 1, 1, 9], True), ([5, 5, 5, 1, 1, 5], False), ([1], True), ([3, 2, 3], False),
])  # fmt: skip
@pytest.mark.parametrize("text", [False, True])
def test_distinct_users_and_whether_their_rows_stand_together(
    user: list[int], grouped: bool, text: bool, tmp_path: Path
) -> None:
    made = survey(tmp_path, [str(each) for each in user] if text else user, [2] * len(user))
    assert made.users.tolist() == sorted({str(each) for each in user} if text else set(user))
    assert made.items.tolist() == [2]
    assert made.grouped is grouped


def test_a_missing_id_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableRowsError, match="'item' has missing ids"):
        survey(tmp_path, [1, 2, 3], [1, 2, None])
