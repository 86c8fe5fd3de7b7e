"""The claims of papers are read as data."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reports.paper.claims import load_claims, paper_keys
from recsys_metric_audit.reports.paper.published import PAPER_TITLES, PAPER_VERSIONS, RE_AUDITED


def test_the_claims_of_2021_are_those_of_the_paper_and_name_libraries_of_its_tables() -> None:
    data = load_claims()
    assert [claim.number for claim in data.claim] == list(range(1, 22))
    assert {about.library for claim in data.claim for about in claim.about} <= set(PAPER_TITLES)
    assert len(data.table3) == 4 and len(data.described) == 6
    for claim in data.claim:
        assert claim.about or claim.arithmetic
        for about in claim.about:
            assert about.version == PAPER_VERSIONS.get(about.library, about.version)


@pytest.mark.parametrize("key", paper_keys())
def test_every_claim_of_every_paper_is_cited_and_can_be_judged(key: str) -> None:
    data = load_claims(key)
    assert data.paper.link.startswith("https://")
    assert [claim.number for claim in data.claim] == list(range(1, len(data.claim) + 1))
    for claim in data.claim:
        assert claim.text and claim.citation and (claim.about or claim.arithmetic or claim.experiment)
        if key != RE_AUDITED:
            assert "“" in claim.text, "a later paper is quoted"


def test_the_paper_of_2021_comes_first() -> None:
    assert paper_keys()[0] == RE_AUDITED and len(set(paper_keys())) == len(paper_keys()) > 1
