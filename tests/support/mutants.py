"""Adapters with one fault each, made around the real ones: what a harness may get wrong without noticing."""

from __future__ import annotations

from pathlib import Path

_HEAD = """\
import importlib.util
import sys
from types import SimpleNamespace as Table

import numpy as np

sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("the_real_adapter", {path!r})
real = importlib.util.module_from_spec(spec)
spec.loader.exec_module(real)


def changed(case, **tables):
    return Table(**dict(vars(case), **tables))


def turned(table):
    return Table(**dict(vars(table), user=table.item, item=table.user))


def cut(k):
    return k


"""

_TAIL = """

def prepare(case):
    return real.prepare(mutate(case))


def wrapped(function):
    return lambda prepared, k: function(prepared, cut(k))


FUNCTIONS = {name: wrapped(function) for name, function in real.FUNCTIONS.items()}
"""

MUTANTS = {
    "columns swapped": """
def mutate(case):
    tables = {name: turned(getattr(case, name)) for name in ("recommended", "relevant", "train")}
    return changed(case, catalogue=case.users, users=case.catalogue, **tables)
""",
    "columns of the predictions swapped": """
def mutate(case):
    rec = turned(case.recommended)
    return changed(case, recommended=rec, catalogue=np.union1d(case.catalogue, rec.item))
""",
    "ascending order": """
def mutate(case):
    rec = case.recommended
    order = np.lexsort((rec.score, rec.user))
    rec = Table(user=rec.user[order], item=rec.item[order], score=1 - rec.score[order])
    return changed(case, recommended=rec)
""",
    "k + 1": """
def mutate(case):
    return case


def cut(k):
    return None if k is None else k + 1
""",
    "k - 1": """
def mutate(case):
    return case


def cut(k):
    return None if k is None else k - 1
""",
    "items of the predictions shifted": """
def mutate(case):
    rec = case.recommended
    rec = Table(user=rec.user, item=rec.item + 1, score=rec.score)
    return changed(case, recommended=rec, catalogue=np.union1d(case.catalogue, rec.item))
""",
    "items of the truth shifted": """
def mutate(case):
    rel = case.relevant
    rel = Table(user=rel.user, item=rel.item + 1, gain=rel.gain)
    return changed(case, relevant=rel, catalogue=np.union1d(case.catalogue, rel.item))
""",
    "users of the predictions shifted": """
def mutate(case):
    rec = case.recommended
    return changed(case, recommended=Table(user=rec.user + 1, item=rec.item, score=rec.score))
""",
    "predictions and truth swapped": """
def mutate(case):
    rec, rel = case.recommended, case.relevant
    return changed(
        case,
        recommended=Table(user=rel.user, item=rel.item, score=rel.gain),
        relevant=Table(user=rec.user, item=rec.item, gain=rec.score),
    )
""",
}


def mutant(real: Path, name: str) -> str:
    """Return the text of the real adapter with one fault."""
    return _HEAD.format(path=str(real)) + MUTANTS[name].strip("\n") + "\n" + _TAIL
