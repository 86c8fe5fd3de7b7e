"""Reads every form of a report: HTML, Markdown, LaTeX and the terminal, as texts and tables without meaning."""

from __future__ import annotations

import base64
import html
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

from recsys_metric_audit.reports.verification.document import NUMBER, Block, Table, UnreadableError, plain

_PACKED = re.compile(r'<script type="text/plain" id="packed">([^<]*)</script>')
_VOID = {"meta", "link", "br", "img", "input", "hr", "rect", "path", "use", "circle", "line"}
_NAME = r"(Table \d(?: \(k = \d+\))?|Edge behaviour)\."


@dataclass
class Node:
    """Holds one element of a page; ``parts`` are its texts and elements in their order."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    parts: list[Node | str] = field(default_factory=list)

    @property
    def classes(self) -> list[str]:
        """Return the classes of the element."""
        return self.attributes.get("class", "").split()

    @property
    def text(self) -> str:
        """Return all text in the element, on one line."""
        return self.without()

    @property
    def words(self) -> str:
        """Return all text in the element with blanks between its elements."""
        return plain(" ".join(self._texts(())))

    def without(self, *tags: str) -> str:
        """Return the text of the element without that of the elements of some tags."""
        return plain("".join(self._texts(tags)))

    def _texts(self, without: Sequence[str]) -> Iterator[str]:
        for part in self.parts:
            if isinstance(part, str):
                yield part
            elif part.tag not in without:
                yield from part._texts(without)

    def all(self, *path: str) -> list[Node]:
        """Return the elements at the end of a path of selectors, such as ``"thead", "th"`` or ``"p.signature"``."""
        return list(self._found(path))

    def first(self, *path: str) -> Node:
        """Return the first such element; an empty one if there is none."""
        return next(self._found(path), Node(""))

    def _found(self, path: Sequence[str]) -> Iterator[Node]:
        tag, _, of_class = path[0].partition(".")
        for each in self._inside(tag, of_class):
            yield from each._found(path[1:]) if path[1:] else (each,)

    def _inside(self, tag: str, of_class: str) -> Iterator[Node]:
        for part in self.parts:
            if isinstance(part, Node):
                if part.tag == tag and (not of_class or of_class in part.classes):
                    yield part
                yield from part._inside(tag, of_class)


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Node("page")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        node = self.open[-1].parts[-1]
        if tag not in _VOID and isinstance(node, Node):
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].parts.append(Node(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if len(self.open) > 1 and self.open[-1].tag == tag:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].parts.append(data)


def read_page(text: str, file: str) -> Node:
    """Return the elements of a page.

    Raises:
        UnreadableError: if the page has no packed part, or its elements are not closed in their order.
    """
    if len(_PACKED.findall(text)) != 1:
        raise UnreadableError(file, "it is no page of this tool: it has no packed part")
    try:
        whole = _PACKED.sub(lambda found: zlib.decompress(base64.b64decode(found[1])).decode(), text)
    except (ValueError, zlib.error):
        raise UnreadableError(file, "its packed part is damaged") from None
    return read_elements(whole, file)


def read_elements(text: str, file: str) -> Node:
    """Return the elements of a page that has no packed part, or has it in its place."""
    builder = _Builder()
    builder.feed(text)
    builder.close()
    if len(builder.open) != 1:
        raise UnreadableError(file, f"its element {builder.open[-1].tag} is not closed")
    return builder.open[0]


def page_blocks(page: Node, file: str) -> list[Block]:
    """Return what a page shares with the other forms: answer, headlines, tables, keys; not what it says of papers."""
    blocks: list[Block] = [page.first("p.answer").text]
    blocks += [line.text for line in page.all("ul.headlines", "li")]
    # Which libraries Table 3 is about, Table 1 shows, which stands further down.
    figures = sorted(page.all("figure.results"), key=lambda each: each.first("figcaption", "b").text == "Table 3.")
    for figure in figures:
        caption = figure.first("figcaption")
        heads = [f"{head.without('small')} {head.first('small').text}" for head in figure.all("thead", "th")]
        rows = [
            [
                row.first("th").text,
                *(f"{cell.without('sup', 'small')} {cell.first('sup').text}" for cell in row.all("td")),
            ]
            for row in figure.all("tbody", "tr")
        ]
        blocks.append(_table(caption.first("b").text.rstrip("."), caption.without("b"), [heads], rows, file))
        blocks += [
            line.text for line in figure.all("ul.key", "li") if line.first("span.quiet").text != "says the paper"
        ]
    return blocks


def _table(name: str, caption: str, heads: Sequence[Sequence[str]], rows: Iterable[Sequence[str]], file: str) -> Table:
    """Return a table, given the lines of its heading and its rows, each with the cell of its label."""
    columns = [plain(" ".join(both)) for both in zip(*heads, strict=True)][1:]
    made = tuple((plain(row[0]), tuple(map(plain, row[1:]))) for row in rows if row)
    if not (columns and made) or any(len(cells) not in (1, len(columns)) for _, cells in made):
        raise UnreadableError(file, f"{name} has no rows, or rows of different lengths")
    return Table(name, plain(caption), tuple(columns), made)


def unescaped(text: str) -> str:
    """Return Markdown text without its escapes."""
    return html.unescape(re.sub(r"\\([\\`*_\[\]|~#])", r"\1", text)).replace("\u2060", "")


def read_markdown(text: str, file: str) -> list[Block]:
    """Return the tables and the other lines of Markdown, in their order."""
    blocks: list[Block] = []
    lines = iter(text.splitlines())
    for line in lines:
        caption = re.fullmatch(rf"\*\*{_NAME}\*\* (.*)", line)
        if caption:
            next(lines, None)
            rows = [
                [_from_markdown(cell) for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
                for row in iter(lambda: next(lines, "").strip(), "")
            ]
            rules = "".join(rows.pop(1)) if len(rows) > 2 else ""
            if set(rules) - set("-:") or not rules or len({*map(len, rows)}) > 1:
                raise UnreadableError(file, f"{caption[1]} has a line that is no row")
            blocks.append(_table(_from_markdown(caption[1]), _from_markdown(caption[2]), rows[:1], rows[1:], file))
        elif line.strip() and not line.startswith("<!--"):
            blocks.append(plain(_from_markdown(line.removeprefix("- ").replace("**", ""))))
    return blocks


def _from_markdown(text: str) -> str:
    return unescaped(re.sub(r"<sup>(.*?)</sup>", r" \1", text.strip(" *")))


_LATEX = {
    r"\textbackslash{}": "\\", r"\textasciicircum{}": "^", r"\textasciitilde{}": "~", r"\textless{}": "<",
    r"\textgreater{}": ">", r"\textbar{}": "|", r"\dots{}": "…", r"\dag{}": "†", r"\ddag{}": "‡", r"\S{}": "§",
    r"\textdegree{}": "°", r"\textsuperscript{2}": "²", "$-$": "−", r"$\infty$": "∞", r"$\rightarrow$": "→",
    r"$\neq$": "≠", r"$\geq$": "≥", r"$\leq$": "≤", r"$\times$": "×", r"$\tau$": "τ", "---": "—", "--": "–", "''": '"',
}  # fmt: skip


def _from_latex(text: str) -> str:
    for written, char in _LATEX.items():
        text = text.replace(written, char)
    text = re.sub(r"\\textsuperscript\{([^{}]*)\}", r" \1", text.strip().removesuffix(r"\\"))
    text = re.sub(r"^\\(?:section\*|textit|multicolumn\{\d+\}\{l\})\{(?:\\itshape )?(.*)\}$", r"\1", text)
    text = re.sub(r"\[U\+([0-9A-F]{4,6})\]", lambda found: chr(int(found[1], 16)), text)
    return plain(re.sub(r"\\([{}$&#%_])", r"\1", text))


def read_latex(text: str, file: str) -> list[Block]:
    """Return the tables and the other lines of a LaTeX document, in their order."""
    document = re.search(r"\\begin\{document\}\n(.*)\\end\{document\}", text, re.DOTALL)
    if document is None:
        raise UnreadableError(file, "it is no whole LaTeX document")
    blocks: list[Block] = []
    for part in re.split(r"(\\begingroup.*?\\endgroup)", document[1], flags=re.DOTALL):
        table = re.search(
            rf"\\caption\*\{{\\textbf\{{{_NAME}\}} (.*?)\}}\\\\\n\\toprule\n(.*?)\\midrule\\endhead(.*)",
            part,
            re.DOTALL,
        )
        if table:
            name, caption, heads, rows = table.groups()
            blocks.append(_table(name, _from_latex(caption), [*_latex_rows(heads)], _latex_rows(rows), file))
        elif part.startswith("\\begingroup"):
            raise UnreadableError(file, "a table has no name or no headings")
        else:
            lines = [line for line in part.splitlines() if not re.match(r"\\(?:begin|end)\{flushleft\}", line)]
            blocks += filter(None, map(_from_latex, lines))
    return blocks


def _latex_rows(text: str) -> Iterator[list[str]]:
    for line in text.splitlines():
        if line.endswith(r" \\"):
            yield [*map(_from_latex, re.split(r"(?<!\\)&", line.removesuffix(r" \\")))]


_VALUE = rf"(?:–|/user|{NUMBER}|not recorded|failed|crashed|timed out|unavailable)"
_MARKED = rf"{_VALUE}(?: (?:[a-z]{{1,2}}|[~?!])?[†‡§]*(?=\s|,|$))?"
_CELL = rf"({_MARKED}(?:, {_MARKED})*)"
_AREA = r"(?:weighted |pooled )?(?:[GSL]AUC|pAUC|pAp)(?:@\d+)?|other"
"""A heading of Table 2, without what is below it."""


def read_terminal(text: str, file: str, titles: Iterable[str]) -> list[Block]:
    """Return the tables and the other lines that the terminal shows, wrapped lines joined.

    Args:
        text: What was printed at a width of 100 columns.
        file: Its name in messages.
        titles: The titles of metrics, which may have blanks in them.
    """
    opening, *parts = re.split(rf"^{_NAME} ", text, flags=re.MULTILINE)
    blocks: list[Block] = [*_unwrapped(opening.splitlines(), opening=True)]
    heading = "|".join([*map(re.escape, sorted(titles, key=len, reverse=True)), _AREA])
    for name, part in zip(parts[::2], parts[1::2], strict=True):
        found = re.fullmatch(r"(.*?)\n━+\n(.*)\n━+\n(.*?)(?:\n\n(.*))?", part, re.DOTALL)
        if found is None:
            raise UnreadableError(file, f"{name} has no rules above and below")
        caption, body, key, closing = found.groups()
        spaced = name.startswith("Table 3")
        blocks.append(
            _spaced_table(name, caption, body, file) if spaced else _terminal_table(name, caption, body, heading, file)
        )
        entries = [plain(entry) for line in _unwrapped(_halves(key)) for entry in line.split("   ")]
        blocks += [*entries, *_unwrapped((closing or "").splitlines())]
    return blocks


def _unwrapped(lines: Iterable[str], opening: bool = False) -> list[str]:
    """Return lines with those that continue a line joined to it; in the ``opening`` a list starts a line by a dash."""
    found: list[str] = []
    for line in filter(str.strip, lines):
        if found and (line.startswith("  ") or (opening and not line.startswith(("- ", "! ")))):
            found[-1] += f" {line.strip()}"
        else:
            found.append(line.rstrip())
    return [re.sub(r"^(?:- |! (?=[A-Z]))", "", line) for line in found]


def _halves(key: str) -> Iterator[str]:
    """Yield the lines of a key, one with two columns as two lines."""
    for line in key.splitlines():
        two = re.fullmatch(r"(\S.{47})  (\S.*)", line)
        yield from (two[1].rstrip(), two[2]) if two else (line,)


def _spaced_table(name: str, caption: str, body: str, file: str) -> Table:
    """Return a table whose cells are apart by two blanks at least, and whose heading has two lines."""
    head, _, lines = body.partition("\n─")
    heads = [["", *re.split(r" {2,}", line.strip())] for line in head.splitlines()]
    rows = [re.split(r" {2,}", line.strip()) for line in lines.splitlines()[1:]]
    return _table(name, caption, heads, rows, file)


def _terminal_table(name: str, caption: str, body: str, heading: str, file: str) -> Table:
    """Return a table whose columns may be continued in further blocks, as one table."""
    columns: list[str] = [""]
    rows: dict[str, list[str]] = {}
    for block in re.split(r"\n━+\n━+\n", body):
        head, _, lines = block.partition("\n─")
        lines = re.sub(r"\n {2,}(?=\S)", " ", lines)  # a label or a note that was too long for one line
        first, _, below = head.partition("\n")
        heads = re.findall(rf"(?<!\S)(?:{heading})(?!\S)", first)
        if plain(" ".join(heads)) != plain(first):
            raise UnreadableError(file, f"{name} has unknown headings: {plain(first)}")
        for line in lines.splitlines()[1:]:
            found = re.fullmatch(
                r"(\S.*?)(?:" + rf"\s+{_CELL}" * len(heads) + r"|\s+((?:unavailable|failed): .*))\s*", line
            )
            if found is not None:
                own = rows.setdefault(found[1], [found[1]])
                own += ["–"] * (len(columns) - len(own)) + [
                    cell.replace("/user", "per user") for cell in found.groups()[1:] if cell
                ]
            elif not line.startswith("┈"):
                raise UnreadableError(file, f"{name} has the row {line[:60]!r}")
        columns += [f"{one} {two}" for one, two in zip(heads, below.split() + [""] * len(heads), strict=False)]
    made = [[*cells, *["–"] * (len(columns) - len(cells))] for cells in rows.values()]
    return _table(name, caption, [columns], made, file)
