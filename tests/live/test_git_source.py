"""A library in a git repository, from recording to report: live, replayed, stale, tampered with, unpinned.

The repository is made here. Real checkouts are taken where AUDIT_SOURCES names folders (``:`` between): each is then
recorded again and held against its recording, to the last bit.
"""

from __future__ import annotations

import json
import lzma
import os
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest
from typer.testing import Result as Printed

from recsys_metric_audit.audit.environments import locking
from recsys_metric_audit.audit.libraries.discovery import adapters_dir, discover
from recsys_metric_audit.audit.libraries.manifest import Manifest
from recsys_metric_audit.audit.process.protocol import Outcome
from recsys_metric_audit.audit.responders import recording_file
from recsys_metric_audit.audit.responders.recording_file import AnswerLog, Recording, from_json, to_json
from recsys_metric_audit.audit.sources.checkout import mismatches
from recsys_metric_audit.reports.model.result import Library, Result
from recsys_metric_audit.reports.model.result_file import read_result
from tests.support.command_line import audit
from tests.support.git_libraries import ADAPTER, CHANGED, git, write_adapter, write_repository
from tests.support.html_reader import unpack

pytestmark = pytest.mark.live

CHECKOUTS = [Path(folder) for folder in os.environ.get("AUDIT_SOURCES", "").split(os.pathsep) if folder]


class Place:
    """A repository, the adapters that pin it, and the command line on both."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.repository, self.adapters = folder, folder / "repository", folder / "adapters"
        write_repository(self.repository)
        self.manifest = self.pin()
        self.recording = self.manifest.recording_path(self.manifest.versions[0])

    def pin(self, adapter: str = ADAPTER) -> Manifest:
        manifest = write_adapter(self.adapters / "tiny", ("1.0", self.repository), adapter=adapter)
        path = manifest.lock_path(manifest.versions[0])
        path.parent.mkdir(exist_ok=True)
        if not path.exists():
            path.write_text(locking.compile_lock(manifest, manifest.versions[0]))
        return manifest

    def audit(self, *words: str) -> Printed:
        with chdir(self.folder):
            return audit(*words, "--adapters", str(self.adapters))

    def run(self, *words: str) -> Result:
        out = words[words.index("--out") + 1] if "--out" in words else "report"
        done = self.audit("run", "-l", "tiny", "--jobs", "1", "--out", out, *words)
        assert done.exit_code == 0, done.stderr[-3000:]
        return read_result(self.folder / out)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = Place(tmp_path_factory.mktemp("git"))
    done = place.audit("record", "--source", f"tiny={place.repository}")
    assert done.exit_code == 0, done.stderr[-3000:]
    return place


@pytest.fixture(scope="module")
def live(recorded: Place) -> Result:
    return recorded.run("--source", f"tiny={recorded.repository}", "--out", "live")


@pytest.fixture(scope="module")
def replayed(recorded: Place) -> Result:
    return recorded.run("--out", "replayed")


def row(result: Result) -> Library:
    (entry,) = result.libraries
    return entry


def meanings(result: Result) -> list[tuple[object, ...]]:
    """Return all that is told, but for the number of inputs: a recording holds what a search asks."""
    found = [each.model_dump(exclude={"live": True, "evidence": {"cases"}}) for each in result.findings]
    return [tuple(sorted((name, repr(value)) for name, value in each.items())) for each in found]


def test_the_recording_replays_to_the_same_findings(recorded: Place, live: Result, replayed: Result) -> None:
    assert meanings(live) == meanings(replayed)
    asked, recorded_cases = (each.findings[0].evidence for each in (live, replayed))
    assert asked is not None and recorded_cases is not None and asked.cases < recorded_cases.cases
    finding = live.findings[0]
    assert (finding.status, finding.verdict, finding.signature) == ("measured", "agrees", "precision@20")
    assert [each.live for each in (row(live), row(replayed))] == [True, False]
    assert (row(replayed).caution, row(live).recorded, row(live).caution) == ("", None, "")
    assert str(row(replayed).recorded).startswith("20")
    assert "recorded" in (recorded.folder / "replayed" / "tables.md").read_text()
    assert "replayed from a recording of 20" in unpack((recorded.folder / "replayed" / "index.html").read_text())


def test_what_nobody_has_compiled_is_unavailable_and_says_how(live: Result, replayed: Result) -> None:
    for result in (live, replayed):
        compiled = result.findings[1]
        assert (compiled.function, compiled.status) == ("tiny.compiled.precision", "unavailable")
        assert str(compiled.reason).startswith("not built: ")
        assert str(compiled.reason).endswith("in a checkout of your own, `make` builds it")


def test_nothing_of_the_machine_is_in_the_recording_and_nothing_left_in_the_checkout(recorded: Place) -> None:
    (answers,) = recorded.recording.parent.glob("*.jsonl.xz")
    text = recorded.recording.read_text() + lzma.decompress(answers.read_bytes()).decode()
    assert str(recorded.folder) not in text
    assert len(text) < 1_500_000
    assert git(recorded.repository, "status", "--porcelain", "--ignored") == ""


def test_recording_again_gives_the_same_to_the_bit(recorded: Place) -> None:
    done = recorded.audit("record", "tiny", "--check", "--source", f"tiny={recorded.repository}")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.endswith("1.0.json: the same\n")


def halved(outcome: Outcome) -> Outcome:
    """Replace every 0.5 by 0.25."""
    text = json.dumps(to_json(outcome))
    return from_json(json.loads(text.replace('0.5"', '0.25"').replace("0.5 ", "0.25 ")))


def test_a_changed_digit_is_found_by_check_and_by_identification(recorded: Place) -> None:
    whole = recording_file.read(recorded.recording)
    answers = {key: [halved(each) for each in outcomes] for key, outcomes in whole.log.answers.items()}
    try:
        recording_file.write(recorded.recording, Recording(whole.header, AnswerLog(answers, whole.log.names)))
        done = recorded.audit("record", "tiny", "--check", "--source", f"tiny={recorded.repository}")
        assert done.exit_code == 2
        assert "tiny.metrics.precision on " in done.stderr
        assert recorded.run().findings[0].verdict == "unexplained"
    finally:
        recording_file.write(recorded.recording, whole)


def test_a_dirty_checkout_is_refused_or_taken_as_it_is(recorded: Place) -> None:
    metrics = recorded.repository / "tiny" / "metrics.py"
    kept = metrics.read_text()
    try:
        metrics.write_text(CHANGED)
        refused = recorded.audit("run", "-l", "tiny", "--source", f"tiny={recorded.repository}", "--out", "refused")
        assert refused.exit_code == 2
        assert "files were changed: tiny/metrics.py" in refused.stderr
        assert "→ audit fetch tiny" in refused.stderr
        assert not (recorded.folder / "refused").exists()
        taken = recorded.run("--source", f"tiny={recorded.repository}", "--unpinned")
        assert row(taken).caution.startswith("unpinned: files were changed: tiny/metrics.py")
        assert taken.findings[0].definition["denominator"] == "shown"
    finally:
        metrics.write_text(kept)


GIT_VERSIONS = [
    (manifest, version)
    for manifest in discover([adapters_dir()]).values()
    for version in manifest.versions
    if version.git is not None
]


@pytest.mark.parametrize(("manifest", "version"), GIT_VERSIONS, ids=lambda each: getattr(each, "version", None))
def test_every_pinned_commit_has_a_recording_that_fits_it(manifest: Manifest, version: object) -> None:
    from recsys_metric_audit.audit.responders.recording_file import read as read_recording

    (pinned,) = [each for each in manifest.versions if each == version]
    assert pinned.git is not None
    path = manifest.recording_path(pinned)
    header = read_recording(path).header
    assert (header.library, header.version) == (manifest.name, pinned.version)
    assert (header.commit, header.digest) == (pinned.git.commit, pinned.git.digest)


def given() -> list[tuple[str, Path]]:
    """Return the pinned versions that lie in the folders of AUDIT_SOURCES."""
    return [
        (f"{manifest.name}=={version.version}", folder)
        for folder in CHECKOUTS
        for manifest, version in GIT_VERSIONS
        if version.git is not None and not mismatches(folder, version.git)
    ]


if CHECKOUTS:  # nothing to skip where none is given

    @pytest.mark.parametrize(("name", "folder"), given())
    def test_a_given_checkout_answers_as_recorded_to_the_last_bit(name: str, folder: Path) -> None:
        command = [Path(sys.executable).with_name("audit"), "record", name, "--check", "--source", f"{name}={folder}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-3000:]
