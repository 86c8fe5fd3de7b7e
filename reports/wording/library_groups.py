"""Groups of libraries: what a library is for, and which group the tables of a large run show.

``library.toml`` names the group of a library in one word; a library of the user's own needs none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Reading a library.toml needs the names of groups, and none of what a result imports.
    from recsys_metric_audit.reports.model.result import Library, Result

LIBRARY_GROUPS: Mapping[str, str] = {
    "frameworks": "recommender frameworks",
    "metrics": "metric libraries",
    "ranking": "learning to rank",
    "search": "search and text",
    "paper": "systems of the paper",
}
"""Names of groups and their titles, in the order in which they are told."""

DEFAULT_GROUP = "frameworks"
"""Group that the tables of a large run show unless told otherwise."""

ALL_GROUPS = "all"
"""Name that stands for every group."""

FEW_VERSIONS = 12
"""Most library versions that tables show whatever their groups are."""


def shown_versions(result: Result, group: str | None) -> frozenset[tuple[str, str]]:
    """Return the library versions that the tables show, as pairs of library and version.

    Args:
        result: The run.
        group: One of ``LIBRARY_GROUPS``, or ``ALL_GROUPS``. None shows the default group of a run of more than
            ``FEW_VERSIONS`` versions, and the libraries that name no group; of any other run it shows all.
    """
    everything = frozenset(map(_key, result.libraries))
    if group is None:
        of_default = any(entry.group == DEFAULT_GROUP for entry in result.libraries)
        if len(everything) <= FEW_VERSIONS or not of_default:
            return everything
        return frozenset(_key(entry) for entry in result.libraries if entry.group in ("", DEFAULT_GROUP))
    if group == ALL_GROUPS:
        return everything
    return frozenset(_key(entry) for entry in result.libraries if entry.group == group)


def only_versions(result: Result, versions: frozenset[tuple[str, str]]) -> Result:
    """Return ``result`` with the libraries and findings of ``versions`` only."""
    libraries = tuple(entry for entry in result.libraries if _key(entry) in versions)
    findings = tuple(each for each in result.findings if (each.library, each.version) in versions)
    return result.model_copy(update={"libraries": libraries, "findings": findings})


def _key(entry: Library) -> tuple[str, str]:
    return entry.library, entry.version


def hidden_groups(result: Result, group: str | None) -> tuple[str, ...]:
    """Return the titles of the groups that the tables leave out, each with its number of versions in brackets."""
    shown = shown_versions(result, group)
    hidden = [entry.group for entry in result.libraries if _key(entry) not in shown]
    titles = {**LIBRARY_GROUPS, "": "libraries without a group"}
    names = dict.fromkeys(name for name in (*titles, *hidden) if name in hidden)
    return tuple(f"{titles.get(name, name)} ({hidden.count(name)})" for name in names)


def shown_title(result: Result, group: str | None) -> str:
    """Return the title of the one group that the tables show; empty if they show all or several."""
    shown = {entry.group for entry in result.libraries if _key(entry) in shown_versions(result, group)}
    return LIBRARY_GROUPS.get(shown.pop(), "") if len(shown) == 1 and hidden_groups(result, group) else ""
