"""Lists what is publicly known of the distributions in the locks, from what pip-audit answered.

Old versions are audited on purpose, so weaknesses are listed and forbid nothing. What could not be looked up is listed
too: it is not known to be well.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.regular_file import read_regular_text
from recsys_metric_audit.reports.renderers.markdown import fill_template


@dataclass(frozen=True, order=True)
class Advisory:
    """Holds one weakness that is known of a distribution."""

    distribution: str
    version: str
    id: str
    aliases: tuple[str, ...]
    fixed_in: tuple[str, ...]


@dataclass(frozen=True)
class Lookup:
    """Holds pip-audit's answer about one lock: what is known, how many were looked up, and which could not be."""

    advisories: tuple[Advisory, ...]
    looked_up: int
    unknown: tuple[str, ...]


def read_lookup(path: Path) -> Lookup:
    """Read what ``pip-audit --format json`` wrote.

    Raises:
        UserError: if the file is not of this form.
    """
    try:
        dependencies = json.loads(read_regular_text(path))["dependencies"]
        unknown = tuple(each["name"] for each in dependencies if "skip_reason" in each)
        found = [each for each in dependencies if "skip_reason" not in each]
        advisories = tuple(
            sorted(
                Advisory(
                    each["name"], each["version"], one["id"], tuple(one.get("aliases", ())), tuple(one["fix_versions"])
                )
                for each in found
                for one in each["vulns"]
            )
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise UserError(f"{path}: is not what pip-audit writes ({error})", "pip-audit --format json") from error
    return Lookup(advisories, len(found), unknown)


def as_markdown(lookups: Mapping[str, Lookup]) -> str:
    """Return a table with a line for each advisory and the versions whose locks hold what it is about.

    Args:
        lookups: by library version (``NAME==VERSION``).
    """
    holders = grouped((advisory, name) for name, lookup in lookups.items() for advisory in lookup.advisories)
    looked_up = sum(each.looked_up for each in lookups.values())
    unknown = sum(len(each.unknown) for each in lookups.values())
    return fill_template(
        "advisories.md.j2", lookups=lookups, holders=sorted(holders.items()), looked_up=looked_up, unknown=unknown
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the list for a folder of answers, each named after a library version."""
    parser = argparse.ArgumentParser(
        prog="python -m recsys_metric_audit.audit.environments.advisories", description=main.__doc__
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    given = parser.parse_args(arguments)
    answers = sorted(given.folder.glob("*.json"))
    if not answers:
        raise SystemExit(f"{given.folder}: holds no answers of pip-audit")
    try:
        lookups = {path.stem: read_lookup(path) for path in answers}
    except UserError as error:
        raise SystemExit(error.message) from error
    given.out.write_text(as_markdown(lookups), encoding="utf-8")


if __name__ == "__main__":
    main()
