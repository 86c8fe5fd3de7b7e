"""Names of functions taken apart: path, options, and the call between brackets."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.findings.function_name import FunctionName


@pytest.mark.parametrize(
    ("function", "name"),
    [
        ("a.b.ndcg", FunctionName("ndcg", "", (), "", {}, "")),
        ("a.MAP[k_first=True,handling=exclude]",
         FunctionName("MAP", "k_first=True,handling=exclude", (), "", {"k_first": "True", "handling": "exclude"},
              'k_first=True, handling="exclude"')),
        ("a.calc[MAP(beta=2.0)]", FunctionName("calc", "MAP(beta=2.0)", (), "MAP", {"beta": "2.0"}, "beta=2.0")),
        ("a.calc[MAP()]", FunctionName("calc", "MAP()", (), "MAP", {}, "")),
        ("a.Offline[MAP,polars]", FunctionName("Offline", "MAP,polars", ("MAP", "polars"), "", {}, "")),
    ],
)  # fmt: skip
def test_names_are_taken_apart(function: str, name: FunctionName) -> None:
    assert FunctionName.parse(function) == name
