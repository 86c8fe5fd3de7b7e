"""Hold manifests: what library.toml says, and its blocks of functions."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries import manifest as m
from recsys_metric_audit.audit.libraries.function import Claim, Function
from recsys_metric_audit.audit.libraries.library_file import FunctionBlock, Group, Shared, full_name

# library.toml: what is read, what is refused and in which words.

FULL = """\
title = "Full"
about = "Every key."
homepage = "https://example.org"
[source]
package = "full-package"
[[version]]
version = "2.0.0"
python = "3.9"
requires = ["pandas<3"]
no_deps = "they are broken"
exclude_newer = "2021-10-01"
torch = "cpu"
stubs = { "tensorboard.summary" = "imported, never used" }
heavy = "torch"
timeout = 600
java = [11, 17]
build_constraints = ["setuptools<70"]
no_build_isolation = "it calls pip"
adapter = "new.py"
[[version]]
version = "1.0.0.post13"
python = "3.11"
[[function]]
name = "full.auc"
metric = "auc"
cutoff = false
claims = "auc"
where = "its README"
[out_of_scope]
"full.coverage" = "no accuracy metric"
"""


def folder_with(tmp_path: Path, text: str) -> Path:
    folder = tmp_path / "full"
    folder.mkdir()
    (folder / "library.toml").write_text(text)
    return folder


def test_every_key_is_read(tmp_path: Path) -> None:
    manifest = m.load(folder_with(tmp_path, FULL))
    newest, oldest = manifest.versions
    assert (manifest.name, manifest.title, manifest.source.package) == ("full", "Full", "full-package")
    assert newest == m.Version(
        version="2.0.0", python="3.9", requires=("pandas<3",), no_deps="they are broken",
        exclude_newer=date(2021, 10, 1), torch="cpu", stubs={"tensorboard.summary": "imported, never used"},
        heavy="torch", timeout=600, java=(11, 17), build_constraints=("setuptools<70",),
        no_build_isolation="it calls pip", adapter="new.py",
    )  # fmt: skip
    assert (oldest.requires, oldest.no_deps, oldest.torch, oldest.stubs) == ((), None, None, {})
    assert manifest.functions[0].cutoff is False
    assert [manifest.adapter_path(v).name for v in (newest, oldest)] == ["new.py", "adapter.py"]
    assert manifest.out_of_scope == {"full.coverage": "no accuracy metric"}
    assert manifest.lock_path(oldest) == tmp_path / "full" / "locks" / "1.0.0.post13.txt"
    assert manifest.expected_path(oldest) == tmp_path / "full" / "expected" / "1.0.0.post13.json"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('title = "Full"', "", "title: is missing"),
        ('title = "Full"', 'titel = "Full"', "titel: no such key"),
        ('title = "Full"', 'folder = "/tmp"', "folder: no such key"),
        ('python = "3.9"', "", "version 2.0.0: python: is missing"),
        ('python = "3.9"', 'python = "3.9.1"', "version 2.0.0: python: "),
        ('python = "3.9"', "python = 3.9", "version 2.0.0: python: "),
        ('version = "2.0.0"', 'version = "../2"', "version ../2: version: "),
        ('torch = "cpu"', 'torch = "cuda"', "version 2.0.0: torch: "),
        ('torch = "cpu"', "offline = true", "version 2.0.0: offline: no such key"),
        ("2021-10-01", "October", "version 2.0.0: exclude_newer: "),
        ('"pandas<3"', "3", "version 2.0.0: requires: 1: "),
        ('no_deps = "they are broken"', "no_deps = true", "version 2.0.0: no_deps: "),
        ('"tensorboard.summary"', '"../tensorboard"', "version 2.0.0: stubs: ../tensorboard: "),
        ("1.0.0.post13", "2.0.0", "[[version]] 2.0.0 stands there twice"),
        ('where = "its README"', "", "function full.auc: claims without where"),
        ("full.coverage", "full.auc", "full.auc stands under [[function]] and under [out_of_scope]"),
        ("[source]", "[source", "no valid TOML"),
        ('title = "Full"', "title = " + "[" * 5_000, "no valid TOML"),
        ('adapter = "new.py"', 'adapter = "../new.py"', "version 2.0.0: adapter: "),
        ('adapter = "new.py"', 'log = "gone"', "say in `unavailable` what failed"),
        ('metric = "auc"', 'metric = "auc"\nversions = [">=3"]', "full.auc: '>=3' covers no [[version]]"),
    ],
)
def test_a_fault_is_named_with_file_and_key(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in FULL
    folder = folder_with(tmp_path, FULL.replace(old, new, 1))
    with pytest.raises(UserError) as caught:
        m.load(folder)
    assert f"{folder / 'library.toml'}: " in caught.value.message
    assert said in caught.value.message
    assert "adapters/README.md" in caught.value.hint


GROUP = """\
[defaults]
where = "docstring of {path}"
[[version]]
version = "0.9"
like = "2.0.0"
python = "3.8"
[[group]]
paths = ["full.{name}", "full.run[{name}]"]
[group.functions]
recall = { metric = "recall", claims = "recall@k" }
precision = { metric = "precision", options = ["", "strict"] }
"""


def test_groups_and_inherited_versions_are_read(tmp_path: Path) -> None:
    manifest = m.load(folder_with(tmp_path, FULL + GROUP))
    assert manifest.versions[2] == manifest.versions[0].model_copy(update={"version": "0.9", "python": "3.8"})
    assert [f.name for f in manifest.functions] == [
        "full.auc", "full.recall", "full.precision", "full.precision[strict]",
        "full.run[recall]", "full.run[precision]", "full.run[precision,strict]",
    ]  # fmt: skip
    assert [f.where for f in manifest.functions if f.claims] == [
        "its README", "docstring of full.recall", "docstring of full.run",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('like = "2.0.0"', 'like = "2"', "version 0.9: like: there is no [[version]] '2'"),
        ('like = "2.0.0"', "offline = true", "version 0.9: offline: no such key"),
        (
            'metric = "recall"',
            'metrik = "recall"',
            "group full.{name}: functions: recall: metrik: no such key; did you mean",
        ),
        (
            'metric = "recall"',
            "metric = 3",
            "group full.{name}: functions: recall: metric: Input should be a valid string",
        ),
        ('metric = "recall", ', "", "function full.recall: metric is missing"),
        ("full.{name}", "full.auc", "group full.auc: path 'full.auc' has no {name}"),
        ('"strict"', "3", "group full.{name}: functions: precision: options: "),
        ("recall =", "auc =", "[[function]] full.auc stands there twice"),
        ("[defaults]", "[default]", "default: no such key; did you mean defaults?"),
    ],
)
def test_a_fault_in_a_group_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in GROUP
    with pytest.raises(UserError) as caught:
        m.load(folder_with(tmp_path, FULL + GROUP.replace(old, new, 1)))
    assert f"{tmp_path / 'full' / 'library.toml'}: {said}" in caught.value.message
    assert "adapters/README.md" in caught.value.hint


def test_a_function_is_that_of_its_version(tmp_path: Path) -> None:
    more = """
[[function]]
name = "full.ap"
metric = "average_precision"
versions = [">=2"]
[[function]]
name = "full.map"
metric = "average_precision"
claims = "average_precision@k"
where = "new README"
[[function.claim]]
versions = ["<2"]
claims = "average_precision@k|denominator:k"
where = "old README"
[[function.claim]]
versions = ["ab12cd34"]
"""
    text = FULL.replace("[out_of_scope]", more + "[out_of_scope]").replace(
        "[[function]]", '[[version]]\nversion = "ab12cd34"\npython = "3.11"\n[[function]]', 1
    )
    manifest = m.load(folder_with(tmp_path, text))
    said = {v.version: {f.name: (f.claims, f.where) for f in manifest.functions_of(v)} for v in manifest.versions}
    new, old = ("average_precision@k", "new README"), ("average_precision@k|denominator:k", "old README")
    auc = ("auc", "its README")
    assert said == {
        "2.0.0": {"full.auc": auc, "full.ap": (None, None), "full.map": new},
        "1.0.0.post13": {"full.auc": auc, "full.map": old},
        "ab12cd34": {"full.auc": auc, "full.map": (None, None)},
    }


def test_all_faults_are_named_at_once(tmp_path: Path) -> None:
    text = FULL.replace('title = "Full"', "").replace('metric = "auc"', 'metric = "Area under"')
    with pytest.raises(UserError) as caught:
        m.load(folder_with(tmp_path, text))
    assert ["title" in line or "metric" in line for line in caught.value.message.splitlines()] == [True, True]


# Which functions the blocks of a library.toml stand for, and what is refused.

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
