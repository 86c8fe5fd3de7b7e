"""The functions of an installed package that are named after a metric, and their calls as an adapter writes them.

A package whose functions are not named after a metric is called as the user tells.
"""

from __future__ import annotations

import ast
import builtins
import json
import keyword
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.process.child import child_environment
from recsys_metric_audit.reference.catalogue.everyday_names import metric_named, nearest_metric
from recsys_metric_audit.reference.metrics import FAMILIES

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


class MissingModuleError(UserError):
    """Reports a module that a package imports and that is not installed with it; ``module`` is its name."""

    def __init__(self, message: str, module: str) -> None:
        super().__init__(message, f"say what has it, often of the same name: --requires {module}")
        self.module = module


def _refuse_missing_module(distribution: str, error: str) -> None:
    if found := re.search(r"No module named '([A-Za-z0-9_]+)", error):
        raise MissingModuleError(f"{distribution} imports {found[1]}, which is not installed with it", found[1])


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
        _refuse_missing_module(distribution, why)
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
            if f"'{name.partition('.')[0]}" not in answer["error"]:
                _refuse_missing_module(distribution, answer["error"])
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
    for noise in (frozenset[str](), _NOISE - {"mean"}, _NOISE):
        text = "_".join(word for word in words if word not in noise)
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


@dataclass(frozen=True)
class Form:
    """Holds what the functions of a form take, and the contract of such a function.

    Attributes:
        takes: The contract, as ``library.toml`` writes it.
        called_with: What the adapter makes of the data.
        decides: The axes that this decides.
        requires: What the adapter needs.
        checks: Whether the adapter refuses data that it cannot pass on.
        truth: What a call names the truth.
        shown: What a call names the recommendations.
        each_user: The parameters of a call where it is made for one user after the other; else it reads ``data``.
        further: Further parameters that are known, each with what is passed.
    """

    takes: Mapping[str, str]
    called_with: str = ""
    decides: tuple[str, ...] = ()
    requires: tuple[str, ...] = ("numpy",)
    checks: bool = False
    truth: str = "truth"
    shown: str = "shown"
    each_user: str = ""
    further: Mapping[str, str] = field(default_factory=dict)

    def for_each_user(self, call: str) -> str:
        """Return the call of each user's truth and recommendations."""
        return f"each_user(data, lambda {self.each_user}: {call})"


FORMS: Final[Mapping[str, Form]] = {
    "dicts": Form(
        {"input": "scores"},
        "a dictionary of gains and one of scores for each user, by ids as text",
        ("duplicates", "truth_duplicates"),
    ),
    "frames": Form({"input": "scores"}, requires=("numpy", "pandas<3")),
    "matrix": Form(
        {"input": "matrix"},
        "a row of true gains and a row of scores for each user;"
        " an item without a score gets one below the user's lowest",
        ("unlisted", "truth_duplicates"),
        checks=True,
    ),
    "tensors": Form(
        {"input": "labels"},
        "a label for every recommended item, 1 from the threshold up",
        ("relevance:at_least_t", "duplicates"),
        ("numpy", "torch"),
        checks=True,
        truth="target",
        shown="preds",
        each_user="preds, target",
        further=dict.fromkeys(("indexes", "index", "query_ids", "group_ids", "groups", "qid"), "data.indexes"),
    ),
    "per-list": Form(
        {"input": "ranked", "truth": "list"},
        "the lists of each user with relevant items",
        ("users",),
        truth="relevant",
        shown="recommended",
        each_user="relevant, recommended",
    ),
    "model": Form(
        {"input": "matrix", "truth": "set"},
        "a stub of a model that returns the given scores; an item without a score gets one below the user's lowest",
        ("unlisted", "short_lists"),
        ("numpy", "scipy"),
        checks=True,
        further=dict.fromkeys(("train_interactions", "train_user_items", "train"), "data.train"),
    ),
}
"""What the functions of each form take."""

_OWN: Final = ("check", "prepare", "each_user", "of_users", "dictionaries", "numbers")
"""Functions that adapters of a form have."""


@dataclass(frozen=True)
class GeneratedCall:
    """A function of the adapter: its own name, the path that it answers for, and the expression that it returns."""

    path: str
    python_name: str
    call: str
    metric: str
    cutoff: str | None


def generated_calls(functions: tuple[MetricFunction, ...], like: str) -> tuple[GeneratedCall, ...]:
    """Return the call of each function in the form ``like``, each under a name of its own."""
    made: list[GeneratedCall] = []
    for each in functions:
        name = python_name(each.path, {own.python_name for own in made})
        made.append(GeneratedCall(each.path, name, _call(each, like), each.metric, each.cutoff))
    return tuple(made)


def python_name(path: str, taken: set[str]) -> str:
    """Return a name for the function of an adapter that calls ``path``, other than those ``taken``."""
    parts = path.split(".")
    for depth in range(1, len(parts) + 1):
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", "_".join(parts[-depth:])).lower()
        if name not in taken and name not in _OWN and not keyword.iskeyword(name) and not hasattr(builtins, name):
            return name
    return f"{name}_{len(taken)}"


def _call(function: MetricFunction, like: str) -> str:
    form, target = FORMS[like], function.path
    cut = [f"{function.cutoff}=k"] if function.cutoff else []
    if function.kind == "class":
        built_with = cut if function.cutoff in function.parameters else []
        target += f"({''.join(built_with)})" + ("" if function.method == "__call__" else f".{function.method}")
        cut = [] if built_with else cut
    further = [f"{own}={form.further[own]}" for own in function.given if own in form.further]
    one_by_one = form.each_user and not further  # what is given the user of each row takes all users in one call
    given = [name if one_by_one else f"data.{name}" for name in (form.truth, form.shown)]
    if like == "model" or not function.truth_first:
        given.reverse()
    call = f"{target}({', '.join([*given, *further, *cut])})" + (".compute()" if target.endswith(".update") else "")
    return form.for_each_user(call) if one_by_one else call


@dataclass(frozen=True)
class ToldCall:
    """Holds the call of a metric that a user told.

    Attributes:
        label: The metric as the user named it.
        metric: The metric in our words.
        expression: What is to be evaluated.
        like: The form of the truth and the recommendations in it.
    """

    label: str
    metric: str
    expression: ast.Expression
    like: str

    @property
    def chains(self) -> tuple[str, ...]:
        """Return the dotted names in it that belong to packages: ``ranx.Qrels``, without what stands for data."""
        form = FORMS[self.like]
        return tuple(dict.fromkeys(_chains(self.expression, {form.truth, form.shown, "k"})))

    @property
    def path(self) -> str:
        """Return the dotted path of what is called, with the metric: ``ranx.evaluate[ndcg]``."""
        return f"{_called(self.expression.body)}[{self.label}]"

    def function(self, taken: set[str]) -> GeneratedCall:
        """Return the function that an adapter has for it, under a name that is not ``taken`` yet."""
        form = FORMS[self.like]
        if form.each_user:
            call = form.for_each_user(ast.unparse(self.expression))
        else:
            call = f"of_users({ast.unparse(_OfData((form.truth, form.shown)).visit(self.expression))})"
        names = {node.id for node in ast.walk(self.expression) if isinstance(node, ast.Name)}
        name = python_name(f"{_called(self.expression.body)}.{self.label.lower()}", taken)
        return GeneratedCall(self.path, name, call, self.metric, "k" if "k" in names else None)


def told_calls(texts: Sequence[str], like: str) -> tuple[ToldCall, ...]:
    """Read calls, each written METRIC=EXPRESSION.

    Args:
        texts: The calls.
        like: The form of the package's functions.

    Raises:
        UserError: for one that names no metric, is no expression, or reads neither truth nor recommendations.
    """
    found = tuple(_told(text, like) for text in texts)
    paths = [each.path for each in found]
    if twice := [path for path in paths if paths.count(path) > 1]:
        raise UserError(f"--call: {twice[0]} is told twice", "name the second after another metric")
    return found


def functions_of_calls(calls: Sequence[ToldCall]) -> tuple[GeneratedCall, ...]:
    """Return the function that an adapter has for each call, each under a name of its own."""
    made: list[GeneratedCall] = []
    for each in calls:
        made.append(each.function({own.python_name for own in made}))
    return tuple(made)


def _told(text: str, like: str) -> ToldCall:
    label, equals, written = text.partition("=")
    label, truth, shown = label.strip(), FORMS[like].truth, FORMS[like].shown
    example = f"--call 'ndcg=package.function({truth}, {shown}, k)'"
    if not equals or not label.replace("_", "").replace("-", "").isalnum():
        raise UserError(f"--call {text!r} names no metric", f"METRIC=EXPRESSION: {example}")
    metric = metric_named(label)
    if metric is None:
        near = nearest_metric(label)
        raise UserError(
            f"--call {text!r}: {label} is no metric known here",
            f"did you mean {near}?" if near else f"one of: {', '.join(FAMILIES)}",
        )
    try:
        tree = ast.parse(written.strip(), mode="eval")
    except SyntaxError as error:
        raise UserError(f"--call {text!r} is no expression: {error.msg} at column {error.offset}", example) from None
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    if missing := [each for each in (truth, shown) if each not in names]:
        raise UserError(f"--call {text!r} does not read {missing[0]}", example)
    if not any(isinstance(node, ast.Call) for node in ast.walk(tree)):
        raise UserError(f"--call {text!r} calls nothing", example)
    return ToldCall(label, metric, tree, like)


def _chains(tree: ast.Expression, data: set[str]) -> Iterator[str]:
    """Yield the dotted names that stand for no data, no argument, no variable of a loop and no builtin."""
    own = data | {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    own |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        chain = None if id(node) in inner or not isinstance(node, ast.expr) else _dotted(node)
        root = (chain or "").partition(".")[0]
        if chain and root not in own and not hasattr(builtins, root):
            yield chain


class _OfData(ast.NodeTransformer):
    """Reads the truth and the recommendations from what an adapter prepared."""

    def __init__(self, names: tuple[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.names:
            return node
        return ast.Attribute(ast.Name("data", ast.Load()), node.id, ast.Load())


def _dotted(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (before := _dotted(node.value)) is not None:
        return f"{before}.{node.attr}"
    return None


def _called(node: ast.expr) -> str:
    """Return the dotted path of what is called; the method of a built object follows on what builds it."""
    if isinstance(node, ast.Call):
        return _called(node.func)
    if isinstance(node, ast.Subscript):
        return _called(node.value)
    if isinstance(node, ast.Attribute):
        return f"{_called(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else "function"
