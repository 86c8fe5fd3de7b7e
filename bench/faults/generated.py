"""Draws inputs and faults from a seed: files in every form, functions of every signature that fail on some inputs.

Properties hold of each: a table in another form has the same values, a damaged one is met clearly, a function computes
its definition under any names, and one that gives no right number on some inputs never passes as the definition.
"""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from pathlib import Path

import pyarrow.csv as arrow_csv
import pyarrow.parquet as pq

from bench.faults.trial import Trial, unclear
from tests.support.command_line import audit

SEED = 64
INPUTS, FAULTS = 120, 60
"""How many are drawn."""
_Form = Callable[[bytes], tuple[str, bytes]]
_FORMS: tuple[_Form, ...] = (
    lambda rows: ("p.csv", rows.replace(b"\n", b"\r\n")),
    lambda rows: ("p.csv", b"\xef\xbb\xbf" + rows),
    lambda rows: ("p.tsv", rows.replace(b",", b"\t")),
    lambda rows: ("p.csv.gz", gzip.compress(rows)),
    lambda rows: ("p.csv", b"\n".join(b",".join(b'"%b"' % cell for cell in line.split(b",")) for line in rows.split())),
    lambda rows: ("p.parquet", _parquet(rows)),
)
_WHEN = ("len(relevant) > 2", "len(recommended) < k", "k == 3", "not recommended", "max(relevant, default=0) > 400")
_WHAT = (
    "raise ValueError('no')", "raise AssertionError", "raise KeyError(k)", "raise RuntimeError", "sys.exit(3)",
    "os._exit(0)", "os.abort()", "time.sleep(99)", "return None", "return 'much'", "return value + 0.5",
    "return value * random.random() + 0.1",
)  # fmt: skip
_CALLS = (
    ("recommended, relevant, k", ""), ("relevant, recommended, k", ""), ("y_true, y_pred, k", "actual"),
    ("preds, targets, k=10", "recommended"), ("predicted, actual, *, k=5", "recommended"),
    ("recs, gt, top_k", "recommended"), ("a, b, c", "recommended"),
)  # fmt: skip


def inputs(seed: int = SEED) -> Iterator[Trial]:
    """Yield files, whole ones in another form and damaged ones, and functions under other names."""
    for number in range(INPUTS):
        draw = random.Random(f"{seed} {number}")
        if number % 20 == 19:
            yield Trial("generated calls", f"{number}", _named(draw))
        else:
            yield Trial("generated files", f"{number}", _file(draw, damaged=number % 2 == 1))


def faults(seed: int = SEED) -> Iterator[Trial]:
    """Yield functions that fail on some inputs."""
    for number in range(FAULTS):
        draw = random.Random(f"{seed} fault {number}")
        when, what = draw.choice(_WHEN), _WHAT[number % len(_WHAT)]
        yield Trial("generated functions", f"{number}: if {when}: {what}", _failing(when, what))


def _file(draw: random.Random, *, damaged: bool) -> Callable[[Path], list[str]]:
    lines = [f"{user},{item},{draw.random()}" for user in range(1, 5) for item in draw.sample(range(9), 4)]
    rows = "\n".join(["user,item,score", *lines, ""]).encode()
    name, content = draw.choice(_FORMS)(rows)
    if damaged:
        at, length = draw.randrange(len(content)), draw.randrange(1, 9)
        content = content[:at] + draw.choice((b"", draw.randbytes(length), b'"')) + content[at + length :]
    return partial(_evaluated, rows, name, content, damaged)


def _evaluated(rows: bytes, name: str, content: bytes, damaged: bool, folder: Path) -> list[str]:
    (folder / "whole.csv").write_bytes(rows)
    (folder / name).write_bytes(content)
    (folder / "t.csv").write_text("user,item\n1,1\n1,2\n2,3\n3,4\n3,5\n4,6\n")
    plain, other = (
        audit("evaluate", str(folder / each), str(folder / "t.csv"), "-k", "3") for each in ("whole.csv", name)
    )
    wrong = unclear(other.exit_code, other.stdout, other.stderr, name)
    same = [each.stdout.splitlines()[1:] for each in (plain, other)]
    return wrong if damaged or same[0] == same[1] else [*wrong, f"other values: {other.output[-500:]}"]


def _parquet(rows: bytes) -> bytes:
    out = BytesIO()
    pq.write_table(arrow_csv.read_csv(BytesIO(rows)), out)
    return out.getvalue()


def _named(draw: random.Random) -> Callable[[Path], list[str]]:
    parameters, shape = draw.choice(_CALLS)
    first, second, k = (each.split("=")[0].strip() for each in parameters.replace("*, ", "").split(","))
    listed, true = (second, first) if shape == "actual" or first == "relevant" else (first, second)
    code = f"def f({parameters}):\n    return sum(item in {true} for item in {listed}[:{k}]) / {k}\n"
    return partial(_identified, code, ["--shape", shape] if shape else [], right=True)


def _failing(when: str, what: str) -> Callable[[Path], list[str]]:
    code = (
        "import os, random, sys, time\ndef f(recommended, relevant, k):\n"
        f"    value = sum(item in relevant for item in recommended[:k]) / k\n    if {when}:\n        {what}\n"
        "    return value\n"
    )
    return partial(_identified, code, [], right=False)


def _identified(code: str, words: list[str], folder: Path, *, right: bool) -> list[str]:
    (folder / "own.py").write_text(code)
    # The rule for an empty list is named: without it, any number for one would do.
    told = ["--metric", "precision", "--expect", "precision@k|no_list:0", "--timeout", "2"]
    done = audit("identify", f"{folder / 'own.py'}:f", *told, *words)
    wrong = unclear(done.exit_code, done.stdout, done.stderr)
    return wrong if (done.exit_code == 0) == right else [*wrong, f"{code}exit code {done.exit_code}: {done.output}"]
