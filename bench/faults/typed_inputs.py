"""Types what somebody may type: values of options, names, signatures and paths, to every command."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from bench.faults.trial import Trial, unclear
from bench.faults.waiting import waited_here
from tests.support.command_line import Audit, audit

_SECONDS = 20.0
NUMBERS = (
    "", "x", "0", "-1", "-0", "1.5", "1e3", "1e400", "-1e400", "inf", "nan", "0x10", "9" * 25, "9" * 5000, "1000001",
    "٣", "½", " 1", "1 2", "\x1b[2J", "::error::", "--", "1e-400",
)  # fmt: skip
WORDS = (
    "", " ", ".", "..", "/", "=", "==", "==1.0", "a==", "a==b==c", "rs_metrics==", "rs_metrics==9.9.9", "*", "x" * 5000,
    "\x1b]0;owned\x07", "::error::owned", "##[group]", "\u202egnp.exe", "ndcg", "ndcg@", "ndcg@0", "ndcg@20|",
    "ndcg|gain:", "ndcg@20|gain:exp2|gain:exp2", "a\nb", "\t", "%s", "{0}", "$(id)", "[bold]", "١٢",
)  # fmt: skip
_SIGNATURES = (
    "ndcg@20|gain:none_such", "none_such@20", "ndcg@99999999999999999999", "ndcg@-1", "ndcg@1.5", "NDCG@20",
    "ndcg@20@30", "ndcg|k:1", "auc@20", "ndcg@20|discount:" + "x" * 3000, "|", "@", "ndcg@k|gain:exp2|" * 50,
    "mrr@20|ties:given\x1b[0m",
)  # fmt: skip


def typed(*words: str, names: str | None = None) -> list[str]:
    """Type a command in this process, with a stand-in for the audit of libraries; return what is wrong."""
    began = time.monotonic() - waited_here()
    with pytest.MonkeyPatch.context() as patch:
        Audit(patch)
        done = audit(*words)
    took = time.monotonic() - waited_here() - began
    wrong = unclear(done.exit_code, done.stdout, done.stderr, names)
    return [*wrong, *([f"took {took:.0f} s"] if took > _SECONDS else [])]


def _trial(group: str, words: Sequence[str], out: bool = True) -> Trial:
    name = " ".join(each if len(each) < 60 else f"{each[:40]}…" for each in words)
    return Trial(group, name, lambda folder: typed(*words, *(["--out", str(folder / "report")] if out else [])))


def inputs() -> Iterator[Trial]:
    """Yield all that is typed."""
    small = ("run", "--dataset", "synthetic:5x20")
    for option in ("-k", "--timeout", "--jobs"):
        for number in NUMBERS:
            yield _trial("numbers", [*small, f"{option}{'' if option == '-k' else '='}{number}"])
    for option in ("--dataset", "--canonical", "--source", "--recommender", "-l", "--group", "--adapters"):
        for word in WORDS:
            yield _trial("words", [*(("run",) if option == "--dataset" else small), option, word])
    for word in WORDS:
        yield Trial("words", f"run --out {word[:40]!r}", partial(_out_of, word))
        yield _trial("names", ["explain", "--", word], out=False)
        yield _trial("names", ["list", "--adapters", word], out=False)
        yield _trial("names", ["report", "--", word], out=False)
        yield _trial("names", ["compare", "--", word, word], out=False)
        yield _trial("names", ["identify", "--", word], out=False)
        yield _trial("names", ["check", "-l", word], out=False)
        yield _trial("names", ["reproduce", "--", word, "f"], out=False)
        yield _trial("names", ["fetch", "--", word], out=False)
        yield _trial("names", ["evaluate", "--", word, word], out=False)
    for signature in _SIGNATURES:
        yield _trial("signatures", ["explain", "--", signature], out=False)
        yield _trial("signatures", [*small, "--canonical", f"ndcg={signature}"])
        yield _trial("signatures", ["diff", "--", signature, "ndcg@20"], out=False)
    for number in ("", "x", "inf", "nan", "9" * 5000, "\x1b[2J", "::error::"):
        yield _trial("numbers", ["which", "--metric", "ndcg", "-k", "20", f"--value={number}"], out=False)
    for number in NUMBERS:
        yield _trial("numbers", ["identify", "no.py:f", f"--timeout={number}"], out=False)


def _out_of(word: str, folder: Path) -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return typed("run", "--dataset", "synthetic:5x20", "--out", word if word != "/" else "/proc/none")
