"""Writes cases as an adapter's process reads them: a folder for each, with a file for each column.

Probes are many and alike: most of their columns are equal to one of another case. An equal column is a further name
of the file that is there already, which takes a tenth of the time that a new file takes.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.process.child_file import save_array

if TYPE_CHECKING:
    from recsys_metric_audit.reference.input.case import Case

_ABOUT = "case.json"
_COLUMNS = (
    "recommended_user", "recommended_item", "recommended_score", "relevant_user", "relevant_item", "relevant_gain",
    "train_user", "train_item", "catalogue",
)  # fmt: skip
FILES = (*(f"{column}.npy" for column in _COLUMNS), _ABOUT)
"""Names of the files of a case."""
CASES = "cases"
"""Name of the folder of all cases."""
_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+=,-]*")
_SHARED_UP_TO = 2**14
"""Bytes of a column that is looked for among those written; longer ones are hardly ever equal."""

_MOST_IN_MEMORY, _LEFT_FREE = 2**24, 2**27
"""Bytes of the columns of all cases that are kept in memory, and bytes that have to be free there before."""


def columns_of(case: Case) -> dict[str, NDArray[Any]]:
    """Return the columns of a case by name, as the files hold them."""
    given = (
        case.predictions.user, case.predictions.item, case.predictions.score, case.truth.user, case.truth.item,
        case.truth.gain, case.train.user, case.train.item, case.catalogue,
    )  # fmt: skip
    dtypes = (np.float64 if name.endswith(("score", "gain")) else np.int64 for name in _COLUMNS)
    return {
        name: np.ascontiguousarray(values, dtype=dtype)
        for name, values, dtype in zip(_COLUMNS, given, dtypes, strict=True)
    }


def keep_in_memory(control: Path, memory: Path, cases: Iterable[Case]) -> None:
    """Let the cases of a control directory be written to a folder in memory, unless they are too many for it.

    Args:
        control: the control directory; made, and in it a link to the folder.
        memory: an empty folder in memory.
        cases: all cases that will be written.
    """
    needed = sum(values.nbytes for case in cases for values in columns_of(case).values())
    there = os.statvfs(memory)
    if needed > _MOST_IN_MEMORY or there.f_bavail * there.f_frsize < _LEFT_FREE:
        return
    folder = memory / control.name
    folder.mkdir()
    control.mkdir(parents=True)
    (control / CASES).symlink_to(folder)


class CaseWriter:
    """Writes cases in one folder; equal columns are one file under several names."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written: dict[tuple[str, bytes], Path] = {}

    def write(self, name: str, case: Case) -> None:
        """Write a case in a folder of its name.

        Raises:
            ValueError: if the name cannot name a folder.
            OSError: if a file cannot be written.
        """
        if not _FILE_NAME.fullmatch(name):
            raise ValueError(f"the case name {name!r} cannot name a folder")
        target = self._folder / name
        target.mkdir(parents=True, exist_ok=True)
        for column, values in columns_of(case).items():
            self._save(target / f"{column}.npy", values)
        about = {
            "name": name,
            "threshold": repr(float(case.threshold)),
            "scale": [repr(float(end)) for end in case.scale],
            "why": case.why,
        }
        (target / _ABOUT).write_text(json.dumps(about, indent=1), encoding="utf-8")

    def _save(self, path: Path, values: NDArray[Any]) -> None:
        with suppress(FileNotFoundError):  # never through a link that is there: its file may be that of other cases
            path.unlink()
        if values.nbytes > _SHARED_UP_TO:
            return save_array(path, values)
        content = (values.dtype.str, values.tobytes())
        if (there := self._written.get(content)) is not None:
            with suppress(OSError):  # the file system has no further names for a file, or no more of them
                return path.hardlink_to(there)
        save_array(path, values)
        self._written[content] = path
        return None
