"""Finding the Python that an environment is built with, and the Java that a library would find.

A Python is searched in this order: a path that the user names (``AUDIT_PYTHON_3_9=/path/to/python``), uv's own
search, the Python that runs this tool, pyenv's versions, and a download by uv if that is allowed. Every candidate is
run and asked for its version: a launcher on PATH may point at nothing.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from recsys_metric_audit.audit.environments import uv
from recsys_metric_audit.audit.errors import UserError

_SECONDS = 60
"""Time that an interpreter may take to say its version."""
_PRINT_VERSION = "import sys; print('%d.%d' % sys.version_info[:2])"


class MissingInterpreterError(UserError):
    """No Python of the wanted version is on this machine."""


def find_python(version: str) -> Path:
    """Return the absolute path of an interpreter of `version` that runs.

    Args:
        version: major and minor number (``3.9``).

    Raises:
        MissingInterpreterError: if the named one is of another version, or none is found.
    """
    if named := os.environ.get(variable(version), "").strip():
        return _checked(Path(_expanded(named)), version)
    for candidate in _candidates(version):
        if version_of(candidate) == version:
            return candidate
    raise MissingInterpreterError(
        f"Python {version} is not on this machine, nor to be downloaded",
        f"install it (`uv python install {version}`, pyenv, or the system's packages) "
        f"or name it: {variable(version)}=/path/to/python{version}",
    )


def variable(version: str) -> str:
    """Return the name of the environment variable that holds the path of the interpreter of `version`."""
    return f"AUDIT_PYTHON_{version.replace('.', '_')}"


def version_of(python: Path, environ: Mapping[str, str] | None = None) -> str | None:
    """Return the version that `python` reports (``3.9``), or None if it does not run.

    Args:
        python: an interpreter.
        environ: its environment variables; by default those of this process.
    """
    command: list[str | Path] = [python, "-I", "-c", _PRINT_VERSION]
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd="/",
            env=environ, start_new_session=True, errors="replace",
        )  # fmt: skip
    except OSError:
        return None
    with process:
        try:
            said, _ = process.communicate(timeout=_SECONDS)
        except BaseException as error:
            with suppress(ProcessLookupError):  # a launcher waits for what it has started
                os.killpg(process.pid, signal.SIGKILL)
            if isinstance(error, subprocess.TimeoutExpired):
                return None
            raise
    return said.strip() if process.returncode == 0 else None


def _checked(named: Path, version: str) -> Path:
    found = version_of(named.absolute())
    if found == version:
        return named.absolute()
    what = "does not run" if found is None else f"is Python {found}"
    raise MissingInterpreterError(f"{named} {what}; Python {version} is wanted", f"mend or unset {variable(version)}")


def _candidates(version: str) -> Iterator[Path]:
    yield from _uv_search(version, "--no-python-downloads")
    base = getattr(sys, "_base_executable", "")
    if base and version == f"{sys.version_info[0]}.{sys.version_info[1]}":
        yield Path(base)
    yield from _pyenv(version)
    if _uv("install", "--no-bin", version).code == 0:
        yield from _uv_search(version)


def _uv_search(version: str, *options: str) -> Iterator[Path]:
    # `--system`: never build on a virtual environment of the user's.
    done = _uv("find", *options, "--system", version)
    if done.code == 0 and done.out.strip():
        yield Path(done.out.strip())


def _uv(*arguments: str) -> uv.Done:
    with tempfile.TemporaryDirectory() as folder:
        return uv.run(["python", *arguments], cwd=Path(folder))


def _pyenv(version: str) -> Iterator[Path]:
    """Yield pyenv's interpreters of `version`, the newest patch release first."""
    roots = [os.environ.get("PYENV_ROOT", ""), _expanded("~/.pyenv")]
    for root in dict.fromkeys(root for root in roots if root):
        folders = [p for p in Path(root).glob(f"versions/{version}*") if _patch(p, version) is not None]
        for folder in sorted(folders, key=lambda p: _patch(p, version) or 0, reverse=True):
            yield folder.absolute() / "bin" / f"python{version}"


def _expanded(path: str) -> str:
    """Return `path` with its ``~`` replaced, or as it is where that user has no home folder."""
    return os.path.expanduser(path)  # noqa: PTH111 - that of Path raises an error there


def _patch(folder: Path, version: str) -> int | None:
    found = re.fullmatch(re.escape(version) + r"(?:\.(\d+))?", folder.name)
    return int(found[1] or 0) if found else None


def major_version() -> int | None:
    """Return the major version of the Java in ``JAVA_HOME``, else on ``PATH``; None if there is none that runs."""
    home = os.environ.get("JAVA_HOME", "").strip()
    java = Path(home) / "bin" / "java" if home else "java"
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
