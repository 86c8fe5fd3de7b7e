"""Leaves processes behind: one without any environment, one in a session of its own, a fork that runs on."""

import os
import subprocess
import sys
from pathlib import Path

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]


def prepare(case):
    return case


def leave_behind(case, k):
    children = [subprocess.Popen(SLEEP, env={}), subprocess.Popen(SLEEP, start_new_session=True)]
    Path("left").write_text(" ".join(str(child.pid) for child in children))
    return 0.5


def fork(case, k):
    child = os.fork()
    if child:
        os.waitpid(child, 0)
    return 0.25


FUNCTIONS = {"statistics.mean": leave_behind, "statistics.median": fork}
