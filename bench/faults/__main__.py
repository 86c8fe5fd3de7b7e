"""Try the tool with bad input and injected faults: is every input met clearly, every fault survived, nothing lost?

    python -m bench.faults [--only WORDS] [--jobs N] [--failures FILE]
    python -m bench.faults --minutes N [--at-once N]    audits, four at once, killed at random times

Prints inputs tried and clear, faults injected and survived, things lost; exits with 1 where not all are.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from bench.faults import adapter_faults, data_inputs, generated, result_inputs, stored_faults, typed_inputs, whole_runs
from bench.faults.soak import AT_ONCE, soak
from bench.faults.trial import Trial, Tried, carry_out

INPUTS, FAULTS = 1100, 510
"""How many are tried at least."""
_SEED = "RECSYS_AUDIT_FAULTS_SEED"
_SOURCES: dict[str, tuple[Callable[[], Iterable[Trial]], ...]] = {
    "inputs": (typed_inputs.inputs, data_inputs.inputs, result_inputs.inputs),
    "faults": (adapter_faults.faults, stored_faults.faults, whole_runs.faults),
}


def trials(kind: str) -> Iterator[Trial]:
    """Yield all inputs, or all faults."""
    seed = int(os.environ.get(_SEED, generated.SEED))
    for source in _SOURCES[kind]:
        yield from source()
    yield from generated.inputs(seed) if kind == "inputs" else generated.faults(seed)


def _carry_out(kind: str, number: int) -> tuple[tuple[str, ...], int, float]:
    """Carry out one trial in a process of the pool, to which no function travels."""
    if kind not in _KNOWN:
        _KNOWN[kind] = list(trials(kind))
    began = time.monotonic()
    tried = carry_out(_KNOWN[kind][number])
    return tried.wrong, tried.lost, time.monotonic() - began


_KNOWN: dict[str, list[Trial]] = {}


def run(kind: str, words: list[str], jobs: int, tell: Callable[[str], None]) -> list[Tried]:
    """Carry out the inputs or faults whose group and name hold one of `words`; all without any."""
    every = list(trials(kind))
    titles = [f"{each.group}: {each.name}" for each in every]
    chosen = [n for n, title in enumerate(titles) if not words or any(word in title for word in words)]
    done, groups = [], Counter[str]()
    with ProcessPoolExecutor(jobs) as pool:
        for number, (wrong, _, seconds) in zip(chosen, pool.map(_carry_out, [kind] * len(chosen), chosen), strict=True):
            done.append(Tried(every[number], wrong))
            groups[every[number].group] += 1
            for each in wrong:
                tell(f"{titles[number]!r}: {each}")
            if seconds > 30:
                tell(f"{titles[number]!r} took {seconds:.0f} s")
    tell(f"{kind}: " + ", ".join(f"{number} {group}" for group, number in groups.items()))
    return done


def main() -> None:
    """Print the totals and every failure."""
    parser = argparse.ArgumentParser(prog="python -m bench.faults", description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[], metavar="WORDS", help="what holds one of these in its name")
    parser.add_argument("--kind", choices=("inputs", "faults"), help="inputs or faults only")
    parser.add_argument("--minutes", type=float, help="kill audits at random times for so long, and nothing else")
    parser.add_argument("--at-once", type=int, default=AT_ONCE, metavar="N", help="with --minutes: audits at a time")
    parser.add_argument("--seed", type=int, default=generated.SEED, help="draws the generated ones, and when to kill")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--failures", type=Path, help="write every failure there, too")
    given = parser.parse_args()
    failures, began = given.failures.open("w") if given.failures else None, time.monotonic()

    def tell(line: str) -> None:
        print(line, flush=True)
        if failures is not None:
            print(line, file=failures, flush=True)

    os.environ[_SEED] = str(given.seed)  # processes of the pool draw the same
    if given.minutes:
        with tempfile.TemporaryDirectory() as folder:
            ended, wrong = soak(Path(folder), given.minutes, given.seed, tell, given.at_once)
        tell(
            f"{sum(ended.values())} audits, {given.minutes:g} minutes: {dict(ended)}; {len(wrong)} things wrong or lost"
        )
        sys.exit(bool(wrong))
    kinds = [given.kind] if given.kind else ["inputs", "faults"]
    done = {kind: run(kind, given.only, given.jobs, tell) for kind in kinds}
    for kind, verb, well in (("inputs", "tried", "clear"), ("faults", "injected", "survived")):
        if kind in done:
            right = sum(not each.wrong for each in done[kind])
            tell(f"{len(done[kind]):,} {kind} {verb}, {right:,} {well}")
    lost = sum(each.lost for own in done.values() for each in own)
    tell(f"{lost} things lost, in {time.monotonic() - began:.0f} s")
    few = [kind for kind, least in (("inputs", INPUTS), ("faults", FAULTS)) if len(done.get(kind, ())) < least]
    whole = not given.only and not given.kind
    if whole and few:
        tell(f"too few {' and '.join(few)}")
    sys.exit(bool(lost or any(each.wrong for own in done.values() for each in own) or (whole and few)))


if __name__ == "__main__":
    main()
