"""The harness as a process, run by hand on a control directory: answers, logs, and nothing else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from recsys_metric_audit.audit.process import control_directory
from recsys_metric_audit.audit.process.child import HARNESS
from tests.support.control_samples import CASE, ask, fake

pytestmark = pytest.mark.slow  # starts processes


def run(folder: Path, *, edit: dict[str, object] | None = None, name: str = "behaved") -> list[dict]:
    """Run the harness by hand, as a reader of a report would."""
    control_directory.write(folder, fake(name), {"tiny": CASE}, [ask("mean", "median", ks=(1, 2))])
    request = folder / "request.json"
    request.write_text(json.dumps({**json.loads(request.read_text()), **(edit or {})}))
    command = [sys.executable, HARNESS, folder]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
    return [json.loads(line) for line in (folder / "response.jsonl").read_text().splitlines()]


def test_by_hand_it_leaves_response_and_logs_and_can_be_run_again(tmp_path: Path) -> None:
    first, second = run(tmp_path), run(tmp_path)
    assert len(first) == len(second) == 1 + 4
    assert (tmp_path / "stdout.log").read_text() == (tmp_path / "stderr.log").read_text() == ""
    assert first[1].pop("seconds") and second[1].pop("seconds")
    # users 1, 2, 3, 4 have 2, 1, 0, 0 recommendations
    assert first[1] == second[1]
    assert first[1]["mean"] == "0.5" and first[1]["users"] == [1, 2, 3, 4]
    assert first[1]["values"] == ["1.0", "1.0", "0.0", "0.0"]
    assert first[2]["values"] == ["2.0", "1.0", "0.0", "0.0"]


def test_a_request_of_another_protocol_is_declined_in_the_hello(tmp_path: Path) -> None:
    [hello] = run(tmp_path, edit={"protocol": 99})
    assert hello["hello"]["functions"] == []
    assert "99" in hello["hello"]["message"]


def test_nothing_is_written_beside_the_adapter(tmp_path: Path) -> None:
    copy = tmp_path / "behaved" / "adapter.py"
    copy.parent.mkdir()
    shutil.copy(fake("behaved"), copy)
    run(tmp_path / "control", edit={"adapter": str(copy)})
    assert list(copy.parent.iterdir()) == [copy]


@pytest.mark.parametrize(
    ("fresh", "held", "means"),
    [
        (True, "None", ["1.1", "1.1", "1.1", "1.1"]),
        (True, "open(os.devnull)", ["2.1", "3.1", "4.1", "5.1"]),  # a file cannot be copied: prepared anew
        (False, "None", ["1.1", "1.2", "1.3", "1.4"]),
    ],
)
def test_a_fresh_call_sees_nothing_of_the_one_before(tmp_path: Path, fresh: bool, held: str, means: list[str]) -> None:
    adapter = tmp_path / "adapter.py"
    adapter.write_text(
        "import os\n"
        "prepared = []\n"
        "def prepare(case):\n"
        "    prepared.append(case)\n"
        f"    return [], {held}\n"
        "def call(data, k):\n"
        "    data[0].append(k)\n"
        "    return len(prepared) + len(data[0]) / 10\n"
        "FUNCTIONS = {'statistics.mean': call, 'statistics.median': call}\n"
    )
    control_directory.write(
        tmp_path / "control", adapter, {"tiny": CASE}, [ask("mean", "median", ks=(1, 2), fresh=fresh)]
    )
    subprocess.run([sys.executable, HARNESS, tmp_path / "control"], check=True)
    lines = (tmp_path / "control" / "response.jsonl").read_text().splitlines()
    assert [json.loads(line)["mean"] for line in lines[1:]] == means


def test_neither_the_harness_nor_an_adapter_shadows_a_library(tmp_path: Path) -> None:
    adapter = tmp_path / "json" / "adapter.py"
    adapter.parent.mkdir()
    (adapter.parent / "neighbour.py").write_text("")
    adapter.write_text(
        "import importlib.util, json\n"
        "json.loads\n"
        "FOUND = [n for n in ('worker', 'protocol', 'neighbour', 'adapter') if importlib.util.find_spec(n)]\n"
        "def prepare(case): return case\n"
        "FUNCTIONS = {'found: %s' % FOUND: None}\n"
    )
    assert (HARNESS.parent / "worker.py").exists() and (HARNESS.parent / "protocol.py").exists()
    [hello, *_] = run(tmp_path / "control", edit={"adapter": str(adapter)})
    assert hello["hello"]["functions"] == ["found: []"]
