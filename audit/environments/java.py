"""The Java that a library would find, and what to do if it is missing or of the wrong version."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path


def major_version(environ: dict[str, str] | None = None) -> int | None:
    """Return the major version of the Java in ``JAVA_HOME``, else on ``PATH``; None if there is none that runs.

    Args:
        environ: environment variables; by default those of this process.
    """
    java = _executable(dict(os.environ) if environ is None else environ)
    if java is None:
        return None
    try:
        done = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, errors="replace")
    except (OSError, subprocess.TimeoutExpired):
        return None
    # 1.8.0_392 is Java 8; from 9 on the first number is the major one (JEP 223).
    found = re.search(r'version "(?:1\.)?(\d+)', done.stderr + done.stdout)
    return int(found[1]) if found and done.returncode == 0 else None


def missing_java(wanted: Sequence[int]) -> tuple[str, str] | None:
    """Return reason and hint if the Java found here is none of the major versions `wanted`, else None."""
    found = major_version()
    if found in wanted:
        return None
    names = " or ".join(map(str, wanted))
    home = os.environ.get("JAVA_HOME", "").strip()
    none = f"JAVA_HOME is {home}, where none runs" if home else "there is no Java on this machine"
    what = none if found is None else f"the Java found here is {found}"
    package = f"openjdk-{wanted[-1]}-jre-headless"
    return f"it runs on Java {names}, and {what}", f"install it (apt-get install {package}) or set JAVA_HOME"


def _executable(environ: dict[str, str]) -> str | None:
    home = environ.get("JAVA_HOME", "").strip()
    return str(Path(home) / "bin" / "java") if home else shutil.which("java", path=environ.get("PATH"))
