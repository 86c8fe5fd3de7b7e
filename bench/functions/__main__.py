"""``python -m bench.functions``: ask ``audit identify`` about functions of ten shapes and say how long each takes.

    python -m bench.functions                      # all thirty: about two minutes
    python -m bench.functions vector scores        # those of some shapes, or some functions by name
    python -m bench.functions --profile ndcg       # and where the time of this process goes

Each is asked twice: without an expectation, as somebody asks who has a function and a question, and then with
``--expect`` and the right definition, which asks every input there is and so may take longer. Both times are shown.

Ends with 1 where a function is named as what it does not compute, or not named at all although a definition fits.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import resource
import sys
import time

from bench.functions.table import WRITTEN, Written
from recsys_metric_audit.audit.inhouse.identify_function import IdentifyResult, checked_request, identify_function

SECONDS = 3.0
"""What an answer may take where something fits."""
_SHOWN = 15


def asked(written: Written, expect: str | None = None) -> IdentifyResult:
    """Return what ``audit identify --metric ...`` tells of a function; its shape is left to be found."""
    request = checked_request(
        written.target, written.metric, expect, k=written.k, shape=None, python=None, seconds=30.0
    )
    return identify_function(request)


def fault(written: Written, result: IdentifyResult) -> str:
    """Return what is wrong with an answer; empty where it is right, or rightly open."""
    if result.summary is None:
        return f"nothing was measured: {result.error}"
    if not written.computes:
        return f"no definition computes it, and it was named {result.summary.signature}" * bool(
            result.summary.signature
        )
    return result.contradiction or "it was not named" * (result.summary.signature is None)


def _processor_seconds() -> float:
    """Return the seconds of the processor that this process and those that it waited for have taken."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def main(words: list[str]) -> int:
    """Ask about the functions named, or all; print what is found and the seconds; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench.functions", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="SHAPE|FUNCTION")
    parser.add_argument("--profile", action="store_true", help="show where the time of this process goes")
    chosen = parser.parse_args(words)
    wrong, slow = 0, []
    for written in WRITTEN:
        if chosen.names and not {written.shape, written.name} & set(chosen.names):
            continue
        profile = cProfile.Profile()
        began, worked = time.monotonic(), _processor_seconds()
        plain = profile.runcall(asked, written) if chosen.profile else asked(written)
        seconds, worked = time.monotonic() - began, _processor_seconds() - worked
        began = time.monotonic()
        expected = asked(written, written.computes) if written.computes else plain
        longer = f"{time.monotonic() - began:4.1f} s" if written.computes else "      "
        signature = (expected.summary.signature if expected.summary else None) or "no definition"
        print(
            f"{written.shape:<13} {written.name:<36} {seconds:5.1f} s ({worked:4.1f} s of a processor), "
            f"expected {longer}  {signature}",
            flush=True,
        )
        if text := fault(written, plain) or fault(written, expected):
            wrong += 1
            print(f"  ! {text}", flush=True)
        if seconds > SECONDS and signature != "no definition":
            slow.append(f"{written.shape}.{written.name} {seconds:.1f} s")
        if chosen.profile:
            pstats.Stats(profile).sort_stats("cumulative").print_stats(_SHOWN)
    print(f"{wrong} named wrong or not at all; over {SECONDS:g} s: {', '.join(slow) or 'none'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
