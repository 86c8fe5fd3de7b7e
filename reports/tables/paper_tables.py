"""The tables of a whole run: Tables 1 and 2 of the paper at every cut-off."""

from __future__ import annotations

from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.tables.table import Table
from recsys_metric_audit.reports.tables.table_1 import table_1
from recsys_metric_audit.reports.tables.table_2 import auc_findings, table_2
from recsys_metric_audit.reports.wording.headline_findings import findings_at, headline_findings
from recsys_metric_audit.reports.wording.library_groups import ALL_GROUPS, only_versions, shown_title, shown_versions
from recsys_metric_audit.reports.wording.variant_letters import assign_letters


def paper_tables(result: Result, group: str | None = ALL_GROUPS) -> tuple[Table, ...]:
    """Return Table 1 and Table 2 at every cut-off of the run; Table 2 only if a library was asked for an AUC.

    Args:
        result: The run.
        group: The group of libraries that have rows (:func:`reports.wording.library_groups.shown_versions`). Letters
            are those of the whole run.
    """
    marks = assign_letters(result)
    several = len(result.k) > 1
    shown = only_versions(result, shown_versions(result, group))
    title = shown_title(result, group)
    tables: list[Table] = []
    for k in result.k:
        tables.append(table_1(shown, k, marks, several, title))
        if any(finding.metric == "auc" for finding in findings_at(shown, k)):
            tables.append(table_2(shown, k, marks, several))
    return tuple(tables)


def findings_shown(result: Result) -> tuple[Finding, ...]:
    """Return the findings that the tables are made of; one may occur twice."""
    return tuple(each for k in result.k for each in (*headline_findings(result, k), *auc_findings(result, k).values()))
