"""A library folder in a temporary directory, and a uv that does what a test tells it to."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import pytest

from recsys_metric_audit.audit.environments import locking as locks
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version, load

HERE = f"{sys.version_info[0]}.{sys.version_info[1]}"

TOML = """\
title = "Fake Metrics"
about = "Has metrics."
homepage = "https://example.org/fake"

[source]
package = "fake-metrics"

[[version]]
version = "1.2.0"
python = "{python}"
requires = ["numpy<2"]
{more}

[[function]]
name = "fake_metrics.ndcg"
metric = "ndcg"
"""

# Speaks as uv does; what is said and done is told by FAKE_* variables.
FAKE_UV = """\
import hashlib, json, os, re, subprocess, sys, time
argv = sys.argv[1:]
text = "" if sys.stdin.isatty() else sys.stdin.read()
with open(os.environ["FAKE_LOG"], "a") as log:
    log.write(json.dumps({"argv": argv, "input": text, "pid": os.getpid()}) + "\\n")
verb = " ".join(argv[:2]) if argv[0] in ("pip", "python") else argv[0]
said = os.environ.get("FAKE_FAILS_" + verb.replace(" ", "_"))
if said:
    sys.exit(said)
if verb == "python find":
    found = os.environ.get("FAKE_PYTHON", "")
    print(found)
    sys.exit(0 if found else 2)
if verb == "venv":
    subprocess.run([argv[argv.index("--python") + 1], "-m", "venv", "--without-pip", argv[-1]], check=True)
if verb == "pip install":
    print("Resolved 2 packages in 1ms", file=sys.stderr, flush=True)
    print("warning: not for the user", file=sys.stderr, flush=True)
    print(os.environ.get("FAKE_SAYS_pip_install", ""), file=sys.stderr, flush=True)
    time.sleep(float(os.environ.get("FAKE_SECONDS", "0")))
if verb == "pip compile":
    for line in text.split():
        name = re.split("[<=>]", line)[0]
        version = line.split("==")[1] if "==" in line else "1.0"
        digest = hashlib.sha256((name + version).encode()).hexdigest()
        files = 'wheels = [{ hashes = { sha256 = "' + digest + '" } }]'
        print('[[packages]]\\nname = "' + name + '"\\nversion = "' + version + '"\\n' + files)
"""


class FakeUv:
    """Stands in for uv; ``calls`` are the arguments of each call so far."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.script, self.log = folder / "fake_uv.py", folder / "fake_uv.log"
        self.script.write_text(FAKE_UV)
        self.monkeypatch = monkeypatch
        monkeypatch.setenv("FAKE_LOG", str(self.log))
        monkeypatch.setattr(
            "recsys_metric_audit.audit.environments.uv.command", lambda: [sys.executable, str(self.script)]
        )
        for name in ("UV_FIND_LINKS", "PIP_FIND_LINKS"):
            monkeypatch.delenv(name, raising=False)

    def told(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []

    def calls(self, *verb: str) -> list[list[str]]:
        argvs = [list(map(str, call["argv"])) for call in self.told()]  # type: ignore[call-overload]
        return [argv for argv in argvs if argv[: len(verb)] == list(verb)]

    def fails(self, verb: str, said: str) -> None:
        self.monkeypatch.setenv(f"FAKE_FAILS_{verb.replace(' ', '_')}", said)


def write_library(folder: Path, more: str = "", python: str = HERE) -> tuple[Manifest, Version]:
    """Write a library with one version; ``more`` are further lines of its ``[[version]]``."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "library.toml").write_text(TOML.format(more=more, python=python))
    manifest = load(folder)
    return manifest, manifest.versions[0]


def pin(name: str, version: str) -> str:
    """Return a line of a lock as the fake uv makes it."""
    digest = hashlib.sha256((name + version).encode()).hexdigest()
    return f"{name}=={version} \\\n    --hash=sha256:{digest}"


def write_lock_by_hand(manifest: Manifest, version: Version, *blocks: str) -> Path:
    """Write a lock with a digest that fits; without ``blocks`` it holds numpy and the library."""
    body = blocks or (pin("fake-metrics", "1.2.0"), pin("numpy", "1.0"))
    digest = locks.inputs_digest(manifest, version)
    head = f"# sha256:{digest} python {version.python} on {locks.host_platform()}"
    path = manifest.lock_path(version)
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join([head, *body]) + "\n")
    return path
