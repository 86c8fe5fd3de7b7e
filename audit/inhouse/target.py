"""Parses the user's target: ``FILE.py:FUNCTION``, the interpreter that runs it, its metric, cut-off and signature."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from recsys_metric_audit.audit.environments.interpreter import version_of
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.inhouse.shapes import FRAMES, Shape
from recsys_metric_audit.reference.catalogue.everyday_names import parse_named
from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError
from recsys_metric_audit.reference.metrics.rating import RATING

_FUNCTION = re.compile(r"[^\W\d]\w*(\(\))?(\.[^\W\d]\w*(\(\))?)*(\[[^\[\]]+\])*")
SCORED = frozenset({*(metric.name for metric in RATING), "spearman_rho"})
"""Metrics that are computed from scores, which a list of items does not hold."""


@dataclass(frozen=True)
class Expectation:
    """Holds the expected definition of a function: a formula, and the axes of other levels that the signature names.

    ``text`` is the signature as it was typed. An axis of who counts or of input handling that it does not name may have
    any value; one that it names with its canonical value has to have that.
    """

    text: str
    definition: Definition
    named: frozenset[str]


@dataclass(frozen=True)
class Target:
    """A function of a file, the interpreter that runs it, and how it is called.

    ``shape`` is None where that is still to be recognised.
    """

    file: Path
    function: str
    python: Path
    shape: Shape | None = None

    @property
    def name(self) -> str:
        """Return ``FILE.py:FUNCTION`` as the user wrote it."""
        return f"{self.file}:{self.function}"


def parse_target(text: str, *, shape: Shape | None = None, python: Path | None = None) -> Target:
    """Parse ``FILE.py:FUNCTION``, where a part of a dotted name may end with ``()`` and the whole with ``[KEY]``.

    Args:
        text: what the user typed.
        shape: how the function is called; None to recognise that.
        python: the interpreter; None for the one that runs this.

    Raises:
        UserError: if ``text`` has another form, the file does not exist, or the interpreter does not run.
    """
    file, colon, function = text.rpartition(":")
    if not colon or not file or _FUNCTION.fullmatch(function) is None:
        raise UserError(f"{text!r} is not FILE.py:FUNCTION", "try audit identify metrics.py:ndcg --metric ndcg")
    path = Path(file)
    if os.path.lexists(path) and not path.is_file():
        raise UserError(f"{file} is no file that can be read", "name a file of Python code")
    if not path.is_file():
        there = [each.name for each in path.parent.glob("*.py")] if path.parent.is_dir() else []
        close = get_close_matches(path.name, there, n=1)
        raise UserError(f"there is no file {file}", f"did you mean {path.parent / close[0]}?" if close else "")
    return Target(path, function, _interpreter(python), shape)


def _interpreter(python: Path | None) -> Path:
    if python is None:
        return Path(sys.executable)
    if not python.is_file() or not os.access(python, os.X_OK) or version_of(python.absolute()) is None:
        raise UserError(f"--python {python}: no Python that runs", "name an interpreter, for example venv/bin/python")
    return python.absolute()


def only_cutoff(wanted: Expectation | None, k: int | None) -> int | None:
    """Return the only cut-off to ask at: ``k``, else the number in the expected signature, else None.

    Raises:
        UserError: if both are given and differ.
    """
    own = wanted.definition.k if wanted is not None and isinstance(wanted.definition.k, int) else None
    if wanted is not None and None not in (k, own) and k != own:
        raise UserError(f"a cut-off of {k} and {wanted.text} do not go together", f"ask at {own}")
    return k or own


def check_scores_passed(metric: str, shape: Shape | None) -> None:
    """Check that a metric that is computed from scores is asked with arguments that hold them.

    Raises:
        UserError: if it is asked with lists.
    """
    if shape is not None and not shape.scores and metric in SCORED:
        raise UserError(f"{metric} is computed from scores, which a list of items does not hold",
                        f"add --frames (as {FRAMES.call}) or another --shape")  # fmt: skip


def parse_expected(signature: str) -> Expectation:
    """Parse the signature that the user expects.

    Raises:
        UserError: for an unknown metric, axis or value, with the nearest one.
    """
    try:
        definition = parse_named(signature)
    except SignatureError as error:
        raise UserError(str(error), "a signature is metric@k|axis:value|…, as `audit identify` prints it") from error
    return Expectation(signature, definition, frozenset(pair.partition(":")[0] for pair in signature.split("|")[1:]))
