"""Functions of ten shapes, right and wrong: each is named as what it computes, or left open where nothing does."""

from __future__ import annotations

import pytest

from bench.functions.__main__ import asked, fault
from bench.functions.table import WRITTEN, Written

pytestmark = [pytest.mark.live, pytest.mark.long]


@pytest.mark.parametrize("written", WRITTEN, ids=lambda each: f"{each.shape}-{each.name}")
def test_a_function_is_named_as_what_it_computes(written: Written) -> None:
    assert fault(written, asked(written)) == ""
    if written.computes:
        assert fault(written, asked(written, written.computes)) == ""
