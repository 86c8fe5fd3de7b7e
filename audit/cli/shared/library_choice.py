"""Choosing libraries and versions by the names that a user types."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recsys_metric_audit.audit.libraries.function import Function
    from recsys_metric_audit.audit.libraries.manifest import Manifest, Version


def all_libraries(adapters: list[Path] | None) -> dict[str, Manifest]:
    """Return every library by name; say which adapters of installed distributions are left out or replace others.

    Args:
        adapters: folders of adapters beside those that come with the tool or are installed.

    Raises:
        UserError: for a folder that is missing, or a library.toml with a mistake.
    """
    from recsys_metric_audit.audit.cli.shared.safe_text import say
    from recsys_metric_audit.audit.libraries.discovery import discover_all

    libraries, remarks = discover_all(adapters or [])
    for remark in remarks:
        say(remark, err=True)
    return libraries


def one_library(adapters: list[Path] | None, name: str) -> Manifest:
    """Return the library called `name`.

    Raises:
        UserError: if there is none, or if a version is named.
    """
    from recsys_metric_audit.audit.libraries.discovery import select

    known = all_libraries(adapters)
    return known[name] if name in known else select(known, [name])[0][0]


def choose_versions(
    adapters: list[Path] | None, named: list[str] | None, every: bool
) -> list[tuple[Manifest, Version]]:
    """Return the versions that a command audits.

    Args:
        adapters: folders of adapters beside those that come with the tool.
        named: libraries and versions that the user named. If there are none, all usual versions that are not slow.
        every: True for all versions if none is named.

    Raises:
        UserError: for a library or version that does not exist.
    """
    from recsys_metric_audit.audit.libraries.discovery import select

    chosen = select(all_libraries(adapters), named or ())
    return [pair for pair in chosen if named or every or (pair[1].usual and _is_quick(*pair))]


def function_of(manifest: Manifest, version: Version, name: str) -> Function:
    """Return the function of ``version`` that is called ``name``, in full or by the last part of its name.

    Raises:
        UserError: if there is none or more than one, with the nearest names.
    """
    from difflib import get_close_matches

    from recsys_metric_audit.audit.errors import UserError

    functions = {each.name: each for each in manifest.functions_of(version)}
    found = [each for each in functions if each == name] or [each for each in functions if each.endswith(f".{name}")]
    if len(found) == 1:
        return functions[found[0]]
    near = found or get_close_matches(name, functions, n=3, cutoff=0.1)
    meant = f"it may be {' or '.join(near)}" if near else "`audit list --format json` shows its functions"
    raise UserError(f"{manifest.name} has {len(found) or 'no'} function{'s' * (len(found) > 1)} {name!r}", meant)


def _is_quick(manifest: Manifest, version: Version) -> bool:
    """Return True unless a slow library has to be run: replaying a recording is quick."""
    from recsys_metric_audit.audit.sources.checkout import fetched_folder

    if version.heavy is None:
        return True
    recorded = version.git is not None and manifest.recording_path(version).is_file()
    return recorded and not fetched_folder(manifest, version).exists()
