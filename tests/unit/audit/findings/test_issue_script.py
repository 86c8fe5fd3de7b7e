"""Scripts of witnesses: what they hold, that they run by themselves, and what is said where there is none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from audit.cli import app
from audit.environments import environment
from audit.findings.issue_script import Name
from audit.libraries.manifest import Manifest, Version

pytestmark = pytest.mark.slow  # processes of their own, or whole audits

TOML = """\
title = "Statistics"
about = "It has two metrics."
homepage = "https://example.org"

[source]
package = "a-library"

[[version]]
version = "1.0"
python = "3.11"
requires = ["numpy<3"]

[[function]]
name = "statistics.mean[of=hits]"
metric = "precision"

[[function]]
name = "statistics.fmean"
metric = "precision"

[[function]]
name = "statistics.median"
metric = "recall"
"""

ADAPTER = """\
import statistics


def prepare(case):
    listed, relevant = {}, {}
    for user, item in zip(case.recommended.user.tolist(), case.recommended.item.tolist()):
        listed.setdefault(user, []).append(item)
    for user, item in zip(case.relevant.user.tolist(), case.relevant.item.tolist()):
        relevant.setdefault(user, set()).add(item)
    return listed, relevant


def shares(prepared, k):
    listed, relevant = prepared
    lists = [(listed.get(user, [])[:k], hits) for user, hits in relevant.items()]
    return [statistics.mean([float(item in hits) for item in items] or [0.0]) for items, hits in lists]


FUNCTIONS = {
    "statistics.mean[of=hits]": lambda prepared, k: statistics.mean(shares(prepared, k)),
    "statistics.fmean": lambda prepared, k: statistics.fmean(shares(prepared, k)),
    "statistics.median": lambda prepared, k: statistics.median([]),
}
"""

SCRIPT = """\
{% extends "base.py.txt" %}
{% block imports %}
import statistics
{% endblock %}
{% block call %}
listed, relevant = {}, {}
for user, item, score in RECOMMENDED:
    listed.setdefault(user, []).append(item)
for user, item, gain in RELEVANT:
    relevant.setdefault(user, set()).add(item)
lists = [(listed.get(user, [])[:K], hits) for user, hits in relevant.items()]
return statistics.{{ name }}([statistics.mean([float(i in hits) for i in items] or [0.0]) for items, hits in lists])
{% endblock %}
"""


@pytest.fixture
def adapters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    def ensure(manifest: Manifest, version: Version, **_: object) -> environment.Environment:
        return environment.Environment(Path(sys.executable), manifest.folder)

    monkeypatch.setattr(environment, "ensure", ensure)
    folder = tmp_path / "own" / "fake"
    folder.mkdir(parents=True)
    (folder / "library.toml").write_text(TOML)
    (folder / "adapter.py").write_text(ADAPTER)
    (folder / "script.py.txt").write_text(SCRIPT)
    return folder.parent


def said(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["reproduce", *arguments])
    return done.exit_code, done.stdout, done.stderr


def test_a_script_runs_by_itself_and_shows_what_it_states(adapters: Path, tmp_path: Path) -> None:
    code, script, errors = said("fake:mean[of=hits]", "--adapters", str(adapters))
    assert code == 0, errors
    assert 'pip install a-library==1.0 "numpy<3"\n' in script
    assert "audit" not in [word for line in script.splitlines() if "import " in line for word in line.split()]
    path = tmp_path / "elsewhere" / "issue.py"
    path.parent.mkdir()
    path.write_text(script)
    done = subprocess.run(
        [sys.executable, "-I", str(path)], capture_output=True, text=True, check=True, cwd=path.parent
    )
    now, seen, canonical = (float(line.split()[-1]) for line in done.stdout.splitlines())
    # the smallest input on which a share of what is shown is no precision: one item, relevant, for two places
    assert (now, seen, canonical) == (1.0, 1.0, 0.5)


@pytest.mark.parametrize(
    ("subject", "words"),
    [
        ("fake:mode", "fake has no function 'mode'"),
        ("fake", "'fake' names no function"),
        ("nobody:mean", "no library is called 'nobody'"),
        ("fake==2:fmean", "fake 2 is not pinned"),
        ("fake:median", "fake 1.0 statistics.median has no value to show: failed"),
    ],
)
def test_what_cannot_be_reproduced_is_said(adapters: Path, subject: str, words: str) -> None:
    code, script, errors = said(subject, "--adapters", str(adapters))
    assert (code, script) == (2, "")
    assert words in errors


def test_a_version_that_another_adapter_calls_has_a_template_of_its_own(adapters: Path) -> None:
    folder = adapters / "fake"
    (folder / "adapter.py").rename(folder / "old.py")
    (folder / "library.toml").write_text(TOML.replace('python = "3.11"', 'python = "3.11"\nadapter = "old.py"'))
    code, _, errors = said("fake:fmean", "--adapters", str(adapters))
    assert code == 2
    assert "fake 1.0 has no script.py.txt" in errors
    (folder / "old_script.py.txt").write_text(SCRIPT.replace("import statistics", "import {{ module }}  # the old one"))
    code, script, errors = said("fake:fmean", "--adapters", str(adapters))
    assert code == 0, errors
    assert "import statistics  # the old one\n" in script


def test_without_a_template_the_place_for_it_is_named(adapters: Path) -> None:
    (adapters / "fake" / "script.py.txt").unlink()
    code, _, errors = said("fake:fmean", "--adapters", str(adapters))
    assert code == 2
    assert "script.py.txt" in errors


@pytest.mark.parametrize(
    ("function", "name"),
    [
        ("a.b.ndcg", Name("ndcg", "", (), "", {}, "")),
        ("a.MAP[k_first=True,handling=exclude]",
         Name("MAP", "k_first=True,handling=exclude", (), "", {"k_first": "True", "handling": "exclude"},
              'k_first=True, handling="exclude"')),
        ("a.calc[MAP(beta=2.0)]", Name("calc", "MAP(beta=2.0)", (), "MAP", {"beta": "2.0"}, "beta=2.0")),
        ("a.calc[MAP()]", Name("calc", "MAP()", (), "MAP", {}, "")),
        ("a.Offline[MAP,polars]", Name("Offline", "MAP,polars", ("MAP", "polars"), "", {}, "")),
    ],
)  # fmt: skip
def test_names_are_taken_apart(function: str, name: Name) -> None:
    assert Name.of(function) == name
