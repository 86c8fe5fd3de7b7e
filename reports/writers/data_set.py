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
from recsys_metric_audit.reports.renderers.data_files import LICENCE, as_csv, dictionary_table, findings_parquet
from recsys_metric_audit.reports.tables.tidy_rows import DATASET_FORMAT, TIDY_COLUMNS, tidy_rows

PAGE = Path(__file__).resolve().parents[2] / "docs" / "data-set.md"

_TEXT = f"""# The data set of findings

What the functions of libraries for recommender systems, search and ranking compute under the names of metrics: one row
for each function of each library version at each cut-off. Made by `make docs` from the docstrings of
`reports/model/result.py`, which are the one source of the meanings below.

    audit report audit-report --format parquet --out findings.parquet    # of a run of your own; also csv
    python -m recsys_metric_audit.reports.writers.data_set FOLDER                 # of the recorded run, with this page
    python -m recsys_metric_audit.reports.writers.data_set FOLDER audit-report    # of a run of your own, with this page

Each release has `findings.parquet`, `findings.csv` and this page as an asset. The Parquet file says of itself what it
is: the metadata of the file hold the versions of data set, result file and tool, the time and the command of the run,
the name and the digest of the data, and the licence; those of each column its meaning (`description`).

    import pyarrow.parquet as pq
    schema = pq.read_schema("findings.parquet")
    schema.metadata[b"dataset_format"], schema.field("signature").metadata[b"description"]

**Version**: the data set has format {DATASET_FORMAT}. The number is raised with every change of a column's name, type
or meaning; a column more does not raise it. The rows of a release are those of its recorded run.

**Licence**: [{LICENCE}](https://creativecommons.org/licenses/by/4.0/). Use it for what you like, and cite it as
`CITATION.cff` says, with the version. It holds measurements and no ratings: MovieLens has a licence of its own and is
no part of it. The program that made it is under the Apache License 2.0.

A value is that of one protocol on one data set (`dataset`, `dataset_digest`) and tells nothing of another; a formula is
a property of the function. `audit explain` says what a signature means. Left out of the recorded run are calls with
options that no table and no claim of a paper needs: `audit run` has them all.

## Columns

"""


def page() -> str:
    """Return the page on the data set in Markdown."""
    return f"{_TEXT}{dictionary_table()}\n"


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
