"""Provides the probes as files for systems that are not Python, and the answers of such a system read back.

Every case has an id that stays when other cases are added. The answer to a case is one number: the mean over its users
at its cut-off.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.inhouse.function_inputs import FunctionInputs
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Measured, Outcome, Unaskable
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reports.model.regular_file import read_regular

_FUNCTION = "answers"


def case_id(probe: Probe) -> str:
    """Return the id of a probe in files: eight letters and digits of its name's digest."""
    return sha256(probe.name.encode()).hexdigest()[:8]


def probe_files(form: str, inputs: FunctionInputs) -> dict[str, str]:
    """Return the texts of all files of a format (csv, trec, json), by file name."""
    return _FORMATS[form](inputs.probes)


def _as_csv(probes: tuple[Probe, ...]) -> dict[str, str]:
    rows = [(case_id(probe), *row) for probe in probes for row in _predictions(probe)]
    truth = [(case_id(probe), *row) for probe in probes for row in _truth(probe)]
    return {
        "predictions.csv": _csv(("case", "user", "item", "score"), rows),
        "truth.csv": _csv(("case", "user", "item", "gain"), truth),
        **_answer_sheet(probes),
    }


def _as_trec(probes: tuple[Probe, ...]) -> dict[str, str]:
    """Return a run and qrels in which the query is case and user, joined by a hyphen; ranks are as rows stand."""
    run, qrels = [], []
    for probe in probes:
        ranks: dict[int, int] = {}
        for user, item, score in _predictions(probe):
            ranks[user] = ranks.get(user, 0) + 1
            run.append(f"{case_id(probe)}-{user} Q0 {item} {ranks[user]} {score!r} probes\n")
        qrels += [f"{case_id(probe)}-{user} 0 {item} {gain:g}\n" for user, item, gain in _truth(probe)]
    return {"probes.run": "".join(run), "probes.qrels": "".join(qrels), **_answer_sheet(probes)}


def _as_json(probes: tuple[Probe, ...]) -> dict[str, str]:
    cases = [
        {"case": case_id(probe), "why": probe.case.why, "k": probe.k, "predictions": list(_predictions(probe)),
         "truth": list(_truth(probe))}
        for probe in probes
    ]  # fmt: skip
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    return {"probes.json": f"[\n{lines}\n]\n", **_answer_sheet(probes)}


_FORMATS: Mapping[str, Callable[[tuple[Probe, ...]], dict[str, str]]] = {
    "csv": _as_csv, "trec": _as_trec, "json": _as_json
}  # fmt: skip


def _answer_sheet(probes: tuple[Probe, ...]) -> dict[str, str]:
    rows = [(case_id(probe), probe.k, "", probe.case.why) for probe in probes]
    return {"answers.csv": _csv(("case", "k", "value", "why"), rows)}


def _predictions(probe: Probe) -> Iterator[tuple[int, int, float]]:
    rows = probe.case.predictions
    return zip(rows.user.tolist(), rows.item.tolist(), rows.score.tolist(), strict=True)


def _truth(probe: Probe) -> Iterator[tuple[int, int, float]]:
    rows = probe.case.truth
    return zip(rows.user.tolist(), rows.item.tolist(), rows.gain.tolist(), strict=True)


def _csv(header: tuple[str, ...], rows: Sequence[tuple[object, ...]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def read_answers(path: Path, inputs: FunctionInputs) -> Observation:
    """Read a CSV file with the columns case and value; cases without a value count as not asked.

    Raises:
        UserError: for a missing file or column, an unknown or repeated case, a value that is no number, or no value.
    """
    probes = {case_id(probe): probe for probe in inputs.probes}
    values: dict[str, float] = {}
    for line, row in _rows(path):
        case, text = (row["case"] or "").strip(), (row["value"] or "").strip()
        if case not in probes:
            raise UserError(f"{path}: line {line}: there is no case {case!r}", "audit probes writes the cases")
        if case in values:
            raise UserError(f"{path}: line {line}: case {case} stands twice", "leave out one of the rows")
        if text:
            values[case] = _value(path, line, text)
    if not values:
        raise UserError(f"{path}: no case has a value", "write the number of each case into the column value")
    outcomes: dict[str, Outcome] = {
        probe.name: Measured(values[case], None, None, "float64", 0.0) if case in values
        else Unaskable("it has no value in the file") for case, probe in probes.items()
    }  # fmt: skip
    return Observation(_FUNCTION, outcomes, {}, k=inputs.k if inputs.one_k else None)


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str | None]]]:
    try:
        text = read_regular(path).decode("utf-8-sig")
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})", "name the file of answers") from error
    except UnicodeDecodeError:
        raise UserError(f"{path}: is not UTF-8", "write it in UTF-8") from None
    reader = csv.DictReader(io.StringIO(text, newline=None))
    if missing := {"case", "value"} - set(reader.fieldnames or ()):
        if ";" in text.partition("\n")[0]:
            hint = "save it with commas between columns, and numbers with a point"
            raise UserError(f"{path}: its columns are separated by semicolons", hint)
        raise UserError(f"{path}: has no column {min(missing)}", "its first line is: case,value")
    for row in reader:
        yield reader.line_num, row


def _value(path: Path, line: int, text: str) -> float:
    """Return a number as it is usually written, NaN included."""
    try:
        value = float(text)
    except ValueError:
        signs = {
            ",": "write 0.25, with a point",
            "%": "write 0.25 for 25%",
            "±": "write the mean alone",
            "+-": "write the mean alone",
        }
        hint = next((said for sign, said in signs.items() if sign in text), "write a number, or nan")
        raise UserError(f"{path}: line {line}: {text[:40]!r} is no number", hint) from None
    if math.isinf(value):
        raise UserError(f"{path}: line {line}: {text[:40]!r} is infinite", "leave the value empty")
    return value
