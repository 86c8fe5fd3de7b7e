"""The inputs on which an in-house function is called, as cases and as the arguments of each call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np

from audit.data.synthetic import synthetic
from audit.observations.rescale import rescale
from reference.cases import PROBES, SMALL, SOLE, Kind, Probe
from reference.input.case import Case

# It runs under old Pythons too, so it is written without types.
_CALLER: Any = import_module("audit.inhouse.caller")

_OF_SEVERAL_USERS: frozenset[Kind] = frozenset({"sole", "rated_users"})
"""Kinds of probes that say nothing of a function of one user's lists.

It cannot rank the rows of all users, and who is averaged over is not its doing.
"""


@dataclass(frozen=True, eq=False)
class FunctionInputs:
    """Probes, and one larger dataset to confirm at cut-off ``k`` the definitions that fit the probes.

    ``one_k`` tells that the probes are asked at cut-off ``k`` only.
    """

    probes: tuple[Probe, ...]
    data: Case
    k: int
    one_k: bool = False


def function_inputs(*, frames: bool, k: int | None = None) -> FunctionInputs:
    """Return all inputs for a function of DataFrames (``frames``) or of one user's lists.

    Args:
        frames: whether the function takes DataFrames of all users.
        k: the only cut-off to ask at; None for the probes' own cut-offs.
    """
    probes = tuple(probe for probe in (*PROBES, *SOLE, *SMALL) if frames or _fits_in_lists(probe))
    probes = probes if k is None else rescale(probes, k)
    return FunctionInputs(probes, synthetic(12, max(60, 3 * (k or 0))).case, k or 20, k is not None)


def _fits_in_lists(probe: Probe) -> bool:
    """Return True if lists and dicts hold a probe: no ties, rows best first, no item twice in a user's truth."""
    listed, truth = probe.case.predictions, probe.case.truth
    falls = ((np.diff(listed.score[listed.user == user]) < 0).all() for user in np.unique(listed.user))
    relevant = {*zip(truth.user.tolist(), truth.item.tolist(), strict=True)}
    return probe.kind not in _OF_SEVERAL_USERS and all(falls) and len(relevant) == len(truth.user)


def as_adapter_sees(case: Case) -> SimpleNamespace:
    """Return the case under the names that the harness gives its columns in an adapter."""
    return SimpleNamespace(recommended=case.predictions, relevant=case.truth)


def list_calls() -> Iterator[tuple[Probe, list[int], dict[int, float]]]:
    """Yield every call of a function of lists: its probe, the recommended items (best first), and item → gain."""
    for probe in function_inputs(frames=False).probes:
        for _, recommended, relevant in _CALLER.lists(as_adapter_sees(probe.case)):
            yield probe, recommended, relevant


def frame_calls() -> Iterator[tuple[Probe, Any, Any]]:
    """Yield every call of a function of DataFrames: its probe, the predictions, and the truth."""
    for probe in function_inputs(frames=True).probes:
        yield probe, *_CALLER.frames(as_adapter_sees(probe.case))


def describe_probe(probe: Probe) -> str:
    """Describe a probe in words: one user's list and truth, or the case's own description for several users."""
    rec, rel = probe.case.predictions, probe.case.truth
    if len({*rec.user.tolist(), *rel.user.tolist()}) > 1:
        return probe.case.why
    gains = ", ".join(f"{item}: {gain:g}" for item, gain in zip(rel.item.tolist(), rel.gain.tolist(), strict=True))
    return f"recommended {rec.item.tolist()}, relevant {{{gains}}}"
