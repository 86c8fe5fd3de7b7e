"""Find every small fault drawn at random in a form: a digit, a letter, a dagger, a verdict, two rows."""

from __future__ import annotations

import base64
import random
import re
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise

import pytest

from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.verification.document import UnreadableError
from recsys_metric_audit.reports.verification.verify import Form, Kind, verify
from tests.unit.reports.verification.test_verify import form, recorded, some_libraries

# Draws small faults into the forms of a report: a digit, a letter, a dagger, a verdict, two rows exchanged.

_PACKED = re.compile(r'(<script type="text/plain" id="packed">)([^<]*)(</script>)')
_UNREAD = {
    "latex": r"\A.*?\\begin\{document\}|\\begingroup[^\n]*|\\begin\{longtable\}[^\n]*|\\multicolumn\{\d+\}",
    "text": r"\Z.",
    "md": r"\Z.",
    "csv": r"\Z.",
    "findings": r"\Z.",
    "html": "",
}
"""What no reader reads: preambles and layout; of the page everything but the regions of ``_REGIONS``."""
_REGIONS = re.compile(
    r'<figure class="matrix">.*?</figure>|<figure class="results">.*?</figure>|<p class="answer">.*?</p>'
    r'|<div class="shares">.*?</div>|<table class="(?:agreement|functions|places)">.*?</table>'
    r'|<p class="(?:function|tells|says|canon)">.*?</p>|<div class="figures-big">.*?</div>'
    r'|<section class="members">.*?</section>|every digit: <b>.*?</b>',
    re.DOTALL,
)
_OUTSIDE_TEXT = re.compile(
    r"<figcaption.*?</figcaption>|<svg.*?</svg>|<form.*?</form>|<small>\[[^\]]*\]</small>"
    r'|<tr class="library"><th scope="row">[^<]*<small>[^<]*\(paper\).*?</tr>|<ul class="key".*?</ul>|<[^>]*>|&[#\w]+;'
)
_LETTER = {
    "md": r"(?<=<sup>)[a-z](?=[†‡§]*</sup>)",
    "latex": r"(?<=\\textsuperscript\{)[a-z](?=[\\}])",
    "text": r"(?<=\d )[a-z](?=[†‡§]* )",
    "html": r'(?<=<sup>)[a-z](?=[†‡§]*</sup>)|(?<=<span class="chip h\d">)[a-z](?=</span>)',
}
_DAGGER = {"latex": r"(?<=[{}a-z])\\dag\{\}(?=[}\\])"}
_VERDICTS = {
    "md": ("per user", "failed", "compute the canonical formula", "no known formula fits"),
    "latex": ("per user", "failed", "no known formula fits"),
    "text": ("/user", "failed", "no known formula fits"),
    "csv": ("agrees", "variant", "undocumented", "unexplained", "measured", "failed"),
    "findings": (", as documented", ", documented nowhere", ", a formula of the literature"),
    "html": (
        "computes the canonical formula", "computes another documented formula", "no definition fits",
        "computes a formula that neither its documentation nor a source of the catalogue states",
    ),
}  # fmt: skip


def drawn_edits(kind: str, text: str, number: int, seed: int = 0) -> Iterator[tuple[str, str]]:
    """Yield ``number`` edits as pairs: what was edited, and the edited text; the kinds of edits take turns."""
    draw = random.Random(f"{kind} {seed}")
    whole = _unpacked(text) if kind == "html" else text
    kinds = [found for edit in _EDITS if (found := edit(kind, whole, draw)) is not None]
    for place in range(number):
        start, end, new = kinds[place % len(kinds)]()
        edited = whole[:start] + new + whole[end:]
        around = f"{whole[max(0, start - 60) : start]}[{whole[start:end][:40]} → {new[:40]}]{whole[end : end + 40]}"
        yield around, _packed(edited) if kind == "html" else edited


Draw = Callable[[], tuple[int, int, str]]


def _read(kind: str, text: str) -> Callable[[int], bool]:
    """Return whether a place is read."""
    if kind != "html":
        unread = [found.span() for found in re.finditer(_UNREAD[kind], text, re.DOTALL)]
        return lambda place: not any(start <= place < end for start, end in unread)
    read = bytearray(len(text))
    for region in _REGIONS.finditer(text):
        read[region.start() : region.end()] = b"\1" * (region.end() - region.start())
    for out in _OUTSIDE_TEXT.finditer(text):
        read[out.start() : out.end()] = bytes(out.end() - out.start())
    return lambda place: bool(read[place])


def _digit(kind: str, text: str, draw: random.Random) -> Draw:
    is_read = _read(kind, text)
    places = [found.start() for found in re.finditer(r"\d", text) if is_read(found.start())]

    def edit() -> tuple[int, int, str]:
        place = draw.choice(places)
        return place, place + 1, draw.choice([each for each in "0123456789" if each != text[place]])

    return edit


def _one_of(places: list[tuple[int, int]], new: Callable[[str], str], text: str, draw: random.Random) -> Draw | None:
    def edit() -> tuple[int, int, str]:
        start, end = draw.choice(places)
        return start, end, new(text[start:end])

    return edit if places else None


def _letter(kind: str, text: str, draw: random.Random) -> Draw | None:
    places = [found.span() for found in re.finditer(_LETTER.get(kind, r"\Z."), text)]
    return _one_of(places, lambda old: draw.choice([each for each in "abcdefgh" if each != old]), text, draw)


def _dagger(kind: str, text: str, draw: random.Random) -> Draw | None:
    pattern = _DAGGER.get(kind, r"(?<=[\da-z >])†(?=[‡§]*(?:</sup>| ))")
    places = [found.span() for found in re.finditer(pattern, text)] if kind not in ("csv", "findings") else []
    return _one_of(places, lambda old: draw.choice(["", old.replace("†", "‡").replace("dag", "ddag")]), text, draw)


def _verdict(kind: str, text: str, draw: random.Random) -> Draw | None:
    words = _VERDICTS[kind]
    around = {"html": (r"(?<=<span>)", r"(?=</span></p>)"), "csv": ("(?<=,)", "(?=,)")}.get(kind, ("", ""))
    pattern = f"(?:{'|'.join(map(re.escape, words))})".join(around)
    places = [found.span() for found in re.finditer(pattern, text)]
    return _one_of(places, lambda old: draw.choice([each for each in words if each != old]), text, draw)


def _rows(kind: str, text: str, draw: random.Random) -> Draw | None:
    """Exchange what stands behind the labels of two rows of one table."""
    row = {
        "md": r"^\| [^*|\n][^|\n]*\|(.*)\|$", "latex": r"^[^&\n\\]* &(.*) \\\\$",
        "csv": r"^[^,\n]*,[^,\n]*,([^\r\n]*)\r$",
        "text": r"^(?=\w)(?!.*:).{34}(.*[–\d].*)$", "html": r'<tr class="library"><th[^(]*?</th>(<td.*?)</tr>',
        "findings": r"^- [^(\n]*\(`[a-z_]+@k[^`\n]*`\): (.*)$",
    }[kind]  # fmt: skip
    places = [found.span(1) for found in re.finditer(row, text, re.MULTILINE)]
    tables = [table.span() for table in re.finditer(r"(?:.+\r?\n)+", text)] if kind not in ("html", "csv") else []
    tables = [t.span() for t in re.finditer(r"<table.*?</table>", text, re.DOTALL)] if kind == "html" else tables
    grouped = [[p for p in places if a <= p[0] < b] for a, b in tables] or [places]
    neighbours = [pair for group in grouped for pair in pairwise(group)]
    pairs = [(one, two) for one, two in neighbours if _own(text[slice(*one)]) != _own(text[slice(*two)])]

    def edit() -> tuple[int, int, str]:
        one, two = draw.choice(pairs)
        return one[0], two[1], text[slice(*two)] + text[one[1] : two[0]] + text[slice(*one)]

    return edit if pairs else None


def _own(row: str) -> list[str]:
    """Return what a row says of this run: not how it is aligned, nor the paper's values in brackets."""
    return re.sub(r"<small>\[[^\]]*\]</small>", "", row).split()


_EDITS = (_digit, _letter, _dagger, _verdict, _rows)


def _unpacked(page: str) -> str:
    return _PACKED.sub(
        lambda found: f"{found[1]}{zlib.decompress(base64.b64decode(found[2])).decode()}{found[3]}", page
    )


def _packed(page: str) -> str:
    start = page.index('id="packed">') + len('id="packed">')
    end = page.index("</script>", start)
    return page[:start] + base64.b64encode(zlib.compress(page[start:end].encode())).decode() + page[end:]


KINDS: tuple[Kind, ...] = ("md", "latex", "text", "csv", "findings", "html")


@cache
def run(kind: Kind) -> Result:
    """Return the recorded run; for the page a part of it, as a page takes a second to read."""
    return some_libraries(recorded(), "cornac", "rectools") if kind == "html" else recorded()


@cache
def made(form_of: Kind, kind: Kind) -> Form:
    """Return a form of the run of ``kind``, written once for all edits."""
    return form(form_of, run(kind))


def found(kind: Kind, text: str) -> set[str]:
    """Return the mismatches of a form that is read after the page of findings, or that it cannot be read."""
    try:
        *_, ledger = verify(run(kind), [made("findings", kind), Form(kind, kind, text)])
    except UnreadableError as error:
        return {str(error)}
    return set(map(str, ledger.mismatches))


def missed(kind: Kind, number: int, seed: int) -> list[str]:
    text = made(kind, kind).text
    before = found(kind, text)
    return [what for what, edited in drawn_edits(kind, text, number, seed) if found(kind, edited) <= before]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_ten_edits_of_each_form_are_found(kind: Kind) -> None:
    assert missed(kind, 10, seed=1) == []


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_two_hundred_edits_of_each_form_are_found(kind: Kind) -> None:
    assert missed(kind, 200, seed=2) == []
