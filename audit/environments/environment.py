"""The environment of a library version: built once from its lock, outside the repository, then only used.

It lies under ``$XDG_CACHE_HOME/recsys-metric-audit/environments`` in a folder named by library, version and a
digest of its lock. It is built under another name and renamed when it is complete, so that a folder with the right
name and marker is ready even if earlier builds were killed; one process builds it at a time. A ready environment is
used without network; one that was damaged since is built again.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from recsys_metric_audit.audit.cache_folder import cache_folder
from recsys_metric_audit.audit.environments import installed_files, locking, uv
from recsys_metric_audit.audit.environments.installed_files import FILES, differing_from_record
from recsys_metric_audit.audit.environments.installed_files import MARKER as MARKER
from recsys_metric_audit.audit.environments.interpreter import find_python, missing_java, version_of
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.remove_tree import remove_tree
from recsys_metric_audit.reports.model.regular_file import read_regular_text


@contextmanager
def exclusive(place: Path, progress: Callable[[str], None]) -> Iterator[int]:
    """Hold the lock on `place` and yield its file descriptor: a child that inherits it holds the lock if we die."""
    import fcntl  # missing on Windows, for which no lock is accepted

    with place.with_name(f"{place.name}.lock").open("w") as file:
        reported = False
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not reported:
                    progress("waiting for another process that builds it")
                reported = True
                time.sleep(0.2)
        yield file.fileno()


Progress = Callable[[str], None]
"""Called with each step of a build, in words."""
EnvironmentState = Literal["ready", "missing", "no lock", "bad lock", "unavailable"]
Step = Literal["pin", "java", "lock", "interpreter", "prepare", "create", "install", "check"]
_SHOWN_LINES = ("Resolved", "Downloading", "Downloaded", "Building", "Built", "Prepared", "Installed")


@dataclass(frozen=True)
class Environment:
    """A ready environment: its interpreter and the folder that holds it."""

    python: Path
    folder: Path


class BuildFailed(Exception):  # noqa: N818 - an outcome that becomes a row's status, not a fault of ours
    """An environment could not be built: the failed ``step``, the ``reason``, a ``hint``, the end of uv's log."""

    def __init__(self, step: Step, reason: str, hint: str = "", log_tail: str = "") -> None:
        super().__init__(reason)
        self.step = step
        self.reason = reason
        self.hint = hint
        self.log_tail = log_tail


def root() -> Path:
    """Return the folder that holds all environments; it may be missing."""
    return cache_folder() / "environments"


def state(manifest: Manifest, version: Version) -> EnvironmentState:
    """Return the state of the environment of `version`, without running anything.

    ``bad lock``: the lock cannot be read, is older than library.toml, or was made for another platform.
    ``unavailable``: library.toml says why the version cannot be installed.
    """
    if version.unavailable is not None:
        return "unavailable"
    try:
        lock = _usable_lock(manifest, version)
    except BuildFailed:
        return "bad lock" if manifest.lock_path(version).is_file() else "no lock"
    return "ready" if _is_ready(_place(manifest, version, lock), version) else "missing"


def ensure(
    manifest: Manifest, version: Version, *, progress: Progress = lambda _: None,
    damaged: Callable[[], object] = lambda: False,
) -> Environment:  # fmt: skip
    """Return the environment of `version`; build it if it is missing.

    Safe to call from several threads and processes: the second waits for the first.

    Args:
        manifest: the library.
        version: one of its versions.
        progress: called with each step, in words.
        damaged: whether one that is ready has to be built again; asked once more when no other process builds it.

    Raises:
        BuildFailed: if it cannot be built; nothing half-built is left behind.
    """
    if version.unavailable is not None:
        raise BuildFailed("pin", version.unavailable, log_tail=version.log)
    missing = missing_java(version.java) if version.java else None
    if missing is not None:
        raise BuildFailed("java", *missing)
    lock = _usable_lock(manifest, version)
    place = _place(manifest, version, lock)
    if damaged() or not _is_ready(place, version):
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            with exclusive(place, progress) as lock_file:
                if damaged() or not _is_ready(place, version):
                    _build(manifest, version, lock, place, progress, lock_file)
        except OSError as error:
            raise _disk_failed(error, place) from error
    return Environment(_python(place), place)


def remove(manifest: Manifest, version: Version) -> None:
    """Remove the environment of `version`, with the answers and findings that are kept in it; nothing where none is.

    What cannot be removed stays: the next run uses it or builds it again.
    """
    with suppress(BuildFailed, OSError):
        place = _place(manifest, version, _usable_lock(manifest, version))
        with exclusive(place, lambda _: None):
            _remove(place)


def _usable_lock(manifest: Manifest, version: Version) -> locking.Lock:
    again = f"make it with `audit lock {manifest.name}`"
    path = manifest.lock_path(version)
    try:
        lock = locking.read_lock(manifest, version)
    except UserError as error:
        raise BuildFailed("lock", error.message, again) from error
    except OSError as error:
        raise BuildFailed("lock", f"{path}: cannot be read ({error.strerror})") from error
    if lock is None:
        raise BuildFailed("lock", f"{path}: there is no such lock", again)
    if locking.is_stale(manifest, version, lock):
        raise BuildFailed("lock", f"{path}: library.toml has changed since it was made", again)
    if lock.platform != locking.host_platform():
        raise BuildFailed("lock", f"{path} is for {lock.platform}, this machine is {locking.host_platform()}", again)
    return lock


def _place(manifest: Manifest, version: Version, lock: locking.Lock) -> Path:
    digest = hashlib.sha256(lock.text.encode()).hexdigest()[:12]
    return root() / f"{manifest.name}-{version.version}-{digest}"


def _python(folder: Path) -> Path:
    return folder / "bin" / "python"


def _version_in(folder: Path) -> str | None:
    # What was installed may run code whenever its Python starts: it sees none of the user's variables.
    return version_of(_python(folder), {"PATH": os.defpath, "LANG": "C.UTF-8", "HOME": str(folder)})


def _mark(place: Path, version: Version) -> dict[str, str]:
    return {"environment": place.name, "python": version.python}


def _is_ready(place: Path, version: Version) -> bool:
    try:
        mark = json.loads(read_regular_text(place / MARKER))
    except (OSError, ValueError, RecursionError):
        return False
    # The link dangles when the Python it was built with has been removed.
    return bool(mark == _mark(place, version)) and (place / FILES).is_file() and _python(place).exists()


def _build(
    manifest: Manifest, version: Version, lock: locking.Lock, place: Path, progress: Progress, lock_file: int
) -> None:
    aside = place.with_name(f"{place.name}.building")
    _remove(aside)  # left by a run that was killed
    _remove(place)  # it has no marker, or a marker that does not fit
    try:
        base = find_python(version.python)
    except UserError as error:
        raise BuildFailed("interpreter", error.message, error.hint) from error
    try:
        with tempfile.TemporaryDirectory() as work:
            builder = _Builder(manifest, version, aside, Path(work), progress, lock_file)
            builder.create(base)
            builder.install(lock)
            builder.check_files(lock)
        builder.check()
        (aside / MARKER).write_text(json.dumps(_mark(place, version)) + "\n", encoding="utf-8")
        aside.rename(place)
    finally:
        _remove(aside)


def _remove(folder: Path) -> None:
    if folder.is_dir() and not folder.is_symlink():
        remove_tree(folder)
    else:
        folder.unlink(missing_ok=True)


@dataclass(frozen=True)
class _Builder:
    """The steps of one build; each raises :class:`BuildFailed` with its own name as the step.

    ``folder`` is built in, ``work`` holds temporary files, ``lock_file`` is a descriptor that uv inherits.
    """

    manifest: Manifest
    version: Version
    folder: Path
    work: Path
    progress: Progress
    lock_file: int

    def create(self, base: Path) -> None:
        self.progress(f"creating an environment on Python {self.version.python}")
        # Relocatable: its scripts must work after the rename.
        self._uv("create", "venv", "--relocatable", "--no-python-downloads", "--python", base, self.folder)

    def install(self, lock: locking.Lock) -> None:
        self.progress(f"installing {len(lock.pins)} distributions")
        if self.version.no_build_isolation is None:
            self._install(lock.text)
            return
        library = locking.normalised(self.manifest.source.package or "")
        self._install("\n".join(str(pin) for pin in lock.pins if pin.name != library))
        self.progress(f"building {library} with what is installed")
        self._install("\n".join(str(pin) for pin in lock.pins if pin.name == library), "--no-build-isolation")

    def _install(self, pins: str, *building: str) -> None:
        may_build = self.version.builds is not None
        options = [*uv.sources(self.version.torch), *locking.build_options(self.version, self.work), *building]
        options += [] if may_build else ["--no-build"]
        done = self._uv(
            "install", "pip", "install", "--python", _python(self.folder), "--no-python-downloads",
            "--require-hashes", "--no-deps", *options, "--requirements", "-", text=pins,
            building=may_build,
        )  # fmt: skip
        # uv installs a yanked release if a lock names it, and only warns.
        if yanked := uv.yanked(done.log):
            reason = f"{yanked}, which {self.manifest.lock_path(self.version)} holds, was withdrawn by its authors"
            raise BuildFailed("install", reason, f"`audit lock {self.manifest.name}` chooses another", done.log)

    def check_files(self, lock: locking.Lock) -> None:
        """Install past uv's cache what is not as its wheel says: the cache compares hashes only when it downloads."""
        wrong = differing_from_record(self.folder)
        if not wrong:
            return
        first = next(iter(wrong.values()))
        self.progress(f"uv's cache holds a changed file ({first}): downloading what it belongs to")
        isolated = [] if self.version.no_build_isolation is None else ["--no-build-isolation"]
        names = {locking.normalised(folder.partition("-")[0]) for folder in wrong}  # such as numpy-1.26.4.dist-info
        pins = [str(pin) for pin in lock.pins if pin.name in names]
        self._install("\n".join(pins), "--no-cache", "--reinstall", *isolated)
        for distribution, file in differing_from_record(self.folder).items():
            reason = f"{file} is not the file that {distribution} says it has, though it was downloaded anew"
            raise BuildFailed("install", reason, "do not use it, and tell its authors")

    def check(self) -> None:
        found = _version_in(self.folder)
        if found != self.version.python:
            what = "does not run" if found is None else f"is Python {found}"
            raise BuildFailed("check", f"the interpreter of the new environment {what}", "try again")

    def _uv(self, step: Step, *arguments: str | Path, text: str = "", building: bool = False) -> uv.Done:
        done = uv.run(
            arguments, cwd=self.work, text=text, on_line=self._report, keep_open=(self.lock_file,), building=building
        )
        if done.code != 0:
            raise _uv_failed(step, self.manifest, self.version, done)
        return done

    def _report(self, line: str) -> None:
        if line.startswith(_SHOWN_LINES):
            self.progress(line)


def _uv_failed(step: Step, manifest: Manifest, version: Version, done: uv.Done) -> BuildFailed:
    name = f"{manifest.name}=={version.version}"
    lock = manifest.lock_path(version)
    match uv.failure_kind(done.log):
        case "hashes":
            reason = f"{uv.guilty(done.log)} has not the hash that {lock} holds"
            hint = f"where the file was replaced on purpose, `audit lock {manifest.name}`; else do not use it"
        case "network":
            reason = f"no network, and the environment of {name} is not built yet"
            hint = f"with a network, `audit run -l {name}` builds it once; then none is needed"
        case "disk":
            reason = f"no space left on the disk while {root()} was written to"
            hint = _DISK_HINT
        case "no such package":
            reason = f"{uv.guilty(done.log)}, which {lock} holds, is in none of the places that uv was told to look in"
            hint = "UV_FIND_LINKS and PIP_FIND_LINKS say where it looks beside the index"
        case "no wheel":
            reason = f"{uv.guilty(done.log)} has no wheel for this Python and machine, and building is not allowed"
            hint = f'`builds = "why"` in {manifest.folder / "library.toml"} lets it be built, which runs its code'
        case "other":
            reason = f"uv ended with exit code {done.code}"
            hint = "what it said last is below"
    return BuildFailed(step, reason, hint, done.log)


_DISK_HINT = "make room, or set XDG_CACHE_HOME to a disk that has some"


def _disk_failed(error: OSError, place: Path) -> BuildFailed:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return BuildFailed("prepare", f"no space left on the disk of {place.parent}", _DISK_HINT)
    where = error.filename or place.parent
    return BuildFailed("prepare", f"{where}: {error.strerror}", "XDG_CACHE_HOME names another place")


@dataclass
class Repair:
    """Looks after the environment of a version; ``progress`` is called with each step of a build, in words."""

    manifest: Manifest
    version: Version
    built: Environment
    progress: Progress

    def damage(self, *, started: bool = True) -> str:
        """Return what of the environment is not as it was installed, in words; "" if all is.

        Args:
            started: Whether its Python was seen to run just now; else it is started.
        """
        changed = installed_files.changed(self.built.folder)
        if changed or started:
            return changed
        found, wanted = _version_in(self.built.folder), self.version.python
        if found is None:
            return "its Python does not run"
        return "" if found == wanted else f"its Python is {found}, not {wanted}"

    def build_again(self, damage: str) -> None:
        """Build the environment again, unless another process has done so meanwhile.

        Raises:
            BuildFailed: if it cannot be built.
        """
        self.progress(f"its environment is damaged ({damage}): building it again")
        ensure(self.manifest, self.version, progress=self.progress, damaged=lambda: self.damage(started=False))
