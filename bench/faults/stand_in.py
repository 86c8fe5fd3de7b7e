"""``python -m bench.faults.stand_in ENVIRONMENTS run ...``: the command line, with libraries run by this interpreter.

Their environments, below the folder that is named first, look like built ones: answers are cached in them.
"""

from __future__ import annotations

import json
import shutil
import signal
import sys
from pathlib import Path


def environment_of(folder: Path) -> Path:
    """Make `folder` an environment of this interpreter, unless it is one; return its python."""
    from recsys_metric_audit.audit.environments.installed_files import FILES, MARKER

    python = folder / "bin" / "python"
    if not (folder / MARKER).exists():
        shutil.rmtree(folder, ignore_errors=True)
        python.parent.mkdir(parents=True)
        python.symlink_to(sys.executable)
        if (Path(sys.prefix) / "pyvenv.cfg").is_file():
            shutil.copy(Path(sys.prefix) / "pyvenv.cfg", folder)
            (folder / "lib").symlink_to(Path(sys.prefix) / "lib")
        (folder / FILES).write_text("{}")
        (folder / MARKER).write_text(json.dumps({"environment": folder.name}))
    return python


def main() -> None:
    """Run the command line."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # as audit/__main__.py does
    from recsys_metric_audit.audit.cli import main as command_line
    from recsys_metric_audit.audit.environments import environment

    root = Path(sys.argv.pop(1)).absolute()

    def ensure(manifest: object, version: object, **_: object) -> environment.Environment:
        folder = root / str(getattr(manifest, "name", "none"))
        return environment.Environment(folder / "bin" / "python", folder)

    environment.ensure = ensure  # type: ignore[assignment]
    command_line()


if __name__ == "__main__":
    main()
