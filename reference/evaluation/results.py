"""Provides the values of several definitions, as a dictionary that becomes a table of any kind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from recsys_metric_audit.reference.evaluation.prepared import Values


class Results(dict[str, Values]):
    """Holds values by short signature, in the order asked; tables of them have one row a definition, or one a user.

    Rows have the columns ``signature``, ``metric``, ``k``, and then ``value`` (the mean), ``low`` and ``high`` (the
    interval, if one was asked for) and ``users`` (how many are averaged); with ``by_user``, ``user`` and ``value``.
    """

    @classmethod
    def unless_refused(cls, signatures: Iterable[str], made: Iterable[Values | ValueError]) -> Results:
        """Return the values by signature.

        Raises:
            ValueError: the first error with which a definition refuses the data.
        """
        out = cls()
        for signature, values in zip(signatures, made, strict=True):
            if isinstance(values, ValueError):
                raise values
            out[signature] = values
        return out

    def columns(self, *, by_user: bool = False) -> dict[str, list[Any]]:
        """Return the table as a mapping of columns."""
        return self._of_users() if by_user else self._of_means()

    def to_pandas(self, *, by_user: bool = False) -> Any:
        """Return a pandas DataFrame; ``k`` is missing where no cut-off acts."""
        import pandas as pd

        table = pd.DataFrame(self.columns(by_user=by_user))
        return table.astype({"k": "Int64"})

    def to_polars(self, *, by_user: bool = False) -> Any:
        """Return a polars DataFrame."""
        import polars as pl

        return pl.DataFrame(self.columns(by_user=by_user), schema_overrides={"k": pl.Int64})

    def to_arrow(self, *, by_user: bool = False) -> Any:
        """Return an Arrow table."""
        import pyarrow as pa

        columns = self.columns(by_user=by_user)
        return pa.table(columns | {"k": pa.array(columns["k"], pa.int64())})

    def _of_means(self) -> dict[str, list[Any]]:
        every = list(self.values())
        ends = [values.interval or (None, None) for values in every]
        return {
            "signature": list(self), "metric": [values.definition.metric for values in every],
            "k": [values.definition.k for values in every], "value": [values.mean for values in every],
            "low": [low for low, _ in ends], "high": [high for _, high in ends],
            "users": [None if values.terms is None else len(values.users) for values in every],
        }  # fmt: skip

    def _of_users(self) -> dict[str, list[Any]]:
        out: dict[str, list[Any]] = {name: [] for name in ("signature", "metric", "k", "user", "value")}
        for signature, values in self.items():
            rows = len(values.users)
            shared = {"signature": signature, "metric": values.definition.metric, "k": values.definition.k}
            for name, value in shared.items():
                out[name] += [value] * rows
            out["user"] += values.users.tolist()
            out["value"] += values.values.tolist()
        return out
