"""The command that tries an adapter says what it returned, and ends by whether it is sane."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from recsys_metric_audit.audit import cli
from tests.support import drifting_library
from tests.support.drifting_library import Environments


def audit(*words: str) -> Result:
    return CliRunner().invoke(cli.app, [*words, "--adapters", "mine"], prog_name="audit")


@pytest.fixture
def adapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    drifting_library.write(tmp_path / "mine" / "drifting", "2.0")
    Environments(tmp_path, monkeypatch)
    return tmp_path / "mine" / "drifting" / "adapter.py"


@pytest.mark.slow
def test_all_functions_of_a_sane_adapter(adapter: Path) -> None:
    done = audit("try", "drifting")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0] == "drifting 2.0: 3 of 3 functions"
    assert [line.split() for line in lines[1:4]] == [
        ["statistics.mean", "10", "of", "10", "precision@k|denominator:shown"],
        ["statistics.median", "10", "of", "10", "hit_rate@k"],
        ["statistics.mode", "10", "of", "10", "recall@k"],
    ]


def test_one_function_is_shown_case_by_case(adapter: Path) -> None:
    done = audit("try", "drifting==2.0:mean")
    assert done.exit_code == 0, done.output
    row = next(line for line in done.stdout.splitlines() if line.startswith("list shorter"))
    assert row.split()[-4:] == ["6", "0.500000", "0.333333", "0.500000"]  # 2 hits: of 4 shown, of 6 places


@pytest.mark.slow
def test_an_adapter_that_passes_lists_the_wrong_way_round_is_not_sane(adapter: Path) -> None:
    text = adapter.read_text()
    assert text.count("append((-score") == 1
    adapter.write_text(text.replace("append((-score", "append((score"))
    done = audit("try", "drifting")
    assert done.exit_code == 1, done.output
    assert "NOT SANE: a hit at the end counts for more than one at the top: the order is ascending" in done.stdout


@pytest.mark.slow
def test_an_adapter_that_raises_has_no_number(adapter: Path) -> None:
    adapter.write_text(adapter.read_text().replace("def prepare(case):", "def prepare(case):\n    case.recs"))
    done = audit("try", "drifting")
    assert done.exit_code == 3, done.output
    assert "no function returned a number" in done.stdout
    assert "recs" in done.stdout


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("drifting:men", "it may be statistics.me"),
        ("drifting==9", "pinned are 2.0"),
        ("driftin", "did you mean drifting?"),
    ],
)
def test_what_is_not_there_is_met_with_what_is(adapter: Path, subject: str, said: str) -> None:
    done = audit("try", subject)
    assert done.exit_code == 2
    assert said in done.stderr
