"""The paper's claims as data."""

from __future__ import annotations

from reports.paper.claims import load_claims
from reports.paper.published import PAPER_TITLES, PAPER_VERSIONS


def test_the_claims_are_those_of_the_paper_and_name_libraries_of_its_tables() -> None:
    data = load_claims()
    assert [claim.number for claim in data.claim] == list(range(1, 22))
    assert {about.library for claim in data.claim for about in claim.about} <= set(PAPER_TITLES)
    for claim in data.claim:
        assert claim.about or claim.arithmetic
        for about in claim.about:
            assert about.version == PAPER_VERSIONS.get(about.library, about.version)
