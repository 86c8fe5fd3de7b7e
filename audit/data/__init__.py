"""Datasets to audit on: the user's own files, MovieLens, and synthetic data of any size.

May import ``audit.errors`` and ``reference``.
"""

from audit.data.builtin import DEFAULT, NAMES, load
from audit.data.dataset import Dataset, Fact, Labels
from audit.data.files.user_files import read_case

__all__ = ["DEFAULT", "NAMES", "Dataset", "Fact", "Labels", "load", "read_case"]
