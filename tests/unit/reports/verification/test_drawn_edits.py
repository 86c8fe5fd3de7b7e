"""Find every small fault drawn at random in a form: a digit, a letter, a dagger, a verdict, two rows."""

from __future__ import annotations

from functools import cache

import pytest

from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.verification.document import UnreadableError
from recsys_metric_audit.reports.verification.verify import Form, Kind, verify
from tests.support.drawn_edits import drawn_edits
from tests.unit.reports.verification.test_verify import form, recorded, some_libraries

KINDS: tuple[Kind, ...] = ("md", "latex", "text", "csv", "findings", "html")


@cache
def run(kind: Kind) -> Result:
    """Return the recorded run; for the page a part of it, as a page takes a second to read."""
    return some_libraries(recorded(), "cornac", "rectools") if kind == "html" else recorded()


@cache
def made(form_of: Kind, kind: Kind) -> Form:
    """Return a form of the run of ``kind``, written once for all edits."""
    return form(form_of, run(kind))


def found(kind: Kind, text: str) -> set[str]:
    """Return the mismatches of a form that is read after the page of findings, or that it cannot be read."""
    try:
        *_, ledger = verify(run(kind), [made("findings", kind), Form(kind, kind, text)])
    except UnreadableError as error:
        return {str(error)}
    return set(map(str, ledger.mismatches))


def missed(kind: Kind, number: int, seed: int) -> list[str]:
    text = made(kind, kind).text
    before = found(kind, text)
    return [what for what, edited in drawn_edits(kind, text, number, seed) if found(kind, edited) <= before]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_ten_edits_of_each_form_are_found(kind: Kind) -> None:
    assert missed(kind, 10, seed=1) == []


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_two_hundred_edits_of_each_form_are_found(kind: Kind) -> None:
    assert missed(kind, 200, seed=2) == []
