"""MovieLens-20M (Harper & Konstan 2015) by the protocol of Tamm, Damdinov & Vasilev (RecSys 2021, §3).

Its licence forbids redistribution, so it is read from the user's copy: ``ml-20m.zip`` as GroupLens publishes it, which
contains ``ml-20m/ratings.csv``. Ratings below 4.5 are dropped while reading, and users are ranked in blocks, so the
largest object in memory is EASE's matrix of items × items (float64), of which inversion holds three.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
from numpy.typing import NDArray

from recsys_metric_audit.audit.data.dataset import Dataset, Labels, facts_of
from recsys_metric_audit.audit.data.movielens import Ratings, by_global_time
from recsys_metric_audit.audit.data.recommenders import rank_in_blocks
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reference.input.case import Case

MEMBER = "ml-20m/ratings.csv"
COLUMNS = {"userId": pa.int64(), "movieId": pa.int64(), "rating": pa.float64(), "timestamp": pa.int64()}

THRESHOLD = 4.5
L2 = 0.5
"""The weight of EASE's L2 penalty in the paper's companion notebook."""


def load_ml20m(archive: Path) -> Dataset:
    """Load the paper's case from the user's ``archive``.

    Raises:
        UserError: if the archive is not MovieLens-20M.
    """
    train, truth = by_global_time(read_archive(archive))
    if not len(truth.user) or not len(train.user):
        raise UserError(
            f"{archive}: nothing is left to test on: {MEMBER} holds too few ratings from {THRESHOLD:g} up.",
            "Give the whole archive: ml-20m.zip as GroupLens gives it out.",
        )
    case = Case(
        name="ml-20m",
        predictions=rank_in_blocks(train, np.unique(truth.user), L2),
        truth=truth,
        train=train,
        catalogue=np.unique(train.item),
        threshold=THRESHOLD,
        scale=(0.5, 5.0),
        why="the data of Tamm, Damdinov & Vasilev (RecSys 2021)",
    )
    choices = (
        f"MovieLens-20M: ratings below {THRESHOLD:g} count as dislikes and are left out; gains are 4.5 and 5.",
        "Split by time: the latest 20 % of all ratings are held out; users and items found only there are removed.",
        f"Recommender: EASE (L2 weight {L2:g}) on binary input, scores rounded to 9 decimals; equal scores by item id.",
        "Candidates: every item of the train data that the user has not rated there, best first.",
    )
    return Dataset(case.name, case, Labels(), Labels(), facts_of(case), choices)


def read_archive(archive: Path) -> Ratings:
    """Read the ratings of at least 4.5, in the order of the file.

    Raises:
        UserError: if the archive cannot be read or is not MovieLens-20M.
    """
    try:
        with zipfile.ZipFile(archive) as opened, opened.open(_member(opened, archive)) as stream:
            options = arrow_csv.ConvertOptions(column_types=COLUMNS, include_columns=list(COLUMNS), null_values=[])
            parts = list(_liked(arrow_csv.open_csv(stream, convert_options=options)))
    # Encrypted members are a RuntimeError, unknown compressions a NotImplementedError, which is one as well.
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        raise _refused(archive, f"is no zip archive that can be read ({error})") from None
    except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
        raise _refused(archive, f"{MEMBER} is not MovieLens' ratings: {error}") from None
    except OSError as error:
        raise _refused(archive, f"cannot be read: {error.strerror or error}") from None
    columns = [np.concatenate([part[i] for part in parts]) if parts else np.empty(0) for i in range(len(COLUMNS))]
    user, item, rating, timestamp = columns
    return Ratings(user.astype(np.int64), item.astype(np.int64), rating, timestamp.astype(np.int64))


def _member(opened: zipfile.ZipFile, archive: Path) -> str:
    if MEMBER not in opened.namelist():
        some = ", ".join(opened.namelist()[:3]) or "nothing"
        raise _refused(archive, f"holds no {MEMBER}, but {some}")
    return MEMBER


def _liked(reader: arrow_csv.CSVStreamingReader) -> Iterator[list[NDArray[Any]]]:
    """Yield the ratings of at least the threshold batch by batch, as a list of columns."""
    for batch in reader:
        columns = [batch.column(name).to_numpy(zero_copy_only=False) for name in COLUMNS]
        keep = columns[2] >= THRESHOLD
        yield [column[keep] for column in columns]


def _refused(archive: Path, what: str) -> UserError:
    return UserError(f"{archive}: {what}.", "Give MovieLens-20M as it is: --archive ml-20m.zip, from grouplens.org.")
