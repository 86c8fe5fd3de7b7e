"""One measurement: seconds of processor and clock around some steps, and memory beyond what was held before.

Runs in every environment that is measured, so it needs the standard library only.
"""

import contextlib
import json
import time
from pathlib import Path


class Meter:
    """Measures the parts inside ``with meter.step(name)``; ``report`` prints them as one line of JSON."""

    def __init__(self):
        self.steps = {}
        Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew: what was read before does not count
        self.held = memory("VmRSS")

    @contextlib.contextmanager
    def step(self, name):
        """Measure the work done inside the ``with`` block."""
        processor, clock = time.process_time(), time.perf_counter()
        yield
        self.steps[name] = {"cpu": time.process_time() - processor, "wall": time.perf_counter() - clock}
        self.steps[name]["memory"] = memory("VmHWM") - self.held

    def report(self, values, definitions=()):
        """Print the steps, the computed ``values`` by name, and the ``definitions`` among them that were asked for."""
        print(json.dumps({"steps": self.steps, "values": values, "definitions": list(definitions)}))


def memory(field, process="self"):
    """Return a field of a process's status, in bytes; 0 if it has none, as one that has ended."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return 1024 * next((int(line.split()[1]) for line in lines if line.startswith(field + ":")), 0)
