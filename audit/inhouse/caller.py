"""Calls a plain Python function as its author would: one user's list and truth, or all rows as DataFrames.

A copy of this file beside a ``target.json`` is also the adapter of such a function and runs in its author's
interpreter. So it uses the standard library only (pandas for DataFrames), Python 3.6 syntax and nothing of ours, and
it computes nothing.
"""

import importlib
import importlib.util
import json
import os
import sys
from difflib import get_close_matches


def lists(case):
    """Yield (user, recommended items best first, {item: gain}) for every user of the truth."""
    rows, truth = {}, {}
    for user, item in zip(case.recommended.user.tolist(), case.recommended.item.tolist()):
        rows.setdefault(user, []).append(item)
    relevant = case.relevant
    for user, item, gain in zip(relevant.user.tolist(), relevant.item.tolist(), relevant.gain.tolist()):
        truth.setdefault(user, {})[item] = gain
    for user in truth:
        yield user, rows.get(user, []), truth[user]


def frames(case):
    """Return (predictions, truth) as DataFrames with the columns user, item, score and user, item, gain."""
    import pandas as pd

    rec, rel = case.recommended, case.relevant
    predictions = pd.DataFrame({"user": rec.user, "item": rec.item, "score": rec.score})
    return predictions, pd.DataFrame({"user": rel.user, "item": rel.item, "gain": rel.gain})


def ask_lists(function, case, k, number):
    """Call the function once for each user of the truth.

    Return the value of the only user, or (None, users, values). ``number(value)`` raises if a value is no number.
    """
    users, values = [], []
    for user, recommended, relevant in lists(case):
        value = function(recommended, relevant, k)
        number(value)
        users.append(user)
        values.append(value)
    return values[0] if len(values) == 1 else (None, users, values)


def ask_frames(function, case, k, number):
    """Call the function once with all rows; ``number(value)`` raises if the value is no number."""
    value = function(*(frames(case) + (k,)))
    number(value)
    return value


def module_name(path):
    """Return (folder to put on ``sys.path``, dotted name), so that a file of a package is imported as part of it."""
    folder, name = os.path.split(os.path.splitext(os.path.abspath(path))[0])
    parts = [name]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, package = os.path.split(folder)
        parts.insert(0, package)
    return folder, ".".join(parts)


def load(path, name):
    """Import the file at ``path`` and return the function ``name`` (dotted) of it.

    Raises ``LookupError`` if there is none or it cannot be called.
    """
    folder, module = module_name(path)
    sys.path.insert(0, folder)
    if "." in module:
        found = importlib.import_module(module)
    else:  # by its path, so that no other module of this name is imported in its place
        spec = importlib.util.spec_from_file_location(module, path)
        found = importlib.util.module_from_spec(spec)
        if module not in sys.modules:
            sys.modules[module] = found
        spec.loader.exec_module(found)
    for part in name.split("."):
        if not hasattr(found, part):
            raise LookupError(_missing(path, found, part))
        found = getattr(found, part)
    if not callable(found):
        raise LookupError("%s in %s is no function but %s" % (name, path, type(found).__name__))
    return found


def _missing(path, found, name):
    there = [each for each in vars(found) if callable(getattr(found, each)) and not each.startswith("_")]
    close = get_close_matches(name, there, n=1, cutoff=0.5)
    return "%s has no function %r%s" % (path, name, ", did you mean %r?" % close[0] if close else "")


def prepare(case):
    """Return the case as it is: each call is given new lists or DataFrames."""
    return case


if __name__ == "audit_adapter":
    sys.dont_write_bytecode = True
    from audit_harness import number

    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "target.json"), encoding="utf-8") as _file:
        _target = json.load(_file)
    _function = load(_target["file"], _target["function"])
    _ask = ask_frames if _target["frames"] else ask_lists

    def metric(case, k):
        """Ask the function."""
        return _ask(_function, case, k, number)

    FUNCTIONS = {"audit_adapter.metric": metric}
