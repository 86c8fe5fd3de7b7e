"""Provides the results of several definitions, by signature or everyday name, as tables of any kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, TypeVar

from recsys_metric_audit.reference.catalogue.everyday_names import nearest_metric, parse_named
from recsys_metric_audit.reference.definitions.definition import SignatureError, parse
from recsys_metric_audit.reference.evaluation.prepared import Values
from recsys_metric_audit.reference.evaluation.shown_table import ShownAsTable
from recsys_metric_audit.reference.uncertainty.paired_comparison import PairedComparison

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

Value = TypeVar("Value", bound=ShownAsTable)


class BySignature(ShownAsTable, Mapping[str, Value]):
    """Maps short signatures, in the order asked, to results, and shows them as one table.

    A result is also found by another spelling (``MRR@10``), and without its cut-off where there is only one. ``facts``
    says what is unusual in the data, as the warning did: few users or few items in common. The table shows it, too.
    """

    def __init__(self, held: Mapping[str, Value], facts: Iterable[str] = ()) -> None:
        self._held = dict(held)
        self.facts = tuple(dict.fromkeys(facts))

    def _heading(self) -> str:
        return "\n".join(self.facts)

    def __getitem__(self, name: str) -> Value:
        return self._held[name if name in self._held else self._key(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def _key(self, name: str) -> str:
        """Return the signature of the result that a name means.

        Raises:
            KeyError: if there is none, with the nearest one, or if there are several.
        """
        try:
            wanted = parse_named(name)
        except SignatureError:
            metric, at, cut = name.partition("@")
            means, near = [], f"{nearest_metric(metric) or metric}{at}{cut}"
        else:
            at_any = isinstance(wanted.k, str)
            means = [key for key in self if (parse(key).with_(k=wanted.k) if at_any else parse(key)) == wanted]
            near = wanted.signature()
        if len(means) == 1:
            return means[0]
        close = means or get_close_matches(near, self, n=1, cutoff=0)
        hint = f": did you mean {' or '.join(close)}?" if close else ": there are no results"
        raise KeyError(f"{name}{hint}")

    def _shown(self) -> dict[str, list[object]]:
        rows = [{"signature": [key], **value._shown()} for key, value in self.items()]
        return {name: [row[name][0] for row in rows] for name in (rows[0] if rows else ("signature",))}


class Comparisons(BySignature[PairedComparison]):
    """Maps signatures to the paired comparison of two recommenders by each definition.

    >>> from recsys_metric_audit import compare
    >>> found = compare({1: [4, 5], 2: [5]}, {1: [5, 4], 2: [5]}, {1: [5], 2: [5]}, 2, ["mrr", "hr"])
    >>> list(found), found["MRR@2"].difference
    (['reciprocal_rank@2', 'hit_rate@2'], 0.25)
    """


class Results(BySignature[Values]):
    """Maps signatures to the values of each definition; tables of them have one row a definition, or one a user.

    Rows have the columns ``signature``, ``metric``, ``k``, and then ``value`` (the mean), ``low`` and ``high`` (the
    interval, where one was asked for) and ``users`` (how many are averaged); with ``by_user``, ``user`` and ``value``.

    >>> from recsys_metric_audit import evaluate
    >>> found = evaluate({"ann": ["tea", "rye"]}, {"ann": ["rye"]}, 2, ["mrr", "ndcg"])
    >>> found
    signature           value  users
    reciprocal_rank@2  0.5000      1
    ndcg@2             0.6309      1
    >>> found["MRR"].mean
    0.5
    """

    @classmethod
    def unless_refused(
        cls, signatures: Iterable[str], made: Iterable[Values | ValueError], facts: Iterable[str] = ()
    ) -> Results:
        """Return the values by signature.

        Raises:
            ValueError: the first error with which a definition refuses the data.
        """
        out: dict[str, Values] = {}
        for signature, values in zip(signatures, made, strict=True):
            if isinstance(values, ValueError):
                raise values
            out[signature] = values
        return cls(out, facts)

    def columns(self, *, by_user: bool = False) -> dict[str, list[object]]:
        """Return the table as a mapping of columns."""
        return self._of_users() if by_user else self._of_means()

    def to_pandas(self, *, by_user: bool = False) -> pd.DataFrame:
        """Return a pandas DataFrame; ``k`` is missing where no cut-off acts."""
        import pandas as pd

        table = pd.DataFrame(self.columns(by_user=by_user))
        return table.astype({"k": "Int64"})

    def to_polars(self, *, by_user: bool = False) -> pl.DataFrame:
        """Return a polars DataFrame."""
        import polars as pl

        return pl.DataFrame(self.columns(by_user=by_user), schema_overrides={"k": pl.Int64})

    def to_arrow(self, *, by_user: bool = False) -> pa.Table:
        """Return an Arrow table."""
        import pyarrow as pa

        columns = self.columns(by_user=by_user)
        return pa.table(columns | {"k": pa.array(columns["k"], pa.int64())})

    def _of_means(self) -> dict[str, list[object]]:
        every = list(self.values())
        ends = [values.interval or (None, None) for values in every]
        asked = any(values.interval for values in every)
        interval: dict[str, list[object]] = (
            {"low": [low for low, _ in ends], "high": [high for _, high in ends]} if asked else {}
        )
        return {
            "signature": list(self), "metric": [values.definition.metric for values in every],
            "k": [values.definition.k for values in every], "value": [values.mean for values in every], **interval,
            "users": [None if values.terms is None else len(values.users) for values in every],
        }  # fmt: skip

    def _of_users(self) -> dict[str, list[object]]:
        out: dict[str, list[object]] = {name: [] for name in ("signature", "metric", "k", "user", "value")}
        for signature, values in self.items():
            rows = len(values.users)
            shared = {"signature": signature, "metric": values.definition.metric, "k": values.definition.k}
            for name, value in shared.items():
                out[name] += [value] * rows
            out["user"] += values.users.tolist()
            out["value"] += values.values.tolist()
        return out
