"""Shows what was recorded of libraries before they are asked, and whether each answers as recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, Group
from rich.padding import Padding
from rich.text import Text

from recsys_metric_audit.audit.run import Request
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.model.result_file import packaged_run
from recsys_metric_audit.reports.renderers.terminal import renderable
from recsys_metric_audit.reports.tables.comparison import changed_findings
from recsys_metric_audit.reports.tables.paper_tables import join_equal_versions, paper_tables
from recsys_metric_audit.reports.tables.winners import winners_table
from recsys_metric_audit.reports.wording.formatting import one_line, printable

_MOST_CHANGES = 3
"""Changes of a version that are printed while the others are audited; `audit compare` prints all."""


@dataclass(frozen=True)
class RecordedAnswers:
    """Holds the recorded findings of the versions that are audited, on the same data at the same cut-offs."""

    result: Result

    @staticmethod
    def of(request: Request) -> RecordedAnswers | None:
        """Return what the packaged run has of the versions of a request; None if it asks something else.

        Args:
            request: What is audited. Its data and cut-offs have to be those of the packaged run, its libraries those
                that their locks name, and its canonical definitions the usual ones.
        """
        if request.sources or request.canonical or request.others:
            return None
        recorded, data = packaged_run().result, request.dataset
        if recorded.dataset.name != data.name or recorded.dataset.digest != f"sha256:{data.digest}":
            return None
        if not {*request.ks} <= {*recorded.k}:
            return None
        chosen = {(manifest.name, version.version) for manifest, version in request.chosen}
        libraries = tuple(e for e in recorded.libraries if (e.library, e.version) in chosen and e.status == "audited")
        names = {(each.library, each.version) for each in libraries}
        findings = tuple(
            each
            for each in recorded.findings
            if (each.library, each.version) in names and each.k in (None, *request.ks)
        )
        kept = {"libraries": libraries, "findings": findings, "k": request.ks}
        return RecordedAnswers(recorded.model_copy(update=kept)) if libraries else None

    def print(self, console: Console, group: str | None) -> None:
        """Print Table 1 of the recorded findings, and Table 3, with the day on which they were made."""
        tables = (join_equal_versions(paper_tables(self.result, group)[0]), winners_table(self.result, group))
        shown = [each for table in tables if table for each in (Text(), renderable(table, console.width))]
        day = f"{self.result.time:%Y-%m-%d}"
        heading = f"Recorded on {day}, on the same data. Each library is asked again below: ✓ is as recorded."
        console.print(Padding(Group(Text(printable(heading)), *shown), (1, 0)))

    def has(self, library: str, version: str) -> bool:
        """Return True if a version was recorded."""
        return any((each.library, each.version) == (library, version) for each in self.result.libraries)

    def _findings(self, library: str, version: str) -> list[Finding]:
        return [each for each in self.result.findings if (each.library, each.version) == (library, version)]

    def functions(self, library: str, version: str) -> frozenset[str]:
        """Return the functions of a version whose findings were recorded: of those with options, not all are."""
        return frozenset(each.function for each in self._findings(library, version))

    def changes(self, library: str, version: str, findings: Sequence[Finding]) -> list[str]:
        """Return in words what recorded functions answer otherwise today, the first few changes one by one."""
        old, recorded = self._findings(library, version), self.functions(library, version)
        changes = changed_findings(old, [each for each in findings if each.function in recorded], same_data=True)
        told = [f"{each.function}: {each.before or 'nothing'} → {each.after or 'nothing'}" for each in changes]
        left = len(told) - _MOST_CHANGES
        return [*map(one_line, told[:_MOST_CHANGES]), *([f"and {left} more"] if left > 0 else [])]
