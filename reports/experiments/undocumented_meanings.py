"""Lists what an audit found in some libraries that no documentation states: formulas, edges, unusual rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

from pydantic import Field

from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, ClaimExperiment, Outcome
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.wording.formatting import one_line
from recsys_metric_audit.reports.wording.formula_words import formula_words
from recsys_metric_audit.reports.wording.labels import metric_title
from recsys_metric_audit.reports.wording.meanings import formula, meaning


class UndocumentedMeanings(ClaimExperiment):
    """Counts in each library what no documentation states; the claim is that there is some in every one of them.

    Counted are functions with a formula that neither the library's documentation nor a cited source states, or that
    contradicts the library's own documentation. Functions that treat unusual users or rows otherwise than the
    canonical definition are told beside them and decide nothing: whether that is documented was not asked. Of each
    library the version that the run names first counts.
    """

    kind: Literal["undocumented_meanings"]
    libraries: Annotated[tuple[str, ...], Field(min_length=1)]

    def needs(self, result: Result) -> Iterable[Finding]:
        """Return the findings of the libraries."""
        return [each for each in result.findings if each.library in self.libraries]

    def _measure(self, bench: Bench) -> Outcome:
        lines, words, held, missing = [], [], [], []
        for library in self.libraries:
            entry = next((e for e in bench.result.libraries if (e.library, e.status) == (library, "audited")), None)
            if entry is None:
                missing.append(library)
                continue
            findings = [
                each
                for each in bench.result.findings
                if (each.library, each.version) == (library, entry.version) and meaning(each)
            ]
            stated = [each for each in findings if not _is_undocumented(each)]
            undocumented = [each for each in findings if _is_undocumented(each)]
            name = f"{one_line(entry.title)} {one_line(entry.version)}"
            held.append(bool(undocumented))
            edges = sum(bool(each.levels.get("who_counts") or each.levels.get("input")) for each in findings)
            words.append(
                f"{name}: {len(undocumented)} of {len(findings)} formulas{_metrics(undocumented)}, and {edges} "
                "functions that treat unusual users or rows in a way of their own"
            )
            lines += [f"{name} {_line(each)}" for each in (*undocumented, *stated)]
        reason = "; ".join([*words, *(f"{each} is not in this audit" for each in missing)])
        if not held:
            return Outcome(Answer.unknown, reason, ())
        if not any(held):
            return Outcome(Answer.no, reason, tuple(lines))
        return Outcome(Answer.yes if all(held) and not missing else Answer.in_part, reason, tuple(lines))


def _is_undocumented(finding: Finding) -> bool:
    return finding.verdict == "undocumented" or finding.matches_claim is False


def _metrics(findings: Sequence[Finding]) -> str:
    names = dict.fromkeys(metric_title(each.metric) for each in findings)
    return f" ({', '.join(names)})" if names else ""


def _line(finding: Finding) -> str:
    words = formula_words(finding.metric, formula(finding)) or "the canonical formula"
    contradicts = ", which contradicts its documentation" if finding.matches_claim is False else ""
    stated = "stated nowhere" if finding.verdict == "undocumented" else "documented"
    axes = [*finding.levels.get("who_counts", ()), *finding.levels.get("input", ())]
    more = f"; differs besides on {', '.join(axes)}" if axes else ""
    return f"{one_line(finding.function)}: {words} ({stated}{contradicts}){more}"
