"""Result files and folders of libraries that were damaged, changed by hand, or written to do harm."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from bench.faults.trial import PLACES, Trial
from bench.faults.typed_inputs import typed
from recsys_metric_audit.reports.model.result_file import result_json
from recsys_metric_audit.reports.writers.report_folder import write_report
from tests.support.extreme_results import HOSTILE, hostile
from tests.support.one_metric_library import GOOD, TOML
from tests.support.result_samples import result

_CHANGES = 200
_LEAVES: tuple[Any, ...] = (
    None, True, -1, 2**70, 1e308, float("nan"), float("-inf"), "", "x" * 100_000, [], {}, [[]], {"": None}, *HOSTILE,
)  # fmt: skip
_FORMS = ("text", "md", "latex", "csv", "json", "html", "contradictions", "findings")
_OF_TOMORROW = (
    ("metric", "metric_of_tomorrow"), ("signature", "metric_of_tomorrow@5"), ("signature", "ndcg@5|axis_of_tomorrow:x"),
    ("formula", "ndcg@5|gain:nope"), ("claimed", "ndcg@5|gain:nope"), ("equivalent", ["ndcg@5|gain:nope"]), ("k", -1),
)  # fmt: skip
_WHOLE: dict[str, bytes] = {
    "empty": b"", "null": b"null", "list": b"[]", "number": b"1e400", "text": b'"audit"', "cut": b'{"format": 1, "lib',
    "deep": b"[" * 200_000, "deep objects": b'{"a":' * 100_000, "binary": bytes(range(256)),
    "UTF-16": '{"a": 1}'.encode("utf-16"), "mark": b"\xef\xbb\xbf{}",
    "later format": b'{"format": 999}', "digits": b'{"format": ' + b"9" * 100_000 + b"}",
    "twice": b'{"format":1}{"format":1}',
}  # fmt: skip
_TOMLS: dict[str, bytes] = {
    "empty": b"", "binary": bytes(range(256)), "not UTF-8": b"title = '\xff'",
    "no version": TOML.split("[[version]]")[0].encode(),
    "unknown metric": TOML.replace('"precision"', '"none_such"').encode(),
    "unknown claim": TOML.encode() + b'where = "x"\nclaims = "precision@k|denominator:none_such"\n',
    "unknown axis": TOML.encode() + b'called_with = [{ what = "labels", decides = ["none_such"] }]\n',
    "unknown value": TOML.encode() + b'called_with = [{ what = "labels", decides = ["relevance:none_such"] }]\n',
    "unknown kind of data": TOML.encode() + b'departs_on = { "none such" = "it raises" }\n',
    "unknown contract": TOML.encode() + b'takes = { input = "none_such" }\n',
    "unknown key": TOML.encode() + b"colour = 1\n",
    "twice": TOML.encode() + TOML.encode(), "number for a text": TOML.replace('"A library"', "1").encode(),
    "escape": TOML.replace("A library", "\\u001b[2J").encode(), "impossible Python": TOML.replace("3.11", "x").encode(),
    "version that climbs": TOML.replace('"1.0"', '"../../x"').encode(), "deep": b"a = " + b"[" * 5_000,
    "long": TOML.encode() + b"#" + b"x" * 5_000_000, "empty name": TOML.replace("statistics.mean", "").encode(),
    "function twice": TOML.encode() + TOML[TOML.index("[[function]]") :].encode(),
    "adapter that climbs": TOML.replace('python = "3.11"', 'python = "3.11"\nadapter = "../../../etc/passwd"').encode(),
    "package that is an option": TOML.replace('"a-library"', '"--index-url=http://x"').encode(),
}  # fmt: skip


def inputs() -> Iterator[Trial]:
    """Yield all damaged result files, and folders of libraries."""
    text = result_json(result())
    places = _places(json.loads(text))[1:]
    rng = random.Random(25)
    for place in rng.sample(places, min(_CHANGES, len(places))):
        leaf = rng.choice(_LEAVES)
        name = f"{'.'.join(map(str, place))} = {str(leaf)[:30]!r}"
        yield Trial("result changed", name, partial(_reported, _changed(text, place, leaf), rng.sample(_FORMS, 2)))
    for name, content in _WHOLE.items():
        yield Trial("result files", name, partial(_reported, content, ("text", "html")))
    for change in _OF_TOMORROW:
        content = _changed(text, ("findings", 0, *change[:-1]), change[-1])
        yield Trial("result files", f"of tomorrow: {change}", partial(_reported, content, _FORMS))
    for form in _FORMS:
        yield Trial("result files", f"hostile as {form}", partial(_reported, None, (form,)))
    for name, put in PLACES.items():
        yield Trial("result files", name, partial(_at_place, put))
    for name, content in _TOMLS.items():
        yield Trial("library.toml", name, partial(_listed, partial(Path.write_bytes, data=content)))
    for name in ("pipe", "folder", "loop"):
        yield Trial("library.toml", name, partial(_listed, PLACES[name]))


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, child in children for place in _places(child, (*path, key)))]


def _changed(text: str, place: tuple[Any, ...], leaf: Any) -> bytes:
    changed = json.loads(text)
    inside = changed
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = leaf
    return json.dumps(changed).encode()


def _reported(content: bytes | None, forms: tuple[str, ...] | list[str], folder: Path) -> list[str]:
    if content is None:
        write_report(hostile(), folder / "report")
    else:
        (folder / "report").mkdir()
        (folder / "report" / "audit.json").write_bytes(content)
    report = str(folder / "report")
    wrong = [each for form in forms for each in typed("report", report, "--format", form)]
    return [*wrong, *typed("compare", report, report)]


def _at_place(put: Callable[[Path], object], folder: Path) -> list[str]:
    put(folder / "audit.json")
    return [*typed("report", str(folder)), *typed("report", str(folder / "audit.json"))]


def _listed(put: Callable[[Path], object], folder: Path) -> list[str]:
    """Return what lists, and runs, a library whose ``library.toml`` was put there by `put`."""
    own = folder / "adapters" / "mine"
    own.mkdir(parents=True)
    (own / "adapter.py").write_text(GOOD)
    put(own / "library.toml")
    given = ("--adapters", str(folder / "adapters"))
    run = ("run", "-l", "mine", "--dataset", "synthetic:5x20", "--out", str(folder / "report"))
    return [*typed("list", *given), *typed(*run, *given, names="library.toml")]
