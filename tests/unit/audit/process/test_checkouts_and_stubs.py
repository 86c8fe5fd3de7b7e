"""What the worker puts in a library's way: its checkout, and stubs of what is not installed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from recsys_metric_audit.audit.process import worker
from recsys_metric_audit.audit.process.protocol import (
    Errored,
)
from tests.support.control_samples import ask
from tests.support.fake_conversations import CASES, PYTHON, mean, talk

pytestmark = pytest.mark.slow  # processes of their own, or whole audits


def test_a_stub_can_be_imported_and_refuses_to_be_used(tmp_path: Path) -> None:
    found = talk(tmp_path, "stubbed", ask("mean", "median"), stubs=["heavy_framework.layers"]).answers
    assert mean(found[0]) == 1.5
    assert isinstance(found[1].outcome, Errored) and found[1].outcome.error == "ImportError"
    assert "heavy_framework.Session is a stub" in found[1].outcome.message


def test_a_stub_never_hides_what_is_installed(tmp_path: Path) -> None:
    (answer,) = talk(tmp_path, "stubbed", ask("mean"), stubs=["heavy_framework", "wave"]).answers
    assert isinstance(answer.outcome, Errored)
    assert "wave is installed: a stub would hide it" in answer.outcome.message


CHECKOUT_ADAPTER = """\
import json
import package.core as core

prepare = lambda case: case
FUNCTIONS = {"package.core.mean": lambda case, k: core.mean(case, json.dumps), "package.core.other": core.mean}
"""


def checkout(folder: Path) -> Path:
    """Write a package whose `__init__` needs a module that is still to be compiled, and an adapter beside it."""
    (folder / "root" / "package" / "cython").mkdir(parents=True)
    (folder / "root" / "package" / "__init__.py").write_text("from .cython.fast import sample\n")
    (folder / "root" / "package" / "core.py").write_text("mean = lambda case, k: float(len(case.users))\n")
    (folder / "adapter.py").write_text(CHECKOUT_ADAPTER)
    return folder / "root"


def test_a_library_is_imported_from_its_checkout_and_leaves_nothing_in_it(tmp_path: Path) -> None:
    root, asked = checkout(tmp_path), replace(ask("mean"), functions=("package.core.mean",))
    found = worker.converse(
        PYTHON,
        tmp_path / "adapter.py",
        CASES,
        [asked],
        tmp_path / "control",
        source=root,
        stubs=["package.cython.fast"],
    )
    assert mean(found.answers[0]) is not None
    assert not list(root.rglob("__pycache__"))
    without = worker.converse(PYTHON, tmp_path / "adapter.py", CASES, [asked], tmp_path / "second", source=root)
    assert isinstance(without.answers[0].outcome, Errored)
    assert "No module named 'package.cython.fast'" in without.answers[0].outcome.message


def test_a_stub_stands_aside_for_what_the_user_has_compiled(tmp_path: Path) -> None:
    root, asked = checkout(tmp_path), replace(ask("mean"), functions=("package.core.mean",))
    (root / "package" / "cython" / "fast.py").write_text("sample = None\nprint('the real one')\n")
    found = worker.converse(
        PYTHON, tmp_path / "adapter.py", CASES, [asked], tmp_path / "control", source=root,
        stubs=["package.cython.fast"],
    )  # fmt: skip
    assert mean(found.answers[0]) is not None
    assert "the real one" in (tmp_path / "control" / "stdout.log").read_text()
