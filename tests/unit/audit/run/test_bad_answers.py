"""Libraries that answer what they should not, out of process: every such answer is named as what it is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version, load
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.run import Request, run
from recsys_metric_audit.reports.model.result import Finding, Result
from tests.support.one_metric_library import Endings

pytestmark = pytest.mark.slow  # processes of their own, or whole audits

HEAD = """\
title = "A library"
about = "Some of its metrics are right."
homepage = "https://example.org"

[source]
package = "a-library"

[[version]]
version = "1.0"
python = "3.11"
"""

TAKES = 'takes = { input = "ranked", truth = "set" }'

PRELUDE = """\
import random


def prepare(case):
    listed, relevant = {}, {}
    for user, item in zip(case.recommended.user.tolist(), case.recommended.item.tolist()):
        listed.setdefault(user, []).append(item)
    for user, item in zip(case.relevant.user.tolist(), case.relevant.item.tolist()):
        relevant.setdefault(user, set()).add(item)
    return listed, relevant


def hits(prepared, k):
    listed, relevant = prepared
    return {user: len(set(listed.get(user, [])[:k]) & items) for user, items in relevant.items()}


def precision(prepared, k):
    return {user: number / k for user, number in hits(prepared, k).items()}


def recall(prepared, k):
    return {user: number / len(prepared[1][user]) for user, number in hits(prepared, k).items()}


def told(values):
    mean = sum(values.values()) / len(values) if values else float("nan")
    return mean, list(values), list(values.values())


"""

FUNCTIONS = {
    "precision": ("precision", "told(precision(prepared, k))"),
    "recall": ("recall", "told(recall(prepared, k))"),
    "infinite": ("recall", "told({u: v or float('inf') for u, v in recall(prepared, k).items()})"),
    "too_few": ("recall", "(0.5, list(recall(prepared, k))[1:], list(recall(prepared, k).values()))"),
    "drawn": ("recall", "sum(recall(prepared, k).values()) + random.random()"),
    "hashed": ("recall", "sum(recall(prepared, k).values()) + hash('a text') % 1000"),
}


def library(folder: Path, functions: dict[str, tuple[str, str]], shift: int = 0) -> tuple[Manifest, Version]:
    """Write a library of these functions; its adapter adds ``shift`` to the ids of recommended items."""
    folder.mkdir(parents=True)
    prelude = PRELUDE.replace("case.recommended.item.tolist()", f"(case.recommended.item + {shift}).tolist()")
    rows, answers = [], []
    for name, (metric, text) in functions.items():
        rows.append(f'[[function]]\nname = "statistics.mean[{name}]"\nmetric = "{metric}"\n{TAKES}\n')
        answers.append(f'    "statistics.mean[{name}]": lambda prepared, k: {text},')
    (folder / "library.toml").write_text("\n".join([HEAD, *rows]))
    (folder / "adapter.py").write_text(prelude + "\n".join(["FUNCTIONS = {", *answers, "}"]) + "\n")
    manifest = load(folder)
    return manifest, manifest.versions[0]


def audited(*chosen: tuple[Manifest, Version]) -> Result:
    def ensure(manifest: Manifest, version: Version, **_: object) -> environment.Environment:
        return environment.Environment(Path(sys.executable), manifest.folder)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(environment, "ensure", ensure)
        return run(Request(chosen, data.load("synthetic:20x30"), (3,), 1, Limits(), "audit run"), Endings())


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Finding]:
    made = audited(library(tmp_path_factory.mktemp("bad") / "bad", FUNCTIONS))
    assert [entry.status for entry in made.libraries] == ["audited"]
    return {finding.function.removeprefix("statistics.mean[")[:-1]: finding for finding in made.findings}


def test_the_right_ones_beside_them_are_none_the_worse(found: dict[str, Finding]) -> None:
    for name in ("precision", "recall"):
        assert found[name].behaviours["range"].name == "within"
        assert found[name].behaviours["per_user"].name == "complete"
        assert found[name].behaviours["repeated_call"].name == "unchanged"
        assert found[name].behaviours["hash_seed"].name == "unchanged"
        assert found[name].verdict in ("agrees", "variant", "undocumented", "ambiguous")


def test_infinities(found: dict[str, Finding]) -> None:
    assert found["infinite"].behaviours["range"].name == "infinite"
    assert found["infinite"].verdict == "unexplained"


def test_arrays_of_the_wrong_length(found: dict[str, Finding]) -> None:
    assert found["too_few"].status == "failed"
    assert found["too_few"].reason is not None
    assert "users but" in found["too_few"].reason


def test_answers_by_chance_are_unstable_with_their_spread(found: dict[str, Finding]) -> None:
    assert found["drawn"].verdict == "unstable"
    said = found["drawn"].behaviours["repeated_call"]
    assert said.name == "changes"
    assert "a spread of" in said.text


def test_answers_that_follow_the_hash_seed_are_unstable(found: dict[str, Finding]) -> None:
    assert found["hashed"].verdict == "unstable"
    assert found["hashed"].behaviours["hash_seed"].name == "changes"
    assert found["hashed"].behaviours["hash_seed"].slug == "not-deterministic"
    assert found["hashed"].behaviours["repeated_call"].name == "unchanged"


def test_a_fault_of_the_adapter_is_published_as_that(tmp_path: Path) -> None:
    two = {name: FUNCTIONS[name] for name in ("precision", "recall")}
    made = audited(library(tmp_path / "shifted", two, shift=1), library(tmp_path / "right", two))
    shifted, right = ([each for each in made.findings if each.library == name] for name in ("shifted", "right"))
    for each in shifted:
        assert (each.status, each.verdict, each.signature, each.witness) == ("failed", None, None, None)
        assert each.reason is not None
        assert each.reason.startswith("harness fault suspected: no hit is seen at any place")
    assert {each.status for each in right} == {"measured"}
    assert [(entry.status, bool(entry.reason)) for entry in made.libraries] == [("failed", True), ("audited", False)]


def test_one_metric_alone_is_not_enough_to_suspect_the_adapter(tmp_path: Path) -> None:
    (only,) = audited(library(tmp_path / "alone", {"recall": FUNCTIONS["recall"]}, shift=1)).findings
    assert only.status == "measured"
