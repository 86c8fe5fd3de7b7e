"""Signs of life of the commands that may take long, on stderr and while they compute."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from recsys_metric_audit.audit.cli.progress import heartbeat as beats
from tests.support.command_line import audit

ROWS = "".join(f"{user},{item},{1 / (item + 1)}\n" for user in range(1000) for item in range(40))
TRUTH = "".join(f"{user},{item}\n" for user in range(1000) for item in range(user % 3, 40, 7))
FILES = ["p.csv", "t.csv"]
DATA = ["--predictions", "p.csv", "--truth", "t.csv"]
OWN = "def recall(recommended, relevant, k):\n    return len(set(recommended[:k]) & set(relevant)) / len(relevant)\n"


@contextmanager
def _one_beat_at_once(
    tell: Callable[[float], None], seconds: float | None = None, first: float | None = None
) -> Iterator[None]:
    """Stand in for a heartbeat, since a command takes milliseconds here and no thread is sure to run meanwhile."""
    tell(0.0)
    yield


@pytest.mark.slow  # some of it takes a second
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["evaluate", *FILES], "evaluating p.csv: 0 s so far"),
        (["evaluate", *FILES, "--interval", "0.9"], "resampling users: "),
        (["evaluate", *FILES, "--against", "p.csv"], "comparing users: "),
        (["evaluate", *FILES, "--scenario", "leave_one_out"], "evaluating scenarios of p.csv: "),
        (["which", *DATA, "--value", "ndcg@5=0.5", "--changes", "0"], "trying definitions: "),
        (["diff", *DATA, "recall@20", "recall@20|denominator:min"], "comparing on p.csv: "),
        (["identify", "own.py:recall"], "asking own.py:recall: "),
    ],
)
def test_what_takes_long_says_so(words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(beats, "heartbeat", _one_beat_at_once)
    Path("p.csv").write_text(f"user,item,score\n{ROWS}")
    Path("t.csv").write_text(f"user,item\n{TRUTH}")
    Path("own.py").write_text(OWN)
    done = audit(*words)
    assert done.exit_code in (0, 1, 4), done.stderr
    assert said in done.stderr
    assert "so far" not in done.stdout
