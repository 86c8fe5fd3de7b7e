"""``audit definitions``: every documented variant, as text, Markdown and JSON."""

from __future__ import annotations

import json

from recsys_metric_audit import parse
from recsys_metric_audit.reference.catalogue import CATALOGUE
from tests.support.command_line import audit


def test_definitions_in_three_forms() -> None:
    told = json.loads(audit("definitions", "--metric", "ndcg", "--format", "json").stdout)
    assert told[0]["signature"] == "ndcg@k" and told[0]["canonical"] and told[0]["latex"]
    assert all(parse(each["long"]) == parse(each["signature"]) for each in told)
    table = audit("definitions", "--format", "md").stdout.splitlines()
    assert len(table) == len(CATALOGUE) + 2
    assert "ndcg@k|gain:exp2" in audit("definitions").stdout


def test_a_metric_that_is_not_known_is_named() -> None:
    shown = audit("definitions", "--metric", "ndgc")
    assert shown.exit_code == 2 and "did you mean ndcg?" in shown.stderr
