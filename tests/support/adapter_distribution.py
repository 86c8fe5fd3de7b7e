"""Provides an installed distribution that brings adapters by an entry point."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

GROUP = "recsys_metric_audit.adapters"


def install_distribution(site: Path, name: str, entry_points: Mapping[str, str]) -> None:
    """Lay the metadata of a distribution into a folder from which packages are imported."""
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = "".join(f"{key} = {value}\n" for key, value in entry_points.items())
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{lines}")
