"""Writes the data set of findings, and the page on its columns.

``python -m recsys_metric_audit.reports.writers.data_set [FOLDER [DIR]]``.

With ``FOLDER`` the findings of the run in ``DIR`` (by default of the recorded run) are written there, as Parquet and as
CSV, with the page beside them. Without it, ``docs/data-set.md`` is made again.
"""

from __future__ import annotations

import sys
from pathlib import Path

from recsys_metric_audit.reports.model.atomic_write import write_file, write_files
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.model.result_file import PACKAGED_RUN, read_result
from recsys_metric_audit.reports.renderers.data_files import LICENCE, as_csv, findings_parquet
from recsys_metric_audit.reports.renderers.markdown import fill_template
from recsys_metric_audit.reports.tables.tidy_rows import COLUMNS, DATASET_FORMAT, TIDY_COLUMNS, TYPE_MEANINGS, tidy_rows

PAGE = Path(__file__).resolve().parents[2] / "docs" / "data-set.md"


def page() -> str:
    """Return the page on the data set in Markdown."""
    return fill_template("data_set.md.j2", format=DATASET_FORMAT, licence=LICENCE, columns=COLUMNS, types=TYPE_MEANINGS)


def write_data_set(result: Result, folder: Path) -> tuple[Path, ...]:
    """Write the findings of ``result`` as Parquet and as CSV into ``folder``, with the page; return the files."""
    rows = tidy_rows(result)
    files: dict[str, str | bytes] = {
        "findings.parquet": findings_parquet(result),
        "findings.csv": as_csv(TIDY_COLUMNS, rows),
        "README.md": page(),
    }
    return write_files(folder, files)


def main(folder: str | None = None, run: str | None = None) -> None:
    """Write the data set into ``folder``, of the run in ``run``; without a folder, write the page in ``docs/``."""
    if folder is None:
        write_file(page(), PAGE)
    else:
        write_data_set(read_result(Path(run) if run else PACKAGED_RUN), Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
