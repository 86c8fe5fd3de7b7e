"""Finds the functions of an installed package that are named after a metric."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.process.child import child_environment
from recsys_metric_audit.reference.catalogue.everyday_names import metric_named

_SCRIPT = Path(__file__).with_name("installed_code.py")
_SECONDS = 300.0
_CUTOFFS = ("k", "top_k", "topk", "topn", "top_n", "n", "at", "cutoff", "cut_off", "at_k", "ks", "top_ks")
_TRUTH = ("true", "truth", "actual", "relevant", "target", "ground", "qrel", "label", "gt", "test", "interaction")
_SHOWN = ("pred", "recommend", "reco", "rec", "run", "rank", "score", "shown", "retrieved", "preds", "output", "input")
_METHODS = ("__call__", "calc", "calculate", "compute", "evaluate", "score", "measure", "forward")
_NOISE = frozenset({
    "at", "k", "n", "score", "scores", "metric", "metrics", "cut", "eval", "evaluate", "compute", "calculate", "calc",
    "get", "retrieval", "ranking", "rank", "topk", "top", "normalized", "mean", "user", "per", "metricat", "value",
})  # fmt: skip
RATINGS: Final = frozenset({"rmse", "mse", "mae", "nmae", "r_squared", "explained_variance", "log_loss"})
"""Metrics of pairs of ratings: none of the forms passes those."""


@dataclass(frozen=True)
class MetricFunction:
    """Holds a function or class named after a metric.

    Attributes:
        path: the dotted path by which users reach it.
        metric: the metric after which it is named.
        kind: ``function`` or ``class``.
        parameters: names of its parameters; of a class those of its constructor.
        method: the method of a class that takes the data (``update``: its ``compute`` gives the value); empty for a
            function.
        given: names of the parameters that take the data: the function's own, or the method's.
    """

    path: str
    metric: str
    kind: str
    parameters: tuple[str, ...]
    method: str
    given: tuple[str, ...]

    @property
    def cutoff(self) -> str | None:
        """Return the name of the parameter that takes the cut-off; None if there is none."""
        return next((each for each in (*self.parameters, *self.given) if each.lower() in _CUTOFFS), None)

    @property
    def truth_first(self) -> bool:
        """True if the first of the parameters that take the data is the truth; so if their names do not tell."""
        for name in self.given:
            words = re.split(r"_|(?<=[a-z])(?=[A-Z])", name.lower())
            if any(word.startswith(_TRUTH) for word in words):
                return True
            if any(word.startswith(_SHOWN) for word in words):
                return False
        return True


@dataclass(frozen=True)
class InstalledPackage:
    """Holds what is found in an installed package.

    Attributes:
        summary: what it says of itself; may be empty.
        homepage: where it comes from; may be empty.
        functions: its functions named after a metric.
        broken: why others cannot be imported, by path.
    """

    summary: str
    homepage: str
    functions: tuple[MetricFunction, ...]
    broken: Mapping[str, str]


def installed_package(python: Path, distribution: str) -> InstalledPackage:
    """Return what an installed package says of itself, and its functions that are named after a metric.

    Args:
        python: the interpreter of the environment in which it is installed.
        distribution: the name under which it is installed.

    Raises:
        UserError: if no function of it is named after a metric, or none can be imported.
    """
    said = _run(python, ["list", distribution])
    named = {each["path"]: each for each in said["functions"] if metric_of(each["name"])}
    reached = _run(python, ["reach"], json.dumps(list(named)))
    found: dict[str, MetricFunction] = {}
    for path, answer in reached.items():
        if "path" in answer:
            methods = answer["methods"] or named[path]["methods"]
            made = _function(answer["path"], {**named[path], "methods": methods})
            found.setdefault(made.path, made)
    broken = {path: answer["error"] for path, answer in reached.items() if "error" in answer}
    if not found:
        why = next(iter(broken.values()), "")
        raise UserError(
            f"no function of {distribution} that is named after a metric can be imported{f': {why}' if why else ''}",
            "tell how each metric is called: --call 'ndcg=package.function(truth, shown, k)'; or name another package",
        )
    functions = tuple(found[path] for path in sorted(found))
    return InstalledPackage(" ".join(said["summary"].split()), said["homepage"], functions, broken)


def package_of_calls(python: Path, distribution: str, names: Sequence[str]) -> tuple[InstalledPackage, tuple[str, ...]]:
    """Return what an installed package says of itself, and the modules in which dotted names are found.

    Args:
        python: the interpreter of the environment in which it is installed.
        distribution: the name under which it is installed.
        names: dotted names, as calls of its functions have them.

    Raises:
        UserError: if the module of a name cannot be imported.
    """
    said = _run(python, ["list", distribution])
    found = _run(python, ["modules"], json.dumps(list(names)))
    for name, answer in found.items():
        if "error" in answer:
            raise UserError(
                f"--call: {name} cannot be imported: {answer['error']}",
                "write it with the name of its package: package.function(...)",
            )
    package = InstalledPackage(" ".join(said["summary"].split()), said["homepage"], (), {})
    return package, tuple(dict.fromkeys(answer["module"] for answer in found.values()))


def metric_of(name: str) -> str | None:
    """Return the metric that a function's name bears: ``ndcg`` for ``NDCGAtK``; None if it bears none."""
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
    words = [word for word in snake.split("_") if word]
    for kept in (words, [word for word in words if word not in _NOISE - {"mean"}],
                 [word for word in words if word not in _NOISE]):  # fmt: skip
        text = "_".join(kept)
        for tried in (text, text.removesuffix("k")):
            if len(tried) > 1 and (metric := metric_named(tried)) is not None:
                return metric
    return None


def _function(path: str, entry: Mapping[str, Any]) -> MetricFunction:
    methods: Mapping[str, Sequence[str]] = entry["methods"]
    method = ""
    given: Sequence[str] = entry["parameters"]
    if entry["kind"] == "class":
        method = next((each for each in (*_METHODS, "update") if methods.get(each)), "__call__")
        given = methods.get(method, ())
        if method == "update" and "__call__" in methods:
            method = "__call__"  # of a module, which passes on what it is given, and returns the value
    metric = metric_of(entry["name"])
    assert metric is not None
    return MetricFunction(path, metric, entry["kind"], tuple(entry["parameters"]), method, tuple(given))


def _run(python: Path, arguments: Sequence[str], given: str = "") -> Any:
    """Run the listing script in the package's environment, in an empty folder and without credentials."""
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            [str(python), str(_SCRIPT), *arguments], input=given, capture_output=True, text=True, check=False,
            timeout=_SECONDS, cwd=home, env=child_environment(python, Path(home)),
        )  # fmt: skip
    lines = done.stdout.strip().splitlines()
    if done.returncode != 0 or not lines:
        said = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "it ended without a word"
        raise UserError(f"the installed package cannot be listed: {said}", "write the adapter by hand")
    return json.loads(lines[-1])
