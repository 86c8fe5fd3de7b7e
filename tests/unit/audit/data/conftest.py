"""Files for the readers, written by each test."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest


@pytest.fixture
def write(tmp_path):
    """Write a file by name: text, bytes, or a DataFrame as Parquet."""

    def to(name: str, content: str | bytes | pd.DataFrame | pa.Table) -> Path:
        path = tmp_path / name
        if isinstance(content, pd.DataFrame):
            content.to_parquet(path)
        elif isinstance(content, pa.Table):
            pq.write_table(content, path)
        else:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return to
