"""Tells what several libraries take: frames of rows, and dictionaries of dictionaries with text ids."""

import numpy as np


def frames(column, ordered, **names):
    """Return recommended rows, best first by user, and truth as pandas frames with columns of other names."""
    import pandas as pd

    shown = pd.DataFrame({name: column[name] for name in ("user", "item", "score")}, copy=False)
    if not ordered:
        shown = shown.sort_values(["user", "score"], ascending=[True, False], ignore_index=True)
    truth = pd.DataFrame({name: column["truth_" + name] for name in ("user", "item", "gain")})
    return shown.rename(columns=names), truth.rename(columns=names)


def dictionaries(column):
    """Return (truth, recommendations) as dictionaries of dictionaries, with ids as text and whole gains."""
    return (_nested(column["truth_user"], column["truth_item"], column["truth_gain"].astype(np.int64)),
            _nested(column["user"], column["item"], column["score"]))  # fmt: skip


def _nested(user, item, number):
    order = np.argsort(user, kind="stable")
    user, item, number = user[order], item[order], number[order]
    bounds = np.concatenate([[0], np.flatnonzero(np.diff(user)) + 1, [len(user)]])
    text = dict(zip(np.unique(item).tolist(), map(str, np.unique(item).tolist())))
    return {
        str(user[low]): dict(zip(map(text.get, item[low:high].tolist()), number[low:high].tolist()))
        for low, high in zip(bounds[:-1], bounds[1:])
    }
