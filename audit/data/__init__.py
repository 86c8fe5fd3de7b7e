"""Cases to audit on: the user's own files, MovieLens-100K, and synthetic data of any size."""

from __future__ import annotations

from difflib import get_close_matches

from audit.data.dataset import Dataset, Fact, Labels
from audit.data.files import read_case
from audit.data.movielens import load_ml100k
from audit.data.synthetic import parse_size, synthetic
from audit.errors import UserError

DEFAULT = "ml-100k"

NAMES = {
    "ml-100k": "MovieLens-100K, per-user temporal split (the split with more users)",
    "ml-100k:per-user": "MovieLens-100K, the latest 20 % of every user's ratings held out",
    "ml-100k:global": "MovieLens-100K, the latest 20 % of all ratings held out",
    "synthetic": "random predictions, 200 users × 500 items",
    "synthetic:USERSxITEMS": "random predictions of that size, e.g. synthetic:2733x7811",
}
"""The names that :func:`load` knows, each with what it stands for."""

__all__ = ["DEFAULT", "NAMES", "Dataset", "Fact", "Labels", "load", "read_case"]


def load(name: str = DEFAULT, recommender: str | None = None) -> Dataset:
    """The built-in dataset called ``name``, one of :data:`NAMES`, ranked by ``recommender`` (EASE by default).

    Raises :class:`UserError` for a name that does not exist, and for MovieLens where its file is neither
    on this machine nor to be had.
    """
    family, _, option = name.partition(":")
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
