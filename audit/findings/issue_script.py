"""Scripts that show a witness with the library's public API only, ready for an issue of that library.

How a library is called is data beside its adapter (``script.py.txt`` beside ``adapter.py``, ``spark_script.py.txt``
beside ``spark.py``): a Jinja template that extends ``base.py.txt`` and fills in its imports and its call.
:func:`_variables` returns the variables that a template can use.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.observations.canonical import canonical_definition
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.reference.cases import EXHAUSTIVE, PROBES, Probe
from recsys_metric_audit.reports.model.result import Finding, Witness


@dataclass(frozen=True)
class FunctionName:
    """The parts of a function's name ``a.b.name[inside]``, under the names that script templates use.

    Attributes:
        name: The last part of the dotted path.
        inside: The text between the brackets; empty without brackets.
        words: The options without a value.
        inner: The called name where ``inside`` is a call, as in ``calc[MAP(beta=2.0)]``; else empty.
        options: The options with a value, as text.
        arguments: The options with a value, as Python writes keyword arguments.
    """

    name: str
    inside: str
    words: tuple[str, ...]
    inner: str
    options: Mapping[str, str]
    arguments: str

    @staticmethod
    def parse(function: str) -> FunctionName:
        """Return the parts of the name ``function``."""
        path, _, inside = function.partition("[")
        inside = inside.removesuffix("]")
        call = re.fullmatch(r"(\w+)\((.*)\)", inside)
        listed = [each for each in (call[2] if call else inside).split(",") if each]
        options = {key: value for each in listed if "=" in each for key, _, value in [each.partition("=")]}
        arguments = ", ".join(f"{key}={_literal(value)}" for key, value in options.items())
        words = tuple(each for each in listed if "=" not in each)
        return FunctionName(path.rpartition(".")[2], inside, words, call[1] if call else "", options, arguments)


def _literal(text: str) -> str:
    """Return ``text`` as a Python literal: as it is if it is one, else in quotes."""
    try:
        return repr(ast.literal_eval(text))
    except (ValueError, SyntaxError):
        return json.dumps(text)


_TEMPLATE = "script.py.txt"
_TEMPLATES = Path(__file__).with_name("templates")


def render_script(
    manifest: Manifest, version: Version, function: Function, witness: Witness, probe: Probe
) -> str | None:
    """Return the script that shows ``witness`` on ``probe``; None if the version's adapter has no script template.

    Raises:
        UserError: if the template cannot be read or filled in for this function.
    """
    name = template_name(version)
    try:
        template = _environment(manifest.folder).get_template(name)
        return template.render(_variables(manifest, version, function, witness, probe))
    except jinja2.TemplateNotFound:
        return None
    except jinja2.TemplateError as error:
        at = f", line {error.lineno}" if isinstance(error, jinja2.TemplateSyntaxError) else ""
        raise UserError(
            f"{manifest.folder / name}{at}: {error.message} (for {function.name})", "adapters/README.md describes it"
        ) from error


def template_name(version: Version) -> str:
    """Return the file name of the script template that belongs to the adapter of ``version``."""
    return _TEMPLATE if version.adapter == "adapter.py" else f"{Path(version.adapter).stem}_{_TEMPLATE}"


@cache
def _environment(folder: Path) -> jinja2.Environment:
    loader = jinja2.ChoiceLoader([jinja2.FileSystemLoader(_TEMPLATES), jinja2.FileSystemLoader(folder)])
    # The output is Python, not HTML: nothing is escaped, and every text of a library goes through json.
    return jinja2.Environment(
        loader=loader, autoescape=False, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True,
    )  # fmt: skip


def _variables(
    manifest: Manifest, version: Version, function: Function, witness: Witness, probe: Probe
) -> dict[str, Any]:
    k, case = probe.k if function.cutoff else None, probe.case
    right = canonical_definition(function, k).signature()
    labels = [f"{function.name}:", "seen by the audit:", f"canonical {right}:"]
    width = max(map(len, labels))
    rec, rel = case.predictions, case.truth
    return {
        **vars(FunctionName.parse(function.name)),
        "function": function.name, "module": function.name.partition("[")[0].rpartition(".")[0],
        "title": manifest.title, "version": version.version, "canonical": right,
        "package": None if version.git else manifest.source.package, "repository": manifest.source.repository,
        "commit": version.git.commit if version.git else None,
        "installed": "".join(f' "{each}"' for each in version.requires),
        "no_deps": version.no_deps, "stubs": version.stubs, "python": version.python,
        "k": k, "threshold": case.threshold,
        "recommended": list(zip(rec.user.tolist(), rec.item.tolist(), rec.score.tolist(), strict=True)),
        "relevant": list(zip(rel.user.tolist(), rel.item.tolist(), rel.gain.tolist(), strict=True)),
        "catalogue": case.catalogue.tolist(), "width": width, "label": json.dumps(labels[0].ljust(width)),
        "canonical_label": json.dumps(labels[2].ljust(width)), "seen": _library_answer(witness),
        "expected": json.dumps(str(witness.canonical_value)),
    }  # fmt: skip


def _library_answer(witness: Witness) -> str:
    """Return the library's answer as a Python string literal: its mean, its per-user values, or the witness's text."""
    if witness.library_value is not None:
        return json.dumps(str(witness.library_value))
    values = {user.user: user.library_value for user in witness.users if user.library_value is not None}
    if values:
        listed = ", ".join(f"{user}: {value}" for user, value in values.items())
        return json.dumps(f"{{{listed}}}")
    return json.dumps(witness.text)


def add_script(
    found: Finding, manifest: Manifest, version: Version, function: Function, observation: Observation
) -> Finding:
    """Return ``found`` with the script of its witness; unchanged without a witness or without a script template."""
    if found.witness is None:
        return found
    for probe in (*PROBES, *EXHAUSTIVE, *observation.further_probes):
        if probe.name == found.witness.case:
            text = render_script(manifest, version, function, found.witness, probe)
            return found.model_copy(update={"script": text})
    return found
