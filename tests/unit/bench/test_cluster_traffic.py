"""Hold the section on what a cluster moves to numbers by hand, and its measurement to rows that are known."""

from __future__ import annotations

from bench.cluster_traffic import Traffic, measured, section


def test_bytes_are_told_for_a_row_and_for_a_user_and_definition() -> None:
    # 13,200 bytes / 1,100 rows = 12; 220 bytes / 10 users / 2 definitions = 11. A user has 110 rows: 100 million users
    # have 11 billion, of 132 GB; their values are 2.2 GB for two definitions, 1.1 GB for one.
    text = "\n".join(section([Traffic(1_100, 10, 8, 2, 13_200, 220)]))
    assert "| 1,100 | 8 | 12.0 | 11.0 |" in text
    said = " ".join(text.split())
    assert "11 billion rows of 100 million users on a thousand executors are thus 132 GB shuffled, 0.13 GB" in said
    assert "2 GB at the driver for 2 definitions, 1.1 GB for one" in said


def test_every_row_and_user_is_counted_whatever_the_number_of_buckets() -> None:
    few, many = measured(((2_000, 2), (2_000, 16)), 5)
    # 2,000 rows are 20 users of 100; each has 10 relevant items.
    assert (few.rows, few.users) == (many.rows, many.users) == (2_200, 20)
    assert 2_200 * 12 < few.shuffled < many.shuffled  # two ids and a score of 4 bytes each; pieces have heads
