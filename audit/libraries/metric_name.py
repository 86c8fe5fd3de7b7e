"""Metrics as users name them: everyday names are understood, and a wrong one is met with the nearest."""

from __future__ import annotations

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reference.catalogue.everyday_names import metric_named, nearest_metric
from recsys_metric_audit.reference.metrics import FAMILIES, METRICS


def known_metric(text: str) -> str:
    """Return the name in signatures of the metric that ``text`` names: ``average_precision`` for ``MAP``.

    Raises:
        UserError: if there is none of that name, with the nearest one.
    """
    name = metric_named(text)
    if name is not None:
        return name
    close = nearest_metric(text)
    hint = f"did you mean {close}? " if close else ""
    raise UserError(f"there is no metric {text!r}", f"{hint}it is one of {', '.join(FAMILIES)}")


def metric_of_relevance(text: str) -> str:
    """Return the name in signatures of the metric that ``text`` names, where it must read what is relevant.

    Raises:
        UserError: if there is none of that name, or if it reads which items are shown instead.
    """
    name = known_metric(text)
    if name in METRICS:
        return name
    raise UserError(
        f"{name} reads which items are shown, not which are relevant: this command has no inputs for it",
        f"audit explain {name} tells its definitions, audit evaluate computes them",
    )


def unknown_metric(name: str) -> str:
    """Return what is said of a metric that there is not: the nearest one, or all."""
    near = metric_named(name) or nearest_metric(name)
    meant = f"did you mean {near!r}?" if near else f"there are {', '.join(FAMILIES)}"
    return f"there is no metric {name!r}; {meant}"
