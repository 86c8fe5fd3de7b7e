"""Which functions the blocks of a library.toml stand for, and what is refused."""

from __future__ import annotations

import tomllib

import pytest
from pydantic import TypeAdapter, ValidationError

from recsys_metric_audit.audit.libraries.function import Claim, Function
from recsys_metric_audit.audit.libraries.function_blocks import FunctionBlock, Group, Shared, full_name

GROUPS = TypeAdapter(tuple[Group, ...])


def made(toml: str, defaults: Shared | None = None) -> list[Function]:
    """Return the functions of all groups of a text."""
    groups = GROUPS.validate_python(tomllib.loads(toml)["group"])
    return [function for group in groups for function in group.made(defaults or Shared())]


@pytest.mark.parametrize(
    ("path", "name", "option", "expected"),
    [
        ("lib.{name}", "ndcg", "", "lib.ndcg"),
        ("lib.{name}", "ndcg", "base=2", "lib.ndcg[base=2]"),
        ("lib.run[{name}]", "ndcg", "", "lib.run[ndcg]"),
        ("lib.run[{name}]", "ndcg", "base=2", "lib.run[ndcg,base=2]"),
        ("lib.run[{name}({options})]", "ndcg", "", "lib.run[ndcg()]"),
        ("lib.run[{name}({options})]", "ndcg", "base=2", "lib.run[ndcg(base=2)]"),
        ("lib.{name}[polars]", "ndcg", "base=2", "lib.ndcg[polars,base=2]"),
    ],
)
def test_where_name_and_options_stand(path: str, name: str, option: str, expected: str) -> None:
    assert full_name(path, name, option) == expected


def test_every_path_has_every_function_with_every_option() -> None:
    found = made("""
        [[group]]
        paths = ["lib.{name}", "lib.run[{name}]"]
        [group.functions]
        ndcg = { metric = "ndcg", options = ["", "base=2"] }
        auc = { metric = "auc", cutoff = false }
    """)
    assert [(function.name, function.metric, function.cutoff) for function in found] == [
        ("lib.ndcg", "ndcg", True), ("lib.ndcg[base=2]", "ndcg", True), ("lib.auc", "auc", False),
        ("lib.run[ndcg]", "ndcg", True), ("lib.run[ndcg,base=2]", "ndcg", True), ("lib.run[auc]", "auc", False),
    ]  # fmt: skip


def test_the_options_of_a_group_are_those_of_functions_without_own() -> None:
    found = made("""
        [[group]]
        paths = ["{name}"]
        metric = "ndcg"
        options = ["", "x=1"]
        functions = { a = {}, b = { options = ["y=2"] } }
    """)
    assert [function.name for function in found] == ["a", "a[x=1]", "b[y=2]"]


def test_what_stands_further_inside_wins() -> None:
    found = made(
        """
        [[group]]
        metric = "recall"
        built = "group"
        [group.paths]
        "a.{name}" = {}
        "b.{name}" = { built = "path" }
        [group.functions]
        f = {}
        g = { metric = "precision", built = "function", options = { "" = {}, "x" = { built = "option" } } }
        """,
        Shared(metric="ndcg", cutoff=False, built="defaults"),
    )
    assert {function.name: (function.metric, function.built) for function in found} == {
        "a.f": ("recall", "group"), "a.g": ("precision", "function"), "a.g[x]": ("precision", "option"),
        "b.f": ("recall", "path"), "b.g": ("precision", "path"), "b.g[x]": ("precision", "option"),
    }  # fmt: skip
    assert not any(function.cutoff for function in found)


def test_a_source_is_shared_and_names_the_path_and_the_function() -> None:
    found = made("""
        [[group]]
        paths = ["lib.run[{name}]"]
        where = "docstring of {path}, section {name}"
        [group.functions]
        auc = { metric = "auc", claims = "auc" }
        mae = { metric = "mae" }
        mse = { metric = "mse", claims = "mse", where = "README" }
    """)
    assert [(function.claims, function.where) for function in found] == [
        ("auc", "docstring of lib.run, section auc"), (None, None), ("mse", "README"),
    ]  # fmt: skip


def test_a_claim_of_some_versions_takes_the_source_of_the_function() -> None:
    (found,) = made("""
        [[group]]
        paths = ["{name}"]
        where = "docstring of {path}"
        [group.functions.ap]
        metric = "average_precision"
        claim = [{ versions = ["<1"], claims = "average_precision@k" }, { versions = ["1.0"] }]
    """)
    assert (found.claims, found.where) == (None, None)
    assert found.exceptions == (
        Claim(versions=("<1",), claims="average_precision@k", where="docstring of ap"),
        Claim(versions=("1.0",)),
    )


def test_claims_false_withdraws_what_any_version_claims() -> None:
    plain, by_threshold = made("""
        [[group]]
        paths = ["{name}"]
        options = { "" = {}, "by=threshold" = { claims = false } }
        [group.functions.ap]
        metric = "average_precision"
        claims = "average_precision@k"
        where = "README"
        claim = [{ versions = ["<1"], claims = "average_precision@k|denominator:k" }]
    """)
    assert (plain.claims, len(plain.exceptions)) == ("average_precision@k", 1)
    assert (by_threshold.claims, by_threshold.where, by_threshold.exceptions) == (None, None, ())


def test_a_function_block_has_options_and_takes_defaults() -> None:
    block = FunctionBlock(name="lib.auc", metric="auc", claims="auc", options=["", "x=1"])  # type: ignore[arg-type]
    found = list(block.made(Shared(where="docstring of {path}", cutoff=False)))
    assert [function.name for function in found] == ["lib.auc", "lib.auc[x=1]"]
    assert {(function.where, function.cutoff) for function in found} == {("docstring of lib.auc", False)}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("f = {}", "function f: metric is missing"),
        ('f = { metric = "auc", claims = "auc" }', "function f: claims without where"),
        ('f = { metric = "auc", where = "README" }', "function f: where without claims"),
        ('f = { metric = "auc", says = "the area" }', "function f: says without claims"),
        ('f = { metric = "auc", claims = "auc", where = "of {function}" }', "{function} in 'of {function}'"),
        ('f = { metric = "auc", options = ["a", "a"] }', "'a' stands there twice"),
        ('f = { metric = "auc", claim = [{ versions = ["1"], where = "x" }] }', "where without claims"),
    ],
)
def test_what_says_too_little_or_too_much_is_refused(rows: str, said: str) -> None:
    with pytest.raises(ValueError, match=r"\w") as caught:
        made(f'[[group]]\npaths = ["{{name}}"]\n[group.functions]\n{rows}')
    assert said in str(caught.value)


@pytest.mark.parametrize(("path", "said"), [("lib.f", "has no {name}"), ("{name}{option}", "{option} in")])
def test_a_path_names_the_function(path: str, said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Group.model_validate({"paths": [path], "functions": {"f": {"metric": "auc"}}})
    assert said in str(caught.value)


def test_words_belong_to_the_claim_that_they_state() -> None:
    functions = made(
        """
        [[group]]
        paths = ["lib.{name}"]
        where = "README"
        [group.functions.f]
        metric = "auc"
        claims = "auc"
        says = "the area"
        options = { "" = {}, "other" = { claims = "auc|scope:stacked" }, "none" = { claims = false } }
        """
    )
    assert [(each.claims, each.says) for each in functions] == [
        ("auc", "the area"),
        ("auc|scope:stacked", None),
        (None, None),
    ]


def test_a_call_that_the_documentation_asks_for_says_where() -> None:
    plain, labelled = made("""
        [[group]]
        paths = ["lib.{name}"]
        [group.functions.auc]
        metric = "auc"
        [group.functions.auc.options]
        "" = {}
        "rating_true=all" = { documented_call = "docstring of {path} ({name})" }
    """)
    assert (plain.documented_call, labelled.documented_call) == (None, "docstring of lib.auc (auc)")
