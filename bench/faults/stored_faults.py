"""Damages files that the tool keeps: cached answers, findings, recordings, locks, the marks of environments.

Whatever is damaged is refused or asked anew, in words: a changed digit never becomes an answer, and nothing waits.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from bench.faults.trial import PLACES, Trial, replace_file
from recsys_metric_audit.audit.data import load as load_data
from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.environments.environment import BuildFailed
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.findings.finding import Subject, unmeasured_finding
from recsys_metric_audit.audit.libraries.manifest import load
from recsys_metric_audit.audit.process.protocol import Answer, Ask, Conversation, Hello, Limits
from recsys_metric_audit.audit.responders import recording_file
from recsys_metric_audit.audit.responders.cache import AnswerCache, CachedLibrary
from recsys_metric_audit.audit.responders.live import LiveLibrary
from recsys_metric_audit.audit.run.finding_store import FindingStore, KeptFindings
from recsys_metric_audit.audit.run.request import Request
from tests.support.fake_libraries import FAKE_UV, write_library, write_lock_by_hand
from tests.support.one_metric_library import GOOD, TOML
from tests.support.recorded_answers import OUTCOMES, comparable, every_outcome, one_row_case

Damage = Callable[[Path], None]
_ASK = Ask(0, "p0", ("mean", "users", "absent"), (5,))
_CASES = {"p0": one_row_case()}


def _replaced(make: Callable[[bytes], bytes]) -> Damage:
    return lambda path: path.write_bytes(make(path.read_bytes())) and None  # type: ignore[func-returns-value]


def _flipped(at: float) -> Damage:
    def flip(content: bytes) -> bytes:
        place = min(int(at * len(content)), len(content) - 1)
        return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]

    return _replaced(flip)


DAMAGES: dict[str, Damage] = {
    **{f"a bit flipped at {n}/16": _flipped(n / 16) for n in range(16)},
    **{f"cut at {n}/8": _replaced(lambda old, n=n: old[: n * len(old) // 8]) for n in range(8)},  # type: ignore[misc]
    "one byte more": _replaced(lambda old: old + b"x"),
    "one line more": _replaced(lambda old: old + b"{}\n"),
    "twice": _replaced(lambda old: old + old),
    "NUL bytes": _replaced(lambda old: bytes(len(old))),
    "not UTF-8": _replaced(lambda old: b"\xff\xfe" + old),
    "another format": _replaced(lambda old: old.replace(b'"format": ', b'"format": 9')),
    **{f"a {name}": partial(replace_file, put) for name, put in PLACES.items()},
    "nothing": Path.unlink,
}


def faults() -> Iterator[Trial]:
    """Yield every damage of every kind of file."""
    for name, damage in DAMAGES.items():
        yield Trial("cached answers", name, partial(_cached, damage))
        yield Trial("kept findings", name, partial(_kept, damage))
        yield Trial("header of a recording", name, partial(_recorded, damage, "*.json"))
        yield Trial("answers of a recording", name, partial(_recorded, damage, "*.xz"))
        yield Trial("lock", name, partial(_locked, damage))
        if "/" not in name or name.endswith(("9/16", "4/8")):  # each builds an environment
            yield Trial("mark of an environment", name, partial(_marked, damage))


def _answered(asks: list[Ask]) -> Conversation:
    hello = Hello(1, "3.11", "Linux", {}, _ASK.functions)
    return Conversation(hello, tuple(Answer(a.id, f, 5, OUTCOMES[f]) for a in asks for f in a.functions), 0.0)


def _cached(damage: Damage, folder: Path) -> list[str]:
    adapter = folder / "adapter.py"
    adapter.write_text("FUNCTIONS = {}\n")
    cache = AnswerCache.open(folder, "tiny", "1.0", adapter)
    right = cache.answer(_CASES, [_ASK], _answered)  # type: ignore[arg-type]
    cache.save()
    damage(cache.path)
    asked: list[Ask] = []

    def ask(asks: list[Ask]) -> Conversation:
        asked.extend(asks)
        return _answered(asks)

    again = AnswerCache.open(folder, "tiny", "1.0", adapter)
    said = again.answer(_CASES, [_ASK], ask)  # type: ignore[arg-type]
    again.save()
    want = [comparable(each.outcome) for each in right.answers]
    wrong = [] if [comparable(each.outcome) for each in said.answers] == want else ["other answers"]
    if not asked:
        wrong.append("damaged answers were believed")
    if asked and not again.damage and cache.path.exists() and damage is not DAMAGES["nothing"]:
        wrong.append("nobody is told why it was asked anew")
    return wrong


def _kept(damage: Damage, folder: Path) -> list[str]:
    (folder / "good").mkdir()
    (folder / "good" / "library.toml").write_text(TOML)
    (folder / "good" / "adapter.py").write_text(GOOD)
    manifest = load(folder / "good")
    (version,) = manifest.versions
    request = Request(((manifest, version),), load_data("synthetic:5x20"), (5,), 1, Limits(), "audit run")
    finding = unmeasured_finding(Subject("good", "1.0", manifest.functions[0]), 5, "failed", "ValueError: k")
    found = KeptFindings((finding,), None, {})

    def opened() -> tuple[CachedLibrary, FindingStore]:
        adapter = manifest.adapter_path(version)
        cache = AnswerCache.open(folder, "good", "1.0", adapter)
        library = CachedLibrary(LiveLibrary(Path("python"), adapter, (), Limits()), cache)
        store = FindingStore.of(manifest, version, library, request)
        assert store is not None
        return library, store

    library, store = opened()
    library.cache.answer(_CASES, [_ASK], _answered)  # type: ignore[arg-type]
    store.write(found)
    library.cache.save()
    damage(store.path)
    library, store = opened()
    kept = store.read()
    if kept is not None:
        return [] if (kept.findings, kept.fault) == (found.findings, None) else ["damaged findings were believed"]
    told = library.caution or not store.path.exists() or damage is DAMAGES["nothing"]
    library.cache.answer(_CASES, [_ASK], _answered)  # type: ignore[arg-type]
    store.write(found)
    return [] if told else ["nobody is told why it was identified anew"]


def _recorded(damage: Damage, pattern: str, folder: Path) -> list[str]:
    header = folder / "recordings" / "1.0.json"
    recording_file.write(header, every_outcome())
    digest = recording_file.read(header).header
    (path,) = (folder / "recordings").glob(pattern)
    before = path.read_bytes()
    damage(path)
    try:
        found = recording_file.read(header)
    except UserError as error:
        return [] if str(path.parent) in error.message else [f"the message names no file: {error.message[:200]}"]
    answers = {key: [comparable(one) for one in own] for key, own in found.log.answers.items()}
    right = {key: [comparable(one) for one in own] for key, own in every_outcome().log.answers.items()}
    same = list(answers) == list(right) and found.header == digest
    if pattern == "*.json" and path.is_file() and path.read_bytes() != before:
        same = list(answers) == list(right)  # a word of the header that is no part of any answer
    return [] if same else ["damaged answers were believed"]


def _locked(damage: Damage, folder: Path) -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        manifest, version = write_library(folder / "fake")
        path = write_lock_by_hand(manifest, version)
        before = path.read_bytes()
        damage(path)
        found = environment.state(manifest, version)
        after = path.read_bytes() if path.is_file() else b""
    # Where the first line, a name and a hash are whole, the lock can be used: uv compares what it installs.
    usable = found in ("bad lock", "no lock") or (found == "missing" and after[:60] == before[:60])
    return [] if usable else [f"the state is {found!r}"]


def _marked(damage: Damage, folder: Path) -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        patch.setenv("FAKE_LOG", str(folder / "log"))
        (folder / "uv.py").write_text(FAKE_UV)
        patch.setattr(
            "recsys_metric_audit.audit.environments.uv.command", lambda: [sys.executable, str(folder / "uv.py")]
        )
        manifest, version = write_library(folder / "fake")
        write_lock_by_hand(manifest, version)
        built = environment.ensure(manifest, version)
        damage(built.folder / environment.MARKER)
        try:
            again = environment.ensure(manifest, version)
        except BuildFailed as error:
            return [f"not built again: {error.reason}"]
        ready = environment.state(manifest, version) == "ready"
        return [] if ready and again == built else ["it is not ready"]
