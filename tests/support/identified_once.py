"""Type ``audit identify`` about one function in several forms: it is asked once, and its result shown in each form."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from recsys_metric_audit.audit.inhouse import identify_function
from recsys_metric_audit.audit.inhouse.identify_function import IdentifyRequest, IdentifyResult


@contextmanager
def identified_once() -> Iterator[None]:
    """Answer equal requests with the result of the first; the functions of a file stay as they are meanwhile."""
    kept: dict[IdentifyRequest, IdentifyResult] = {}
    original = identify_function.identify_function

    def identify(request: IdentifyRequest) -> IdentifyResult:
        if request not in kept:
            kept[request] = original(request)
        return kept[request]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(identify_function, "identify_function", identify)
        yield
