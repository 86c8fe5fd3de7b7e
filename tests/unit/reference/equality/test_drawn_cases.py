"""The cases on which equality is observed: any in every run, small, and unusual in all ways."""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.equality.drawn_cases import drawn_probes

PROBES = drawn_probes(300)


def test_they_are_drawn_alike_in_every_run() -> None:
    again = drawn_probes(20)
    assert [probe.k for probe in again] == [probe.k for probe in PROBES[:20]]
    for one, other in zip(again, PROBES, strict=False):
        assert one.case.predictions.score.tolist() == other.case.predictions.score.tolist()
        assert one.case.truth.gain.tolist() == other.case.truth.gain.tolist()


def test_they_are_small_and_each_has_rows() -> None:
    assert all(0 < probe.size <= 4 * (7 + 12) and 1 <= probe.k <= 6 for probe in PROBES)


def test_anything_is_unusual_in_some_of_them() -> None:
    shown = set[str]()
    for probe in PROBES:
        rec, truth, train = probe.case.predictions, probe.case.truth, probe.case.train
        pairs, true = [*zip(rec.user, rec.item, strict=True)], [*zip(truth.user, truth.item, strict=True)]
        shown |= {
            name for name, seen in {
                "ties": len(np.unique(rec.score)) < len(rec.score), "repeats": len({*pairs}) < len(pairs),
                "copies": len({*true}) < len(true), "scores below 0": bool((rec.score < 0).any()),
                "gains below 0": bool((truth.gain < 0).any()), "fractions": bool((truth.gain % 1 != 0).any()),
                "unsorted": bool((np.diff(rec.score) > 0).any()), "seen": not {*pairs}.isdisjoint(
                    zip(train.user, train.item, strict=True)),
                "no list": not {*truth.user.tolist()} <= {*rec.user.tolist()},
                "no truth": not {*rec.user.tolist()} <= {*truth.user.tolist()},
                "no hit": bool(pairs) and {*pairs}.isdisjoint(true),
                "all relevant": bool(pairs) and {*pairs} <= {*true},
                "nothing but relevant items": len(probe.case.catalogue) == len(np.unique(truth.item)),
            }.items() if seen
        }  # fmt: skip
    assert len(shown) == 13, shown
