"""Which versions a command audits: named ones, all, or the usual and quick ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.audit.cli.shared.library_choice import all_libraries, choose_versions, one_library
from recsys_metric_audit.audit.errors import UserError
from tests.support import drifting_library


@pytest.fixture
def adapters(tmp_path: Path) -> list[Path]:
    drifting_library.write(tmp_path / "drifting", "3.0", "2.0", "1.0")
    toml = tmp_path / "drifting" / "library.toml"
    text = toml.read_text().replace('version = "3.0"', 'version = "3.0"\nheavy = "it is slow"')
    toml.write_text(text.replace('version = "1.0"', 'version = "1.0"\nusual = false'))
    return [tmp_path]


@pytest.mark.parametrize(
    ("named", "every", "expected"),
    [
        (None, False, ["2.0"]),
        (None, True, ["3.0", "2.0", "1.0"]),
        (["drifting"], False, ["3.0", "2.0", "1.0"]),
        (["drifting==1.0"], True, ["1.0"]),
    ],
)
def test_versions_by_what_the_user_typed(
    adapters: list[Path], named: list[str] | None, every: bool, expected: list[str]
) -> None:
    chosen = choose_versions(adapters, named, every)
    assert [version.version for manifest, version in chosen if manifest.name == "drifting"] == expected


def test_a_library_by_name_beside_those_that_come_with_the_tool(adapters: list[Path]) -> None:
    assert {"drifting", "recbole"} <= set(all_libraries(adapters))
    assert one_library(adapters, "drifting").title == "Drifting"
    for name in ("driftign", "drifting==9"):
        with pytest.raises(UserError):
            one_library(adapters, name)
