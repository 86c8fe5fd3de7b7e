"""Datasets to audit on: the user's own files, MovieLens, and synthetic data of any size.

May import ``audit.errors`` and ``reference``.
"""

from recsys_metric_audit.audit.data.builtin import DEFAULT, NAMES, load
from recsys_metric_audit.audit.data.dataset import Dataset, Fact, Labels
from recsys_metric_audit.audit.data.files.user_files import read_case

__all__ = ["DEFAULT", "NAMES", "Dataset", "Fact", "Labels", "load", "read_case"]
