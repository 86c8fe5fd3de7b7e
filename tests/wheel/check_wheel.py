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
from copy import copy
from pathlib import Path

FUNCTION = """\
def precision_at_k(recommended, relevant, k):
    return len(set(recommended[:k]) & set(relevant)) / min(k, len(recommended))
"""
"""A function whose formula is known by construction: it divides by what is shown, where that is less than k, and raises
where nothing is."""
FORMULA = "precision@k|denominator:shown|no_list:error"
LIBRARY, VERSION = "rs_metrics", "0.6.0"
LONGEST = 1200
"""Seconds that one step may take."""
OWN_PACKAGES = {
    "audit/__init__.py": "",
    "audit/trail.py": "def log():\n    return 'logged'\n",
    "reference/__init__.py": "raise RuntimeError('the user imports this where it is wanted')\n",
    "reports/__init__.py": "MONTHLY = True\n",
    "adapters/__init__.py": "",
}
"""Packages as users have them, with the names of folders of this project."""
OWN_TESTS = """\
import sys

from audit.trail import log
import reports

def precision_at_k(recommended, relevant, k):
    return len(set(recommended[:k]) & set(relevant)) / k

def test_that_knows_nothing_of_this_tool():
    assert log() == "logged" and reports.MONTHLY

def test_a_metric(assert_computes):
    assert_computes(precision_at_k, "precision@k|duplicates:first_in_place")

def test_packages_stay_those_of_the_user():
    ours = {name: module.__file__ for name, module in sys.modules.items()
            if name.partition(".")[0] in ("adapters", "audit", "reference", "reports")}
    assert set(ours) == {"audit", "audit.trail", "reports"}, ours
    assert "reference" not in sys.modules
"""
TYPED = """\
from recsys_metric_audit import evaluate

found = evaluate({"user": [1], "item": [7], "score": [0.5]}, {"user": [1], "item": [7]}, 1, ["ndcg"])
value: float = found["ndcg@1"].mean
"""
"""A file that mypy takes, which it would as well if it knew no types; the other one shows that it knows them."""
MISTYPED = TYPED.replace("value: float", "value: list[str]")
SITE = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
MANIFEST = """\
title = "Own"
about = "A library that ships its adapter."
homepage = "https://example.org/own"
[source]
package = "own-library"
[[version]]
version = "1.0"
python = "3.11"
[[function]]
name = "own_library.ndcg"
metric = "ndcg"
"""


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
        more = ("mypy", "pytest", str(wheel))
        self.run("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *more)

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


def check_beside_own_packages(checked: Checked) -> None:
    """Check that the tool and packages of the user do not disturb each other, whatever the latter are called."""
    lay(checked.work, OWN_PACKAGES | {"test_own.py": OWN_TESTS})
    for words in (("pytest",), ("python", "-m", "pytest")):
        passed = checked.run(*words, "-q", "-p", "no:cacheprovider", "--import-mode=prepend", "test_own.py")
        checked.holds("3 passed" in passed, "a project with its own audit, reference and reports is tested")
    version = checked.run("audit", "--version")
    checked.holds(
        checked.run("python", "-m", "recsys_metric_audit", "--version") == version, "python -m prints the same version"
    )
    printed = checked.run("python", "-c", TYPED + "print(repr(found)); print(value)")
    checked.holds(printed.splitlines()[-1] == "1.0", "evaluate computes NDCG, and its result has a repr")
    lay(checked.work, {"typed.py": TYPED, "mistyped.py": MISTYPED})
    said = checked.run(
        "python", "-m", "mypy", "--strict", "--cache-dir", os.devnull, "typed.py", "mistyped.py", fails=True
    )
    checked.holds("Found 1 error in 1 file (checked 2" in said, "mypy knows the types of the package")


def check_entry_point(checked: Checked, site: Path) -> None:
    """Check that the adapter of an installed distribution is found, and that a broken one harms nobody."""
    lay(
        site,
        {
            "own_library/__init__.py": "raise RuntimeError('nobody needs to import it')\n",
            "own_library/adapters/own_library/library.toml": MANIFEST,
            "own_library-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: own-library\nVersion: 1.0\n",
            "own_library-1.0.dist-info/entry_points.txt": "[recsys_metric_audit.adapters]\n"
            "here = own_library.adapters\ngone = own_library.nowhere\n",
        },
    )
    listed = [line.split()[0] for line in checked.run("audit", "list").splitlines()]
    checked.holds({"own_library", LIBRARY} <= set(listed), "the adapter of an entry point is listed beside ours")


def lay(folder: Path, files: dict[str, str]) -> None:
    """Write files into a folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def check(wheel: Path, folder: Path) -> None:
    """Check a wheel in an empty folder."""
    checked = Checked(folder, wheel)
    beside = copy(checked)
    beside.work = folder / "beside"
    beside.work.mkdir()
    check_beside_own_packages(beside)
    check_entry_point(beside, Path(beside.run("python", "-c", SITE).strip()))
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
    answers = checked.run("audit", "paper", "jin2021", "1")
    checked.holds("in part" in answers.lower(), "so are the recorded answers to their claims")

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
