"""Checks a wheel as its users meet it: installed into a fresh environment, used in an empty folder, with empty caches.

    python tests/wheel/check_wheel.py dist/recsys_metric_audit-0.1.0-py3-none-any.whl

Needs a network: pip installs what the wheel depends on, ``audit run`` installs a library and reads MovieLens-100K out
of a package. Nothing but the standard library is imported, so that any Python of the supported versions can run it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

FUNCTION = """\
def precision_at_k(recommended, relevant, k):
    return len(set(recommended[:k]) & set(relevant)) / min(k, len(recommended))
"""
"""A function whose formula is known by construction: it divides by what is shown, where that is less than k."""
FORMULA = "precision@k|denominator:shown"
LIBRARY, VERSION = "rs_metrics", "0.6.0"
LONGEST = 1200
"""Seconds that one step may take."""


class Checked:
    """Runs commands of the installed wheel in a folder of their own; stops at the first that is not as it should be.

    Args:
        folder: An empty folder.
        wheel: The wheel.
    """

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.bin, self.work = folder / "env" / "bin", folder / "work"
        self.work.mkdir()
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
        self.env = {**kept, "XDG_CACHE_HOME": str(folder / "cache"), "COLUMNS": "100", "NO_COLOR": "1"}
        venv.create(folder / "env", with_pip=True)
        self.run("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel))

    def run(self, *words: str, fails: bool = False) -> str:
        """Run a command of the environment and return what it prints; it must end with 0, or with 1 if it ``fails``."""
        print("$", *words, flush=True)
        done = subprocess.run(
            [str(self.bin / words[0]), *words[1:]], cwd=self.work, env=self.env, capture_output=True, text=True,
            timeout=LONGEST, check=False,
        )  # fmt: skip
        if done.returncode != int(fails):
            raise SystemExit(f"it ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def holds(self, true: bool, what: str) -> None:
        """Stop unless something is true."""
        if not true:
            raise SystemExit(f"not so: {what}")
        print("  ", what, flush=True)


def check(wheel: Path, folder: Path) -> None:
    """Check a wheel in an empty folder."""
    checked = Checked(folder, wheel)
    place = checked.run("python", "-c", "import recsys_metric_audit as package; print(package.__file__)").strip()
    checked.holds(Path(place).is_relative_to(folder / "env"), "the package is that of the wheel")
    version = wheel.name.split("-")[1]
    checked.holds(checked.run("audit", "--version").split()[-1] == version, f"its version is {version}")

    (checked.work / "metrics.py").write_text(FUNCTION, encoding="utf-8")
    name = "metrics.py:precision_at_k"
    found = json.loads(checked.run("audit", "identify", name, "--metric", "precision", "--format", "json"))
    checked.holds(FORMULA in json.dumps(found), f"identify finds {FORMULA}")
    checked.run("audit", "identify", name, "--metric", "precision", "--expect", FORMULA)
    checked.run("audit", "identify", name, "--metric", "precision", "--expect", "precision@k", fails=True)

    told = checked.run("audit", "explain", "ndcg@20|gain:exp2")
    checked.holds("2^" in told, "explain works the formula")
    checked.holds("manzhos2025" in checked.run("audit", "paper", "--list"), "the papers are in the wheel")

    checked.run("audit", "run", "-l", f"{LIBRARY}=={VERSION}")
    report = json.loads((checked.work / "audit-report" / "audit.json").read_text(encoding="utf-8"))
    (library,) = report["libraries"]
    checked.holds(
        (library["library"], library["version"], library["status"]) == (LIBRARY, VERSION, "audited"), "it ran"
    )
    measured = {each["function"]: each["formula"] for each in report["findings"] if each["status"] == "measured"}
    # As the library documents: mapr divides by the number of relevant items from 0.5.0 on.
    checked.holds(measured.get("rs_metrics.mapr") == "average_precision@20|denominator:r", "mapr divides by r")
    page = (checked.work / "audit-report" / "index.html").read_text(encoding="utf-8")
    checked.holds("rs_metrics" in page, "the page is written")
    left = sorted(path.name for path in checked.work.iterdir())
    checked.holds(left == ["audit-report", "metrics.py"], "nothing else is left where it was used")


def main(words: list[str]) -> None:
    """Check the wheel that is named."""
    if len(words) != 1 or not words[0].endswith(".whl") or not Path(words[0]).is_file():
        raise SystemExit("usage: python check_wheel.py WHEEL")
    with tempfile.TemporaryDirectory(prefix="check-wheel-") as folder:
        check(Path(words[0]).resolve(), Path(folder).resolve())
    print("as it should be")


if __name__ == "__main__":
    main(sys.argv[1:])
