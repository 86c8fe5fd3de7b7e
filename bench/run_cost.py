"""``python -m bench.run_cost``: the calls and seconds that the audit of some versions costs, asked anew.

With ``--against COMMIT`` the code of that commit is measured as well, alternately, in one run: seconds of different
machines do not compare, their ratios do. Environments must be built before; their answers are not reused.

With ``--large USERSxROWS`` (``make bench-audit BENCH="rs_metrics==0.6.0 --large 50000x100"``) the whole command is run
on data of so many users with lists of so many rows: its seconds beside those of the library's own calls on these data,
each function once, its memory beside the size of the columns, and its longest silence.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from recsys_metric_audit.audit.process.protocol import Ask, Conversation
    from recsys_metric_audit.audit.responders.interface import Responder

ROOT = Path(__file__).parents[1]
VERSIONS = ("rs_metrics==0.6.0", "scikit_learn==1.9.1", "pytrec_eval==0.5.11", "recmetrics==0.1.5")
"""Versions that are audited if none is named: small, and of different kinds."""
_PHASES = ("ask_initial_questions", "diagnose", "refute", "ask_experiments")
"""The steps of an audit that ask a library, as :mod:`audit.run.version_audit` names them."""


class Counted:
    """Wraps a responder and counts the calls that it is asked for, by step of the audit, and the seconds it takes."""

    def __init__(self, inner: Responder, cost: Cost) -> None:
        self._inner, self._cost = inner, cost

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def ask(
        self, cases: Mapping[str, Any], asks: Sequence[Ask], progress: Any, stop: threading.Event, hash_seed: int = 0
    ) -> Conversation:
        """Answer as the wrapped responder does."""
        began = time.monotonic()
        conversation = self._inner.ask(cases, asks, progress, stop, hash_seed)
        self._cost.add(asks, time.monotonic() - began)
        return conversation


class Cost:
    """Adds up calls and seconds in libraries by step; each version is audited in a thread of its own."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.conversations: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()
        self.functions: set[tuple[int, str]] = set()
        self._step = threading.local()

    def add(self, asks: Sequence[Ask], seconds: float) -> None:
        """Add one conversation."""
        step = getattr(self._step, "name", "other")
        self.calls[step] += sum(len(ask.functions) * len(ask.ks) * ask.repeat for ask in asks)
        self.conversations[step] += 1
        self.seconds[step] += seconds
        self.functions |= {(threading.get_ident(), name) for ask in asks for name in ask.functions}

    def during(self, name: str, act: Callable[..., Any]) -> Callable[..., Any]:
        """Return `act`, with what it asks counted under `name`."""

        def acting(*given: Any, **named: Any) -> Any:
            self._step.name = name
            return act(*given, **named)

        return acting


def main() -> None:
    """Print calls and seconds, beside another commit's if one is named."""
    parser = argparse.ArgumentParser(prog="bench.run_cost")
    parser.add_argument("versions", nargs="*", default=VERSIONS)
    parser.add_argument("--against", metavar="COMMIT")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="measure this code only and print one line of JSON")
    parser.add_argument("--searched", action="store_true", help="try no known definition first")
    parser.add_argument("--large", action="append", metavar="USERSxROWS", help="run the command on data of this size")
    given = parser.parse_args()
    if given.large:
        from bench.large_audit import measure as measure_large

        for size in given.large:
            for name in given.versions:
                print(f"{name}, {size}: {measure_large(name, *map(int, size.split('x'))).line()}", flush=True)
        return
    if given.json:
        print(json.dumps(measure(given.versions, searched=given.searched)))
        return
    with tempfile.TemporaryDirectory() as folder:
        trees = {"this code": ROOT}
        if given.against:
            trees[given.against] = Path(folder) / "tree"
            _git("worktree", "add", "--detach", str(trees[given.against]), given.against)
        try:
            words = [*given.versions, *(["--searched"] if given.searched else [])]
            rounds = [{name: _in_tree(tree, words) for name, tree in trees.items()} for _ in range(given.rounds)]
        finally:
            if given.against:
                _git("worktree", "remove", "--force", str(trees[given.against]))
    for name in trees:
        _print_costs(name, [each[name] for each in rounds])


def _git(*words: str) -> None:
    subprocess.run(["git", "-C", str(ROOT), *words], check=True, capture_output=True)


def _in_tree(tree: Path, words: Sequence[str]) -> dict[str, Any]:
    """Measure the code of a tree in a process of its own, with this file as the measuring one."""
    done = subprocess.run(
        [sys.executable, __file__, *words, "--json"], cwd=tree, env={**os.environ, "PYTHONPATH": str(tree)},
        stdout=subprocess.PIPE, check=True, text=True,
    )  # fmt: skip
    measured: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return measured


def _print_costs(name: str, rounds: Sequence[Mapping[str, Any]]) -> None:
    last = rounds[-1]
    print(f"{name}: {last['functions']} functions, {last['verdicts']}")
    for step, calls in last["calls"].items():
        seconds = min(each["library"][step] for each in rounds)
        print(
            f"  {step:24}{calls / last['functions']:8.1f} calls a function{seconds:8.1f} s in libraries, "
            f"{last['conversations'][step]} conversations"
        )
    total = sum(last["calls"].values()) / last["functions"]
    wall, own = (min(each[key] for each in rounds) for key in ("wall", "own"))
    print(f"  {'together':24}{total:8.1f} calls a function{wall:8.1f} s on the clock, {own:.1f} CPU s of the auditor\n")


def measure(versions: Sequence[str], *, searched: bool) -> dict[str, Any]:
    """Audit the versions on the synthetic data, one at a time, asked anew; with `searched` no definition is known."""
    from recsys_metric_audit.audit.cli.shared.inputs import UserFiles, choose_versions, load_dataset
    from recsys_metric_audit.audit.pins.pin_file import known_definitions
    from recsys_metric_audit.audit.process.protocol import Limits
    from recsys_metric_audit.audit.responders.choice import find_responder
    from recsys_metric_audit.audit.run import Request, run, version_audit

    if not Path(version_audit.__file__).resolve().is_relative_to(Path.cwd().resolve()):
        raise SystemExit(f"{version_audit.__file__} is not the code of {Path.cwd()}: nothing is measured")
    cost = Cost()
    for step in _PHASES:
        setattr(version_audit, step, cost.during(step, getattr(version_audit, step)))
    data = load_dataset("synthetic:300x400", UserFiles(None, None, None, None), None, None)
    chosen = tuple(choose_versions(None, list(versions), False))
    known = {} if searched else {"known": known_definitions(manifest for manifest, _ in chosen)}
    request = Request(chosen=chosen, dataset=data, ks=(20,), jobs=1, limits=Limits(), command="bench.run_cost", **known)
    began = time.monotonic()
    result = run(request, _Silent(), lambda *words: Counted(find_responder(*words), cost))  # type: ignore[arg-type, return-value]
    wall = time.monotonic() - began
    own = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    return {
        "functions": len({(each.library, each.version, each.function) for each in result.findings}),
        "verdicts": dict(Counter(str(each.verdict or each.status) for each in result.findings)),
        "calls": dict(cost.calls), "conversations": dict(cost.conversations), "library": dict(cost.seconds),
        "wall": wall, "own": own,
    }  # fmt: skip


class _Silent:
    """Hears what happens and prints nothing."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *words, **named: None


if __name__ == "__main__":
    main()
