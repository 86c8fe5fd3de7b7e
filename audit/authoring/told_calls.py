"""Reads the calls of metrics that the user tells, for a package whose functions are not named after a metric."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from recsys_metric_audit.audit.authoring.generated_calls import GeneratedCall, call_of_each_user, python_name
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reference.catalogue.everyday_names import metric_named, nearest_metric

NAMES: Final = {
    "dicts": ("truth", "shown"), "frames": ("truth", "shown"), "matrix": ("truth", "shown"),
    "model": ("truth", "shown"), "tensors": ("target", "preds"), "per-list": ("relevant", "recommended"),
}  # fmt: skip
"""By form, what a told call names the truth and the recommendations; the cut-off is ``k`` in each."""
_PER_USER: Final = ("tensors", "per-list")


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
        return tuple(dict.fromkeys(_chains(self.expression, {*NAMES[self.like], "k"})))

    @property
    def path(self) -> str:
        """Return the dotted path of what is called, with the metric: ``ranx.evaluate[ndcg]``."""
        return f"{_called(self.expression.body)}[{self.label}]"

    def function(self, taken: set[str]) -> GeneratedCall:
        """Return the function that an adapter has for it, under a name that is not ``taken`` yet."""
        own = NAMES[self.like]
        tree = self.expression if self.like in _PER_USER else _OfData(own).visit(self.expression)
        call = ast.unparse(tree)
        call = call_of_each_user(self.like, call) if self.like in _PER_USER else f"of_users({call})"
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
    label, truth, shown = label.strip(), *NAMES[like]
    example = f"--call 'ndcg=package.function({truth}, {shown}, k)'"
    if not equals or not label.replace("_", "").replace("-", "").isalnum():
        raise UserError(f"--call {text!r} names no metric", f"METRIC=EXPRESSION: {example}")
    metric = metric_named(label)
    if metric is None:
        near = nearest_metric(label)
        raise UserError(
            f"--call {text!r}: {label} is no metric known here",
            f"did you mean {near}?" if near else "audit explain --list names all",
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
