"""Tests the stronger wall: what bubblewrap is told, against a stand-in; what it holds back, where it starts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.process import worker
from recsys_metric_audit.audit.process.child import Session
from recsys_metric_audit.audit.process.protocol import Crashed, Errored
from recsys_metric_audit.audit.process.sandbox import Sandbox, exit_code, refuse_unusable
from tests.support.control_samples import ask
from tests.support.fake_conversations import CASES, PYTHON, mean, outcomes

STAND_IN = f"""\
#!{sys.executable}
import os, sys
at = sys.argv.index("--")
with open({{log!r}}, "w") as log:
    log.write("\\n".join(sys.argv[1:at]))
if {{fails!r}}:
    sys.exit("bwrap: No permissions to create new namespace")
os.execvp(sys.argv[at + 1], sys.argv[at + 1:])
"""

ADAPTER = """\
import os, pathlib, signal, socket, tempfile

def prepare(case):
    return case

def network(case, k):
    socket.create_connection(("127.0.0.1", PORT), timeout=5)
    return 1.0

def elsewhere(case, k):
    pathlib.Path("OUTSIDE").write_text("changed")
    return 1.0

def here(case, k):
    pathlib.Path("own").write_text("mine")
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"x")
    return 0.75

def others(case, k):
    return float(len([name for name in os.listdir("/proc") if name.isdigit()]))

def settings(case, k):
    with open("/proc/sys/kernel/core_pattern", "r+b"):
        return 1.0

FUNCTIONS = {
    "statistics.mean": network, "statistics.median": elsewhere, "statistics.mode": here, "statistics.stdev": others,
    "statistics.pstdev": lambda case, k: os.kill(os.getpid(), signal.SIGKILL),
    "statistics.variance": lambda case, k: k / 4, "statistics.pvariance": settings,
}
"""


def starts() -> bool:
    try:
        refuse_unusable(Path("/tmp"))
    except UserError:
        return False
    return True


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a program named bwrap in front of PATH; return the file that holds what it was told."""
    return _stand_in(tmp_path, monkeypatch)


def _stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch, *, fails: bool = False) -> Path:
    (folder / "bin").mkdir()
    (folder / "bin" / "bwrap").write_text(STAND_IN.format(log=str(folder / "told"), fails=fails))
    (folder / "bin" / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder / "bin"), prepend=":")
    return folder / "told"


def test_what_it_is_told(stand_in: Path, tmp_path: Path) -> None:
    words = Sandbox(tmp_path / "own").command(["echo", "inside"])
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == "inside\n"
    told = stand_in.read_text().split("\n")
    assert told[:3] == ["--ro-bind", "/", "/"]
    assert told[told.index("--bind") : told.index("--bind") + 3] == [
        "--bind",
        str(tmp_path / "own"),
        str(tmp_path / "own"),
    ]
    assert {"--unshare-net", "--unshare-pid", "--die-with-parent", "--cap-drop"} <= set(told)
    assert words[-2:] == ["echo", "inside"]


def test_temporary_files_have_a_place(tmp_path: Path) -> None:
    assert Sandbox(tmp_path / "own").variables() == {"TMPDIR": str(tmp_path / "own" / "tmp")}
    assert (tmp_path / "own" / "tmp").is_dir()


def test_a_signal_inside_is_told_as_one() -> None:
    assert [exit_code(code) for code in (0, 3, 128, 137, 139)] == [0, 3, 128, -9, -11]


def test_where_there_is_none_or_it_does_not_start_the_message_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _stand_in(tmp_path, monkeypatch, fails=True)
    with pytest.raises(UserError, match="does not start here: bwrap: No permissions to create new namespace"):
        refuse_unusable(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    with pytest.raises(UserError, match="is not on this machine"):
        refuse_unusable(tmp_path)


def test_a_library_is_asked_inside(stand_in: Path, tmp_path: Path) -> None:
    (tmp_path / "adapter.py").write_text(ADAPTER)
    with Session(PYTHON, sandbox=Sandbox(tmp_path / "own")) as session:
        found = worker.converse(
            PYTHON,
            tmp_path / "adapter.py",
            CASES,
            [ask("variance", ks=(1, 2))],
            tmp_path / "own" / "c",
            session=session,
        )
    assert [mean(answer) for answer in found.answers] == [0.25, 0.5]
    assert "--unshare-net" in stand_in.read_text()


@pytest.mark.slow  # processes of their own
@pytest.mark.skipif(not starts(), reason="bubblewrap does not start here")
def test_it_holds_back_network_files_and_other_processes(tmp_path: Path) -> None:
    import socket

    (tmp_path / "outside").write_text("as it was")
    with socket.create_server(("127.0.0.1", 0)) as server:  # on this machine anybody reaches it
        text = ADAPTER.replace("PORT", str(server.getsockname()[1])).replace("OUTSIDE", str(tmp_path / "outside"))
        (tmp_path / "adapter.py").write_text(text)
        control = tmp_path / "own" / "control"
        asked = [ask("mean", "median", "mode", "stdev", "pstdev", "variance", "pvariance")]
        adapter = tmp_path / "adapter.py"
        with Session(PYTHON, sandbox=Sandbox(tmp_path / "own")) as session:
            found = worker.converse(PYTHON, adapter, CASES, asked, control, session=session)
        without = worker.converse(PYTHON, adapter, CASES, [ask("mean")], tmp_path / "without")
    assert [mean(answer) for answer in without.answers] == [1.0]  # else the next lines would show nothing
    said = {function: outcome for (_, function, _, _), outcome in outcomes(found).items()}
    assert isinstance(said["mean"], Errored) and said["mean"].error in ("ConnectionRefusedError", "OSError")
    assert isinstance(said["median"], Errored) and "Read-only file system" in said["median"].message
    assert (tmp_path / "outside").read_text() == "as it was"
    assert isinstance(said["pvariance"], Errored) and said["pvariance"].error in ("OSError", "PermissionError")
    assert mean(said["mode"]) == 0.75 and (control / "own").read_text() == "mine"
    assert (mean(said["stdev"]) or 99) <= 3  # itself and bubblewrap
    assert isinstance(said["pstdev"], Crashed) and said["pstdev"].exit_code == -9
    assert mean(said["variance"]) == 0.25
