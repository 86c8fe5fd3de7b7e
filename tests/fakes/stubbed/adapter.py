"""Imports what cannot be had, and never uses it in one function; the other does."""

import statistics

import heavy_framework
from heavy_framework import Layer


class Model(Layer):
    pass


def prepare(case):
    return [1.0, 2.0]


FUNCTIONS = {
    "statistics.mean": lambda values, k: statistics.mean(values),
    "statistics.median": lambda values, k: heavy_framework.Session(),
}
