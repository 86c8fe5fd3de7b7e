"""What is printed of every metric and of documented variants at 80 columns."""

from __future__ import annotations

import pytest

from recsys_metric_audit import explain, parse
from recsys_metric_audit.reference.catalogue import CATALOGUE
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reports.handbook import explain_text
from tests.support.console_lines import at_80, too_wide
from tests.support.slow_parameters import slow_but_first


@pytest.mark.slow
@pytest.mark.parametrize("metric", FAMILIES)
def test_every_metric_reads_at_80_columns(metric: str) -> None:
    lines = at_80(explain_text.show_metric, metric)
    assert not too_wide(lines)
    shown = " ".join(" ".join(lines).split())
    for axis in FAMILIES[metric].all_axes:
        assert f"{axis.name}: {axis.meaning}" in shown, "told in full, not cut off at the margin"
    assert any(line.startswith("  Canonical: ") for line in lines)
    assert sum(line.startswith("  ") for line in lines) > 20


@pytest.mark.parametrize("signature", slow_but_first([variant.signature for variant in CATALOGUE][::6], 5))
def test_variants_read_at_80_columns(signature: str) -> None:
    lines = at_80(lambda signature, console: explain(signature).print_on(console), signature)
    assert not too_wide(lines)
    for head in ("Formula", "What else it equals", "Sources"):
        assert head in lines or not parse(signature).differs_on or "in use" in "".join(lines) or head == "Sources"
