"""Page of the model sizes lab: the GPT-2 models and the user's own as stacked bars, and their numbers in a table."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QSizePolicy, QWidget

from gptstudio.gui.canvas.canvas import Cell, CellCanvas, Swatch
from gptstudio.gui.canvas.writing import CENTRE, heading, rounded, write
from gptstudio.gui.learn.kit import Formula, LabPage
from gptstudio.gui.learn.kit.page import AGREES
from gptstudio.gui.theme import colour, theme
from gptstudio.gui.translation import percent, size, tr
from gptstudio.gui.widgets.layouts import Flow, in_column
from gptstudio.gui.widgets.parts import label
from gptstudio.gui.widgets.tables import RIGHT, RowTable, TableCell, table_height
from gptstudio.labs.sizes import FOUR, LABELS, OWN, Size, SizesAnswer, SizesRequest

SOLID = Qt.BrushStyle.SolidPattern
PATTERNS = {
    "token_embedding": Qt.BrushStyle.HorPattern, "position_embedding": Qt.BrushStyle.VerPattern,
    "attention": Qt.BrushStyle.BDiagPattern, "feed_forward": SOLID, "norms": Qt.BrushStyle.CrossPattern,
    "output_layer": Qt.BrushStyle.FDiagPattern}
PARTS = tuple(PATTERNS)
ROW_HEIGHT, BAR, GAP = 3.15, 1.45, 0.25
"""Heights of a row, of the bar in it, and of the gap above the bar, in line heights."""
LEAST = 20  # minimum width, in line heights


def part_names() -> dict[str, str]:
    return {
        "token_embedding": tr("Token embedding"), "position_embedding": tr("Position embedding"),
        "attention": tr("Attention"), "feed_forward": tr("Feed-forward network"), "norms": tr("Layer norms"),
        "output_layer": tr("Output layer")}


class Stacks(CellCanvas):
    """Bar for each size, with its name and its figures above it. A cell is (size, part)."""

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__(name, accessible)
        self._answer, self._one_scale = SizesAnswer((), False), False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_answer(self, answer: SizesAnswer, one_scale: bool) -> None:
        """Show the sizes. ``one_scale``: whether all bars have one scale; otherwise each has the full length."""
        self._answer, self._one_scale = answer, one_scale
        self.describe("; ".join(f"{_name(each)} {_figure(answer, each)}" for each in answer.sizes))
        self.remeasure()

    def items(self) -> dict[Cell, QRectF]:
        letter, answer, found = self.fontMetrics().height(), self._answer, {}
        largest = max(map(answer.shown, answer.sizes), default=1)
        for number, each in enumerate(answer.sizes):
            left, top = 1.0, number * ROW_HEIGHT * letter + (1 + GAP) * letter
            for part, count in answer.parts(each).items():
                width = count / (largest if self._one_scale else answer.shown(each)) * (self.width() - 2)
                found[Cell(number, PARTS.index(part))] = QRectF(left, top, width, BAR * letter)
                left += width
        return found

    def cells_of(self, parts: Collection[str], _hovered: Cell | None) -> list[Cell]:
        """Return the cells of some parts, in all bars."""
        return [cell for cell in self.items() if PARTS[cell.column] in parts]

    def table(self) -> Sequence[Sequence[str]]:
        names = part_names()
        return [("", "", *names.values())] + [
            (_name(each), _figure(self._answer, each), *(str(self._answer.parts(each).get(part, 0)) for part in names))
            for each in self._answer.sizes]

    def paint(self, painter: QPainter, _region: QRect) -> None:
        boxes, letter = self.items(), self.fontMetrics().height()
        for number, each in enumerate(self._answer.sizes):
            line = QRectF(1, number * ROW_HEIGHT * letter, self.width() - 2, 1.2 * letter)
            painter.setFont(heading(self.font()))
            write(painter, line, _name(each))
            painter.setFont(self.font())
            write(painter, line, _figure(self._answer, each), RIGHT)
        for cell, box in boxes.items():
            self._paint_part(painter, PARTS[cell.column], box)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for cell in {*self.lit, *([self.cell] if self.cell else [])} & boxes.keys():
            painter.setPen(QPen(colour("text"), 2.5))
            painter.drawRect(boxes[cell].adjusted(0, -1, 0, 1))

    def _paint_part(self, painter: QPainter, part: str, box: QRectF) -> None:
        paint_pattern(painter, part, box)
        name = part_names()[part]
        metrics = QFontMetricsF(self.font())
        room = metrics.horizontalAdvance(name) + 10
        if room + 6 > box.width():
            return
        plate = QRectF(0, 0, room, metrics.height() + 2)
        plate.moveCenter(box.center())
        rounded(painter, plate, 4, colour("surface", 0.92))
        write(painter, plate, name, CENTRE)

    def minimumSizeHint(self) -> QSize:
        letter = self.fontMetrics().height()
        return QSize(LEAST * letter, round(len(self._answer.sizes) * ROW_HEIGHT * letter))


def part_swatch(part: str) -> Swatch:
    """Return a sample of a part's pattern, for the legend."""
    made = Swatch(lambda painter, place, _: paint_pattern(painter, part, place), 1.5, 0.9, grows=True)
    made.smooth = False
    return made


def paint_pattern(painter: QPainter, part: str, box: QRectF) -> None:
    """Fill a rectangle with a part's colour and pattern; the pattern is in the background colour."""
    painter.fillRect(box, QColor(theme.colours.components[PARTS.index(part)]))
    if PATTERNS[part] != SOLID:
        painter.setBrushOrigin(QPointF(0, 0))
        painter.fillRect(box, QBrush(colour("surface", 0.45), PATTERNS[part]))
    if box.width() > 2:
        painter.fillRect(QRectF(box.right() - 1, box.top(), 1, box.height()), colour("surface"))


LIGHTS = {
    "blocks": ("attention", "feed_forward"), "embeddings": ("token_embedding", "position_embedding"),
    "output": ("output_layer",)}
"""Symbols of the formula, and the parts of the bars that they highlight."""
TIMES = "×"


class Page(LabPage[SizesRequest, SizesAnswer]):
    """Page of the model sizes lab: five bars, and a table with a column for each."""

    def text(self) -> Sequence[QWidget | str]:
        return (
            tr("GPT-2 consists of a few tables and matrices. Four settings decide how many parameters they hold: the "
               "number of layers L, the width D, the vocabulary V and the context C. The heads divide the width among "
               "themselves and do not change the total."),
            Formula("lab_sizes_formula",
                    r"P \approx \sym{blocks}{12\, L D^2} + \sym{embeddings}{(V + C)\, D} + \sym{output}{V D}",
                    tr("the number of parameters is about 12 times layers times width squared, plus vocabulary and "
                       "context times width, plus vocabulary times width")),
            tr("Make your model wider, then deeper: the blocks grow with the square of the width, the embeddings only "
               "with the width itself. In a small model most parameters are embeddings; in a large one they hardly "
               "count."),
            tr("The last term disappears if the two are tied, that is, if the output layer reuses the token embedding. "
               "Counted this way, OpenAI gives 124 million for GPT-2 small; the book keeps two matrices: 163 million."))

    def make_stage(self) -> QWidget:
        self.stacks = Stacks("sizes_stacks", tr("Parameters of five models by component"))
        self.stacks.explain = self._explain
        for key, parts in LIGHTS.items():
            self.links.add(key, self.stacks, partial(self.stacks.cells_of, parts))
        self.figures_table = FigureTable("sizes_table", tr("Model sizes in numbers"))
        legend = Flow(*((part_swatch(part), label(name, "muted")) for part, name in part_names().items()), spacing=8)
        return in_column(QWidget(), self.stacks, legend, self.figures_table, spacing=8)

    def show_answer(self, answer: SizesAnswer) -> None:
        self.stacks.show_answer(answer, one_scale=self.request.drawn == "to one scale")
        self.figures_table.show_lines({_name(each): _shape(each) for each in answer.sizes}, [
            (name, [f"{AGREES} {text}" if self._is_printed(each.name, key) else text
                    for each, text in zip(answer.sizes, texts, strict=True)])
            for name, key, texts in _lines(answer)])

    def _is_printed(self, model: str, figure: str) -> bool:
        """Return whether the book prints this figure with the same value."""
        with_bias = model == OWN and self.request == self.lab.examples[1].request
        place = ("sizes", "gpt2-small with qkv_bias" if with_bias else model, figure)
        found = self.comparisons.get(place)
        return found is not None and found.agrees

    def _explain(self, cell: Cell) -> str:
        each, part = self.answer.sizes[cell.row], PARTS[cell.column]
        count = each.parts[part]
        return tr("{part} of {model}: {arithmetic} = {count}, {share} of the total.", part=part_names()[part],
                  model=_name(each), arithmetic=self._arithmetic(each, part), count=f"{count:,}",
                  share=percent(count / self.answer.shown(each)))

    def _arithmetic(self, each: Size, part: str) -> str:
        d, layers = each.emb_dim, each.n_layers
        biases = d + 3 * d * (each.name == OWN and self.request.qkv_bias)
        return {
            "token_embedding": f"{each.vocab_size:,} {TIMES} {d:,}",
            "position_embedding": f"{each.context_length:,} {TIMES} {d:,}",
            "attention": f"{layers} {TIMES} (4 {TIMES} {d:,}² + {biases:,})",
            "feed_forward": f"{layers} {TIMES} (8 {TIMES} {d:,}² + 5 {TIMES} {d:,})",
            "norms": f"{layers} {TIMES} 4 {TIMES} {d:,} + 2 {TIMES} {d:,}",
            "output_layer": f"{each.vocab_size:,} {TIMES} {d:,}"}[part]


def _name(each: Size) -> str:
    return LABELS[each.name] if each.name in FOUR else tr("Your model")


def _shape(each: Size) -> str:
    return tr("{layers} blocks with {heads} heads, {width} numbers for each token", layers=each.n_layers,
              heads=each.n_heads, width=f"{each.emb_dim:,}")


def _figure(answer: SizesAnswer, each: Size) -> str:
    megabytes = each.megabytes_tied if answer.tied else each.megabytes
    return tr("Parameters: {count}, {size}", count=f"{answer.shown(each):,}", size=size(megabytes * 2**20))


def _lines(answer: SizesAnswer) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the name of a line, the key of its figure in the book's data, and the value for each size."""
    whole = "{:,}".format
    for name, key, attribute, shown in (
        (tr("Width"), "emb_dim", "emb_dim", whole),
        (tr("Layers"), "n_layers", "n_layers", whole),
        (tr("Heads"), "n_heads", "n_heads", whole),
        (tr("One attention module"), "", "attention_module", whole),
        (tr("One feed-forward network"), "", "feed_forward_module", whole),
        (tr("All blocks"), "", "blocks", whole),
        (tr("12 L D²"), "", "thumb", whole),
        (tr("… error"), "", "thumb_error", partial(percent, sign=True)),
        (tr("Parameters"), "parameters", "parameters", whole),
        (tr("… tied"), "without_output_layer", "tied", whole),
        (tr("MB"), "megabytes", "megabytes", "{:,.2f}".format),
        (tr("… tied"), "", "megabytes_tied", "{:,.2f}".format)):
        yield name, key, [shown(getattr(each, attribute)) for each in answer.sizes]


LINE, WIDEST = 1.45, 62
"""Height of a line, and maximum width, in line heights: figures belong near their names."""


class FigureTable(RowTable):
    """Table with a name on the left of each line, and the figures in columns."""

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__(name, accessible, selects=False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_lines(self, columns: Mapping[str, str], lines: Sequence[tuple[str, Sequence[str]]]) -> None:
        """Show ``columns``, headings with their tooltips, and ``lines``, each with a name and its figures."""
        self.show_rows(
            [TableCell(""), *(TableCell(words, RIGHT, tip) for words, tip in columns.items())],
            [[TableCell(name), *(TableCell(figure, RIGHT) for figure in figures)] for name, figures in lines])
        self._fit()

    def row_height(self) -> int:
        return round(LINE * self.fontMetrics().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(12 * self.fontMetrics().height(), self.height())

    def _fit(self) -> None:
        super()._fit()
        self.setMaximumWidth(WIDEST * self.fontMetrics().height())
        header = self.horizontalHeader()
        needed = [max(self.sizeHintForColumn(n), header.sectionSizeHint(n)) for n in range(self.columnCount())]
        narrow = sum(needed) > self.width()
        mode = QHeaderView.ResizeMode.ResizeToContents if narrow else QHeaderView.ResizeMode.Stretch
        if needed and header.sectionResizeMode(0) != mode:
            header.setSectionResizeMode(0, mode)
        bar = self.horizontalScrollBar().sizeHint().height() if narrow else 0
        self.setFixedHeight(table_height(self, self.rowCount()) + bar + 2)
