"""Predictions, truth and train data as columns, and how other data become them.

May import numpy alone, and pyarrow inside functions.
"""
