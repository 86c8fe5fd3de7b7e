"""The live library: one process for all conversations, and what is handed to it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from audit.process.protocol import Ask, Conversation, Limits
from audit.responders import live
from audit.responders.live import LiveLibrary
from audit.sources.checkout import Checkout
from tests.support.recorded_answers import one_row_case

ASKS = [Ask(0, "p", ("f",), (5,))]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Return the keyword arguments of every conversation, with its control directory."""
    made: list[dict[str, Any]] = []

    def converse(*given: Any, **options: Any) -> Conversation:
        made.append({**options, "control": given[4]})
        return Conversation(None, (), 0.0)

    monkeypatch.setattr(live, "converse", converse)
    return made


def put(library: LiveLibrary, seed: int = 0) -> None:
    library.ask({"p": one_row_case()}, ASKS, lambda done, total: None, threading.Event(), seed)


def test_conversations_share_a_process_and_have_directories_of_their_own(calls: list[dict[str, Any]]) -> None:
    library = LiveLibrary(Path("/env/bin/python"), Path("/adapter.py"), ("heavy",), Limits())
    put(library)
    put(library)
    put(library, seed=1)
    assert calls[0]["session"] is calls[1]["session"] is not None
    assert calls[2]["session"] is None and calls[2]["hash_seed"] == 1  # another seed is another process
    assert len({call["control"] for call in calls}) == 3
    assert calls[0]["stubs"] == ("heavy",) and calls[0]["source"] is None
    folder = calls[0]["control"].parent
    assert folder.is_dir()
    library.close()
    assert not folder.exists()
    library.close()


def test_the_checkout_is_imported_from_and_named_if_it_is_not_the_pinned_one(
    calls: list[dict[str, Any]], tmp_path: Path
) -> None:
    library = LiveLibrary(tmp_path, tmp_path, (), Limits(), Checkout(tmp_path, "it is at commit 1234"))
    put(library)
    library.close()
    assert calls[0]["source"] == tmp_path
    assert library.caution == "unpinned: it is at commit 1234"
    assert LiveLibrary(tmp_path, tmp_path, (), Limits(), Checkout(tmp_path)).caution == ""
