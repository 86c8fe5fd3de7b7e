"""``audit identify``: functions in processes of their own, what is no metric, and what is typed wrongly."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from recsys_metric_audit.audit import cli
from recsys_metric_audit.audit.inhouse.function_inputs import function_inputs
from recsys_metric_audit.audit.inhouse.identify_function import checked_request, identify_function
from recsys_metric_audit.audit.inhouse.telling.summary_text import text
from tests.support.identified_once import identified_once

pytestmark = pytest.mark.slow  # processes of their own, or whole audits

HERE = Path(__file__).parents[3] / "support"

FILE = HERE / "inhouse_functions.py"


@pytest.fixture(scope="module", autouse=True)
def _identified_once() -> Iterator[None]:
    with identified_once():
        yield


def without_signs_of_life(stderr: str) -> str:
    """Return what was said but for how long it takes, which a busy machine is told."""
    return re.sub(r"^.*: \d+ s so far\n", "", stderr, flags=re.M)


def audit(*words: str) -> Result:
    return CliRunner().invoke(cli.app, ["identify", *words], prog_name="audit")


def asked(function: str, *words: str) -> dict[str, Any]:
    done = audit(f"{FILE}:{function}", *words, "--format", "json")
    assert done.exit_code in (0, 4), done.output
    answer = json.loads(done.stdout)
    assert isinstance(answer, dict)
    return answer


def test_a_file_is_asked_in_a_process_of_its_own() -> None:
    answer = asked("ndcg_exponential", "--metric", "ndcg", "-k", "7")
    assert (answer["signature"], answer["verdict"], answer["k"]) == ("ndcg@7|gain:exp2", "variant", 7)
    assert (answer["status"], answer["differs_on"], answer["equivalent"]) == ("measured", ["gain"], [])
    assert answer["definition"]["gain"] == "exp2" and answer["witness"]["k"] == 7
    assert "users" in answer["not_asked"]


def test_what_ordinary_inputs_do_not_settle_is_asked_of_further_ones() -> None:
    settled, open_ = (
        asked("ndcg_exponential", "--metric", "ndcg"),
        asked("precision_with_a_bonus", "--metric", "precision"),
    )
    inputs = function_inputs()
    # It divides by 0 where all gains are 0.
    assert (settled["signature"], open_["signature"]) == ("ndcg@k|gain:exp2|no_hit:error", None)
    assert settled["evidence"]["cases"] < len(inputs.every)
    assert open_["evidence"]["cases"] > len(inputs.ordinary.every)


def test_a_function_of_frames_is_asked_by_the_command_too() -> None:
    answer = asked("frames_f1_of_means", "--metric", "f_score", "--frames")
    assert (answer["signature"], answer["equivalent"]) == (
        "f_score@k|of:means|nobody:error|truth_duplicates:once", [],
    )  # fmt: skip


def test_an_unstable_function_is_told() -> None:
    assert asked("changes_its_mind", "--metric", "recall")["verdict"] == "unstable"


def test_what_nothing_fits_is_told_with_how_far_the_nearest_goes() -> None:
    """By hand: of three items that are all relevant precision@3 is 1, and the bonus a tenth."""
    done = audit(f"{FILE}:precision_with_a_bonus", "--metric", "precision")
    told = " ".join(done.stdout.split())
    assert (done.exit_code, without_signs_of_life(done.stderr)) == (4, "")
    assert "verdict unexplained: no definition fits" in told
    assert re.search(r"fits \d+ of \d+ cases as precision@k; the smallest that does not: k = 3, ", told)
    assert ": 1 by that, it returned 1.1" in told


def test_a_name_that_is_not_what_is_computed_is_told_first() -> None:
    done = audit(f"{FILE}:ndcg_that_is_a_reciprocal_rank", "--metric", "ndcg")
    assert (done.exit_code, without_signs_of_life(done.stderr)) == (0, "")
    recognised, asked, first, second, *_ = done.stdout.splitlines()
    assert "recognised   called as function(recommended items, relevant items, k) for each user" in recognised
    assert "(its parameters: recommended, relevant, k)" in " ".join(f"{recognised} {asked}".split())
    assert first.endswith("ndcg_that_is_a_reciprocal_rank computes reciprocal_rank@k")
    said = " ".join(second.split())
    assert said == "metric reciprocal_rank, not ndcg", "its name bears the word ndcg, which may be chance: none is told"


def test_without_a_metric_every_one_is_tried() -> None:
    done = audit(f"{FILE}:average_precision_of_all")
    assert done.exit_code == 0 and "compared with average_precision, as its name says" in done.stdout
    assert "computes average_precision@k|denominator:r\n" in done.stdout


WRITTEN = """
def mrr_at_10(actual, predicted):
    found = [next((1 / (n + 1) for n, item in enumerate(p[:10]) if item in a), 0.0) for a, p in zip(actual, predicted)]
    return sum(found) / len(found)


def recall(qrel, run, k):
    good = {doc for doc, gain in qrel.items() if gain >= 4}
    return len(good & set(sorted(run, key=lambda doc: (-run[doc], doc))[:k])) / len(good) if good else 0.0


def hit_rate(recommended, relevant, k):
    return float(any(item in relevant for item in recommended[:k + 1]))


def recall_of_one_more(recommended, relevant, k):
    return len(set(recommended[:k]) & set(relevant)) / (len(relevant) + 1)


def blend(recommended, relevant, k):
    hits = [item in relevant for item in recommended[:k]]
    return 0.37 * sum(hits) + 0.11 * len(relevant)
"""


def test_the_name_says_the_metric_where_another_agrees_by_chance(tmp_path: Path) -> None:
    # Called with labels and scores it finds nothing, and is 0 throughout, as the miss rate of perfect lists.
    (tmp_path / "own.py").write_text(WRITTEN)
    done = audit(f"{tmp_path / 'own.py'}:mrr_at_10", "-k", "10")
    assert done.exit_code == 0 and "computes reciprocal_rank@10|users:all|undefined:0\n" in done.stdout
    # Nor does it agree with any hit rate, and in the right call it is nearly always 1.
    done = audit(f"{tmp_path / 'own.py'}:hit_rate")
    assert done.exit_code == 0 and "computes hit_rate@k|cutoff:k_plus_1\n" in done.stdout


def test_a_threshold_of_its_own_is_found_and_an_order_of_ties(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(WRITTEN)
    told = json.loads(audit(f"{tmp_path / 'own.py'}:recall", "--format", "json").stdout)
    assert told["signature"] == "recall@k|ties:text_asc|relevance:4"


def test_what_is_far_from_every_definition_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(WRITTEN)
    done = audit(f"{tmp_path / 'own.py'}:blend", "--metric", "recall")
    assert done.exit_code == 4
    fits = r"fits nothing well, (\d+) of (\d+) cases as recall\S*, the nearest documented formula;"
    told = re.search(fits, " ".join(done.stdout.split()))
    assert told is not None and int(told[1]) < 0.1 * int(told[2])
    # As frames it would iterate over names of columns, and agree by chance a little more.
    done = audit(f"{tmp_path / 'own.py'}:recall_of_one_more")
    assert done.exit_code == 4 and "called as function(recommended items, relevant items, k)" in done.stdout


def test_a_shape_is_recognised_and_a_function_that_needs_more_is_told(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "def hits_of(actual, predicted, topk=10):\n    return len(set(actual) & set(predicted[:topk])) / topk\n"
        "def novelty(recommended, relevant, k, catalogue):\n    return 0.0\n"
    )
    done = audit(f"{tmp_path / 'own.py'}:hits_of")
    assert "hits_of computes precision@k|duplicates:first_in_place\n" in done.stdout
    assert "called as function(relevant items, recommended items, k)" in done.stdout
    refused = audit(f"{tmp_path / 'own.py'}:novelty", "--metric", "recall")
    assert refused.exit_code == 2 and "needs (recommended, relevant, catalogue, k)" in refused.stderr
    beyond = audit(f"{tmp_path / 'own.py'}:novelty")
    assert beyond.exit_code == 2 and "its name says novelty, which reads which items are shown" in beyond.stderr


def test_what_it_does_to_its_arguments_changes_nothing() -> None:
    found = asked("changes_its_arguments", "--metric", "recall")
    assert found["signature"] == "recall@k"
    assert found["hazards"][-1] == "It changes the arguments that it is given."


def test_a_function_that_answers_otherwise_under_another_hash_seed_is_unstable(tmp_path: Path) -> None:
    """Every text has another hash in another process, unless the seed is the same."""
    (tmp_path / "own.py").write_text(
        "FIRST = min('a', 'b', 'c', 'd', 'e', 'f', key=hash)\n"
        "SEED_0 = 'REPLACED'\n"
        "def precision(recommended, relevant, k):\n"
        "    return len(set(recommended[:k]) & set(relevant)) / k + (FIRST != SEED_0)\n".replace(
            "REPLACED", _under_seed(0)
        )
    )
    assert _under_seed(1) != _under_seed(0)
    found = json.loads(audit(f"{tmp_path / 'own.py'}:precision", "--format", "json").stdout)
    assert (found["verdict"], found["signature"]) == ("unstable", None)


def _under_seed(seed: int) -> str:
    code = "print(min('a', 'b', 'c', 'd', 'e', 'f', key=hash), end='')"
    given = {**os.environ, "PYTHONHASHSEED": str(seed)}
    return subprocess.run([sys.executable, "-c", code], env=given, capture_output=True, text=True, check=True).stdout


def test_what_is_expected_and_found_ends_well() -> None:
    done = audit(f"{FILE}:ndcg_exponential", "--expect", "ndcg@k|gain:exp2")
    assert (done.exit_code, without_signs_of_life(done.stderr)) == (0, "")
    assert "inhouse_functions.py:ndcg_exponential computes ndcg@k|gain:exp2" in done.stdout


def test_a_contradiction_says_axes_and_a_case() -> None:
    done = audit(f"{FILE}:ndcg_exponential", "--expect", "ndcg@20|ideal:all")
    assert done.exit_code == 1
    assert "expected   ndcg@k|ideal:all" in done.stderr
    assert "gain: binary expected, exp2 found" in done.stderr
    assert "ideal: all expected, k found" in done.stderr
    assert "k = 20, recommended [" in done.stderr


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("returns_none", "returned no number: None"),
        ("returns_an_array", "returned no number: ndarray of shape (3,)"),
        ("a_value_per_item", "recommended: BadAnswer: no number: list"),
        ("raises", "raised KeyError: 'no such column'"),
        ("ends_the_process", "ended the process (exit code 3)"),
        ("leaves", "raised SystemExit: bye"),
        ("recal", "has no function 'recal', did you mean 'recall'?"),
    ],
)
def test_what_is_no_metric_is_told_with_the_interpreter(function: str, said: str) -> None:
    done = audit(f"{FILE}:{function}", "--metric", "recall")
    assert done.exit_code == 2
    assert said in done.stderr and f"run by {sys.executable} (Python 3." in done.stderr
    assert done.stdout == ""


def test_the_end_of_the_traceback_is_shown() -> None:
    assert 'raise KeyError("no such column")' in audit(f"{FILE}:raises", "--metric", "recall").stderr


def test_a_failure_is_json_too() -> None:
    done = audit(f"{FILE}:returns_none", "--metric", "recall", "--format", "json")
    answer = json.loads(done.stdout)
    assert (done.exit_code, answer["status"], answer["signature"]) == (2, "failed", None)
    assert "no number: None" in answer["reason"]


def test_a_function_that_hangs_is_stopped() -> None:
    done = audit(f"{FILE}:never_ends", "--metric", "recall", "--timeout", "1.5")
    assert done.exit_code == 2 and "gave no answer within 1.5 s" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere.py:f", "--metric", "ndcg"], "there is no file nowhere.py"),
        ([str(FILE), "--metric", "ndcg"], "is not FILE.py:FUNCTION"),
        ([f"{FILE}:ndcg", "--metric", "ndcg", "--shape", "cube"], "no such shape"),
        ([f"{FILE}:ndcg", "--frames", "--shape", "vector"], "do not go together"),
        ([f"{FILE}:ndcg", "--metric", "ndgc"], "did you mean ndcg?"),
        ([f"{FILE}:ndcg", "--expect", "ndcg@k|gian:exp2"], "did you mean 'gain'?"),
        ([f"{FILE}:ndcg", "--expect", "ndcg@5", "-k", "7"], "do not go together"),
        ([f"{FILE}:ndcg", "--metric", "rmse"], "add --frames"),
        ([f"{FILE}:ndcg", "--metric", "ndcg", "--python", "nowhere"], "no Python that runs"),
        ([f"{FILE}:ndcg", "--metric", "ndcg", "-k", "0"], "a cut-off is a number of places"),
        ([f"{FILE}:ndcg", "--expect", "ndcg@k|users:both"], "this call does not show users"),
    ],
)
def test_bad_input_ends_with_2(words: list[str], said: str) -> None:
    done = audit(*words)
    assert done.exit_code == 2
    assert said in done.stderr.replace("\n  → ", " ")


@pytest.mark.parametrize("text", ["def f(:\n", "import nothing_of_this_name\n", "1 / 0\n"])
def test_a_file_that_does_not_import_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "own.py").write_text(text)
    done = audit(f"{tmp_path / 'own.py'}:f", "--metric", "recall")
    assert done.exit_code == 2
    assert "own.py does not import: " in done.stderr and str(sys.executable) in done.stderr
    assert text.splitlines()[0] in done.stderr


def test_an_interpreter_without_numpy_is_told(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "bare"], check=True)
    done = audit(f"{FILE}:recall", "--metric", "recall", "--python", str(tmp_path / "bare" / "bin" / "python"))
    assert done.exit_code == 2
    assert "the interpreter needs numpy" in done.stderr and "bare/bin/python" in done.stderr


def test_nothing_is_written_beside_the_file_and_its_neighbours_are_found(tmp_path: Path) -> None:
    shutil.copy(FILE, tmp_path / "neighbour.py")
    (tmp_path / "own.py").write_text("from neighbour import recall\n")
    before = sorted(tmp_path.rglob("*"))
    assert audit(f"{tmp_path / 'own.py'}:recall", "--metric", "recall").exit_code == 0
    assert sorted(tmp_path.rglob("*")) == before


def test_a_file_of_a_package_is_imported_as_part_of_it(tmp_path: Path) -> None:
    package = tmp_path / "team" / "metrics"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").touch()
    shutil.copy(FILE, package / "basis.py")
    (package / "own.py").write_text("from .basis import recall\n")
    assert "computes recall@k\n" in audit(f"{package / 'own.py'}:recall", "--metric", "recall").stdout


def test_a_file_that_hangs_when_it_is_imported_is_told(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("import time\ntime.sleep(600)\n")
    done = audit(f"{tmp_path / 'own.py'}:f", "--metric", "recall", "--timeout", "1")
    assert done.exit_code == 2
    assert "own.py does not import: no answer within 1 s" in done.stderr


DIES = """
import os, time

def recall(recommended, relevant, k):
    if {where}:
        {deed}
    return sum(item in relevant for item in recommended[:k]) / len(relevant)
"""


@pytest.mark.parametrize(
    ("where", "first", "deed", "said"),
    [
        ("not recommended", "k = 3, with users without rec", "time.sleep(600)", "gave no answer within 1 s"),
        ("len(recommended) > 40", "k = 20, ", "os._exit(3)", "ended its process (exit code 3)"),
    ],
)
def test_of_a_function_that_hangs_or_dies_on_some_inputs_it_is_told_what_fits_and_they_are_named(
    tmp_path: Path, where: str, first: str, deed: str, said: str
) -> None:
    (tmp_path / "own.py").write_text(DIES.format(where=where, deed=deed))
    target = f"{tmp_path / 'own.py'}:recall"
    found = identify_function(checked_request(target, "recall", None, k=None, shape=None, python=None, seconds=1.0))
    shown, answer = text(found), found.as_json()
    assert "recall fits recall@k on all that was answered" in shown.replace("own.py:", "")
    assert "verdict      none is given: " in shown
    assert f"cases: {said}" in shown and "first on " in shown
    assert answer["signature"] == "recall@k" and answer["refusals"][said] >= 1
    assert first in answer["refused_inputs"][said]
