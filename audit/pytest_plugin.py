"""A pytest plugin for tests of metrics: an assertion of what a function computes, and the probe cases as fixtures.

pytest loads it wherever this distribution is installed, so nothing heavy is imported before it is used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class ListProbe:
    """One call of a function of lists.

    Attributes:
        name: Name of the probe.
        why: What it shows.
        recommended: The user's list of items, best first.
        relevant: The user's relevant items, with their gains.
        k: The cut-off.
    """

    name: str
    why: str
    recommended: list[int]
    relevant: dict[int, float]
    k: int


@dataclass(frozen=True, eq=False)
class FrameProbe:
    """One call of a function of DataFrames.

    Attributes:
        name: Name of the probe.
        why: What it shows.
        predictions: Columns user, item, score.
        truth: Columns user, item, gain.
        k: The cut-off.
    """

    name: str
    why: str
    predictions: pd.DataFrame
    truth: pd.DataFrame
    k: int


def assert_computes(
    function: Callable[..., Any],
    signature: str,
    *,
    frames: bool = False,
    shape: str | None = None,
    k: int | None = None,
    one_relevant: bool = False,
) -> None:
    """Fail unless a function computes the definition that a signature names.

    Args:
        function: how it is called is recognised, as by ``audit identify``, from the names of its parameters and by
            trying; a failure says how.
        signature: the definition, such as ``ndcg@k|gain:exp2``. Axes that such a call cannot show are not checked.
        frames: True if the function takes DataFrames of all users, as ``function(predictions, truth, k)``.
        shape: how it is called, as ``audit identify --shape`` names it; None to recognise it.
        k: the only cut-off to call it with; None for the one of the signature, or else several.
        one_relevant: call it only for users with one relevant item, as where one item of each is held out.

    Raises:
        AssertionError: with what it computes instead, the axes that differ, and the smallest case that shows it.
        pytest.UsageError: for a signature that does not parse, or whose axes such a call cannot show.
    """
    __tracebackhide__ = True
    from recsys_metric_audit.audit.errors import UserError
    from recsys_metric_audit.audit.inhouse.identify_function import mismatch
    from recsys_metric_audit.audit.inhouse.shapes import shape_named

    named = "frames" if frames else shape
    try:
        form = shape_named(named) if named is not None else None
        said = mismatch(function, signature, shape=form, k=k, one_relevant=one_relevant)
    except UserError as error:
        raise pytest.UsageError("\n".join(part for part in (error.message, error.hint) if part)) from None
    if said:
        raise AssertionError(f"{getattr(function, '__name__', function)} computes something else\n{said}")


@pytest.fixture(name="assert_computes", scope="session")
def _assert_computes() -> Callable[..., None]:
    """Return the assertion that a function computes the definition of a signature: assert_computes(ndcg, "ndcg@k")."""
    return assert_computes


@pytest.fixture(scope="session")
def list_probes() -> tuple[ListProbe, ...]:
    """Return every call that identification makes to a function of lists: one user each, small enough to read."""
    from recsys_metric_audit.audit.inhouse.function_inputs import list_calls

    return tuple(
        ListProbe(probe.name, probe.case.why, recommended, relevant, probe.k)
        for probe, recommended, relevant in list_calls()
    )


@pytest.fixture(scope="session")
def frame_probes() -> tuple[FrameProbe, ...]:
    """Return every call that identification makes to a function of DataFrames."""
    from recsys_metric_audit.audit.inhouse.function_inputs import frame_calls

    return tuple(
        FrameProbe(probe.name, probe.case.why, predictions, truth, probe.k)
        for probe, predictions, truth in frame_calls()
    )
