"""Opens the responder of a trial, and shows the trial: a table for one function, a line each for several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

from recsys_metric_audit.audit.authoring import adapter_trial
from recsys_metric_audit.audit.environments.environment import BuildFailed, Progress
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.process import protocol
from recsys_metric_audit.audit.questions.item_cases import reads_items
from recsys_metric_audit.audit.responders.choice import find_responder
from recsys_metric_audit.audit.responders.interface import NoResponder, Responder
from recsys_metric_audit.audit.sources.checkout import Checkouts
from recsys_metric_audit.reports.wording.formatting import one_line, shortened
from recsys_metric_audit.reports.wording.formula_words import formula_words
from recsys_metric_audit.reports.wording.labels import count

_LONGEST = 90
_GAINS = "Gains stand in the order of the list, behind + those of relevant items not listed; a semicolon parts users."


def trial_lines(trial: adapter_trial.Trial) -> list[str]:
    """Return the trial in lines: tables for at most one function, else one line for each."""
    if len(trial.functions) == 1:
        lines = list(_table(trial.functions[0]))
    else:
        width = max(len(each.function.name) for each in trial.functions)
        lines = [line for each in trial.functions for line in _summary(each, width)]
    return [*lines, "", *_verdict(trial)]


def _verdict(trial: adapter_trial.Trial) -> Iterator[str]:
    seconds = f"{count(len(adapter_trial.PLAIN_CASES), 'plain case')}, {trial.seconds:.1f} s"
    if trial.fault is not None:
        yield f"NOT SANE: {trial.fault}"
    for words in dict.fromkeys(words for each in trial.functions for words in each.faults):
        guilty = [each.function.name for each in trial.functions if words in each.faults]
        more = f" and {len(guilty) - 1} more" if len(guilty) > 1 else ""
        yield f"NOT SANE: {guilty[0]}{more}: {words}"
    silent = sum(not each.measured for each in trial.functions)
    if silent and silent < len(trial.functions):
        yield f"{silent} of {len(trial.functions)} functions returned no number"
    if trial.sane:
        # No list of a metric beyond accuracy is the best one: its order and contract show in a whole audit alone.
        items = all(reads_items(each.function) for each in trial.functions)
        told = (
            "numbers came back; audit run shows order and contract"
            if items
            else "order, cut-off and contract are as declared"
        )
        yield f"Other formulas may give the same on {len(adapter_trial.PLAIN_CASES)} cases: audit run tells them apart."
        refusing = [each for each in trial.functions if _refused(each)]
        but = f"; {count(sum(map(_refused, refusing)), 'case')} refused, of which nothing is known" if refusing else ""
        yield f"sane: {told}{but} ({seconds})"
    elif not any(each.measured for each in trial.functions):
        yield f"NOT SANE: no function returned a number ({seconds})"


def _summary(trial: adapter_trial.FunctionTrial, width: int) -> Iterator[str]:
    name = trial.function.name.ljust(width)
    if not trial.measured:
        yield f"{name}  {refusal(next(iter(trial.outcomes.values())))}"
        return
    best = trial.nearest[0]
    refused = _refused(trial)
    asked = f"{best.equal} of {len(trial.measured)}" + (f", {refused} refused" if refused else "")
    alike = [each for each in trial.nearest if (each.equal, each.moves) == (best.equal, best.moves)]
    formulas = " or ".join(each.definition.signature() for each in alike)
    yield f"{name}  {asked:>8}  {formulas}{'  NOT SANE, see below' if trial.faults else ''}"


def _refused(trial: adapter_trial.FunctionTrial) -> int:
    """Count the cases that a function was asked about and gave no number for."""
    return sum(not isinstance(each, protocol.Measured | protocol.Unaskable) for each in trial.outcomes.values())


def _table(trial: adapter_trial.FunctionTrial) -> Iterator[str]:
    function = trial.function
    best = trial.nearest[0].definition.signature() if trial.nearest else ""
    yield f"{function.name}, called {function.metric}; takes {function.takes.in_words()}"
    asked = adapter_trial.plain_questions(function.metric)
    gains = [(case.words,) if isinstance(case, adapter_trial.PlainCase) else () for case in asked]
    if all(gains):
        yield _GAINS
    yield ""
    rows: list[tuple[str, ...]] = [
        ("case", *(("gains",) if all(gains) else ()), "k", "returned", "canonical", "nearest")
    ]
    for case, own in zip(asked, gains, strict=True):
        outcome = trial.outcomes[case.name]
        near = trial.nearest[0].values[case.name] if isinstance(outcome, protocol.Measured) else None
        rows.append((
            case.name, *own, str(case.k) if function.cutoff else "-", _returned(trial, case.name, outcome),
            f"{trial.canonical[case.name]:.6f}", "" if near is None else f"{near:.6f}",
        ))  # fmt: skip
    yield from _aligned(rows)
    refusals = dict.fromkeys(
        refusal(each) for each in trial.outcomes.values() if not isinstance(each, protocol.Measured)
    )
    yield from (f"  refused: {words}" for words in refusals)
    yield ""
    if best:
        yield "Nearest formulas:"
    for each in trial.nearest:
        words = formula_words(function.metric, each.definition.signature()) or "the canonical formula"
        yield f"  {each.equal} of {len(trial.measured)}  {each.definition.signature()}  ({words})"


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    yield from ("  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip() for row in rows)


def _returned(trial: adapter_trial.FunctionTrial, name: str, outcome: protocol.Outcome) -> str:
    if isinstance(outcome, protocol.Measured):
        return f"{trial.measured[name]:.6f}"
    return "not asked" if isinstance(outcome, protocol.Unaskable) else "refused"


def refusal(outcome: protocol.Outcome) -> str:
    """Say in a line why an outcome is no number."""
    match outcome:
        case protocol.Unaskable(why):
            words = f"the adapter does not ask: {why}"
        case protocol.NotOffered(why):
            words = f"not offered: {why}"
        case protocol.Errored(error, message):
            words = f"{error}: {message}"
        case protocol.Crashed(code):
            words = f"the process died with exit code {code}"
        case protocol.TimedOut(seconds):
            words = f"no answer within {seconds:g} s"
        case _:
            words = "no answer"
    return shortened(one_line(words), _LONGEST)


class NotAnsweringError(UserError):
    """Nothing answers for a version: its environment cannot be built, or it has no checkout and no recording."""

    exit_code = 3


def not_built(name: str, error: BuildFailed) -> NotAnsweringError:
    """Return the error that says why the environment of what is called so cannot be built, with the end of uv's log."""
    said = f"\n{error.log_tail}" if error.log_tail else ""
    return NotAnsweringError(f"{name}: {error.reason}{said}", error.hint)


@contextmanager
def answering(
    manifest: Manifest, version: Version, seconds: float, progress: Progress, given: Checkouts | None = None
) -> Iterator[Responder]:
    """Open the responder of a version for a trial; answers are not cached, since its adapter is being written.

    Args:
        manifest: the library.
        version: one of its versions.
        seconds: the time limit of one call.
        progress: hears each step of building an environment, in words.
        given: the checkouts that the user gave.

    Raises:
        NotAnsweringError: if nothing answers for it.
    """
    try:
        responder = find_responder(manifest, version, given or {}, protocol.Limits(seconds=seconds), progress)
    except BuildFailed as error:
        raise not_built(f"{manifest.name} {version.version}", error) from error
    except NoResponder as error:
        raise NotAnsweringError(f"{manifest.name} {version.version}: {error.reason}", error.hint) from error
    with closing(responder):
        yield responder
