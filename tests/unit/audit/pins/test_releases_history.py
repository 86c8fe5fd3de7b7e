"""A history tells what a library's functions computed in every pinned version, of a library that changes its mind.

By construction of the library: precision moves from over k to over what is shown in 2.0, recall comes in 1.1, the
hit rate never moves, 3.0 has no environment.
"""

from __future__ import annotations

import json

import pytest

from tests.support.drifting_library import Audits, Environments, assert_bad_usage, audit

pytestmark = pytest.mark.slow  # processes of their own, or whole audits


def test_history_marks_the_release_that_changed_a_meaning(environments: Environments) -> None:
    assert audit("accept", "-l", "drifting==1.0", "-l", "drifting==2.0", "--yes").exit_code == 0
    environments.built.clear()
    told = json.loads(audit("history", "drifting", "--format", "json").stdout)
    assert sorted(environments.built) == ["1.1", "2.1", "3.0"], "what was accepted is not run again"
    assert told["versions"] == ["1.0", "1.1", "2.0", "2.1", "3.0"]
    mean, median, mode = told["rows"]
    assert [row["changed_in"] for row in (mean, median, mode)] == [["2.0"], [], []]
    assert [cell["words"] for cell in median["cells"]] == ["hit_rate@k"] * 4 + ["unavailable"]
    assert [cell["words"] for cell in mode["cells"]] == ["not offered", *["recall@k"] * 3, "unavailable"]
    assert mode["cells"][1]["change"]["kind"] == "new"
    words = [cell["words"] for cell in mean["cells"]]
    assert words[:2] == ["precision@k"] * 2
    assert words[2] == words[3]
    assert words[2].startswith("precision@k|denominator:shown")

    text = audit("history", "drifting", "--metric", "precision").stdout
    assert "statistics.mean (precision)   changed in 2.0" in text
    assert "* 2.0, 2.1  precision@k|denominator:shown" in text
    assert "denominator: k → shown" in text
    assert "statistics.median" not in text

    table = audit("history", "drifting", "--format", "md").stdout.splitlines()
    assert table[2] == "| Function | 1.0 | 1.1 | 2.0 | 2.1 | 3.0 | Changed in |"
    assert table[4].startswith("| **`statistics.mean`** | `precision@k` | `precision@k` | **`precision@k\\|denominator")
    assert table[4].endswith(" | `unavailable` | 2.0 (formula) |")


def test_history_tells_a_change_of_input_handling_with_its_level(audits: Audits) -> None:
    ties = {(1, 0): "best", (1, 1): "best"}
    audits.signatures["statistics.median"] = lambda release: f"hit_rate@20|ties:{ties.get(release, 'worst')}"
    told = audit("history", "drifting", "--metric", "hit_rate").stdout
    assert "statistics.median (hit_rate)   changed in 2.0 (input handling)" in told


BAD = [
    (("history", "drifting", "--metric", "ndcg"), "no function called ndcg", "precision, hit_rate, recall"),
    (("history", "driftign"), "no library is called 'driftign'", "did you mean drifting?"),
]


@pytest.mark.parametrize(("words", "said", "hint"), BAD)
def test_bad_usage(words: tuple[str, ...], said: str, hint: str, audits: Audits) -> None:
    assert_bad_usage(words, said, hint)
