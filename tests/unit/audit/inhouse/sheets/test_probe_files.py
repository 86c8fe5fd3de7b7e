"""Cases are written in three formats, and the answers of another system are read back and identified."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from pathlib import Path

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.inhouse.function_inputs import FunctionInputs, function_inputs
from recsys_metric_audit.audit.inhouse.shapes import FRAMES
from recsys_metric_audit.audit.inhouse.sheets.answers import identify_answers
from recsys_metric_audit.audit.inhouse.sheets.probe_files import case_id, probe_files, read_answers
from recsys_metric_audit.audit.inhouse.telling.summary_text import answers_text
from recsys_metric_audit.audit.process.protocol import Measured, Unaskable

INPUTS = function_inputs(FRAMES)
FEW = FunctionInputs(INPUTS.probes[:3], INPUTS.data, INPUTS.k)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def recall_at_most_k(files: dict[str, str]) -> str:
    """Answer the cases from the files alone, as a program of somebody else would: hits over min(k, r), their mean."""
    listed, relevant = defaultdict(list), defaultdict(set)
    for row in rows(files["predictions.csv"]):
        listed[row["case"], row["user"]].append((-float(row["score"]), row["item"]))
    for row in rows(files["truth.csv"]):
        relevant[row["case"], row["user"]].add(row["item"])
    answered = ["case,value"]
    for row in rows(files["answers.csv"]):
        k, values = int(row["k"]), []
        for (case, user), items in relevant.items():
            if case == row["case"]:
                top = [item for _, item in sorted(listed[case, user], key=lambda each: each[0])[:k]]
                values.append(sum(item in items for item in top) / min(k, len(items)))
        answered.append(f"{row['case']},{sum(values) / len(values) if values else ''}")
    return "\n".join(answered) + "\n"


@pytest.mark.slow
def test_a_system_that_reads_the_files_is_identified(tmp_path: Path) -> None:
    (tmp_path / "done.csv").write_text(recall_at_most_k(probe_files("csv", INPUTS)))
    result = identify_answers(tmp_path / "done.csv", "recall", None)
    assert result.summary.signature == "recall@k|denominator:min|truth_duplicates:once"
    said = answers_text(result).splitlines()
    # No held-out input was asked, so that no verdict is given.
    assert said[0].endswith("done.csv: fits recall@k|denominator:min|truth_duplicates:once on all that was answered")
    assert result.summary.finding.verdict is None and "verdict      none is given: " in said[1]
    assert any("denominator:min (min(k, r), so that 1 can be reached)" in line for line in said)


def test_every_format_holds_the_same_rows() -> None:
    as_csv, as_trec, as_json = (probe_files(form, FEW) for form in ("csv", "trec", "json"))
    assert as_csv["answers.csv"] == as_trec["answers.csv"] == as_json["answers.csv"]
    told = rows(as_csv["predictions.csv"])
    run = [line.split() for line in as_trec["probes.run"].splitlines()]
    assert [(word[0], word[2], float(word[4])) for word in run] == [
        (f"{row['case']}-{row['user']}", row["item"], float(row["score"])) for row in told
    ]
    qrels = [line.split() for line in as_trec["probes.qrels"].splitlines()]
    assert [(word[0], float(word[3])) for word in qrels] == [
        (f"{row['case']}-{row['user']}", float(row["gain"])) for row in rows(as_csv["truth.csv"])
    ]
    first = json.loads(as_json["probes.json"])[0]
    assert (first["case"], first["k"]) == (case_id(FEW.probes[0]), FEW.probes[0].k)
    assert first["predictions"][0] == [int(told[0]["user"]), int(told[0]["item"]), float(told[0]["score"])]


def test_ids_are_distinct() -> None:
    assert len({case_id(probe) for probe in INPUTS.probes}) == len(INPUTS.probes)


def test_a_case_without_a_value_counts_as_not_asked(tmp_path: Path) -> None:
    one, two, three = FEW.probes
    (tmp_path / "a.csv").write_text(f"case,value\n{case_id(one)},0.25\n{case_id(two)},\n")
    found = read_answers(tmp_path / "a.csv", FEW).probes
    first = found[one.name]
    assert isinstance(first, Measured) and first.mean == 0.25
    assert isinstance(found[two.name], Unaskable) and isinstance(found[three.name], Unaskable)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("case,value\nnone,1\n", "line 2: there is no case 'none'"), ("case,value\nID,\n", "no case has a value"),
        ("case,value\nID,1\nID,1\n", "line 3: case ID stands twice"),
        ("case;value\nID;1\n", "columns are separated by semicolons"),
        ("id,value\nID,1\n", "has no column case"),
        ('case,value\nID,"0,25"\n', "'0,25' is no number"), ("case,value\nID,inf\n", "is infinite"),
    ],
)  # fmt: skip
def test_bad_answers_are_refused_with_their_line(tmp_path: Path, text: str, said: str) -> None:
    own = case_id(FEW.probes[0])
    (tmp_path / "a.csv").write_text(text.replace("ID", own))
    with pytest.raises(UserError, match=said.replace("ID", own)):
        read_answers(tmp_path / "a.csv", FEW)


def test_a_file_that_is_missing_or_of_other_bytes_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        read_answers(tmp_path / "none.csv", FEW)
    (tmp_path / "a.csv").write_bytes(b"case,value\n\xff")
    with pytest.raises(UserError, match="is not UTF-8"):
        read_answers(tmp_path / "a.csv", FEW)


@pytest.mark.parametrize(
    ("value", "hint"),
    [("0,25", "with a point"), ("25 %", "0.25 for 25%"), ("0.25±0.01", "the mean alone"), ("n/a", "a number, or nan")],
)
def test_a_value_that_is_no_number_is_met_with_how_to_write_it(tmp_path: Path, value: str, hint: str) -> None:
    (tmp_path / "answers.csv").write_text(f'case,value\n{case_id(FEW.probes[0])},"{value}"\n', encoding="utf-8")
    with pytest.raises(UserError) as caught:
        read_answers(tmp_path / "answers.csv", FEW)
    assert caught.value.hint is not None and hint in caught.value.hint
