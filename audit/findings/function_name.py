"""A function's name taken apart: ``path.name[inside]``."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass


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
