"""The README's tables: ``python -m reports.renderers.readme DIR`` takes them from the run in DIR and records that run.

What is recorded (``reports/default-run.json``) is the part of the result file that the tables are made of; a test
holds the README against it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from reports.model.atomic_write import write_file
from reports.model.default_run import PACKAGED_RUN
from reports.model.read_result import read_result
from reports.model.report_error import ReportError
from reports.model.result import Evidence, Result
from reports.model.write_result import result_json
from reports.paper.judging import judged
from reports.renderers import markdown
from reports.tables.paper_tables import findings_shown, paper_tables

README = Path(__file__).parent.parent.parent / "README.md"
_SECTION = re.compile(r"(<!-- begin: table 1 -->\n).*?(<!-- end: table 1 -->)", re.DOTALL)


def reduce_run(result: Result) -> Result:
    """The result without what neither tables nor claims need: other functions with options, environments, evidence,
    pictures, sums worked out."""
    needed = frozenset(
        (each.library, each.version, each.function) for each in (*findings_shown(result), *judged(result))
    )
    libraries = tuple(
        library.model_copy(update={"installed": {}, "out_of_scope": {}, "claims": {}, "log": "", "seconds": None})
        for library in result.libraries
    )
    findings = tuple(
        finding.model_copy(
            update={
                "witness": finding.witness and finding.witness.model_copy(update={"worked": (), "users": ()}),
                "evidence": Evidence(),
                "decomposition": (),
                "scatter": (),
                "behaviours": {},
                "script": None,
            }
        )
        for finding in result.findings
        if "[" not in finding.function or (finding.library, finding.version, finding.function) in needed
    )
    platform, command = result.platform.split("-")[0], re.sub(r" --out \S+", "", result.command)
    return result.model_copy(
        update={
            "libraries": libraries,
            "findings": findings,
            "platform": platform,
            "command": command,
            "experiments": (),
        }
    )


def newest_versions(result: Result) -> Result:
    """The result with the first version of each library only, which is the newest."""
    first = {entry.library: entry.version for entry in reversed(result.libraries)}
    libraries = tuple(entry for entry in result.libraries if first[entry.library] == entry.version)
    findings = tuple(each for each in result.findings if first[each.library] == each.version)
    return result.model_copy(update={"libraries": libraries, "findings": findings})


def table_section(result: Result) -> str:
    """The tables as the README carries them: the newest version of each library; the report has all."""
    return "\n\n".join(markdown.render_table(table) for table in paper_tables(newest_versions(result)))


def replace_tables(readme: str, result: Result) -> str:
    """``readme`` with its tables replaced.

    Raises:
        ReportError: if the markers are missing.
    """
    if not _SECTION.search(readme):
        raise ReportError("README.md has no table markers", "put back the begin and end comments of table 1")
    return _SECTION.sub(lambda found: f"{found[1]}\n{table_section(result)}\n\n{found[2]}", readme)


def main(folder: str) -> None:
    """Record the run in ``folder`` and write its tables into the README."""
    result = reduce_run(read_result(Path(folder)))
    write_file(result_json(result, compact=True), PACKAGED_RUN)
    write_file(replace_tables(README.read_text(encoding="utf-8"), result), README)


if __name__ == "__main__":
    main(*sys.argv[1:])
