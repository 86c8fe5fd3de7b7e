"""For tests of metrics: ``assert_computes`` holds a function against a signature, fixtures give the probe cases.

Loaded by pytest wherever this distribution is installed, so nothing heavy is imported before it is used.
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
    """One call of a function of lists: what ``name`` and ``why`` say, ``recommended`` best first, ``relevant`` item
    → gain, ``k``."""

    name: str
    why: str
    recommended: list[int]
    relevant: dict[int, float]
    k: int


@dataclass(frozen=True, eq=False)
class FrameProbe:
    """One call of a function of DataFrames: columns user, item, score and user, item, gain."""

    name: str
    why: str
    predictions: pd.DataFrame
    truth: pd.DataFrame
    k: int


def assert_computes(
    function: Callable[..., Any], signature: str, *, frames: bool = False, k: int | None = None
) -> None:
    """Fail unless ``function`` computes the definition that ``signature`` names.

    ``function(recommended, relevant, k)`` is called once for each user, with a list of items and a dict item → gain;
    with ``frames``, ``function(predictions, truth, k)`` on DataFrames of all users. It is asked at several cut-offs,
    or only at ``k``, or at that of the signature. Axes that such a call cannot show are not asked.

    Raises:
        AssertionError: with what it computes in its place, the axes that differ, and the smallest case that shows it.
        pytest.UsageError: for a signature that does not parse, or that says what such a call cannot show.
    """
    __tracebackhide__ = True
    from audit.errors import UserError
    from audit.inhouse.contradiction import mismatch

    try:
        said = mismatch(function, signature, frames=frames, k=k)
    except UserError as error:
        raise pytest.UsageError("\n".join(part for part in (error.message, error.hint) if part)) from None
    if said:
        raise AssertionError(f"{getattr(function, '__name__', function)} computes something else\n{said}")


@pytest.fixture(name="assert_computes", scope="session")
def _assert_computes() -> Callable[..., None]:
    """``assert_computes(function, signature, *, frames=False, k=None)``."""
    return assert_computes


@pytest.fixture(scope="session")
def list_probes() -> tuple[ListProbe, ...]:
    """Every call that identification makes to a function of lists: one user each, hand-readable."""
    from audit.inhouse.function_inputs import list_calls

    return tuple(
        ListProbe(probe.name, probe.case.why, recommended, relevant, probe.k)
        for probe, recommended, relevant in list_calls()
    )


@pytest.fixture(scope="session")
def frame_probes() -> tuple[FrameProbe, ...]:
    """Every call that identification makes to a function of DataFrames."""
    from audit.inhouse.function_inputs import frame_calls

    return tuple(
        FrameProbe(probe.name, probe.case.why, predictions, truth, probe.k)
        for probe, predictions, truth in frame_calls()
    )
