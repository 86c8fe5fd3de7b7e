"""The built-in datasets by name: MovieLens and synthetic data."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from recsys_metric_audit.audit.data.dataset import Dataset
from recsys_metric_audit.audit.data.movielens import load_ml100k
from recsys_metric_audit.audit.data.synthetic import parse_size, synthetic
from recsys_metric_audit.audit.errors import UserError

DEFAULT = "ml-100k"

NAMES = {
    "ml-100k": "MovieLens-100K, per-user temporal split (the split with more users)",
    "ml-100k:per-user": "MovieLens-100K, the latest 20 % of every user's ratings held out",
    "ml-100k:global": "MovieLens-100K, the latest 20 % of all ratings held out",
    "ml-20m": "MovieLens-20M by the protocol of Tamm et al. (RecSys 2021), from --archive ml-20m.zip",
    "synthetic": "random predictions, 200 users × 500 items",
    "synthetic:USERSxITEMS": "random predictions of that size, e.g. synthetic:2733x7811",
}
"""The names that :func:`load` knows, each with its description."""


def load(name: str = DEFAULT, recommender: str | None = None, archive: Path | None = None) -> Dataset:
    """Load a built-in dataset.

    Args:
        name: one of :data:`NAMES`.
        recommender: the recommender whose predictions it has; None for EASE.
        archive: the user's copy of ml-20m, which that dataset needs.

    Raises:
        UserError: for an unknown name, for options that do not go together, and for MovieLens if its file is neither
            on this machine nor can be fetched.
    """
    family, _, option = name.partition(":")
    if name == "ml-20m" or archive is not None:
        from recsys_metric_audit.audit.data.movielens20m import load_ml20m  # pyarrow is slow to import

        return load_ml20m(_archive(name, recommender, archive))
    if family == "synthetic":
        if recommender is not None:
            raise UserError(
                f"--recommender {recommender}: {name} has predictions of its own and no train data to learn from.",
                "Leave out --recommender, or use: --dataset ml-100k.",
            )
        return synthetic(*parse_size(name, option))
    if name in NAMES:
        return load_ml100k(option or "per-user", recommender or "ease")
    near = get_close_matches(name, NAMES, n=1, cutoff=0.4)
    meant = f"Did you mean {near[0]}? " if near else ""
    raise UserError(f"There is no dataset called {name!r}.", f"{meant}Choose one of: {', '.join(NAMES)}.")


def _archive(name: str, recommender: str | None, archive: Path | None) -> Path:
    """Return ``archive``; raise :class:`UserError` unless name, recommender and archive go together."""
    if name != "ml-20m":
        raise UserError(f"--archive {archive}: {name} is not read from an archive.", "Add --dataset ml-20m.")
    if archive is None:
        raise UserError("ml-20m is read from your copy, and none was named.", "Add --archive ml-20m.zip")
    if recommender not in (None, "ease"):
        raise UserError(f"--recommender {recommender}: ml-20m is ranked by EASE, as in the paper.", "Leave it out.")
    return archive
