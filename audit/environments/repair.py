"""Finds what is damaged in an environment that calls itself ready, and builds it again."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.environments.environment import Environment, Progress
from recsys_metric_audit.audit.environments.installed_files import InstalledFiles
from recsys_metric_audit.audit.environments.interpreter import version_of
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version


@dataclass
class Repair:
    """Looks after the environment of a version; ``progress`` is called with each step of a build, in words."""

    manifest: Manifest
    version: Version
    built: Environment
    progress: Progress
    _files: InstalledFiles = field(init=False)

    def __post_init__(self) -> None:
        self._files = InstalledFiles(self.built.folder)

    def damage(self, *, started: bool = True) -> str:
        """Return what of the environment is not as it was installed, in words; "" if all is.

        Args:
            started: Whether its Python was seen to run just now; else it is started.
        """
        changed = self._files.changed()
        return changed if changed or started else self._of_python()

    def _of_python(self) -> str:
        environ = {"PATH": os.defpath, "LANG": "C.UTF-8", "HOME": str(self.built.folder)}
        found, wanted = version_of(self.built.python, environ), self.version.python
        if found is None:
            return "its Python does not run"
        return "" if found == wanted else f"its Python is {found}, not {wanted}"

    def build_again(self, damage: str) -> None:
        """Build the environment again, unless another process has done so meanwhile.

        Raises:
            BuildFailed: if it cannot be built.
        """
        self.progress(f"its environment is damaged ({damage}): building it again")
        environment.ensure(
            self.manifest, self.version, progress=self.progress, damaged=lambda: self.damage(started=False)
        )
