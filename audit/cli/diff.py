"""``audit diff``: how two definitions, functions of libraries or functions of your own differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from recsys_metric_audit.audit.cli.shared import options
from recsys_metric_audit.audit.cli.shared.inputs import UserFiles, check_cutoffs, load_dataset, parse_typed
from recsys_metric_audit.audit.cli.shared.output import DRIFTED, said_while, show_json, show_wrapped
from recsys_metric_audit.audit.errors import UserError

if TYPE_CHECKING:
    from recsys_metric_audit.audit.findings.definition_difference import AgreeingFunction, DefinitionDifference
    from recsys_metric_audit.reference.definitions.definition import Definition
    from recsys_metric_audit.reports.model.result import Finding, Result

_CUTOFF = 20
_SHOWN = 3


def diff(
    first: str = typer.Argument(metavar="A", help="SIGNATURE, LIBRARY[==VERSION]:FUNCTION or FILE.py:NAME."),
    second: str = typer.Argument(metavar="B", help="The other one."),
    k: int | None = typer.Option(None, "-k", metavar="N", help="Cut-off. Default: the one named, else 20."),
    predictions: Path | None = options.PREDICTIONS,
    truth: Path | None = options.TRUTH,
    train: Path | None = options.TRAINING_ITEMS,
    threshold: float | None = options.THRESHOLD,
    dataset: str | None = options.DATASET_NAME,
    source: Path | None = options.RUN,
    metric: str | None = typer.Option(
        None, metavar="NAME", help="The metric that functions of your own compute. Default: found."
    ),
    shape: str | None = options.SHAPE,
    python: Path | None = options.PYTHON,
    form: options.TextOrJson = options.FORM_TEXT_OR_JSON,
) -> None:
    """Compare two definitions or functions.

    Each is a signature, a function of a library as an audit identified it (read from --from), or a function of your
    own, which is identified now. Tells the axes that differ, level by level; how much each moves the number on the
    data; how many users it touches; the smallest input that shows it; and, for a function of a library, the arguments
    or the function of that library that compute the other one. Ends with 1 if they differ.

    \b
    Examples:
      audit diff ndcg@20 'ndcg@20|gain:exp2'
      audit diff recbole:map recommenders:map --predictions p.csv --truth t.csv
      audit diff rs_metrics==0.6.0:ndcg metrics.py:ndcg
      audit diff recbole:ndcg train.py:ndcg --python venv/bin/python
    """
    from recsys_metric_audit.audit.findings.definition_difference import agreeing_functions, difference
    from recsys_metric_audit.reference.evaluation.evaluate import Problem

    if k is not None:
        check_cutoffs([k])
    own = {"--metric": metric, "--shape": shape, "--python": python}
    if not any(map(_is_own, (first, second))) and (given := [name for name, value in own.items() if value is not None]):
        raise UserError(
            f"{given[0]} says how a function of your own is asked, and none is named", f"leave out {given[0]}"
        )
    asked = _Asked(metric, shape, python)
    (one, called), (two, other_called) = _both(first, second, source, asked)
    cut = _cutoff(one, two, k)
    one, two = (each if each.k is None else each.with_(k=cut) for each in (one, two))
    data = load_dataset(dataset, UserFiles(predictions, truth, train, threshold))
    with said_while(f"comparing on {data.name}"):
        found = difference(one, two, Problem.of([data.case], cut))
    instead = {
        side: () if found.same or own is None else agreeing_functions(own.result, own.finding, other)
        for side, own, other in (("A", called, two), ("B", other_called, one))
    }
    if form is options.TextOrJson.json:
        agreeing = {side: [asdict(each) for each in functions] for side, functions in instead.items()}
        show_json({**found.as_json(), "agreeing_functions": agreeing})
    else:
        lines = _lines(found, f"{data.name}, {data.shape.users:,} users")
        lines += _instead_lines("A", "B", instead["A"]) + _instead_lines("B", "A", instead["B"])
        show_wrapped("\n".join(lines))
    if not found.same:
        raise typer.Exit(DRIFTED)


def _metric_at(name: str, text: str) -> Definition:
    """Return the canonical definition of a metric, at the cut-off that stands behind ``@`` in `text`."""
    from recsys_metric_audit.reference.definitions.definition import Definition

    if "@" not in text:
        return Definition.of(name)
    hint = f"audit explain {name} lists its axes and values"
    return parse_typed(f"{name}@{text.rpartition('@')[2]}", text, hint)


class _Called(NamedTuple):
    """Holds a function of a library: its finding, and the result that it stands in."""

    finding: Finding
    result: Result


class _Asked(NamedTuple):
    """Holds how functions of the user's own are asked."""

    metric: str | None
    shape: str | None
    python: Path | None


def _both(first: str, second: str, source: Path | None, asked: _Asked) -> Sequence[tuple[Definition, _Called | None]]:
    """Return the definitions of both sides; a function of the user's own is held against the other side's metric."""
    if _is_own(first) and not _is_own(second):
        other = _definition(second, source, asked)
        return (_identified(first, other[0].metric, asked), None), other
    one = _definition(first, source, asked)
    if _is_own(second):
        return one, (_identified(second, one[0].metric, asked), None)
    return one, _definition(second, source, asked)


def _is_own(text: str) -> bool:
    return ".py:" in text


def _definition(text: str, source: Path | None, asked: _Asked) -> tuple[Definition, _Called | None]:
    """Return the definition that a signature, an audited function or a function of the user's own has.

    With the definition of an audited function comes where it was found.
    """
    from recsys_metric_audit.audit.cli.shared.lookup import AuditedFunction, Metric, look_up
    from recsys_metric_audit.reference.definitions.definition import Definition, parse
    from recsys_metric_audit.reports.model.result_file import load_run
    from recsys_metric_audit.reports.wording.meanings import open_cutoff

    if _is_own(text):
        return _identified(text, None, asked), None
    match look_up(text, lambda: load_run(source, options.REPORT_FOLDER)):
        case Definition() as definition:
            return definition, None
        case Metric(name):
            return _metric_at(name, text), None
        case AuditedFunction(findings, origin):
            known = [(finding, finding.signature) for finding in findings if finding.signature]
            if not known:
                raise UserError(f"{text}: no definition fits it, says {origin}", f"audit explain {text} tells more")
            finding, signature = known[-1]
            return parse(open_cutoff(signature)), _Called(finding, load_run(source, options.REPORT_FOLDER).result)
        case _:
            raise UserError(f"{text} is no definition", "try audit diff ndcg 'ndcg|gain:exp2'")


def _identified(text: str, metric: str | None, asked: _Asked) -> Definition:
    """Return the definition that a function of the user's own computes; where several fit, one of ``metric``."""
    from recsys_metric_audit.audit.inhouse.identify_function import checked_request, identify_function
    from recsys_metric_audit.reference.definitions.definition import parse

    request = checked_request(
        text, asked.metric or metric, None, k=None, shape=asked.shape, python=asked.python, seconds=30.0
    )
    with said_while(f"asking {text}"):
        result = identify_function(request)
    if result.error is not None:
        raise result.error
    summary = result.summary
    if summary is None or summary.signature is None:
        raise UserError(f"{text}: no definition fits it", f"audit identify {text} tells how far the nearest does")
    said = summary.finding
    restrictions = (str(said.scope), result.several or "", *said.unchecked)
    why = "; ".join(each for each in (*restrictions, *(f"{axis}: no rule" for axis in said.no_rule)) if each)
    if not why:
        return parse(summary.signature)
    raise UserError(
        f"{text}: it is {summary.signature} with a restriction: {why}",
        f"audit identify {text} tells it; compare the definition itself: audit diff '{summary.signature}' ...",
    )


def _cutoff(one: Definition, two: Definition, k: int | None) -> int:

    named = {each.k for each in (one, two) if isinstance(each.k, int)}
    if k is None and len(named) > 1:
        cuts = " and ".join(map(str, sorted(named)))
        raise UserError(f"two cut-offs are named: {cuts}", "choose one for both: -k N")
    return k or next(iter(named), _CUTOFF)


def _lines(found: DefinitionDifference, data: str) -> list[str]:
    from recsys_metric_audit.audit.inhouse.function_inputs import describe_probe
    from recsys_metric_audit.reports.model.level_meaning import LEVEL_TITLES
    from recsys_metric_audit.reports.wording.axis_words import value_meaning
    from recsys_metric_audit.reports.wording.labels import count

    one, two = found.first, found.second
    lines = [f"A  {one.signature()}", f"B  {two.signature()}", ""]
    if found.same:
        return [*lines, "the same: equal on every input that was tried"]
    if one.metric != two.metric:
        lines.append(f"two metrics: {one.metric} and {two.metric}")
    for level, axes in found.levels.items():
        lines.append(LEVEL_TITLES[level])
        for axis, (left, right) in axes.items():
            lines.append(f"  {axis:<16} A  {left} ({value_meaning(one.metric, axis, left)})")
            lines.append(f"  {'':<16} B  {right} ({value_meaning(two.metric, axis, right)})")
    lines += ["", f"on {data}"]
    for step, before in zip(found.steps, (None, *found.steps), strict=False):
        moved = "" if before is None else f"  {step.value - before.value:+.6f}"
        lines.append(f"  {step.axis or 'A':<16} {step.value:.6f}{moved}")
    if found.users is not None:
        lines.append(f"  {count(found.users, 'user')} of other value or not counted by one")
    small = found.smallest
    if small is None:
        return [*lines, "", "no probe shows the difference"]
    shown = f"k = {small.probe.k}, {describe_probe(small.probe)}"
    return [*lines, "", f"the smallest input that shows it: {shown}", f"  A {small.first:.6g}, B {small.second:.6g}"]


def _instead_lines(side: str, other: str, functions: Sequence[AgreeingFunction]) -> list[str]:
    """Return lines on what to call of the library of one side so that it computes the other."""
    lines = []
    for each in functions[:_SHOWN]:
        passed = f"pass {each.arguments}" if each.arguments else f"call {each.function}"
        without = f", without {each.dropped}" if each.dropped else ""
        still = f"; {', '.join(each.differs_on)} still differ" if each.differs_on else ""
        lines.append(f"  {passed}{without} ({each.library} {each.version}: {each.function}){still}")
    return ["", f"to make {side} compute {other}, or its formula", *lines] if lines else []
