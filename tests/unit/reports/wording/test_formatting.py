"""Numbers and foreign text, formatted for readers."""

from __future__ import annotations

import math

import pytest

from recsys_metric_audit.reports.wording.formatting import (
    brief,
    exact,
    figure,
    one_line,
    passage,
    printable,
    rounded,
    shortened,
    web_link,
)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0004, "0.000"), (-0.0001, "0.000"), (-0.25, "−0.250"), (1.1512, "1.151"), (12345.6789, "12345.679"),
        (0.1695, "0.1695"), (-0.1695, "−0.1695"), (0.16951, "0.170"), (0.16949, "0.169"), (0.0005, "0.0005"),
        (math.nan, "nan"), (math.inf, "∞"), (-math.inf, "−∞"), (3.2e9, "3.2e+09"),
    ],
)  # fmt: skip
def test_values_have_three_decimals(value: float, shown: str) -> None:
    assert rounded(value) == shown


def test_a_third_in_every_length() -> None:
    third = 1 / 3
    assert (rounded(third), exact(third), brief(third), figure(third)) == (
        "0.333", "0.3333333333333333", "0.33", "0.333333",
    )  # fmt: skip
    assert (exact(None), brief(None), figure(4.0), figure(math.nan)) == ("–", "–", "4", "nan")


def test_a_cut_text_ends_with_an_ellipsis_within_its_length() -> None:
    assert [shortened("hit rate", longest) for longest in (9, 8, 7, 2)] == ["hit rate", "hit rate", "hit ra…", "h…"]


def test_line_breaks_become_spaces() -> None:
    assert one_line(" a\n\tb \r c ") == "a b c"


def test_hidden_characters_are_shown() -> None:
    assert printable("a\x1b\u202eb\x00\ue000") == "a\\x1b\\u202eb\\x00\ue000"
    assert printable("שלום\nx\u200d") == "שלום\nx\u200d"


def test_a_long_text_keeps_a_way_to_the_whole() -> None:
    long = "x" * 10_000
    assert passage(long).head == "x" * 240 + " …"
    assert passage(long).whole == long
    assert passage(long + "end", end=True).head == "… " + "x" * 237 + "end"
    assert passage("short") == passage("short\n")
    assert passage("short").whole is None


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
        ("javascript:alert(1)", None), ("data:text/html,x", None), ("//example.org", None),
        ("https://x\" onclick=\"y", None), ("https://x\n.org", None), ("", None),
    ],
)  # fmt: skip
def test_only_plain_web_addresses_become_links(address: str, link: str | None) -> None:
    assert web_link(address) == link
