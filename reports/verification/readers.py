"""Reads every form of a report: HTML, Markdown, LaTeX and the terminal, as texts and tables without meaning."""

from __future__ import annotations

import base64
import html
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

from recsys_metric_audit.reports.verification.document import NUMBER, Block, Cell, Row, Table, UnreadableError, plain

_PACKED = re.compile(r'<script type="text/plain" id="packed">([^<]*)</script>')
_VOID = {"meta", "link", "br", "img", "input", "hr", "rect", "path", "use", "circle", "line"}


@dataclass
class Node:
    """One element; ``parts`` are its texts and elements in their order."""

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
        return plain("".join(self._texts()))

    def _texts(self) -> Iterator[str]:
        for part in self.parts:
            if isinstance(part, str):
                yield part
            else:
                yield from part._texts()

    def all(self, tag: str, of_class: str = "") -> list[Node]:
        """Return the elements inside that have a tag and a class, in their order."""
        return list(self._inside(tag, of_class))

    def first(self, tag: str, of_class: str = "") -> Node:
        """Return the first such element; an empty one if there is none."""
        return next(self._inside(tag, of_class), Node(""))

    def _inside(self, tag: str, of_class: str) -> Iterator[Node]:
        waiting = self.parts[::-1]
        while waiting:
            part = waiting.pop()
            if isinstance(part, Node):
                if part.tag == tag and (not of_class or of_class in part.classes):
                    yield part
                waiting += part.parts[::-1]

    def without(self, *tags: str) -> str:
        """Return the text of the element without that of the elements of some tags."""
        kept = [part for part in self.parts if isinstance(part, str) or part.tag not in tags]
        return plain("".join(part if isinstance(part, str) else part.text for part in kept))


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Node("page")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].parts.append(node)
        if tag not in _VOID:
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


def page_table(figure: Node) -> tuple[Table, list[str]]:
    """Return one of the tables of a page, without the paper's values in brackets, and the lines of its key."""
    name, caption = figure.first("figcaption").first("b").text.rstrip("."), figure.first("figcaption").without("b")
    heads = figure.first("thead").all("th")[1:]
    columns = tuple(plain(f"{head.without('small')} {head.first('small').text}") for head in heads)
    rows = [Row(row.first("th").text, tuple(Cell(cell.without("sup", "small"), cell.first("sup").text)
                                            for cell in row.all("td")))
            for row in figure.first("tbody").all("tr")]  # fmt: skip
    key = [line for line in figure.first("ul", "key").all("li") if line.first("span", "quiet").text != "says the paper"]
    return Table(name, caption, columns, tuple(rows)), [line.text for line in key]


_NAME = r"(Table \d(?: \(k = \d+\))?|Edge behaviour)\."


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
            blocks.append(_markdown_table(unescaped(caption[1]), unescaped(caption[2]), lines, file))
        elif line.strip() and not line.startswith("<!--"):
            blocks.append(plain(unescaped(re.sub(r"</?sup>|\*\*", "", line.removeprefix("- ")))))
    return blocks


def _markdown_table(name: str, caption: str, lines: Iterator[str], file: str) -> Table:
    rows = []
    next(lines, None)
    for line in lines:
        if not line.strip():
            break
        if not line.startswith(("| ", "|---")) or not line.endswith("|"):
            raise UnreadableError(file, f"{name} has the line {line[:60]!r}, which is no row")
        rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
    if len(rows) < 3 or any(len(row) != len(rows[0]) for row in rows) or set("".join(rows[1])) - set("-:"):
        raise UnreadableError(file, f"{name} has no rows, or rows of different lengths")
    made = (Row(unescaped(row[0].strip("*")), tuple(map(_markdown_cell, row[1:]))) for row in rows[2:])
    return Table(name, caption, tuple(map(unescaped, rows[0][1:])), tuple(made))


def _markdown_cell(text: str) -> Cell:
    figure, _, mark = text.strip("*").removesuffix("</sup>").partition("<sup>")
    return Cell(unescaped(figure), unescaped(mark))


_LATEX = {
    r"\textbackslash{}": "\\", r"\textasciicircum{}": "^", r"\textasciitilde{}": "~", r"\textless{}": "<",
    r"\textgreater{}": ">", r"\textbar{}": "|", r"\dots{}": "…", r"\dag{}": "†", r"\ddag{}": "‡", r"\S{}": "§",
    r"\textdegree{}": "°", r"\textsuperscript{2}": "²", "$-$": "−", r"$\infty$": "∞", r"$\rightarrow$": "→",
    r"$\neq$": "≠", r"$\geq$": "≥", r"$\leq$": "≤", r"$\times$": "×", r"$\tau$": "τ", "---": "—", "--": "–", "''": '"',
}  # fmt: skip


def _unlatexed(text: str) -> str:
    for written, char in _LATEX.items():
        text = text.replace(written, char)
    text = re.sub(r"\[U\+([0-9A-F]{4,6})\]", lambda found: chr(int(found[1], 16)), text)
    return plain(re.sub(r"\\([{}$&#%_])", r"\1", text))


def read_latex(text: str, file: str) -> list[Block]:
    """Return the tables and the other lines of a LaTeX document, in their order."""
    _, begun, body = text.partition("\\begin{document}\n")
    body, ended, _ = body.partition("\\end{document}")
    if not (begun and ended):
        raise UnreadableError(file, "it is no whole LaTeX document")
    blocks: list[Block] = []
    for part in re.split(r"(\\begingroup.*?\\end\{longtable\}\\endgroup)", body, flags=re.DOTALL):
        if part.startswith("\\begingroup"):
            blocks.append(_latex_table(part, file))
        else:
            blocks += [_unlatexed(_latex_line(line)) for line in part.splitlines() if _latex_line(line)]
    return blocks


def _latex_line(line: str) -> str:
    if line.startswith((r"\begin{flushleft}", r"\end{flushleft}")):
        return ""
    raised = line.replace(r"\textsuperscript{2}", "²")  # R², no mark
    plain = re.sub(r"\\textsuperscript\{((?:[^{}]|\{\})*)\}", r"\1", raised)
    return re.sub(r"^\\section\*\{(.*)\}$|\\\\$", r"\1", plain)


def _latex_table(text: str, file: str) -> Table:
    caption = re.search(rf"\\caption\*\{{\\textbf\{{{_NAME}\}} (.*)\}}\\\\", text)
    head = re.search(r"\\toprule\n(.*?)\\midrule\\endhead", text, re.DOTALL)
    if caption is None or head is None:
        raise UnreadableError(file, "a table has no name or no headings")
    heads = [[_unlatexed(cell) for cell in _latex_cells(line)] for line in head[1].splitlines()]
    rows = [_latex_cells(line) for line in text[head.end() :].splitlines() if line.endswith(r" \\")]
    columns = tuple(plain(" ".join(both)) for both in list(zip(*heads, strict=True))[1:])
    if any(len(row) not in (2, len(columns) + 1) for row in rows):
        raise UnreadableError(file, f"{caption[1]} has rows of different lengths")
    made = (Row(_unlatexed(_upright(label)), tuple(map(_latex_cell, cells))) for label, *cells in rows)
    return Table(_unlatexed(caption[1]), _unlatexed(caption[2]), columns, tuple(made))


def _latex_cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)&", line.removesuffix(r" \\"))]


def _upright(text: str) -> str:
    text = re.sub(r"^\\multicolumn\{\d+\}\{l\}\{\\itshape (.*)\}$", r"\1", text)
    return re.sub(r"^\\textit\{(.*)\}$", r"\1", text)


def _latex_cell(text: str) -> Cell:
    found = re.fullmatch(r"(.*?)(?:\\textsuperscript\{((?:[^{}]|\{\})*)\})?", _upright(text))
    return Cell(_unlatexed(found[1]), _unlatexed(found[2] or "")) if found else Cell(_unlatexed(text))


_VALUE = rf"(?:–|/user|{NUMBER}|not recorded|failed|crashed|timed out|unavailable)"
_MARKED = rf"{_VALUE}(?: (?:[a-z]{{1,2}}|[~?!])?[†‡§]*(?=\s|,|$))?"
_CELL = rf"({_MARKED}(?:, {_MARKED})*)"


def read_terminal(text: str, file: str, headings: Sequence[str]) -> list[Block]:
    """Return the tables and the other lines that the terminal shows, wrapped lines joined.

    Args:
        text: What was printed at a width of 100 columns.
        file: Its name in messages.
        headings: The headings that a column may have: they are aligned, and may have blanks in them.
    """
    blocks: list[Block] = []
    parts = re.split(rf"^{_NAME} ", text, flags=re.MULTILINE)
    blocks += _unwrapped(parts[0].splitlines(), opening=True)
    for name, part in zip(parts[1::2], parts[2::2], strict=True):
        caption, ruled, rest = part.partition("\n━")
        body, ended, below = rest.rpartition("━\n")
        if not (ruled and ended):
            raise UnreadableError(file, f"{name} has no rules above and below")
        blocks.append(_terminal_table(name, plain(caption), body.splitlines(), file, headings))
        key, _, closing = below.partition("\n\n")
        blocks += [entry for line in _unwrapped(_halves(key)) for entry in map(plain, line.split("   "))]
        blocks += _unwrapped(closing.splitlines())
    return blocks


def _unwrapped(lines: Sequence[str], opening: bool = False) -> list[str]:
    """Return lines with those that continue a line joined to it; in the ``opening`` a list starts a line by a dash."""
    found: list[str] = []
    for line in filter(str.strip, lines):
        continues = line.startswith("  ") or (opening and found and not line.startswith(("- ", "! ")))
        found = [*found[:-1], f"{found[-1]} {line.strip()}"] if continues and found else [*found, line.rstrip()]
    return [re.sub(r"^(?:- |! (?=[A-Z]))", "", line) for line in found]


def _halves(key: str) -> list[str]:
    """Return the lines of a key, one with two columns as two lines."""
    found = []
    for line in key.splitlines():
        two = len(line) > 50 and line[48:50] == "  " and line[50] != " " and not line.startswith(" ")
        found += [line[:50].rstrip(), line[50:]] if two else [line]
    return found


def _terminal_table(name: str, caption: str, lines: list[str], file: str, headings: Sequence[str]) -> Table:
    """Return a table whose columns may be continued in further blocks, as one table."""
    columns: list[str] = []
    rows: dict[str, list[Cell]] = {}
    for block in re.split(r"\n━+\n━+\n", "\n".join(lines[1:])):
        head, _, body = re.sub(r"\n━+$", "", block).partition("\n─")
        first, *second = head.splitlines()
        one_of = "|".join(map(re.escape, sorted(headings, key=len, reverse=True)))
        heads = re.findall(rf"(?<!\S)(?:{one_of})(?!\S)", first)
        below = (second[0].split() if second else []) + [""] * len(heads)
        if plain(" ".join(heads)) != plain(first):
            raise UnreadableError(file, f"{name} has unknown headings: {plain(first)}")
        for line in body.splitlines()[1:]:
            if not line.startswith("┈"):
                label, cells = _terminal_row(line, len(heads), f"{name} of {file}")
                own = rows.setdefault(label, [])
                own += [Cell("–")] * (len(columns) - len(own)) + cells
        columns += [plain(f"{one} {two}") for one, two in zip(heads, below, strict=False)]
    made = (Row(label, tuple(cells + [Cell("–")] * (len(columns) - len(cells)))) for label, cells in rows.items())
    return Table(name, caption, tuple(columns), tuple(made))


def _terminal_row(line: str, number: int, place: str) -> tuple[str, list[Cell]]:
    found = re.fullmatch(r"(\S.*?)" + rf"\s+{_CELL}" * number + r"\s*", line)
    if found is not None:
        return found[1], [Cell(text.strip()) for text in found.groups()[1:]]
    note = re.fullmatch(r"(\S.*?)\s+((?:unavailable|failed): .*)", line)
    if note is None:
        raise UnreadableError(place, f"it has the row {line[:60]!r}")
    return note[1], [Cell(note[2].strip())]
