"""Takes 600 MB, half of it in a process of its own, and waits."""

import subprocess
import sys
import time

EAT = "import time; food = b'x' * 300000000; time.sleep(600)"


def prepare(case):
    return case


def eat(case, k):
    subprocess.Popen([sys.executable, "-c", EAT])
    food = b"x" * 300000000
    time.sleep(600)
    return len(food)


FUNCTIONS = {"statistics.mean": eat, "statistics.median": lambda case, k: k / 4}
