"""Whole gains: what is asked of functions that take no other gains, and what they are compared with.

Probes and generated cases with other gains are not asked. Data are: every gain is rounded up to a whole number from 0
up, and the reference is given the rounded gains too.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.input.case import Case

ROUNDED = "gains rounded up to whole numbers, as in what it is compared with"
"""What a finding says where the data have other gains."""


def has_whole_gains(case: Case) -> bool:
    """Return True if all gains are whole numbers from 0 up."""
    gain = case.truth.gain
    return bool(((gain >= 0) & (gain % 1 == 0)).all())


def with_whole_gains(case: Case) -> Case:
    """Return the case with gains rounded up to whole numbers from 0 up; the case itself if they are."""
    if has_whole_gains(case):
        return case
    gain = np.maximum(np.ceil(case.truth.gain), 0.0)
    return replace(case, truth=replace(case.truth, gain=gain))


def in_words_of_whole_gains(definition: Definition) -> Definition:
    """Return the definition with one of two rules of relevance that no whole gain tells apart.

    >>> from recsys_metric_audit.reference.definitions.definition import parse
    >>> in_words_of_whole_gains(parse("recall@k|relevance:1")).signature()
    'recall@k|relevance:positive'
    """
    return definition.with_(relevance="positive") if definition.axes.get("relevance") == "1" else definition
