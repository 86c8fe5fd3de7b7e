"""What was heard of one function, by probe and by cut-off of the data; and how exactly it can be trusted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from audit.process.protocol import Answer, Crashed, Declined, Errored, Measured, Outcome, TimedOut
from reference.cases import Probe

DECIMALS_AT_MOST = 8


@dataclass(frozen=True, eq=False)
class Observation:
    """Answers of one function: ``probes`` by name, ``data`` by cut-off, ``again`` repeated asks by probe name,
    ``others`` by further recommender and cut-off; ``further`` are probes that were asked of this function only. ``k``
    is the only cut-off of all asks, where there was one: the probes were recut to it."""

    function: str
    probes: Mapping[str, Outcome]
    data: Mapping[int | None, Outcome]
    again: Mapping[str, tuple[Outcome, ...]] = field(default_factory=dict)
    others: Mapping[str, Mapping[int | None, Outcome]] = field(default_factory=dict)
    further: tuple[Probe, ...] = ()
    k: int | None = None

    def failure(self) -> Outcome | None:
        """The outcome that says why nothing was measured, None where something was."""
        every = [*self.probes.values(), *self.data.values()]
        if any(isinstance(outcome, Measured) for outcome in every):
            return None
        for kind in (Declined, Crashed, TimedOut, Errored):
            for outcome in every:
                if isinstance(outcome, kind):
                    return outcome
        return None


@dataclass(frozen=True)
class Tolerance:
    """How far two equal values may lie apart: ``width``, relative to max(1, |value|), and why; of ``squares``, their
    squares."""

    width: float
    why: str
    squares: bool = False

    def close(self, predicted: np.ndarray, observed: np.ndarray) -> np.ndarray:
        """Where both are equal up to the width; NaN equals NaN."""
        if self.squares:
            predicted, observed = np.square(predicted), np.square(observed)
        with np.errstate(invalid="ignore"):
            near = np.abs(predicted - observed) <= self.width * np.maximum(1, np.abs(observed))
            near &= np.isfinite(observed)  # an infinity is as wide as any distance from it
        out: np.ndarray = near | (np.isnan(predicted) & np.isnan(observed)) | (predicted == observed)
        return out


def tolerance(outcomes: Iterable[Outcome]) -> Tolerance:
    """From the dtype and the decimals of what was returned, never from whose it is.

    float64: 1e-9. float32: 2e-6. Values that all have at most d ≥ 3 decimals (d ≤ 8) were rounded: half a unit
    of the last one. So are values whose squares have: roots of what was rounded.
    """
    measured = [outcome for outcome in outcomes if isinstance(outcome, Measured)]
    values = np.array([number for outcome in measured if (number := scalar(outcome)) is not None])
    values = values[np.isfinite(values)]
    if any(outcome.dtype in ("float16", "float32") for outcome in measured):
        return Tolerance(2e-6, "float32")
    if (decimals := _decimals(values)) is not None:
        return Tolerance(0.51 * 10.0**-decimals, f"{decimals} decimals")
    short = np.allclose(np.round(values, DECIMALS_AT_MOST), values, rtol=0, atol=1e-13)  # so are their squares
    if not short and (decimals := _decimals(np.square(values))) is not None:
        return Tolerance(0.51 * 10.0**-decimals, f"{decimals} decimals, before the root", squares=True)
    return Tolerance(1e-9, "float64")


def _decimals(values: np.ndarray) -> int | None:
    """To how many decimals all values were rounded, None where nothing says that they were."""
    if len(values) <= 10 or np.allclose(np.round(values, 2), values, rtol=0, atol=1e-13):
        return None
    rounded = (
        d for d in range(3, DECIMALS_AT_MOST + 1) if np.allclose(np.round(values, d), values, rtol=0, atol=1e-13)
    )
    return next(rounded, None)


def scalar(outcome: Measured) -> float | None:
    """The library's mean, or its one user's value where it gives no mean; None for several users without one."""
    if outcome.mean is not None:
        return outcome.mean
    if outcome.values is not None and len(outcome.values) <= 1:
        return float(outcome.values[0]) if len(outcome.values) else float("nan")
    return None


def observations(
    answers: Iterable[Answer],
    probe_of: Mapping[int, str],
    data: frozenset[int],
    others: Mapping[int, str] | None = None,
) -> dict[str, Observation]:
    """Answers sorted by function; ``probe_of`` names the probe of each ask, ``data`` holds asks on the data,
    ``others`` names the recommender of each ask on another's predictions."""
    made: dict[str, Observation] = {}
    for answer in answers:
        own = made.setdefault(answer.function, Observation(answer.function, {}, {}, {}, {}))
        if others and answer.ask in others:
            own.others.setdefault(others[answer.ask], {})[answer.k] = answer.outcome  # type: ignore[attr-defined]
            continue
        if answer.ask in data:
            own.data[answer.k] = answer.outcome  # type: ignore[index]
            continue
        name = probe_of[answer.ask]
        if name in own.probes:
            own.again[name] = (*own.again.get(name, ()), answer.outcome)  # type: ignore[index]
        else:
            own.probes[name] = answer.outcome  # type: ignore[index]
    return made
