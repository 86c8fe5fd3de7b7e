"""A library in a git repository of its own, small enough to make in a test, and the adapter folder that names it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from recsys_metric_audit.audit.libraries.manifest import Commit, Manifest, Version, load
from recsys_metric_audit.audit.sources.checkout import digest

CODE = '''\
def precision(ranked, relevant, k):
    """Share of the first k that are relevant."""
    return sum(relevant.count(item) for item in ranked[:k]) / k
'''
CHANGED = CODE.replace("/ k\n", "/ len(ranked[:k])\n")

ADAPTER = """\
import tiny.metrics

def by_user(table, order):
    found = {}
    for row in sorted(range(len(table.user)), key=order):
        found.setdefault(int(table.user[row]), []).append(int(table.item[row]))
    return found

def prepare(case):
    scores = case.recommended.score.tolist()
    return by_user(case.recommended, lambda row: -scores[row]), by_user(case.relevant, None)

def precision(data, k):
    ranked, relevant = data
    values = [tiny.metrics.precision(ranked.get(user, []), relevant[user], k) for user in relevant]
    return None, list(relevant), values

FUNCTIONS = {"tiny.metrics.precision": precision}
"""

TOML = """\
title = "Tiny"
about = "It has one metric, in a repository."
homepage = "https://example.org/tiny"

[source]
repository = "https://example.org/tiny"
{versions}
[[function]]
name = "tiny.metrics.precision"
metric = "precision"

[[function]]
name = "tiny.compiled.precision"
metric = "precision"
built = "make"
"""
VERSION = """
[[version]]
version = "{name}"
python = "3.11"
requires = ["numpy"]
git.commit = "{commit}"
git.files = ["tiny/**/*.py"]
git.digest = "{digest}"
"""


def git(folder: Path, *words: str) -> str:
    """Run git in ``folder`` as nobody in particular."""
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def write_repository(folder: Path, code: str = CODE) -> str:
    """Make or continue a repository whose newest commit holds ``code``; returns that commit."""
    (folder / "tiny").mkdir(parents=True, exist_ok=True)
    (folder / "tiny" / "__init__.py").touch()
    (folder / "tiny" / "metrics.py").write_text(code)
    (folder / "README").write_text(f"{len(code)} characters\n")
    if not (folder / ".git").exists():
        git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "a state")
    return git(folder, "rev-parse", "HEAD")


def write_adapter(folder: Path, *repositories: tuple[str, Path], adapter: str = ADAPTER) -> Manifest:
    """Write the adapter's folder ``tiny``, with a version for each (name, repository as it stands now)."""
    folder.mkdir(parents=True, exist_ok=True)
    versions = "".join(
        VERSION.format(name=name, commit=git(path, "rev-parse", "HEAD"), digest=digest(path, ["tiny/**/*.py"]))
        for name, path in repositories
    )
    (folder / "library.toml").write_text(TOML.format(versions=versions))
    (folder / "adapter.py").write_text(adapter)
    return load(folder)


def pinned(manifest: Manifest) -> Commit:
    commit = manifest.versions[0].git
    assert commit is not None
    return commit


def chosen(manifest: Manifest) -> list[tuple[Manifest, Version]]:
    return [(manifest, version) for version in manifest.versions]


def exported(repository: Path, folder: Path) -> Path:
    """Copy the tree without its git data, as an archive of it unpacks."""
    folder.mkdir()
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=repository, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x"], cwd=folder, input=archive, check=True)
    return folder
