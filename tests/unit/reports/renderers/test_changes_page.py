"""Each library has a section with what changed in it, or stands in the list of those in which nothing did."""

from __future__ import annotations

from recsys_metric_audit.reports.pins.expectation import FunctionExpectation, VersionExpectation
from recsys_metric_audit.reports.pins.library_meanings import LibraryMeanings
from recsys_metric_audit.reports.pins.meaning_changes import version_steps
from recsys_metric_audit.reports.renderers.changes_page import library_sections


def library(name: str, *versions: tuple[str, dict[str, str]]) -> LibraryMeanings:
    """Return a library with the signature of each function by version."""
    pins = tuple(
        VersionExpectation(
            library=name, version=version, dataset="d", k=20,
            functions={
                function: FunctionExpectation.model_validate(
                    {"metric": "precision", "status": "measured", "verdict": "variant", "formulas": [signature]}
                )
                for function, signature in functions.items()
            },
        )
        for version, functions in versions
    )  # fmt: skip
    return LibraryMeanings(name, name.title(), pins, {}, version_steps(pins, {}, lambda *_: ""))


def test_a_change_stands_under_its_release_with_both_formulas_and_the_witness() -> None:
    made = library("alpha", ("1.0", {"a.f": "precision@k"}), ("1.1", {"a.f": "precision@k|denominator:shown"}))
    _, section = library_sections([made])
    assert section.startswith("### Alpha\n\nCompared: 1.0, 1.1.\n\n**1.1**, compared with 1.0 (1 function):\n\n")
    assert (
        "- **Precision**, formula: canonical (`precision@k`) → divides by min(k, list length) "
        "(`precision@k|denominator:shown`) (`a.f`)\n"
        "  - Witness: a list with gains \\[2\\], k = 2: 0.500 before, 1.000 now"
    ) in section


def test_the_newest_step_comes_first_and_one_without_a_change_is_left_out() -> None:
    made = library(
        "alpha", ("1", {"a.f": "precision@k"}), ("2", {"a.f": "precision@k"}),
        ("3", {"a.f": "precision@k|denominator:shown"}), ("4", {"a.f": "precision@k"}),
    )  # fmt: skip
    _, section = library_sections([made])
    assert section.index("**4**") < section.index("**3**")
    assert "**2**" not in section


def test_libraries_without_a_change_are_listed_with_their_versions() -> None:
    same = library("beta", ("1", {"b.f": "precision@k"}), ("2", {"b.f": "precision@k"}))
    single = library("gamma", ("7_0", {"c.f": "precision@k"}))
    parts = library_sections([same, single])
    assert parts == [
        "## What changed (0 libraries)",
        "## No change of meaning between the versions compared",
        "- **Beta** 1, 2. 1 function in the newest.",
        "## One version only",
        "Nothing to compare with: Gamma 7\\_0.",
    ]


def test_a_formula_that_is_gone_and_what_is_computed_instead() -> None:
    made = library("alpha", ("1", {"a.prec_at": "precision@k"}), ("2", {"a.Prec": "precision@k|denominator:shown"}))
    _, section = library_sections([made])
    assert "**2**, compared with 1 (no function under the same name):" in section
    assert (
        "no function computes any more: canonical (`precision@k`); instead: divides by min(k, list length)" in section
    )


def test_a_value_without_a_rule_is_not_told_as_canonical() -> None:
    versions = ("1", {"a.f": "precision@k"}), ("2", {"a.f": "precision@k"})
    made = library("alpha", *versions)
    other = made.pins[1].functions["a.f"].model_copy(update={"input": {"ties": "other"}})
    pins = made.pins[0], made.pins[1].model_copy(update={"functions": {"a.f": other}})
    steps = version_steps(pins, {}, lambda *_: "probe 'x|y': 1 before, 0 now")
    _, section = library_sections([LibraryMeanings("alpha", "Alpha", pins, {}, steps)])
    assert "**Precision**, input handling: `ties`: as given (a stable sort) → by no known rule (`a.f`)" in section
    assert "  - Witness: probe 'x\\|y': 1 before, 0 now" in section
