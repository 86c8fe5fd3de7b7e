"""Seeded faults: does identification name what a fake library computes, and abstain where no definition does?

    python -m bench.diagnosis [--known] [--sample N] [--seed N] [--jobs N] [--failures FILE]

The fakes run out of process, behind the harness and the protocol of real libraries; many functions a process. Exits
with 1 where an aim is missed: every documented and single-axis fault identified, 99 % of the stacked, no wrong blame,
every fault outside abstained from, and of those that only held-out inputs show the right axis withheld. With --known,
the definitions of the catalogue, and those near them, are tried first.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from bench.diagnosis.asking import identify_faults
from bench.diagnosis.judging import RIGHT, Judged, confusions, failure, totals, unlike_its_base
from bench.diagnosis.seeded import GROUPS, SEED, Fault, faults

BATCH = 40
"""Functions that one fake library offers: enough for one process, few enough for several to share the work."""


def chosen(sample: int | None, seed: int) -> list[Fault]:
    """Return all faults, or ``sample`` of each group; ``seed`` draws the sample and the stacked faults."""
    every, rng = faults(seed), random.Random(seed)
    if sample is None:
        return every
    groups = [[fault for fault in every if fault.group == group] for group in GROUPS]
    return [fault for own in groups for fault in rng.sample(own, min(sample, len(own)))]


def run(seeded: list[Fault], jobs: int, tell: Callable[[str], None], *, known: bool = False) -> list[Judged]:
    """Identify and judge all faults; call ``tell`` with every failure as soon as it is known.

    With ``known``, the definitions of the catalogue are tried first.
    """
    batches = [seeded[start : start + BATCH] for start in range(0, len(seeded), BATCH)]
    judged: list[Judged] = []
    with ProcessPoolExecutor(jobs) as pool:
        for own in pool.map(partial(identify_faults, known=known), batches):
            judged += own
            for each in own:
                if each.outcome not in RIGHT:
                    tell(failure(each))
    return judged


def missed_aims(judged: list[Judged]) -> list[str]:
    """Return the aims that are not met, in words."""
    out = []
    for group, share in (("documented", 1.0), ("single", 1.0), ("stacked", 0.99), ("outside", 1.0), ("held_out", 1.0)):
        own = [each for each in judged if each.fault.group == group]
        right = sum(each.outcome in RIGHT for each in own)
        if right < share * len(own):
            out.append(f"{group}: {right} of {len(own)} right, {share:.0%} wanted")
    blamed = sum(each.outcome in ("wrong", "blamed", "published") for each in judged)
    return [*out, f"{blamed} wrongly blamed, none wanted"] if blamed else out


def main() -> None:
    """Print the totals and every failure."""
    parser = argparse.ArgumentParser(prog="python -m bench.diagnosis", description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, help="so many of each group only")
    parser.add_argument("--seed", type=int, default=SEED, help="draw other stacked faults, and another sample")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--failures", type=Path, help="write every failure there, too")
    parser.add_argument("--known", action="store_true", help="try the catalogue's definitions first, as an audit does")
    options = parser.parse_args()
    began, failures = time.monotonic(), options.failures.open("w") if options.failures else None

    def tell(line: str) -> None:
        print(line, flush=True)
        if failures is not None:
            print(line, file=failures, flush=True)

    judged = run(chosen(options.sample, options.seed), options.jobs, tell, known=options.known)
    weak = [] if options.known else unlike_its_base(judged)  # a known definition is asked few of the probes
    for each in weak:
        tell(f"no test    {each.fault.description}: agrees on {each.agreement:.0%} of the probes only")
    tell("\n".join(["", *confusions(judged)]))
    tell("\n".join(["", *totals(judged), f"{len(judged)} faults in {time.monotonic() - began:.0f} s"]))
    aims = missed_aims(judged)
    tell("\n".join(f"missed aim: {aim}" for aim in aims) or "all aims are met")
    sys.exit(bool(aims or weak))


if __name__ == "__main__":
    main()
