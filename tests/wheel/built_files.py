"""Compares what was built with the checkout: no file is missing in the wheel and the source archive, and none is extra.

    python tests/wheel/built_files.py dist/*

Nothing but the standard library is imported. The checkout is the one of the working directory.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

PACKAGE = "recsys_metric_audit"
LINKED = ("adapters", "audit", "reference", "reports")
"""Folders of the checkout to which the package holds links, and which it holds as folders when it is built."""
INFO = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"}
"""What a wheel has besides the package."""
SOURCE = {".gitignore", "CHANGELOG.md", "CITATION.cff", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml"}
"""What a source archive has besides the package."""


def package_files(checkout: Path) -> set[str]:
    """Return the files of the package, as a built one has them."""
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", PACKAGE, *LINKED]
    listed = subprocess.run(words, cwd=checkout, capture_output=True, text=True, check=True).stdout.split("\0")
    files = {name for name in listed if name and (checkout / name).is_file()}
    own = {name for name in files if name.startswith(f"{PACKAGE}/")}
    return own | {f"{PACKAGE}/{name}" for name in files - own}


def built_files(built: Path) -> tuple[set[str], set[str]]:
    """Return the files that a wheel or a source archive holds, and those that it has besides the package."""
    if built.suffix == ".whl":
        with zipfile.ZipFile(built) as wheel:
            files = {name for name in wheel.namelist() if not name.endswith("/")}
        info = "-".join(built.name.split("-")[:2]) + ".dist-info"
        return files, {f"{info}/{name}" for name in INFO}
    with tarfile.open(built) as archive:
        files = {member.name for member in archive.getmembers() if not member.isdir()}
    top = built.name.removesuffix(".tar.gz")
    return {name.removeprefix(f"{top}/") for name in files}, SOURCE


def faults(built: Path, checkout: Path) -> list[str]:
    """Return a line for each file that is missing or extra."""
    (files, besides), package = built_files(built), package_files(checkout)
    missing, extra = (package | besides) - files, files - package - besides
    return [
        f"{built.name}: {kind} {name}" for kind, names in (("lacks", missing), ("has", extra)) for name in sorted(names)
    ]


def main(words: list[str]) -> None:
    """Compare the files that are named, at least one wheel and one source archive."""
    if {Path(word).suffix for word in words} != {".whl", ".gz"}:
        raise SystemExit("usage: python built_files.py WHEEL ARCHIVE.tar.gz")
    found = [fault for word in words for fault in faults(Path(word), Path.cwd())]
    if found:
        raise SystemExit("\n".join(found))
    print(f"{' and '.join(Path(word).name for word in words)} hold the files of the checkout")


if __name__ == "__main__":
    main(sys.argv[1:])
