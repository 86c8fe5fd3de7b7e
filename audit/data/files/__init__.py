"""Readers of the user's own files: CSV, TSV and Parquet tables of predictions, truth and train data, as one dataset.

May import ``audit.data`` (dataset, facts, pairs), ``audit.errors`` and ``reference``.
"""
