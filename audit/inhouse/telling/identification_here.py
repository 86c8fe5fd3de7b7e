"""Identifies a function that a caller in Python has, and shows what is found as the command does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Integral

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.inhouse.identify_function import identify_here
from recsys_metric_audit.audit.inhouse.shapes import shape_named
from recsys_metric_audit.audit.inhouse.telling.summary_text import text
from recsys_metric_audit.audit.libraries.metric_name import metric_of_relevance


@dataclass(frozen=True, repr=False)
class Identification:
    """Says what a function computes; it shows itself as ``audit identify`` prints it.

    ``signature`` is None where no definition fits, and ``verdict`` where a check could not be made. ``near`` is the
    nearest definition and where it does not hold, if none fits as it stands; ``scope`` names how the numbers have to be
    read (``100 times``, ``1 -``), empty for as they are. ``values`` has what ``audit identify --format json`` prints.

    >>> from recsys_metric_audit import identify
    >>> def hit(recommended, relevant, k):
    ...     return float(any(item in relevant for item in recommended[:k]))
    >>> identify(hit, "hr").signature
    'hit_rate@k'
    """

    signature: str | None
    verdict: str | None
    near: str
    scope: str
    values: Mapping[str, object]
    text: str

    def __repr__(self) -> str:
        return self.text


def identify(
    function: Callable[..., object], metric: str | None = None, *, shape: str | None = None, k: int | None = None,
    one_relevant: bool = False,
) -> Identification:  # fmt: skip
    """Identify the definition that a function computes, by running it in this process on some hundred small inputs.

    Args:
        function: The function. How it is called is recognised from its parameters and by trying.
        metric: The metric whose name it bears; None to recognise that.
        shape: The name of its call, as ``audit identify --shape`` has it; None to recognise that.
        k: The only cut-off to ask at; None for several.
        one_relevant: Ask only about users with one relevant item, as where one item of each is held out.

    Raises:
        UserError: for a metric or shape that is not known, if every call fails, or if it is not known how the function
            is called: with what was tried and what to do.

    >>> def recall(recommended, relevant, k):
    ...     return len(set(recommended[:k]) & set(relevant)) / min(k, len(relevant)) if relevant else 0.0
    >>> found = identify(recall)
    >>> found.signature, found.verdict
    ('recall@k|denominator:min|duplicates:first_in_place', 'variant')
    """
    if not callable(function):
        raise UserError(f"{function!r} is no function", "give the function itself: identify(ndcg)")
    if k is not None and (not isinstance(k, Integral) or k < 1):
        raise UserError(f"k={k!r}: a cut-off is a number of places, 1 or more", "try k=20")
    form = None if shape is None else shape_named(shape)
    named = None if metric is None else metric_of_relevance(metric)
    result = identify_here(function, named, form, k, one_relevant=one_relevant)
    if result.error is not None:
        raise result.error
    assert result.summary is not None
    summary = result.summary
    near = summary.finding.near.words() if summary.finding.near is not None else ""
    return Identification(
        summary.signature, summary.finding.verdict, near, str(summary.finding.scope), result.as_json(), text(result)
    )
