"""The parts of a ``library.toml`` as it is written: inheritance, blocks of functions, and complaints about its faults.

A version that is ``like`` another takes over what that one says. A key of a function can stand in ``[defaults]``, in
its ``[[function]]`` or ``[[group]]``, at one of its functions, paths and options: the later in this order wins. The
keys are described in ``adapters/README.md``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, StringConstraints, ValidationError, model_validator
from pydantic_core import ErrorDetails

from recsys_metric_audit.audit.libraries.function import Data, Function, Made, Part, Takes, Text

NOT_INHERITED = ("version", "like", "usual", "unavailable", "log", "builds")


def with_inherited(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a read ``library.toml`` in which each ``[[version]]`` says all that it inherits.

    What a version says itself stands; tables (``stubs``, ``git``) are inherited key by key. Whether a version is
    ``usual`` or ``unavailable``, and why it is built, is never inherited.

    Raises ``ValueError`` for a version that is like one that is not there, or like itself on a detour.
    """
    rows = document.get("version")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return dict(document)  # its faults are named by who validates it
    named = {row["version"]: row for row in rows if isinstance(row.get("version"), str)}
    return {**document, "version": [_whole(row, named, ()) for row in rows]}


def _whole(
    row: Mapping[str, Any], named: Mapping[str, Mapping[str, Any]], on_the_way: tuple[str, ...]
) -> dict[str, Any]:
    if "like" not in row:
        return dict(row)
    own, like = str(row.get("version")), row["like"]
    if like not in named:
        raise ValueError(f"version {own}: like: there is no [[version]] {like!r}, but {', '.join(named)}")
    if own in on_the_way:
        raise ValueError(f"version {own}: like: {' is like '.join((*on_the_way, own))}, so nothing is said of any")
    base = _whole(named[like], named, (*on_the_way, own))
    made = {key: value for key, value in base.items() if key not in NOT_INHERITED}
    for key, value in row.items():
        both_tables = isinstance(value, dict) and isinstance(made.get(key), dict)
        made[key] = made[key] | value if both_tables else value
    return {key: value for key, value in made.items() if key != "like"}


_NAMES = ("version", "name", "paths")


def complaints(error: ValidationError, document: Mapping[str, Any], keys: Collection[str]) -> list[str]:
    """Return a line for each fault: ``version 0.6.0: python: <what is wrong>``; ``keys`` are all that there are."""
    faults = [each for each in error.errors() if not _follows(each, error.errors())]
    return list(dict.fromkeys(f"{_place(fault, document)}{_message(fault, keys)}" for fault in faults))


def _follows(fault: ErrorDetails, faults: Collection[ErrorDetails]) -> bool:
    """Return True for a list that is told to be empty because what stands in it is wrong."""
    inside = (each for each in faults if len(each["loc"]) > len(fault["loc"]))
    return fault["type"] == "too_short" and any(each["loc"][: len(fault["loc"])] == fault["loc"] for each in inside)


def _message(fault: ErrorDetails, keys: Collection[str]) -> str:
    if fault["type"] == "missing":
        return "is missing"
    if fault["type"] == "extra_forbidden":
        close = get_close_matches(str(fault["loc"][-1]), keys, n=1)
        return f"no such key; did you mean {close[0]}?" if close else "no such key"
    if fault["type"] == "literal_error":
        known = [one or other for one, other in re.findall(r"'([^']*)'|\"([^\"]*)\"", fault["ctx"]["expected"])]
        close = get_close_matches(str(fault["input"]), known, n=1)
        meant = f"did you mean {close[0]!r}?" if close else f"it is one of {', '.join(map(repr, known))}"
        return f"{fault['input']!r} is not known; {meant}"
    if "metric" in fault["loc"][-1:] and isinstance(fault["input"], str):
        from recsys_metric_audit.audit.libraries.metric_name import unknown_metric  # only where there is a fault

        return unknown_metric(fault["input"])
    return str(fault["msg"]).removeprefix("Value error, ")


def _place(fault: ErrorDetails, document: Mapping[str, Any]) -> str:
    """Return the path to a key, with the rows of ``[[version]]``, ``[[function]]`` and ``[[group]]`` by their names."""
    location = fault["loc"]
    names_a_key = fault["type"] in ("missing", "extra_forbidden")
    words: list[str] = []
    here: Any = document
    for step in location:
        if isinstance(step, str) and not _holds(here, step) and not names_a_key:
            continue  # pydantic's own word for a key's value or for one of several types
        here = here[step] if _holds(here, step) else {}
        if isinstance(step, int) and isinstance(here, Mapping):
            words[-1] = f"{words[-1]} {_name(here) or f'number {step + 1}'}"
        else:
            words.append(str(step + 1) if isinstance(step, int) else step)
    return "".join(f"{word}: " for word in words)


def _name(row: Mapping[str, Any]) -> str:
    for key in _NAMES:
        if named := row.get(key):
            return str(next(iter(named)) if isinstance(named, list | dict) else named)
    return ""


def _holds(container: Any, step: int | str) -> bool:
    if isinstance(container, Mapping):
        return step in container
    return isinstance(container, list | tuple) and isinstance(step, int) and step < len(container)


_PLACEHOLDER = re.compile(r"\{(\w*)\}")


class ClaimBlock(Part):
    """Holds the claim of some versions' documentation; without a source of its own it has the function's."""

    versions: Annotated[tuple[Text, ...], Field(min_length=1)]
    claims: Text | None = None
    says: Text | None = None
    where: Text | None = None

    @model_validator(mode="after")
    def _claims_something(self) -> Self:
        if self.claims is None and self.where is not None:
            raise ValueError("where without claims")
        if self.claims is None and self.says is not None:
            raise ValueError("says without claims")
        return self


class Shared(Part):
    """Holds the keys of a function that can be shared; ``None`` stands for a key that is left out.

    ``claims = false`` says that the documentation defines nothing in any version, whatever stands further out.
    """

    metric: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")] | None = None
    cutoff: bool | None = None
    versions: tuple[Text, ...] | None = None
    built: Text | None = None
    takes: Takes | None = None
    called_with: tuple[Made, ...] | None = None
    departs_on: dict[Data, Text] | None = None
    documented_call: Text | None = None
    claims: Text | Literal[False] | None = None
    says: Text | None = None
    where: Text | None = None
    claim: tuple[ClaimBlock, ...] | None = None

    def said(self) -> dict[str, Any]:
        """Return the shared keys that are set here, by name."""
        return {key: value for key in Shared.model_fields if (value := getattr(self, key)) is not None}


def _table(given: Any) -> Any:
    """Return a list of texts as the table in which each says nothing for itself; anything else as it is."""
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        return given
    if len(set(given)) < len(given):
        raise ValueError(f"{next(each for each in given if given.count(each) > 1)!r} stands there twice")
    return {each: {} for each in given}


class Row(Shared):
    """One function with its options: each makes a function of its own, ``""`` the one without options."""

    options: Annotated[dict[str, Shared] | None, BeforeValidator(_table), Field(min_length=1)] = None


class FunctionBlock(Row):
    """One ``[[function]]``: a function by its dotted path, with its options."""

    name: Text

    def made(self, defaults: Shared) -> Iterator[Function]:
        """Yield its functions; raises ``ValueError`` for one that says too little."""
        for option, own in (self.options or _NO_OPTIONS).items():
            yield _function(full_name(self.name, "", option), self.name, self, defaults, self, own)


class Group(Row):
    """One ``[[group]]``: functions that are reached by each of some paths, such as alone and in a pipeline.

    ``{name}`` in a path is the function's name, ``{options}`` its options. A path without ``{options}`` has them at its
    end: ``f`` becomes ``f[option]``, ``f[name]`` becomes ``f[name,option]``. The group's options hold for each
    function that has none of its own.
    """

    paths: Annotated[dict[Text, Shared], BeforeValidator(_table), Field(min_length=1)]
    functions: Annotated[dict[Text, Row], Field(min_length=1)]

    @model_validator(mode="after")
    def _paths_have_a_name(self) -> Self:
        for path in self.paths:
            if "{name}" not in path:
                raise ValueError(f"path {path!r} has no {{name}} for the names of the functions")
            _refuse_unknown(path, ("name", "options"))
        return self

    def made(self, defaults: Shared) -> Iterator[Function]:
        """Yield its functions, path by path; raises ``ValueError`` for one that says too little."""
        for path, of_path in self.paths.items():
            for name, row in self.functions.items():
                for option, own in (row.options or self.options or _NO_OPTIONS).items():
                    yield _function(full_name(path, name, option), name, row, defaults, self, row, of_path, own)


_NO_OPTIONS = {"": Shared()}


def full_name(path: str, name: str, option: str) -> str:
    """Return the name of the function that ``path`` reaches, with its options in their place."""
    made = path.replace("{name}", name)
    if "{options}" in made or not option:
        return made.replace("{options}", option)
    return f"{made[:-1]},{option}]" if made.endswith("]") else f"{made}[{option}]"


def _function(called: str, name: str, row: Row, *parts: Shared) -> Function:
    """Make the function that is ``called`` so of what ``parts``, the outermost first, say of it."""
    said = _merged(parts)
    if "metric" not in said:
        raise ValueError(f"function {called}: metric is missing")
    claims, says, exceptions = said.pop("claims", None), said.pop("says", None), said.pop("claim", ())
    if row.where and claims is None and not exceptions:
        raise ValueError(f"function {called}: where without claims")
    source = _source(said.pop("where", None), called, name)
    said["documented_call"] = _source(said.get("documented_call"), called, name)
    claim = [_with_source(each, source, called) for each in exceptions]
    return Function.model_validate({"name": called, **said, **_claimed(claims, says, source, called), "claim": claim})


def _merged(parts: tuple[Shared, ...]) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for part in parts:
        if part.claims is False:
            said.pop("claim", None)
        if part.claims is not None:  # the words that state another claim
            said.pop("says", None)
        said |= part.said()
    return said


def _source(text: str | None, called: str, name: str) -> str | None:
    """Put the function's dotted path and name into the text that says where something is documented."""
    if text is None:
        return None
    _refuse_unknown(text, ("path", "name"))
    return text.replace("{path}", called.partition("[")[0]).replace("{name}", name)


def _with_source(claim: ClaimBlock, source: str | None, called: str) -> dict[str, Any]:
    return {"versions": claim.versions, **_claimed(claim.claims, claim.says, claim.where or source, called)}


def _claimed(
    claims: str | Literal[False] | None, says: str | None, source: str | None, called: str
) -> dict[str, str | None]:
    if not claims:
        if says is not None:
            raise ValueError(f"function {called}: says without claims, the signature of what it states")
        return {"claims": None, "says": None, "where": None}
    if source is None:
        raise ValueError(f"function {called}: claims without where, which says where they stand")
    return {"claims": claims, "says": says, "where": source}


def _refuse_unknown(text: str, known: tuple[str, ...]) -> None:
    for found in _PLACEHOLDER.findall(text):
        if found not in known:
            raise ValueError(f"{{{found}}} in {text!r} stands for nothing; known are {{{'}, {'.join(known)}}}")
