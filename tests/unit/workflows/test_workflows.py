"""The workflows and the action: what they may, what they pin, and that each of their steps works as it is written.

Every `run` step is either executed, here or in the live tests, or listed with the reason why it is not.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from recsys_metric_audit.audit.libraries.discovery import adapters_dir
from recsys_metric_audit.reports.model.result_file import read_result, write_result
from tests.support.result_samples import finding, library
from tests.support.result_samples import result as sample

ROOT = adapters_dir().parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FILES = [*WORKFLOWS, ROOT / "action.yml"]

Step = dict[str, Any]

HERE = {
    "audit/lint/Are the locks those of library.toml?",
    "audit/list/Which libraries are there?",
    "audit/audit/Summary",
    "audit/report/One report out of all",
    "audit/report/Summary",
    "upgrade/list/Which libraries are there?",
    "upgrade/attempt/Pack what was pinned",
    "upgrade/propose/Unpack what was pinned",
    "release/build/Is the tag the version of the package?",
    "release/build/Absolute links for the package's page",
    "action/steps/What is asked?",
}
# tests/live/test_workflows_live.py
LIVE = {
    "audit/audit/Audit",
    "audit/audit/Does it still compute what was accepted?",
    "upgrade/attempt/Try the newest release",
    "action/steps/Does the function compute what is expected?",
    "action/steps/Does the library still compute what was accepted?",
}
ELSEWHERE = {
    "Install": "`make install` and a pip install of the tool: what made the environment that these tests run in",
    "Lint": "`make lint`: `make test` runs it before any test",
    "Are the generated pages those of the recorded data?": "`make docs`: tests beside each page hold it to that data",
    "The site, with this report in it": "`make site`: tests/browser/test_site.py builds it; and a copy of a folder",
    "Build": "`make wheel`, which needs a network",
    "Data set": "`make data-set`: tests/unit/reports/writers/test_writers.py",
    "Is what is built whole, and good outside the checkout?": "`make wheel-check`, minutes and a network",
    "Is what was built whole?": "tests/unit/workflows/test_wheel_scripts.py, and tests/live/test_wheel.py on a build",
    "Does the wheel work outside the checkout?": "`make wheel-check`, minutes and a network: for a person, too",
    "Release page": "gh, which makes the page of a release on GitHub",
    "Tools": "hashed requirements, which need a network",
    "Install our wheel alone": "as `make wheel-check` does, which needs a network",
    "Bill of materials": "cyclonedx-py, of what the step before installed",
    "Is anything known of what we ship?": "pip-audit, which asks a service",
    "Look up what every lock holds": "pip-audit, which asks a service",
    "List what is known": "tests/unit/audit/environments/test_advisories.py, on a recorded answer",
}


def steps() -> dict[str, Step]:
    """Every step that runs a command, by file, job and name."""
    found: dict[str, Step] = {}
    for file in FILES:
        document = yaml.safe_load(file.read_text())
        jobs = document["jobs"] if "jobs" in document else {"steps": document["runs"]}
        for name, job in jobs.items():
            for step in job["steps"]:
                if "run" in step:
                    key = f"{file.stem}/{name}/{step['name']}"
                    assert key not in found, f"two steps are called {key}"
                    found[key] = step
    return found


def execute(key: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a step as written, with the shell that GitHub runs it with, where ``.venv`` is the environment of now."""
    if not (folder / ".venv").exists():
        (folder / ".venv").symlink_to(sys.prefix)
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", steps()[key]["run"]]
    shown = {**os.environ, "COLUMNS": "100", **env}
    return subprocess.run(shell, cwd=folder, env=shown, capture_output=True, text=True, timeout=1200)


def test_every_command_is_executed_or_listed() -> None:
    listed = {key for key in steps() if key.rsplit("/", 1)[1] in ELSEWHERE}
    assert HERE | LIVE | listed == set(steps())


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_actions_are_pinned_by_commit_and_say_which_release(file: Path) -> None:
    uses = re.findall(r"^\s*(?:- )?uses: (.*)$", file.read_text(), flags=re.M)
    assert uses
    for line in uses:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line), line


def test_an_action_has_one_pin() -> None:
    pins: dict[str, set[str]] = {}
    for file in FILES:
        for name, commit in re.findall(r"uses: ([\w/-]+)@(\S+)", file.read_text()):
            pins.setdefault(name, set()).add(commit)
    assert {name: len(commits) for name, commits in pins.items()} == dict.fromkeys(pins, 1)


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_least_permissions(file: Path) -> None:
    document = yaml.safe_load(file.read_text())
    assert document["permissions"] == {}
    for name, job in document["jobs"].items():
        writes = {scope for scope, level in job["permissions"].items() if level == "write"}
        assert writes == MAY_WRITE.get(name, set()), name
        if writes:
            told = str([step.get("run", "") for step in job["steps"]])
            assert ".venv" not in told and "make" not in told, "what may write runs nothing of ours or of a library's"
        for step in job["steps"]:
            if "actions/checkout@" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False


MAY_WRITE = {
    "pages": {"pages", "id-token"}, "propose": {"contents", "pull-requests"}, "attest": {"id-token", "attestations"},
    "publish": {"id-token"}, "assets": {"contents"},
}  # fmt: skip


@pytest.mark.parametrize(("tag", "code"), [("v1.2.0", 0), ("v1.2.1", 1), ("1.2.0", 1)])
def test_a_tag_is_the_version_of_the_package(tag: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "x"\nversion = "1.2.0"\n[tool.y]\nother_version = "3"\n'
    )
    done = execute("release/build/Is the tag the version of the package?", tmp_path, GITHUB_REF_NAME=tag)
    assert done.returncode == code
    assert ("::error::" in done.stdout) == bool(code)


def test_the_page_of_the_package_has_absolute_links(tmp_path: Path) -> None:
    relative = "[a](docs/a.md), [b](docs/b.md#part), [c](#here), [d](https://e.org/f), **[e](LICENSE)**"
    (tmp_path / "README.md").write_text(f"{relative}\n[![f](docs/f.svg)](docs/g.md)\n")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    env = {"PROJECT": "https://h.org/o/p", "AT": "abc"}
    done = execute("release/build/Absolute links for the package's page", tmp_path, **env)
    assert done.returncode == 0, done.stderr
    blob = "https://h.org/o/p/blob/abc"
    assert (tmp_path / "README.md").read_text() == (
        f"[a]({blob}/docs/a.md), [b]({blob}/docs/b.md#part), [c](#here), [d](https://e.org/f), **[e]({blob}/LICENSE)**"
        f"\n[![f](https://h.org/o/p/raw/abc/docs/f.svg)]({blob}/docs/g.md)\n"
    )
    urls = tomllib.loads((tmp_path / "pyproject.toml").read_text())["project"]["urls"]
    assert urls["Repository"] == "https://h.org/o/p" and urls["Changelog"] == f"{blob}/CHANGELOG.md"


def test_only_a_tag_publishes_and_only_what_was_checked() -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())["jobs"]
    assert {name: job.get("needs") for name, job in jobs.items()} == {
        "build": None, "check": "build", "attest": "check", "publish": "attest", "assets": "publish",
    }  # fmt: skip
    assert {name for name, job in jobs.items() if job.get("if") == "github.event_name == 'push'"} == {
        "attest", "publish", "assets",
    }  # fmt: skip


def test_every_target_that_a_workflow_makes_exists() -> None:
    known = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.M))
    made = {name for step in steps().values() for name in re.findall(r"\bmake ([a-z-]+)", step["run"])}
    assert {"install", "docs", "wheel"} <= made <= known


def test_no_command_has_an_expression_in_it() -> None:
    for key, step in steps().items():
        assert "${{" not in step["run"], f"{key}: what is put into a command is code; it comes by the environment"


@pytest.mark.slow
def test_the_matrix_is_made_of_what_is_listed(tmp_path: Path) -> None:
    for workflow in ("audit", "upgrade"):
        out = tmp_path / workflow
        done = execute(f"{workflow}/list/Which libraries are there?", tmp_path, GITHUB_OUTPUT=str(out))
        assert done.returncode == 0, done.stderr
        (line,) = out.read_text().splitlines()
        name, _, text = line.partition("=")
        names = sorted(path.parent.name for path in adapters_dir().glob("*/library.toml"))
        assert (name, [entry["library"] for entry in json.loads(text)]) == ("libraries", names)
        for job in yaml.safe_load((ROOT / ".github" / "workflows" / f"{workflow}.yml").read_text())["jobs"].values():
            if "strategy" in job:
                assert job["strategy"]["matrix"] == {"include": "${{ fromJSON(needs.list.outputs.libraries) }}"}
                assert job["strategy"]["fail-fast"] is False


@pytest.mark.slow
def test_the_locks_are_checked(tmp_path: Path) -> None:
    done = execute("audit/lint/Are the locks those of library.toml?", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "locks are in order" in done.stdout


@pytest.mark.slow
def test_parts_become_one_report_with_its_summary(tmp_path: Path) -> None:
    for name in ("beta", "alpha"):
        part = sample(libraries=(library(name),), findings=(finding("ndcg", name),))
        write_result(part, tmp_path / "parts" / f"audit-{name}")
    done = execute("audit/report/One report out of all", tmp_path)
    assert done.returncode == 0, done.stderr
    whole = read_result(tmp_path / "audit-report")
    assert [entry.library for entry in whole.libraries] == ["alpha", "beta"]
    assert [each.library for each in whole.findings] == ["alpha", "beta"]
    for key in ("audit/audit/Summary", "audit/report/Summary"):
        summary = tmp_path / "summary"
        assert execute(key, tmp_path, GITHUB_STEP_SUMMARY=str(summary)).returncode == 0
        assert "**Table 1.**" in summary.read_text()


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=folder, check=True)


def repository(folder: Path) -> Path:
    locks = folder / "adapters" / "lib" / "locks"
    locks.mkdir(parents=True)
    (folder / "adapters" / "lib" / "library.toml").write_text("old\n")
    (locks / "1.0.txt").write_text("old\n")
    (folder / "other").write_text("old\n")
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "start")
    return folder


@pytest.mark.slow
def test_what_was_pinned_travels_and_nothing_else(tmp_path: Path) -> None:
    there, here = repository(tmp_path / "there"), repository(tmp_path / "here")
    (there / "proposal").mkdir()
    (there / "proposal" / "drift.md").write_text("# Lib 1.0 → 1.1\x07\n\n## more\n")
    (there / "adapters" / "lib" / "library.toml").write_text("new\n")
    (there / "adapters" / "lib" / "locks" / "1.1.txt").write_text("new\n")
    (there / "adapters" / "lib" / "adapter.py").write_text("planted")
    (there / "other").write_text("planted")
    assert execute("upgrade/attempt/Pack what was pinned", there, LIBRARY="lib").returncode == 0
    (there / "proposal").rename(tmp_path / "proposal")
    env = {"LIBRARY": "lib", "RUNNER_TEMP": str(tmp_path), "GITHUB_OUTPUT": str(tmp_path / "out")}
    done = execute("upgrade/propose/Unpack what was pinned", here, **env)
    assert done.returncode == 0, done.stderr
    assert (here / "adapters" / "lib" / "library.toml").read_text() == "new\n"
    assert (here / "adapters" / "lib" / "locks" / "1.1.txt").read_text() == "new\n"
    assert not (here / "adapters" / "lib" / "adapter.py").exists()
    assert (here / "other").read_text() == "old\n"
    (line,) = (tmp_path / "out").read_text().splitlines()
    assert line.startswith("title=Lib 1.0 ")
    assert line.endswith(" 1.1")


def test_without_drift_nothing_is_proposed(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")
    (there / "proposal").mkdir()
    assert execute("upgrade/attempt/Pack what was pinned", there, LIBRARY="lib").returncode == 0
    assert list((there / "proposal").iterdir()) == []
    env = {"LIBRARY": "lib", "RUNNER_TEMP": str(there), "GITHUB_OUTPUT": str(tmp_path / "out")}
    assert execute("upgrade/propose/Unpack what was pinned", there, **env).returncode == 0
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"FUNCTION": "m.py:f", "EXPECT": "ndcg@k"}, 0),
        ({"LIBRARY": "rs_metrics", "VERSION": "0.6.0"}, 0),
        ({"FUNCTION": "m.py:f"}, 2),
        ({"LIBRARY": "rs_metrics"}, 2),
        ({}, 2),
    ],
)
def test_the_action_says_what_it_needs(given: dict[str, str], code: int, tmp_path: Path) -> None:
    empty = dict.fromkeys(("FUNCTION", "EXPECT", "LIBRARY", "VERSION"), "")
    done = execute("action/steps/What is asked?", tmp_path, **empty | given)
    assert done.returncode == code
    assert ("::error::Give function and expect" in done.stdout) == (code == 2)


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ({}, ""),
        ({"STRICT": "true"}, " --strict"),
        ({"ADAPTERS": "my adapters"}, " --adapters my adapters"),
        ({"ADAPTERS": "adapters", "SOURCE": "src"}, " --adapters adapters --source mine==1.0=src"),
    ],
)
def test_the_action_checks_the_folders_that_it_is_given(given: dict[str, str], options: str, tmp_path: Path) -> None:
    tool = tmp_path / "recsys-metric-audit" / "bin" / "audit"
    tool.parent.mkdir(parents=True)
    tool.write_text('#!/bin/sh\necho "$# words: $*"\n')
    tool.chmod(0o755)
    empty = {
        "LIBRARY": "mine",
        "VERSION": "1.0",
        "RUNNER_TEMP": str(tmp_path),
        "STRICT": "",
        "ADAPTERS": "",
        "SOURCE": "",
    }
    done = execute("action/steps/Does the library still compute what was accepted?", tmp_path, **empty | given)
    words = 5 + 2 * bool(given.get("ADAPTERS")) + 2 * bool(given.get("SOURCE")) + bool(given.get("STRICT"))
    assert done.stdout == f"{words} words: check -l mine==1.0 --format github{options}\n"


def test_every_input_of_the_action_is_used() -> None:
    text = (ROOT / "action.yml").read_text()
    for name in yaml.safe_load(text)["inputs"]:
        assert f"inputs.{name}" in text


def test_dependabot_knows_every_kind_of_pin() -> None:
    updates = yaml.safe_load((ROOT / ".github" / "dependabot.yml").read_text())["updates"]
    found = {entry["package-ecosystem"]: entry["directory"] for entry in updates}
    assert found == {"github-actions": "/", "pip": "/requirements", "npm": "/requirements/npm"}
    assert (ROOT / "requirements" / "dev.txt").is_file()
    assert (ROOT / "requirements" / "npm" / "package-lock.json").is_file()
