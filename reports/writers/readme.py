"""Renews the README's table and picture, the pages of tables and findings, and the packaged run.

Run by ``python -m recsys_metric_audit.reports.writers.readme DIR``.
Without ``DIR`` the packaged run stays, and the tables are written from it.
The packaged run (``reports/default-run.json.xz``) is the part of the result file that the tables, the re-audit of the
paper and the page of findings (``docs/findings.md``) need. A test checks that README and page are made of it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median_low

from markupsafe import escape

from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reports.model.atomic_write import write_file
from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.ranking import DefinitionRanking
from recsys_metric_audit.reports.model.report_error import ReportError
from recsys_metric_audit.reports.model.result import EvidenceSummary, Finding, Result, Witness
from recsys_metric_audit.reports.model.result_file import PACKAGED_RUN, read_result, write_packaged_run
from recsys_metric_audit.reports.model.statement import AxisStatement
from recsys_metric_audit.reports.paper.judging import judged_findings
from recsys_metric_audit.reports.renderers import markdown
from recsys_metric_audit.reports.renderers.findings_page import render_findings
from recsys_metric_audit.reports.renderers.markdown import fill_template
from recsys_metric_audit.reports.tables.paper_tables import findings_shown, paper_tables, table_1
from recsys_metric_audit.reports.tables.retrieval_names import retrieval_table
from recsys_metric_audit.reports.tables.winners import winners_table
from recsys_metric_audit.reports.wording.formatting import rounded
from recsys_metric_audit.reports.wording.formula_words import formula_words
from recsys_metric_audit.reports.wording.labels import joined
from recsys_metric_audit.reports.wording.library_groups import (
    ALL_GROUPS,
    DEFAULT_GROUP,
    hidden_groups,
    only_versions,
    shown_versions,
)
from recsys_metric_audit.reports.wording.meanings import formula, headlines
from recsys_metric_audit.reports.wording.variant_letters import assign_letters

README = Path(__file__).resolve().parents[2] / "README.md"
FINDINGS = README.parent / "docs" / "findings.md"
TABLES = README.parent / "docs" / "tables.md"
PICTURE = README.parent / "docs" / "ndcg.svg"
SIX = ("cornac", "lenskit", "recbole", "recommenders", "rectools", "replay")
"""The libraries in the README's table: recommender frameworks that are much used and were audited live."""
_TABLES_HEAD = """# Tables 1 to 4

The recorded run: the same predictions on MovieLens-100K at k = 20, by the newest version of each library. `audit run`
makes all on your machine; [reading-a-finding.md](reading-a-finding.md) says what the marks mean, and
[findings.md](findings.md) lists every function whose formula is not canonical."""
_SECTION = re.compile(r"(<!-- begin: table 1 -->\n).*?(<!-- end: table 1 -->)", re.DOTALL)


def reduce_run(result: Result) -> Result:
    """Return the part of ``result`` that the tables and the claims of the paper need.

    Other functions with options are left out, and of the rest environments, evidence, plots, worked sums, behaviours
    that are as expected and why axes do not apply; places and scripts stay where a function is documented otherwise.
    """
    needed = frozenset(
        (each.library, each.version, each.function) for each in (*findings_shown(result), *judged_findings(result))
    )
    told = {(each.library, each.version, each.function) for each in result.findings if each.matches_claim is False}
    bare: dict[str, object] = {"installed": {}, "out_of_scope": {}, "answers": "", "log": "", "seconds": None}
    libraries = []
    for each in result.libraries:
        claims = {name: where for name, where in each.claims.items() if (each.library, each.version, name) in told}
        libraries.append(each.model_copy(update={**bare, "claims": claims}))
    findings = tuple(
        finding.model_copy(
            update={
                "witness": finding.witness and _without_working(finding.witness),
                "evidence": _what_is_missing(finding),
                "decomposition": (),
                "scatter": (),
                "behaviours": {name: each for name, each in finding.behaviours.items() if each.slug},
                "axes": {name: _without_contract(axis) for name, axis in finding.axes.items()},
                "script": finding.script if finding.matches_claim is False else None,
            }
        )
        for finding in result.findings
        if "[" not in finding.function or (finding.library, finding.version, finding.function) in needed
    )
    platform, command = result.platform.split("-")[0], re.sub(r" --out \S+", "", result.command)
    return result.model_copy(
        update={
            "libraries": tuple(libraries),
            "findings": findings,
            "rankings": _of_findings(result, findings),
            "platform": platform,
            "command": command,
            "experiments": (),
        }
    )


def _of_findings(result: Result, findings: Sequence[Finding]) -> tuple[DefinitionRanking, ...]:
    """Return the rankings by canonical definitions and by those of ``findings``."""
    kept = {row.signature for row in result.reference} | {each.signature for each in findings}
    return tuple(each for each in result.rankings if each.signature in kept)


def _what_is_missing(finding: Finding) -> EvidenceSummary:
    """Return the part of the evidence that says why no definition, or more than one, was found."""
    if finding.verdict not in ("unexplained", "ambiguous"):
        return EvidenceSummary()
    kept = ("nearest", "unpredicted", "separating_case")
    return EvidenceSummary(**{name: getattr(finding.evidence, name) for name in kept})


def _without_contract(axis: AxisStatement) -> AxisStatement:
    """Return what is said of an axis without the words of a contract, which the adapter has."""
    return axis.model_copy(update={"why": ""}) if axis.kind == "does_not_apply" else axis


def _without_working(witness: Witness) -> Witness:
    """Return a witness without worked sums, and with its users if they are one or two: more are not told in words."""
    return witness.model_copy(update={"worked": (), "users": witness.users if len(witness.users) <= 2 else ()})


def newest_versions(result: Result) -> Result:
    """Return ``result`` with the first version of each library only, which is the newest."""
    first = {entry.library: entry.version for entry in reversed(result.libraries)}
    libraries = tuple(entry for entry in result.libraries if first[entry.library] == entry.version)
    findings = tuple(each for each in result.findings if first[each.library] == each.version)
    return result.model_copy(update={"libraries": libraries, "findings": findings})


def table_section(result: Result) -> str:
    """Return the README's headlines and Table 1 in Markdown: of the newest version of six libraries, if it has them."""
    newest = newest_versions(result)
    shown = only_versions(
        newest, frozenset((each.library, each.version) for each in newest.libraries if each.library in SIX)
    )
    (k, *_), letters = newest.k, assign_letters(newest)
    table = table_1(shown if shown.libraries else newest, k, letters, False, "six recommender frameworks")
    return f"{markdown.render_headlines(newest)}\n\n{markdown.render_table(table)}"


def tables_page(result: Result) -> str:
    """Return the page with all tables: of the newest version of each library of the default group.

    A line below names the libraries that they leave out.
    """
    newest = newest_versions(result)
    hidden = joined(list(hidden_groups(newest, DEFAULT_GROUP)))
    group = DEFAULT_GROUP if shown_versions(newest, DEFAULT_GROUP) else ALL_GROUPS
    rest = f"Not in these tables, but on the page of a run: {hidden}." if group == DEFAULT_GROUP and hidden else ""
    every = (*paper_tables(newest, group), winners_table(newest, group))
    tables = map(markdown.render_table, filter(None, every))
    names = retrieval_table(newest)
    last = markdown.render_table(names) if names else ""
    return "\n\n".join(filter(None, [_TABLES_HEAD, markdown.render_headlines(newest), *tables, rest, last])) + "\n"


def picture(result: Result) -> str:
    """Return the README's picture, as SVG: the NDCG of each library that has a number, by formula."""
    newest = newest_versions(result)
    (k, *_), canonical = newest.k, next(row.value for row in newest.reference if row.metric == "ndcg")
    groups: dict[str, dict[str, float]] = {}
    for entry in newest.libraries:
        own = (each for each in newest.findings if each.library == entry.library and each.k == k)
        for head in headlines(own):
            if head.metric == "ndcg" and head.value is not None and (text := formula(head)):
                groups.setdefault(text, {})[entry.title] = head.value
    ends = max(0.4, *(value for own in groups.values() for value in own.values()))
    rows = [
        {
            "names": escape(joined([*own]) if len(own) < 3 else f"{next(iter(own))} and {len(own) - 1} more"),
            "x": round(210 + 200 * median_low(own.values()) / ends),
            "value": rounded(median_low(own.values())),
            "words": escape(formula_words("ndcg", text) or "canonical"),
            "canonical": parse(text) == Definition.of("ndcg"),
        }
        for text, own in sorted(groups.items(), key=lambda each: median_low(each[1].values()))
    ]
    title = f"The same predictions, NDCG@{k} of {sum(map(len, groups.values()))} libraries, by formula"
    return fill_template(
        "picture.svg.j2", rows=rows, title=escape(title), canonical=round(210 + 200 * canonical / ends)
    )


def replace_tables(readme: str, result: Result) -> str:
    """Return the text ``readme`` with its tables replaced by the tables of ``result``.

    Raises:
        ReportError: if the markers are missing.
    """
    if not _SECTION.search(readme):
        raise ReportError("README.md has no table markers", "put back the begin and end comments of table 1")
    return _SECTION.sub(lambda found: f"{found[1]}\n{table_section(result)}\n\n{found[2]}", readme)


def renewed(run: Result, made: Result) -> Result:
    """Return a run in which the versions audited in ``made`` are as found there; new ones come before older releases.

    Its time stays that of its oldest rows: it is the day of ``made`` only if every version was renewed.
    """
    rows = {(each.library, each.version): each for each in made.libraries if each.status == "audited"}
    old = {(each.library, each.version): each for each in run.libraries}
    new = [each for name, each in rows.items() if name not in old]
    libraries = sorted((*new, *(rows.get(name, each) for name, each in old.items())), key=lambda each: each.library)
    kept = (each for each in run.findings if (each.library, each.version) not in rows)
    found = grouped(((each.library, each.version), each) for each in (*kept, *made.findings))
    findings = tuple(each for row in libraries for each in found.get((row.library, row.version), []))
    rankings = {each.signature: each for each in (*run.rankings, *made.rankings)}
    joined_run = run.model_copy(
        update={
            "tool": made.tool, "time": made.time if rows.keys() >= old.keys() else run.time,
            "libraries": tuple(libraries), "findings": findings, "rankings": tuple(rankings.values()),
        }
    )  # fmt: skip
    return joined_run.model_copy(update={"rankings": _of_findings(joined_run, findings)})


def main(folder: str) -> None:
    """Renew the packaged run by the one in ``folder``, and write the README's tables and the pages of findings."""
    result = renewed(read_result(PACKAGED_RUN), reduce_run(read_result(Path(folder))))
    write_packaged_run(result)
    _write_pages(result)


def render_again() -> None:
    """Write the README's tables and the page of findings from the packaged run, as after a change of their words."""
    _write_pages(read_result(PACKAGED_RUN))


def _write_pages(result: Result) -> None:
    write_file(replace_tables(README.read_text(encoding="utf-8"), result), README)
    write_file(render_findings(result), FINDINGS)
    write_file(tables_page(result), TABLES)
    write_file(picture(result), PICTURE)


if __name__ == "__main__":
    if sys.argv[1:]:
        main(*sys.argv[1:])
    else:
        render_again()
