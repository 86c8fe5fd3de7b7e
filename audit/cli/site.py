"""Writes the pages of the site as Markdown: the documentation, and an address for each library, metric and formula.

Run by ``python -m recsys_metric_audit.audit.cli.site DIR``, a part of ``make site``. All is made from the recorded run
and from accepted findings; nothing is asked.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from os.path import relpath
from pathlib import Path

from recsys_metric_audit.audit.cli.shared.lookup import about_function, finding_lines
from recsys_metric_audit.audit.cli.site_questions import questions_data
from recsys_metric_audit.audit.libraries.discovery import adapters_dir
from recsys_metric_audit.audit.libraries.manifest import load
from recsys_metric_audit.audit.pins.pin_file import read_pin
from recsys_metric_audit.reference.documented import definitions
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reports.handbook.explain_text import as_markdown
from recsys_metric_audit.reports.headlines.library_differences import formula_groups, newest, release_changes
from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.result import Library, Result
from recsys_metric_audit.reports.model.result_file import packaged_run
from recsys_metric_audit.reports.pins.badge_text import as_svg, badge, default_function
from recsys_metric_audit.reports.renderers.markdown import fill_template
from recsys_metric_audit.reports.renderers.templates import TEMPLATES
from recsys_metric_audit.reports.wording.anchors import fragment
from recsys_metric_audit.reports.wording.labels import metric_title

ROOT = Path(__file__).resolve().parents[2]
_LINK = re.compile(r"(\]\()((?!https?://|#)[^)\s#]+)([^)]*\))")
_NESTED = re.compile(r"^  (?=[-*] )", re.MULTILINE)
"""The indent of a list in a list, of which MkDocs wants four blanks."""
_MOVED = {"adapters/README.md": "adapters.md", "README.md": "about.md"}
"""Where pages of other folders stand on the site; others keep their path."""


def write_site(folder: Path) -> None:
    """Write all pages into a folder, which is emptied before."""
    result = packaged_run().result
    shutil.rmtree(folder, ignore_errors=True)
    for page in sorted((ROOT / "docs").rglob("*")):
        if page.is_file():
            _copy(page, folder / page.relative_to(ROOT / "docs"), folder)
    (folder / "README.md").rename(folder / "pages.md")
    for path in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "adapters/README.md"):
        _copy(ROOT / path, folder / _MOVED.get(path, path), folder)
    _write(folder / "questions-data.js", questions_data(result))
    shutil.copyfile(TEMPLATES / "site_questions.js", folder / "questions.js")
    _write(folder / "questions.md", fill_template("site_questions.md.j2", run=result))
    libraries = newest(result)
    _write(folder / "index.md", fill_template("site_index.md.j2", run=result, libraries=libraries))
    for entry in libraries:
        text = fill_template("site_library.md.j2", **_of_library(entry, result), run=result)
        _write(folder / "libraries" / f"{entry.library}.md", text)
        for metric, drawn in _badges(entry):
            _write(folder / "badges" / f"{entry.library}-{metric}.svg", drawn)
    for metric in FAMILIES:
        _write(folder / "metrics" / f"{metric}.md", _metric_page(metric, result))
    _write(folder / "feed.xml", fill_template("site_feed.xml.j2", run=result, changes=release_changes(result)))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _copy(page: Path, to: Path, site: Path) -> None:
    """Copy a file; the links of a page lead to where their files are on the site, which are copied if need be."""
    to.parent.mkdir(parents=True, exist_ok=True)
    if page.suffix != ".md":
        shutil.copyfile(page, to)
        return

    def moved(link: re.Match[str]) -> str:
        target = (page.parent / link[2]).resolve()
        path = _on_site(target)
        if path is None:
            return link[0]
        if target.suffix != ".md" and target.is_file():
            (site / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(target, site / path)
        return f"{link[1]}{Path(relpath(site / path, to.parent)).as_posix()}{link[3]}"

    text = _NESTED.sub("    ", page.read_text(encoding="utf-8"))
    to.write_text(_LINK.sub(moved, text), encoding="utf-8")


def _on_site(target: Path) -> str | None:
    """Return where a file of the repository is on the site; None for a folder, and for what does not exist."""
    if not target.is_file() or not target.is_relative_to(ROOT):
        return None
    path = target.relative_to(ROOT).as_posix()
    if path == "docs/README.md":
        return "pages.md"
    return _MOVED.get(path, path.removeprefix("docs/").removeprefix("."))  # MkDocs leaves hidden files out


def _of_library(entry: Library, result: Result) -> dict[str, object]:
    """Return what the page of a library shows: its functions by metric, each with what was found."""
    own = [each for each in result.findings if (each.library, each.version) == (entry.library, entry.version)]
    told = ((each, fragment(each.function), [*finding_lines(each), *about_function(each, result)]) for each in own)
    return {"entry": entry, "metrics": grouped((each[0].metric, each) for each in told)}


def _metric_page(metric: str, result: Result) -> str:
    groups = formula_groups(result).get(metric, ())
    return fill_template(
        "site_metric.md.j2",
        metric=metric,
        title=metric_title(metric),
        groups=[(fragment(each.formula), each) for each in groups],
        documented=as_markdown(tuple(definitions(metric))),
    )


def _badges(entry: Library) -> Iterator[tuple[str, str]]:
    """Yield a badge for each metric of a library, as accepted of this version."""
    manifest = load(adapters_dir() / entry.library)
    version = next((each for each in manifest.versions if each.version == entry.version), None)
    pin = read_pin(manifest, version) if version is not None else None
    if pin is None:
        return
    for metric in dict.fromkeys(each.metric for each in pin.functions.values()):
        yield metric, as_svg(badge(metric, default_function(pin, metric)))


if __name__ == "__main__":
    write_site(Path(sys.argv[1]))
