"""Engines for data larger than memory: whole users are evaluated a block at a time, on one machine or on Spark.

May import every room of ``reference`` but ``reference.api``; Polars and PySpark are extras, imported when needed.
"""
