"""Provides one side of the bench, in its own environment: read columns, convert them, compute the usual metrics once.

    python side_peer.py MODULE FOLDER K ordered|random MOST_BYTES

It prints a line of JSON: time and memory of both steps, and the values.
"""

import importlib
import resource
import sys
from pathlib import Path

import numpy as np
from meter import Meter

name, folder, k, order = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
if len(sys.argv) > 5:
    resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[5]), int(sys.argv[5])))
peer = importlib.import_module("peers." + name)
column = {path.stem: np.load(path) for path in folder.glob("*.npy")}
if hasattr(peer, "warm_up"):
    peer.warm_up(k)
meter = Meter()
with meter.step("conversion"):
    data = peer.convert(column, order == "ordered")
with meter.step("metrics"):
    values = peer.usual(data, k)
meter.report({metric: float(value) for metric, value in values.items()}, [])
