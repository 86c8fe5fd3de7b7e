"""Work that several processes share is done as one does it."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from uuid import uuid4

import numpy as np
import psutil
import pytest

from recsys_metric_audit.audit.identification import process_pool
from recsys_metric_audit.audit.process.stoppable import Stopped
from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.input.case import Case
from tests.support.fake_conversations import wait_until

pytestmark = pytest.mark.slow  # starts processes


def rows(number: int, text: str, data: Problem) -> tuple[int, str, int]:
    return number, text, len(data.cases[0].predictions.user)


def process(_: int, data: Problem) -> int:
    return os.getpid()


def is_killed(here: int, number: int, data: Problem) -> int:
    if os.getpid() != here:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def fails(number: int, data: Problem) -> int:
    if number == 2:
        raise ValueError("number 2")
    return number


def prepares(folder: Path) -> None:
    (folder / uuid4().hex).touch()


def waits(folder: Path, number: int, data: Problem) -> int:
    (folder / str(os.getpid())).touch()
    time.sleep(600)
    return number


def fails_when_told(word: Path, number: int, data: Problem) -> int:
    """Fail at the first row as soon as a file is there; the other rows take long."""
    if number == 0:
        assert wait_until(word.exists)
        raise ValueError("number 0")
    time.sleep(600)
    return number


@pytest.fixture(scope="module")
def case() -> Case:
    return PROBES[0].case


def test_rows_come_back_in_their_order_each_with_the_data(case: Case) -> None:
    size = len(case.predictions.user)
    expected = [(0, "a", size), (1, "b", size), (2, "c", size)]
    assert process_pool.ThisProcess(Problem.of([case], None))(rows, range(3), "abc") == expected
    with process_pool.process_pool(case, 2) as shared:
        assert shared(rows, range(3), "abc") == expected
        assert shared(rows, (), ()) == []
        assert os.getpid() not in shared(process, range(4))
        with pytest.raises(ValueError, match="zip"):
            shared(rows, range(3), "ab")


def test_processes_start_and_are_prepared_before_any_result_is_wanted(case: Case, tmp_path: Path) -> None:
    with process_pool.process_pool(case, 2) as shared:
        for _ in range(2):
            shared.prepare(partial(prepares, tmp_path))
        assert wait_until(lambda: len(list(tmp_path.iterdir())) == 2)
        assert shared(rows, range(1), "a") == [(0, "a", len(case.predictions.user))]
    assert len(list(tmp_path.iterdir())) == 2  # once for each process, whoever asks again


def test_data_that_cannot_be_passed_are_worked_on_here(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, _: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.warns(UserWarning, match="No space left"), process_pool.process_pool(case, 2) as shared:
        assert shared(process, range(2)) == [os.getpid()] * 2


def test_what_fails_there_fails_here(case: Case) -> None:
    with pytest.raises(ValueError, match="number 2"), process_pool.process_pool(case, 2) as shared:
        shared(fails, range(4))


def test_who_waits_ends_with_the_processes_where_the_work_of_another_failed(case: Case, tmp_path: Path) -> None:
    """Work that was cancelled leaves Python's executor unable to tell those who wait that it is broken."""
    word = tmp_path / "fail"
    with process_pool.process_pool(case, 2) as shared, ThreadPoolExecutor(2) as threads:
        failing = threads.submit(shared, fails_when_told, [word] * 20, range(20))
        time.sleep(1)  # its rows come first
        waiting = threads.submit(shared, rows, range(1), "a")
        time.sleep(1)
        word.touch()
        assert isinstance(failing.exception(60), ValueError)
        shared.end()
        assert isinstance(waiting.exception(60), Stopped)


def test_what_a_killed_process_had_to_do_is_done_here_and_told_once(case: Case) -> None:
    here, told = [os.getpid()] * 3, list[int]()
    with process_pool.process_pool(case, 2) as shared, pytest.warns(UserWarning, match="a process was ended"):
        assert shared(is_killed, here, range(3), on_result=told.append) == told == [0, 1, 2]
        assert shared(rows, range(1), "a") == [(0, "a", len(case.predictions.user))]  # and all that comes later
        assert shared(rows, (), ()) == []


def test_processes_that_die_at_their_start_hold_nothing_up(tmp_path: Path) -> None:
    """A script without a main guard is run anew in each of them, where it may not start any."""
    script = tmp_path / "script.py"
    script.write_text(
        "import operator\n"
        "import numpy as np\n"
        "from dataclasses import replace\n"
        "from recsys_metric_audit.audit.identification.process_pool import process_pool\n"
        "from recsys_metric_audit.reference.cases import PROBES\n"
        "case = PROBES[0].case\n"
        "made = case.predictions\n"
        "columns = (np.tile(column, 20_000) for column in (made.user, made.item, made.score))\n"
        "with process_pool(replace(case, predictions=type(made)(*columns)), 2) as shared:\n"
        "    print(shared(operator.is_not, range(3)))\n"
    )
    root = Path(process_pool.__file__).parents[3]
    done = subprocess.run([sys.executable, script], cwd=root, capture_output=True, text=True, timeout=120, check=False)
    assert "bootstrapping phase" in done.stderr and "a process was ended" in done.stderr
    assert done.stdout.strip() == "[True, True, True]"


def test_one_process_or_data_too_large_to_be_held_twice_stay_here(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    with process_pool.process_pool(case, 1) as shared:
        assert shared(process, range(2)) == [os.getpid()] * 2
    monkeypatch.setattr(process_pool, "MAX_SHARED_ROWS", len(case.predictions.user) - 1)
    with process_pool.process_pool(case, 2) as shared:
        assert shared(process, range(2)) == [os.getpid()] * 2
    monkeypatch.setattr(process_pool, "MAX_SHARED_ROWS", len(case.predictions.user))
    twice = replace(case, predictions=_twice(case))
    with process_pool.process_pool(twice, 2) as shared:
        assert shared(process, range(2)) == [os.getpid()] * 2


def test_what_stays_here_uses_the_problem_that_was_made_before(case: Case) -> None:
    made = Problem.of([case], None)
    with process_pool.process_pool(case, 1, made) as shared:
        assert shared(lambda _, data: data is made, range(2)) == [True, True]


def _twice(case: Case) -> object:
    made = case.predictions
    return type(made)(*(np.tile(column, 2) for column in (made.user, made.item, made.score)))


@pytest.mark.parametrize("processes", [1, 2])
def test_each_result_is_told_once_in_the_order_of_the_rows(case: Case, processes: int) -> None:
    told: list[tuple[int, str, int]] = []
    with process_pool.process_pool(case, processes) as shared:
        assert shared(rows, range(3), "abc", on_result=told.append) == told
    assert [row[:2] for row in told] == [(0, "a"), (1, "b"), (2, "c")]


def test_a_pool_that_is_ended_works_on_nowhere(case: Case, tmp_path: Path) -> None:
    """Neither in its processes, nor in the one that waits for them, nor at what it is given later."""
    told: list[int] = []
    with process_pool.process_pool(case, 2) as shared, ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(shared, waits, [tmp_path] * 3, range(3), on_result=told.append)
        assert wait_until(lambda: len(list(tmp_path.iterdir())) == 2)
        shared.end()
        assert isinstance(waiting.exception(60), Stopped)
        with pytest.raises(Stopped):
            shared(rows, range(1), "a")
    assert told == []
    assert wait_until(lambda: not any(psutil.pid_exists(int(path.name)) for path in tmp_path.iterdir()))


def test_an_interrupt_does_not_wait_for_the_processes(case: Case, tmp_path: Path) -> None:
    def press() -> None:
        wait_until(lambda: len(list(tmp_path.iterdir())) == 2)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    usual = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background
    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt), process_pool.process_pool(case, 2) as shared:
        shared(waits, [tmp_path] * 2, range(2))
    signal.signal(signal.SIGINT, usual)
    assert wait_until(lambda: not any(psutil.pid_exists(int(path.name)) for path in tmp_path.iterdir()))


def test_the_processes_of_a_killed_auditor_end(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import os, time\n"
        "from recsys_metric_audit.audit.identification.process_pool import process_pool\n"
        "from recsys_metric_audit.reference.cases import PROBES\n"
        "def report(number, data):\n"
        "    print(os.getpid(), flush=True)\n"
        "    time.sleep(60)\n"
        "if __name__ == '__main__':\n"
        "    with process_pool(PROBES[0].case, 2) as shared:\n"
        "        shared(report, range(2))\n"
    )
    root = Path(process_pool.__file__).parents[3]
    known = {**os.environ, "PYTHONPATH": str(root), "TMPDIR": str(tmp_path)}
    auditor = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True, env=known)
    assert auditor.stdout is not None
    pids = [int(auditor.stdout.readline()) for _ in range(2)]
    assert all(psutil.pid_exists(pid) for pid in pids)
    auditor.kill()
    auditor.wait(timeout=20)
    _, alive = psutil.wait_procs([psutil.Process(pid) for pid in pids if psutil.pid_exists(pid)], timeout=20)
    assert alive == []


@pytest.mark.parametrize("number", [errno.EROFS, errno.ENOSPC, errno.ENOENT])
def test_one_process_works_alone_where_semaphores_cannot_be_made(
    number: int, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*given: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("multiprocessing.synchronize._multiprocessing.SemLock", refuse)
    with pytest.warns(UserWarning, match="/dev/shm cannot be used"), process_pool.process_pool(case, 2) as shared:
        assert shared(process, [1, 2]) == [os.getpid()] * 2
