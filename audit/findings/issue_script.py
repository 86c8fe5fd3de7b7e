"""Scripts that show a witness with a library's public API and nothing else, ready for an issue of that library.

How a library is called is data beside its adapter (``script.py.txt`` beside ``adapter.py``, ``spark_script.py.txt``
beside ``spark.py``): a Jinja template that extends ``base.py.txt`` and fills in its imports and its call. What it can
use is what :func:`_variables` returns.
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

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined, TemplateNotFound

from audit.libraries.function import Function
from audit.libraries.manifest import Manifest, Version
from audit.observations.canonical import canonical
from audit.observations.observation import Observation
from reference.cases import PROBES, SMALL, Probe
from reports.model.result import Finding, Witness

_TEMPLATE = "script.py.txt"
_OWN = Path(__file__).with_name("templates")


@dataclass(frozen=True)
class Name:
    """A function's name in its parts: ``a.b.name[inside]``.

    ``words`` are the options without a value, ``options`` those with one, ``arguments`` the same as Python writes
    them, and ``inner`` the name before ``(`` where ``inside`` is a call.
    """

    name: str
    inside: str
    words: tuple[str, ...]
    inner: str
    options: Mapping[str, str]
    arguments: str

    @staticmethod
    def of(function: str) -> Name:
        """The parts of a function's name."""
        path, _, inside = function.partition("[")
        inside = inside.removesuffix("]")
        call = re.fullmatch(r"(\w+)\((.*)\)", inside)
        options = [each for each in (call[2] if call else inside).split(",") if each]
        given = {key: value for each in options if "=" in each for key, _, value in [each.partition("=")]}
        arguments = ", ".join(f"{key}={_literal(value)}" for key, value in given.items())
        words = tuple(each for each in options if "=" not in each)
        return Name(path.rpartition(".")[2], inside, words, call[1] if call else "", given, arguments)


def _literal(text: str) -> str:
    try:
        return repr(ast.literal_eval(text))
    except (ValueError, SyntaxError):
        return json.dumps(text)


def script(manifest: Manifest, version: Version, function: Function, witness: Witness, probe: Probe) -> str | None:
    """The script of a witness on ``probe``; None where the version's adapter has no template for scripts."""
    try:
        template = _environment(manifest.folder).get_template(template_of(version))
    except TemplateNotFound:
        return None
    return template.render(_variables(manifest, version, function, witness, probe))


def template_of(version: Version) -> str:
    """The name of the template beside the adapter that calls this version."""
    return _TEMPLATE if version.adapter == "adapter.py" else f"{Path(version.adapter).stem}_{_TEMPLATE}"


@cache
def _environment(folder: Path) -> Environment:
    loader = ChoiceLoader([FileSystemLoader(_OWN), FileSystemLoader(folder)])
    # Python is written, not HTML: nothing is escaped, and every text that is foreign goes through json.
    return Environment(
        loader=loader, autoescape=False, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True,
    )  # fmt: skip


def _variables(
    manifest: Manifest, version: Version, function: Function, witness: Witness, probe: Probe
) -> dict[str, Any]:
    k, case = probe.k if function.cutoff else None, probe.case
    right = canonical(function, k).signature()
    labels = [f"{function.name}:", "seen by the audit:", f"canonical {right}:"]
    width = max(map(len, labels))
    rec, rel = case.predictions, case.truth
    return {
        **vars(Name.of(function.name)),
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
        "canonical_label": json.dumps(labels[2].ljust(width)), "seen": _seen(witness),
        "expected": json.dumps(str(witness.canonical_value)),
    }  # fmt: skip


def _seen(witness: Witness) -> str:
    """What the audit saw, as a Python text: the value, the values of the users, or what was said in its place."""
    if witness.library_value is not None:
        return json.dumps(str(witness.library_value))
    values = {user.user: user.library_value for user in witness.users if user.library_value is not None}
    if values:
        listed = ", ".join(f"{user}: {value}" for user, value in values.items())
        return json.dumps(f"{{{listed}}}")
    return json.dumps(witness.text)


def scripted(
    found: Finding, manifest: Manifest, version: Version, function: Function, observation: Observation
) -> Finding:
    """A finding with the script of its witness, where it has one and the library's adapter says how to call it."""
    if found.witness is None:
        return found
    for probe in (*PROBES, *SMALL, *observation.further):
        if probe.name == found.witness.case:
            text = script(manifest, version, function, found.witness, probe)
            return found.model_copy(update={"script": text})
    return found
