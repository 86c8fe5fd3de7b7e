"""Writes a page in Markdown for each paper but that of 2021, an index of all answers, and the recorded answers.

The paper of 2021 has its own tables and page (docs/paper.md); ``audit paper --format md`` prints it whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from recsys_metric_audit.reports.experiments.outcome import Data
from recsys_metric_audit.reports.model.atomic_write import write_files
from recsys_metric_audit.reports.model.result_file import LoadedRun
from recsys_metric_audit.reports.paper.claims import paper_keys
from recsys_metric_audit.reports.paper.published import RE_AUDITED
from recsys_metric_audit.reports.paper.reaudit import Reaudit, reaudit
from recsys_metric_audit.reports.renderers.markdown import fill_template
from recsys_metric_audit.reports.renderers.reaudit_formats import as_markdown

INDEX = "README.md"


def page_keys() -> tuple[str, ...]:
    """Return the keys of the papers that have a page."""
    return tuple(key for key in paper_keys() if key != RE_AUDITED)


def write_pages(folder: Path, run_for: Callable[[str], LoadedRun], data: Data) -> tuple[Reaudit, ...]:
    """Write the page of each paper and the index into ``folder``; return what they tell.

    Args:
        folder: Where to write; it is made where it is missing.
        run_for: Returns the run by which a paper is judged, by the paper's key.
        data: Where experiments take predictions from.
    """
    runs = {key: run_for(key) for key in page_keys()}
    audited = tuple(reaudit(loaded.result, key, data) for key, loaded in runs.items())
    pages = {f"{found.key}.md": as_markdown(found, runs[found.key].origin) for found in audited}
    write_files(folder, {INDEX: index(audited), **pages})
    return audited


def index(audited: Sequence[Reaudit]) -> str:
    """Return the index in Markdown: every claim with its answer, by paper."""
    return fill_template("paper_index.md.j2", audited=audited)
