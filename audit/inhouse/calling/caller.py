"""Loads a metric from its author's file: a function, a method, a class that accumulates, an entry of what is returned.

A copy of this file beside the other modules of this room and ``target.json`` is also the adapter of such a function and
runs in its author's interpreter. So it uses the standard library only, Python 3.6 syntax and nothing of ours, and it
computes nothing.
"""

import importlib
import importlib.util
import inspect
import json
import os
import re
import sys
from difflib import get_close_matches


def module_name(path):
    """Return (folder to put on ``sys.path``, dotted name), so that a file of a package is imported as part of it."""
    folder, name = os.path.split(os.path.splitext(os.path.abspath(path))[0])
    parts = [name]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, package = os.path.split(folder)
        parts.insert(0, package)
    return folder, ".".join(parts)


def load(path, name):
    """Import the file at ``path`` and return the function ``name`` of it.

    The name is dotted; a part that ends with ``()`` is called first (a factory, a class), and ``[KEY]`` at the end
    picks an entry of the returned dict or tuple, ``[KEY][0]`` one of that entry. Raises ``LookupError`` if there is
    none or it cannot be called.
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
    dotted, key = re.match(r"([^\[]*)(?:\[(.*)\])?$", name).groups()
    for part in dotted.split("."):
        own = part[:-2] if part.endswith("()") else part
        if not hasattr(found, own):
            raise LookupError(_missing(path, found, own))
        found = _member(found, own)
        if own != part:
            found = found()
    if inspect.isclass(found):
        found = _of_class(found)
    if not callable(found):
        raise LookupError("%s in %s is no function but %s" % (name, path, type(found).__name__))
    for each in [] if key is None else key.split("]["):
        found = _entry(found, each)
    return found


def _member(owner, name):
    """Return a member of a module, object or class; of a class that a method needs an object of, the object's."""
    member = inspect.getattr_static(owner, name, None) if inspect.isclass(owner) else None
    return getattr(owner(), name) if inspect.isfunction(member) else getattr(owner, name)


_ADDS = ("update", "accumulate", "add", "add_batch", "process", "append", "append_line", "collect", "load", "evaluate")
_ENDS = ("compute", "reduce", "result", "get_metric", "get", "value", "summarize", "evaluate", "eval", "report",
         "get_summary", "summary", "get_results", "results")  # fmt: skip


_MAY_CUT = re.compile("k$|ks$|top|cut|at$|list$", re.IGNORECASE)


def _of_class(made):
    """Return a function that makes an object for each call: one that accumulates and computes, or one to be called."""
    adds, ends = ([name for name in names if callable(getattr(made, name, None))] for names in (_ADDS, _ENDS))
    ends = [name for name in ends if name not in adds[:1]] or (_only_end(made) if adds else [])
    if not (adds and ends):
        return made() if any("__call__" in vars(each) for each in made.__mro__) else made
    update = list(inspect.signature(getattr(made, adds[0])).parameters.values())[1:]
    options = [each for each in inspect.signature(made).parameters.values() if each.kind != each.VAR_KEYWORD]
    taken = {each.name for each in update}
    own = [each.replace(kind=each.KEYWORD_ONLY) for each in options if each.name not in taken]
    if any(each.default is each.empty and not _MAY_CUT.search(each.name) for each in own):
        return made  # nobody can tell what it is built of
    names = {each.name for each in own}

    def accumulated(*rows, **named):
        accumulator = made(**{name: named.pop(name) for name in sorted(names & set(named))})
        getattr(accumulator, adds[0])(*rows, **named)
        return getattr(accumulator, ends[0])()

    variable = [each for each in update if each.kind == each.VAR_KEYWORD]
    update = [each for each in update if each.kind != each.VAR_KEYWORD]
    accumulated.__signature__ = inspect.Signature([*update, *own, *variable])
    accumulated.__wrapped__ = made  # its source is read
    return accumulated


def _only_end(made):
    """Return the name of the one method of a class that needs no argument and does not start anew; else nothing."""
    own = inspect.getmembers(made, inspect.isfunction)
    left = [name for name, each in own if not name.startswith("_") and not re.match("reset|clear|init", name)
            and [*inspect.signature(each).parameters][1:] == []]  # fmt: skip
    return left if len(left) == 1 else []


_ASKED = ("metrics", "metric_names", "metric_list")
"""Parameters that take the names of the metrics to compute: they are given that of the entry."""


def _entry(function, key):
    """Return the function that returns one entry of what another one returns."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        signature = None
    known = {} if signature is None else signature.parameters
    asked = [name for name in _ASKED if name in known and known[name].default is inspect.Parameter.empty]

    def picked(*rows, **named):
        given = signature.bind_partial(*rows, **named).arguments if asked else ()
        named.update((name, [key[:-2] if key.endswith("@k") else key]) for name in asked if name not in given)
        returned = function(*rows, **named)
        if isinstance(returned, dict):
            if key.endswith("@k"):
                (own,) = (each for each in returned if re.match(re.escape(key[:-1]) + r"\d+$", str(each)))
                return returned[own]
            return returned[key if key in returned else int(key)]
        return returned[int(key)]

    if signature is not None:
        # Of an entry of one cut-off, such as [ndcg@5], a list of cut-offs is left as it is.
        left = [] if key.endswith("@k") else [name for name, each in known.items() if _is_list(each)]
        passed = [each for name, each in known.items() if name not in asked + left]
        picked.__signature__ = signature.replace(parameters=passed)
    picked.__wrapped__ = function  # its source is read, for the names of columns
    picked.__module__ = getattr(function, "__module__", None)
    return picked


def _is_list(parameter):
    return isinstance(parameter.default, (list, tuple))


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

    _here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(_here, "target.json"), encoding="utf-8") as _file:
        _target = json.load(_file)

    def neighbour(name):
        """Return a module of the file beside this one."""
        spec = importlib.util.spec_from_file_location("audit_" + name, os.path.join(_here, name + ".py"))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    # The harness looks in this module for what FUNCTIONS names.
    metric = parameters = load(_target["file"], _target["function"])
    FUNCTIONS = neighbour("call_answers").functions_of(
        metric, _target["file"], _target["shape"], number,
        *map(neighbour, ("call_shapes", "call_parameters", "call_sources"))
    )  # fmt: skip
