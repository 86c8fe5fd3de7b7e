"""Makes the answers to the claims of all papers but that of 2021 anew, and their pages, from the packaged run.

Run by ``make docs``: ``python -m recsys_metric_audit.audit.cli.paper_answers docs/papers``.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from recsys_metric_audit.audit.cli.results import experiment_data
from recsys_metric_audit.audit.cli.shared.inputs import all_libraries
from recsys_metric_audit.audit.pins.pin_file import run_for_paper
from recsys_metric_audit.reports.model.result_file import packaged_run
from recsys_metric_audit.reports.paper.recorded import write_recorded
from recsys_metric_audit.reports.writers.paper_pages import write_pages

if __name__ == "__main__":
    run, libraries = packaged_run(), partial(all_libraries, None)
    write_recorded(write_pages(Path(sys.argv[1]), lambda key: run_for_paper(run, key, libraries), experiment_data))
