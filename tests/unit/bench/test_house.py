"""Hold the counter of the house against modules that were counted by hand."""

from __future__ import annotations

import pytest

from bench.house import counts_of, tracked

SAMPLE = '''"""A docstring
of two lines."""

from functools import cache, cached_property  # 1 line


@cache
def one(a, b):
    """Not counted."""
    # nor this
    text = """two
    lines"""
    return a and b and text if a else [x for x in b]


class Two:
    @cached_property
    def three(self):
        assert self
        return 1  # fmt: skip
'''


def test_a_module_counted_by_hand() -> None:
    # Lines: import, @cache, def, text (2), return; class, @cached_property, def, assert, return.
    # Branches: two further operands of `and`, a ternary, a comprehension, an assert.
    assert counts_of(SAMPLE) == {"files": 1, "code": 11, "branches": 5, "caches": 1, "skips": 1}


@pytest.mark.parametrize(
    ("source", "branches"),
    [
        ("if a or b:\n    pass\nelif c:\n    pass\n", 3),
        ("try:\n    pass\nexcept A:\n    pass\nexcept B:\n    pass\n", 2),
        ("match a:\n    case 1:\n        pass\n    case _:\n        pass\n", 2),
        ("while a:\n    for b in c:\n        pass\n", 2),
    ],
)
def test_branches_of_each_kind(source: str, branches: int) -> None:
    assert counts_of(source)["branches"] == branches


def test_links_are_not_counted_twice() -> None:
    files = [path.as_posix() for path in tracked()]
    assert "audit/errors.py" in files and not [path for path in files if path.startswith("recsys_metric_audit/audit")]
