"""The README's tables: ``python -m reports.renderers.readme DIR`` takes them from the run in DIR and records that run.

What is recorded (``reports/default-run.json``) is the part of the result file that the tables are made of; a test
holds the README against it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from reports.model.read_result import read
from reports.model.report_error import ReportError
from reports.model.result import Evidence, Result
from reports.paper.judging import judged
from reports.renderers import markdown
from reports.renderers.report_folder import result_text
from reports.tables.paper_tables import shown, tables

RECORDED = Path(__file__).parent.parent / "default-run.json"
README = Path(__file__).parent.parent.parent / "README.md"
_SECTION = re.compile(r"(<!-- begin: table 1 -->\n).*?(<!-- end: table 1 -->)", re.DOTALL)


def reduced(result: Result) -> Result:
    """The result without what neither tables nor claims need: other functions with options, environments, evidence,
    pictures, sums worked out."""
    needed = frozenset((each.library, each.version, each.function) for each in (*shown(result), *judged(result)))
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


def newest(result: Result) -> Result:
    """The result with the first version of each library only, which is the newest."""
    first = {entry.library: entry.version for entry in reversed(result.libraries)}
    libraries = tuple(entry for entry in result.libraries if first[entry.library] == entry.version)
    findings = tuple(each for each in result.findings if first[each.library] == each.version)
    return result.model_copy(update={"libraries": libraries, "findings": findings})


def section(result: Result) -> str:
    """The tables as the README carries them: the newest version of each library; the report has all."""
    return "\n\n".join(markdown.render(table) for table in tables(newest(result)))


def rendered(readme: str, result: Result) -> str:
    """``readme`` with its tables replaced.

    Raises:
        ReportError: if the markers are missing.
    """
    if not _SECTION.search(readme):
        raise ReportError("README.md has no table markers", "put back the begin and end comments of table 1")
    return _SECTION.sub(lambda found: f"{found[1]}\n{section(result)}\n\n{found[2]}", readme)


def main(folder: str) -> None:
    """Record the run in ``folder`` and write its tables into the README."""
    result = reduced(read(Path(folder)))
    _replace(RECORDED, result_text(result))
    _replace(README, rendered(README.read_text(encoding="utf-8"), result))


def _replace(path: Path, text: str) -> None:
    aside = path.with_name(path.name + ".new")
    aside.write_text(text, encoding="utf-8")
    aside.replace(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
