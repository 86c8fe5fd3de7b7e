"""Libraries that fail in every way, at every moment: while imported, while preparing, in a call, after some calls.

Each is asked by the harness of real libraries. A fault costs the calls that it is in, and those of its function; a
function beside it, of another kind, is measured right, nothing is left running, and no answer is invented.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bench.faults.trial import LOST, Trial, left_running
from recsys_metric_audit.audit.process import worker
from recsys_metric_audit.audit.process.protocol import Limits, Measured
from tests.support.control_samples import CASE, ask

_SECONDS = 2.0  # that one call may take
_BYTES = 400_000_000
_MOST_SECONDS = 45.0
_KS = (1, 2, 3)

FAULTS: dict[str, str] = {
    "raises": "raise ValueError('no')",
    "raises without words": "raise type('Mute', (Exception,), {'__str__': lambda self: 1 / 0})()",
    "raises escapes": "raise ValueError('\\x1b[2J\\n::error::owned' + chr(0xd800))",
    "raises at length": "raise ValueError('x' * 50_000_000)",
    "exits": "sys.exit(0)",
    "exits with words": "sys.exit('bye')",
    "is interrupted": "raise KeyboardInterrupt",
    "leaves with 0": "os._exit(0)",
    "leaves with 3": "os._exit(3)",
    "is killed": "os.kill(os.getpid(), signal.SIGKILL)",
    "is terminated": "os.kill(os.getpid(), signal.SIGTERM)",
    "segmentation fault": "ctypes.string_at(0)",
    "aborts": "os.abort()",
    "stops itself": "os.kill(os.getpid(), signal.SIGSTOP)",
    "sleeps": "time.sleep(600)",
    "is busy": "exec('while True: pass')",
    "holds the GIL": "(10 ** 9) ** (10 ** 9)",
    "recurses": "(lambda f: f(f))(lambda f: f(f))",
    "recurses in C": "sys.setrecursionlimit(10 ** 9); (lambda f: f(f))(lambda f: f(f))",
    "eats memory": "food = [b'x' * 50_000_000 for _ in range(40)]; time.sleep(600)",
    "closes all files": "os.closerange(0, 300); time.sleep(0.1); os._exit(1)",
    "removes the response": "os.remove(RESPONSE); os._exit(1)",
    "a pipe for the response": "swap('response.jsonl'); os.mkfifo(RESPONSE); time.sleep(600)",
    "a folder for the response": "swap('response.jsonl'); os.mkdir(RESPONSE); time.sleep(600)",
    "a link for the response": "swap('response.jsonl'); os.symlink('/etc/passwd', RESPONSE); time.sleep(600)",
    "a device for the response": "swap('response.jsonl'); os.symlink('/dev/zero', RESPONSE); time.sleep(600)",
    "words in the response": "say('Welcome!'); os._exit(1)",
    "depth in the response": "say('[' * 1_000_000); os._exit(1)",
    "digits in the response": "say('{\"ask\": ' + '9' * 100_000 + '}'); os._exit(1)",
    "a line without end": "add('x' * 80_000_000); time.sleep(600)",
    "bytes in the response": "open(RESPONSE, 'ab').write(bytes(range(256)) + b'\\n'); os._exit(1)",
    "forges an answer": "say(forged(ask=99)); os._exit(1)",
    "forges a huge column": "say(forged(users={'file': 'x.npy'}, values={'file': 'x.npy'})); os._exit(1)",
    "forges a path": "say(forged(users='../../../../etc/passwd', values='../../../../etc/passwd')); os._exit(1)",
    "forges a hello": "say(_dumps({'hello': {'protocol': 1, 'installed': {}, 'functions': []}})); os._exit(1)",
    "forges a hello of depth": "swap('response.jsonl'); add('{\"hello\": {\"protocol\": 1e999}}\\n'); os._exit(1)",
    "floods stdout": "os.write(1, b'x' * 30_000_000); os._exit(1)",
    "floods stderr": "os.write(2, b'\\xff\\x1b[2J\\n' * 5_000_000); os._exit(1)",
    "links the logs": "[(swap(n), os.symlink('/dev/zero', HERE + '/' + n)) for n in LOGS]; os._exit(1)",
    "pipes for the logs": "[(swap(n), os.mkfifo(HERE + '/' + n)) for n in LOGS]; os._exit(1)",
    "removes its folder": "shutil.rmtree(HERE, ignore_errors=True); os._exit(1)",
    "removes the request": "os.remove(HERE + '/request.json'); os._exit(1)",
    "makes its folder unwritable": "os.chmod(HERE, 0o500); os._exit(1)",
    "leaves a child": "subprocess.Popen(SLEEP); os._exit(1)",
    "leaves a child in a session": "subprocess.Popen(SLEEP, start_new_session=True); os._exit(1)",
    "leaves a child without variables": "subprocess.Popen(SLEEP, start_new_session=True, env=MARK); os._exit(1)",
    "ends its parent": "os.kill(os.getppid(), signal.SIGTERM); time.sleep(600)",
    "leaves many children": "[subprocess.Popen(SLEEP) for _ in range(10)]; os._exit(1)",
    "a child that holds the logs": "subprocess.Popen(SLEEP, start_new_session=True, close_fds=False); time.sleep(600)",
    "hears no signal": "[signal.signal(n, signal.SIG_IGN) for n in (1, 2, 3, 15)]; time.sleep(600)",
    "hangs at its end": "import atexit; atexit.register(time.sleep, 600); sys.exit(1)",
    "raises in a thread": "import threading; threading.Thread(target=os.abort).start(); time.sleep(600)",
    "changes its limits": "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3)); open('x', 'w')",
    "changes folder": "os.chdir('/'); raise ValueError",
    "breaks json": "import json; json.dumps = None; json.JSONEncoder = None; raise ValueError",
    "breaks open": "import builtins; builtins.open = None; raise ValueError",
}
"""What a library does in the place of answering, by name."""

RETURNS: dict[str, str] = {
    "None": "None", "text": "'0.5'", "a very large number": "10 ** 400", "a complex number": "1j", "bytes": "b'0.5'",
    "a dict": "{}", "a dict of dicts": "{'a': {'b': 1}}", "a generator": "(x for x in (1, 2))", "a set": "{1}",
    "a type": "float", "a function": "time.sleep", "an endless iterator": "iter(int, 1)", "an empty tuple": "()",
    "too many parts": "(1, 2, 3, 4, 5)", "users without values": "(0.5, [1, 2], None)",
    "values without users": "(0.5, None, [1.0])", "users of other length": "(0.5, [1, 2], [1.0])",
    "users as text": "(0.5, ['a'], [1.0])", "users as fractions": "(0.5, [1.5], [1.0])",
    "users too large": "(0.5, [2 ** 70], [1.0])", "values in a matrix": "(0.5, [1, 2], np.zeros((2, 2)))",
    "values as objects": "(0.5, [1], np.array([object()]))", "values as text": "(0.5, [1], ['x'])",
    "a structured array": "np.zeros(2, dtype=[('a', float)])", "a matrix": "np.zeros((3, 3))",
    "a date": "np.datetime64('2020-01-01')", "a lying float": "LiesFloat()",
    "a number that raises": "RaisesFloat()", "a number that never comes": "HangsFloat()",
    "a list that contains itself": "LOOP",
    "an exception": "ValueError()", "a module": "os", "an empty array": "np.array([])",
}  # fmt: skip
"""What a function returns that is no number, by name."""
MASKED = "np.ma.masked"
"""What NumPy itself converts to NaN, with a warning."""

_MOMENTS = ("import", "prepare", "first call", "third call")

_ADAPTER = """\
import ctypes, json, os, shutil, signal, subprocess, sys, time
import numpy as np

HERE = os.getcwd()
LOGS = ("stdout.log", "stderr.log")
RESPONSE = HERE + "/response.jsonl"
MARK = {"LEFT": HERE}
SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]
LOOP = []
LOOP.append(LOOP)
_dumps, _open = json.dumps, open


class LiesFloat(float):
    def __float__(self):
        return "0.5"

    __repr__ = __str__ = lambda self: "0.5 and more"


class RaisesFloat:
    def __float__(self):
        raise SystemExit("never")


class HangsFloat:
    def __float__(self):
        time.sleep(600)


def swap(name):
    os.rename(HERE + "/" + name, HERE + "/moved-" + name)


def add(text):
    with _open(RESPONSE, "a") as file:
        file.write(text)


def say(line):
    add(line + "\\n")


def forged(**changed):
    line = {"ask": 0, "function": "statistics.mean", "k": 1, "repetition": 0, "mean": "0.125", "users": None,
            "values": None, "dtype": "float", "seconds": 0.0}
    return _dumps({**line, **changed})


def fault():
    FAULT_HERE


def prepare(case):
    PREPARE_HERE
    return case


calls = 0


def faulty(case, k):
    global calls
    calls += 1
    CALL_HERE


FUNCTIONS = {"statistics.mean": faulty, "statistics.median": lambda case, k: k / 4}
IMPORT_HERE
"""


def faults() -> Iterator[Trial]:
    """Yield every fault at every moment, and everything that a function may return."""
    for name, code in FAULTS.items():
        waits = "600" in code or name in ("is busy", "holds the GIL", "stops itself")
        for moment in _MOMENTS[:: 3 if waits else 1]:  # those take seconds each
            yield Trial(f"at {moment}", name, partial(_asked, _adapter(code, moment), moment))
    for name, code in RETURNS.items():
        yield Trial("returns", name, partial(_asked, _adapter("pass", "", f"return {code}"), "first call"))
    masked = partial(_asked, _adapter("pass", "", f"return {MASKED}"), "first call", may_be_nan=True)
    yield Trial("returns", "a masked number", masked)


def _adapter(code: str, moment: str, call: str = "return 0.5") -> str:
    if moment == "first call":
        call = "fault()"
    if moment == "third call":
        call = "return fault() if calls == 3 else k / 8"
    return (
        _ADAPTER.replace("FAULT_HERE", code)
        .replace("CALL_HERE", call)
        .replace("PREPARE_HERE", "fault()" if moment == "prepare" else "pass")
        .replace("IMPORT_HERE", "fault()" if moment == "import" else "")
    )


def _asked(adapter: str, moment: str, folder: Path, *, may_be_nan: bool = False) -> list[str]:
    (folder / "adapter.py").write_text(adapter)
    control, began = folder / "control", time.monotonic()
    said = worker.converse(
        Path(sys.executable), folder / "adapter.py", {"tiny": CASE}, [ask("mean", "median", ks=_KS)], control,
        Limits(_SECONDS, _BYTES),
    )  # fmt: skip
    took = time.monotonic() - began
    wrong = [] if took < _MOST_SECONDS else [f"took {took:.0f} s"]
    for answer in said.answers:
        outcome = answer.outcome
        if may_be_nan and isinstance(outcome, Measured) and outcome.mean is not None and math.isnan(outcome.mean):
            continue
        wrong += _misjudged(answer.function, answer.k or 0, outcome, moment)
    return [*wrong, *left_running(control)]


def _misjudged(function: str, k: int, outcome: object, moment: str) -> list[str]:
    """Return what is wrong with one outcome: a wrong number is an answer invented, none at all may be one lost."""
    number = outcome.mean if isinstance(outcome, Measured) else None
    if function.endswith("median") and moment.endswith("call"):
        return [] if number == k / 4 else [f"{LOST}the answer of the function beside it: {str(outcome)[:200]}"]
    if function.endswith("mean") and moment == "third call":
        right = number in (None, k / 8)  # an answer that was removed before it was read is lost, and asked no more
        return [] if right else [f"the answer at {k} is {str(outcome)[:200]}"]
    if number is not None:
        return [f"measured, though nothing was: {str(outcome)[:200]}"]
    return []
