"""Keys of tables: letters in words, the rarest left out."""

from __future__ import annotations

import math
import re

from recsys_metric_audit.reports.model.default_run import PACKAGED_RUN
from recsys_metric_audit.reports.model.read_result import read_result
from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.renderers import terminal
from recsys_metric_audit.reports.tables.paper_tables import paper_tables
from recsys_metric_audit.reports.tables.table import HALF_LINE, KeyEntry
from recsys_metric_audit.reports.tables.table_key import MOST_LINES, table_key
from recsys_metric_audit.reports.wording.library_groups import DEFAULT_GROUP
from recsys_metric_audit.reports.wording.variant_letters import assign_letters
from tests.support.result_samples import differing, finding, library, result


def key_of(*findings: Finding, metrics: tuple[str, ...] = ("ndcg",), **elsewhere: str) -> tuple[KeyEntry, ...]:
    names = dict.fromkeys((each.library, each.version) for each in findings)
    made = result(libraries=[library(*name) for name in names], findings=findings)
    return table_key(findings, metrics, assign_letters(made), {"ndcg": 0.1, "precision": 0.1}, elsewhere)


def test_letters_that_mean_the_same_in_words_share_a_line() -> None:
    found = [differing(metric, "alpha", "truth", "first", 0.1) for metric in ("ndcg", "precision")]
    words = "looks at the first relevant item only, not at all of them"
    assert key_of(*found, metrics=("ndcg", "precision")) == (
        KeyEntry("NDCG a, Precision", "a", words, "", words.split(",")[0]),
    )


def test_input_handling_is_not_in_the_key() -> None:
    assert key_of(differing("ndcg", "alpha", "ties", "item_desc", 0.1, verdict="agrees"), finding(name="beta")) == ()


def test_who_counts_and_signs_follow_the_letters() -> None:
    users = differing("ndcg", "beta", "users", "both", 0.1, verdict="agrees")
    made = key_of(users, differing("ndcg", "alpha", "gain", "exp2", 0.1), finding(name="gamma", verdict="ambiguous"))
    assert [(entry.column, entry.mark) for entry in made] == [("NDCG", "a"), ("", "†"), ("", "~")]


def test_the_rarest_letters_and_the_nearest_values_are_left_out() -> None:
    # 26 formulas in short words, two on a line: the first two are computed by two versions each, the others lie ever
    # further from 0.1.
    common = [differing("ndcg", f"lib{n}", "cutoff", str(2 + n % 2), 0.1) for n in range(4)]
    rare = [differing("ndcg", f"rare{n}", "cutoff", str(10 + n), 0.1 + n / 100) for n in range(24)]
    made = key_of(*common, *rare)
    # Twelve lines, one for signs and one for what is left out: ten lines hold twenty letters, so six of c to z go.
    assert [entry.mark for entry in made] == [*"abijklmnopqrstuvwxyz", ""]
    assert made[-1] == KeyEntry("others", "", "NDCG c d e f g h: see the page", "")


def test_long_words_take_whole_lines() -> None:
    axes = [("cutoff", "hits_uncut"), ("cutoff", "hits_k_plus_1"), ("cutoff", "none")]
    found = [differing("precision", f"lib{n}", *axis, 0.1) for n, axis in enumerate(axes)]
    assert [len(entry.brief_line) <= HALF_LINE for entry in key_of(*found, metrics=("precision",))] == [
        False, False, True,
    ]  # fmt: skip


def test_letters_explained_elsewhere_take_one_line() -> None:
    found = [differing("ndcg", "alpha", "gain", "exp2", 0.1), differing("ndcg", "beta", "gain", "linear", 0.1)]
    assert key_of(*found, ndcg="see Table 2") == (KeyEntry("NDCG", "", "a b: see Table 2", ""),)


def test_the_usual_run_needs_at_most_twelve_lines_and_no_signature() -> None:
    for table in paper_tables(read_result(PACKAGED_RUN), DEFAULT_GROUP):
        lettered = [entry for entry in table.key if entry.column]
        assert len(lettered) > 1
        _, key = terminal.render_table(table, 100).rsplit("━\n", 1)
        assert len(key.splitlines()) <= MOST_LINES
        assert not any(re.search(r"\w+:\w|@\d", entry.meaning) for entry in lettered), "words, not axis:value"


def test_a_mean_that_is_nan_is_explained_beside_its_column() -> None:
    empty = finding(definition={"no_hit": "nan"}, differs_on=("no_hit",), value=math.nan)
    assert "NDCG  nan: a user with no hit counts as NaN, and so does the mean" in [each.line for each in key_of(empty)]
    assert not any("nan" in each.line for each in key_of(finding()))
