"""A report as a PDF of A4 sheets, laid out by Qt's text documents.

It asks for no window: the command line and the search process use it as well. Figures stay
drawings; tables repeat their heads; the same report gives the same bytes.
"""

from __future__ import annotations

import re
from html import escape

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QHashSeed,
    QIODevice,
    QMarginsF,
    QObject,
    QRect,
    QRectF,
    QSizeF,
    Qt,
    QUuid,
)
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QGuiApplication,
    QPageLayout,
    QPageSize,
    QPainter,
    QPalette,
    QPdfWriter,
    QPyTextObject,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextList,
    QTextListFormat,
)
from PySide6.QtSvg import QSvgRenderer

from advisor.export.report_page.page_blocks import (
    Block,
    Code,
    Facts,
    Figure,
    Listing,
    Page,
    Table,
)
from advisor.export.report_page.svg_drawing import svg

_DPI = 288
_CSS_DPI = 96.0
_MARGINS_MM = QMarginsF(14, 16, 14, 16)
_FOOT_MM = 9.0
_DRAWN = QTextFormat.ObjectTypes.UserObject.value + 1
_FIGURE = QTextFormat.Property.UserProperty.value + 1
_HEADING = QTextFormat.Property.UserProperty.value + 2
_WHOLE = QTextFormat.Property.UserProperty.value + 3
_OBJECT = "\ufffc"
_LINE = "\u2028"
_GREY, _PALE = "#5A6069", "#F5F6F8"
# what Qt writes of the moment becomes another one, as long and always the same
_MOMENT = re.compile(
    rb"(?<=Date \(D:)[0-9]{14}[^)]*|(?<=Date=\")[0-9T:+-]{25}|(?<=Date=\")[0-9T:Z-]{20}"
)
_ALWAYS = {25: b"2000-01-01T00:00:00+00:00", 20: b"2000-01-01T00:00:00Z"}

_STYLE = f"""
.muted {{ color: {_GREY}; font-size: 8.5pt; }}
.lead {{ font-size: 12pt; font-weight: 600; }}
.value {{ font-size: 12pt; font-weight: 600; }}
td, th {{ font-size: 8pt; }}
td {{ border-bottom: 1px solid #D5D8DE; }}
th {{ background-color: {_PALE}; }}
td.fact {{ background-color: {_PALE}; border-bottom: none; }}
"""
# pixels of 1/96 inch above headings by their size in points
_HEADINGS = {18.0: 0.0, 13.0: 20.0, 10.0: 12.0}


def pdf(page: Page) -> bytes:
    """The bytes of the PDF file."""
    if QGuiApplication.instance() is None:
        # fonts are written in the order of a hash table; no display is asked for
        QHashSeed.setDeterministicGlobalSeed()
        _keep(QGuiApplication(["placewise", "-platform", "offscreen"]))
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(page.title)
    writer.setCreator("Placewise")
    writer.setDocumentId(QUuid.createUuidV5(QUuid(), page.title.encode()))
    _print(sheets(page, writer), writer)
    buffer.close()
    return _MOMENT.sub(_always, bytes(data.data()))


def sheets(page: Page, writer: QPdfWriter) -> QTextDocument:
    """The report laid out for that writer, which must live as long as the document."""
    writer.setResolution(_DPI)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(_MARGINS_MM, QPageLayout.Unit.Millimeter)
    sheet = QSizeF(writer.width(), writer.height() - _FOOT_MM / 25.4 * _DPI)
    return _Sheets(page, writer, sheet).document


class _Drawings(QPyTextObject):
    """Figures in the text: as wide as it, drawn as they are."""

    def __init__(self, parent: QObject, width: float) -> None:
        super().__init__(parent)
        self._width, self._scale = width, _DPI / _CSS_DPI
        self._figures: list[Figure] = []

    def add(self, figure: Figure) -> QTextCharFormat:
        """The format of the character that stands for it."""
        look = QTextCharFormat()
        look.setObjectType(_DRAWN)
        look.setProperty(_FIGURE, len(self._figures))
        self._figures.append(figure)
        return look

    def intrinsicSize(self, _document: QTextDocument, _place: int, look: QTextFormat) -> QSizeF:
        figure = self._figures[int(look.property(_FIGURE))]
        return QSizeF(self._width, figure.drawing.height * self._scale)

    def drawObject(
        self,
        painter: QPainter,
        rect: QRectF | QRect,
        _document: QTextDocument,
        _place: int,
        look: QTextFormat,
    ) -> None:
        figure = self._figures[int(look.property(_FIGURE))]
        text = svg(figure.drawing, figure.says, self._width / self._scale)
        QSvgRenderer(QByteArray(text.encode())).render(painter, QRectF(rect))


class _Sheets:
    """The report as a document of sheets."""

    def __init__(self, page: Page, writer: QPdfWriter, sheet: QSizeF) -> None:
        self._sheet = sheet
        self.document = document = QTextDocument()
        layout = document.documentLayout()
        layout.setPaintDevice(writer)
        font = QFont("sans-serif")
        font.setPointSizeF(9.5)
        document.setDefaultFont(font)
        document.setDefaultStyleSheet(_STYLE)
        document.setDocumentMargin(0)
        document.setPageSize(sheet)
        self._drawings = _Drawings(document, sheet.width())
        layout.registerHandler(_DRAWN, self._drawings)
        self._cursor = QTextCursor(document)
        self._head(page.title, 18.0)
        self._add(f'<span class="muted">{escape(page.subtitle)}</span>')
        for chapter in page.chapters:
            self._head(chapter.title, 13.0)
            for block in chapter.blocks:
                self._put(block)
        self._keep_headings()

    def _put(self, block: Block) -> None:
        if isinstance(block, Figure):
            self._figure(block)
        elif isinstance(block, Table):
            self._head(block.title, 10.0)
            if block.rows:
                self._table(_table(block))
            if block.more:
                self._add(f'<span class="muted">{escape(block.more)}</span>')
        elif isinstance(block, Code):
            if not block.folded:  # what is folded there has no place on paper
                self._head(block.title, 10.0)
                self._code(block.text)
        elif isinstance(block, Facts):
            self._table(_facts(block))
        elif isinstance(block, Listing):
            self._listing(block)
        else:
            self._add(f'<span class="{block.role}">{escape(block.text)}</span>')

    def _begin(self, look: QTextBlockFormat) -> None:
        """A block at the end."""
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        if self.document.isEmpty():
            self._cursor.setBlockFormat(look)
        else:
            self._cursor.insertBlock(look, QTextCharFormat())

    def _add(self, html: str) -> None:
        look = QTextBlockFormat()
        look.setTopMargin(4.0)
        self._begin(look)
        self._cursor.insertHtml(html)

    def _table(self, html: str) -> None:
        """A table; the block before it, which Qt needs, is next to nothing and stays with it."""
        look = QTextBlockFormat()
        look.setProperty(_HEADING, True)
        look.setLineHeight(1.0, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        self._begin(look)
        self._cursor.insertHtml(html)

    def _listing(self, block: Listing) -> None:
        points: QTextList | None = None
        for text, source in block.items:
            look = QTextBlockFormat()
            look.setTopMargin(3.0)
            self._begin(look)
            if points is None:
                points = self._cursor.createList(QTextListFormat.Style.ListDisc)
            else:
                points.add(self._cursor.block())
            below = f'<br/><span class="muted">{escape(source)}</span>' if source else ""
            self._cursor.insertHtml(f"<span>{escape(text)}</span>{below}")

    def _head(self, text: str, points: float) -> None:
        """A heading, which is kept with what follows."""
        look = QTextBlockFormat()
        look.setTopMargin(_HEADINGS[points])
        look.setBottomMargin(2.0)
        look.setProperty(_HEADING, True)
        self._begin(look)
        font = QTextCharFormat()
        font.setFontPointSize(points)
        font.setFontWeight(QFont.Weight.DemiBold)
        self._cursor.insertText(text, font)

    def _code(self, text: str) -> None:
        look = QTextBlockFormat()
        look.setBackground(QColor(_PALE))
        self._begin(look)
        font = QTextCharFormat()
        font.setFontFamilies(["DejaVu Sans Mono", "monospace"])
        font.setFontPointSize(8.0)
        self._cursor.insertText(text.replace("\n", _LINE), font)

    def _figure(self, figure: Figure) -> None:
        """Title, then drawing, legend and caption in one block, which no sheet parts."""
        self._head(figure.title, 10.0)
        look = QTextBlockFormat()
        look.setProperty(_WHOLE, True)
        self._begin(look)
        self._cursor.insertText(_OBJECT, self._drawings.add(figure))
        entries = "&nbsp;&nbsp; ".join(
            f'<span style="color:{colour}">■</span>&nbsp;{escape(name)}'
            for name, colour in figure.legend
        )
        for line in (entries, escape(figure.caption)):
            if line:
                self._cursor.insertText(_LINE, QTextCharFormat())
                self._cursor.insertHtml(f'<span class="muted">{line}</span>')

    def _keep_headings(self) -> None:
        """Begin a sheet before headings that would stand alone at the foot of one, with figures."""
        layout, height = self.document.documentLayout(), self._sheet.height()

        def sheet_of(block: QTextBlock) -> int:
            # the block may begin at a foot, and its first line on the next sheet
            lines = block.layout()
            line = lines.lineAt(lines.lineCount() - 1 if _is(block, _WHOLE) else 0)
            top = layout.blockBoundingRect(block).top() + line.y()
            return int((top + line.height() / 2.0) // height)

        block = self.document.begin()
        while block.isValid():
            group = [block]
            while _is(group[-1], _HEADING) and group[-1].next().isValid():
                group.append(group[-1].next())
            if len(group) > 1 and sheet_of(group[-1]) > sheet_of(block):
                cursor = QTextCursor(block)
                look = cursor.blockFormat()
                look.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
                cursor.setBlockFormat(look)
            block = group[-1] if len(group) > 1 else block.next()


def _print(document: QTextDocument, writer: QPdfWriter) -> None:
    """Draw every sheet, with its number at the foot."""
    sheet, pages = document.pageSize(), document.pageCount()
    look = QAbstractTextDocumentLayout.PaintContext()
    look.palette.setColor(QPalette.ColorRole.Text, Qt.GlobalColor.black)
    painter = QPainter(writer)
    font = QFont(document.defaultFont())
    font.setPointSizeF(8.0)
    for number in range(pages):
        if number:
            writer.newPage()
        painter.save()
        painter.translate(0, -number * sheet.height())
        view = QRectF(0, number * sheet.height(), sheet.width(), sheet.height())
        painter.setClipRect(view)
        look.clip = view
        document.documentLayout().draw(painter, look)
        painter.restore()
        painter.setFont(font)
        foot = QRectF(0, sheet.height(), sheet.width(), writer.height() - sheet.height())
        where = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
        painter.drawText(foot, where, f"{number + 1} / {pages}")
    painter.end()


def _is(block: QTextBlock, what: int) -> bool:
    return block.blockFormat().hasProperty(what)


def _table(block: Table) -> str:
    """A table whose head is repeated on every sheet."""
    sides = ["right" if block.is_right(place) else "left" for place in range(len(block.columns))]
    heads = "".join(
        f'<th align="{side}">{escape(name)}</th>'
        for name, side in zip(block.columns, sides, strict=True)
    )
    rows = "".join(
        "<tr>"
        + "".join(
            f'<td align="{side}">{_kept_together(cell) if side == "right" else escape(cell)}</td>'
            for cell, side in zip(row, sides, strict=True)
        )
        + "</tr>"
        for row in block.rows
    )
    return (
        '<table width="100%" cellspacing="0" cellpadding="3">'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _facts(block: Facts) -> str:
    share = 100 // len(block.facts)
    cells = "".join(
        f'<td class="fact" width="{share}%"><span class="muted">{escape(one.name)}</span><br/>'
        f'<span class="value">{escape(one.value)}</span><br/>'
        f'<span class="muted">{escape(one.detail)}</span></td>'
        for one in block.facts
    )
    return f'<table width="100%" cellspacing="4" cellpadding="6"><tr>{cells}</tr></table>'


def _kept_together(cell: str) -> str:
    return escape(cell).replace(" ", "&nbsp;")


def _always(found: re.Match[bytes]) -> bytes:
    """A date of the same length that is not of today."""
    length = len(found[0])
    return _ALWAYS.get(length, b"20000101000000Z00'00'"[:length])


_kept: list[QGuiApplication] = []


def _keep(application: QGuiApplication) -> None:
    _kept.append(application)
