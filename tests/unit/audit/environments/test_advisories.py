"""Lists what pip-audit answered: nothing that is known is hidden, and what was not looked up is no all-clear."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.audit.environments.advisories import Advisory, Lookup, as_markdown, main, read_lookup
from recsys_metric_audit.audit.errors import UserError

# Written by pip-audit 2.10.1: one distribution with what is known of it, one with nothing, one that it did not find.
RECORDED = """\
{"dependencies": [{"name": "flask", "version": "0.5", "vulns": [{"id": "PYSEC-2019-179", "fix_versions": ["1.0"], \
"aliases": ["CVE-2019-1010083", "GHSA-5wv5-4vpf-pj6m"], "description": "The Pallets Project Flask before 1.0 is \
affected by: unexpected memory usage."}, {"id": "GHSA-none", "fix_versions": [], "aliases": [], "description": "A \
weakness | without a release that mends it."}]}, {"name": "jinja2", "version": "3.1.6", "vulns": []}, \
{"name": "rs-metrics", "skip_reason": "Dependency not found on PyPI and could not be audited: rs-metrics (0.6.0)"}], \
"fixes": []}"""
KNOWN = (
    Advisory("flask", "0.5", "GHSA-none", (), ()),
    Advisory("flask", "0.5", "PYSEC-2019-179", ("CVE-2019-1010083", "GHSA-5wv5-4vpf-pj6m"), ("1.0",)),
)


def test_a_recorded_answer_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(RECORDED)
    assert read_lookup(tmp_path / "a.json") == Lookup(KNOWN, 2, ("rs-metrics",))


def test_an_advisory_is_one_line_with_every_version_that_it_concerns() -> None:
    text = as_markdown(
        {"a==1.0": Lookup(KNOWN, 2, ()), "b==2.0": Lookup(KNOWN[:1], 5, ("c",)), "d==3.0": Lookup((), 4, ())}
    )
    assert "3 locks; 11 distributions looked up, 1 could not be; 2 advisories." in text
    assert text.count("| flask 0.5 |") == 2
    assert "| flask 0.5 | GHSA-none | – | no release | a==1.0, b==2.0 |" in text
    assert "| flask 0.5 | PYSEC-2019-179 | CVE-2019-1010083, GHSA-5wv5-4vpf-pj6m | 1.0 | a==1.0 |" in text
    assert text.endswith("Not looked up, so not known to be well:\n\n* b==2.0: c\n")


def test_hostile_words_stay_in_their_cell() -> None:
    hostile = Advisory("a|b", "<script>", "::error::x\n| y |", (), ())
    line = next(line for line in as_markdown({"x": Lookup((hostile,), 1, ())}).splitlines() if "script" in line)
    assert line.startswith("| a\\|b &lt;script&gt; | ::error::x \\| y \\| |")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"dependencies": [{}]}', '{"dependencies": 1}', "[" * 100_000])
def test_what_is_no_answer_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.json").write_text(content)
    with pytest.raises(UserError, match=r"a\.json: is not what pip-audit writes"):
        read_lookup(tmp_path / "a.json")


def test_the_list_is_written_for_a_folder(tmp_path: Path) -> None:
    (tmp_path / "answers").mkdir()
    with pytest.raises(SystemExit, match="holds no answers"):
        main([str(tmp_path / "answers"), str(tmp_path / "out.md")])
    (tmp_path / "answers" / "rs_metrics==0.6.0.json").write_text(RECORDED)
    main([str(tmp_path / "answers"), str(tmp_path / "out.md")])
    assert "rs\\_metrics==0.6.0" in (tmp_path / "out.md").read_text()
