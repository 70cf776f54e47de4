"""``gptstudio lab``: the experiments of the Learn tab. Neither torch nor numpy is imported before an experiment runs.

The flags of a lab are the fields of its request, so each lab has its own command line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Group, Parameter
from rich import box
from rich import table as rich
from rich.console import Console
from rich.text import Text

from gptstudio import devices
from gptstudio.cli import output
from gptstudio.cli.arguments import OUTPUT, READING, Flags, Json, check_used, flags_of, switch
from gptstudio.fields import Problem, Spec, SpecError
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training import model_source

if TYPE_CHECKING:  # these import numpy
    from gptstudio.labs.lab import Comparison, Example, Lab, Table

Tokens = Annotated[str, Parameter(show=False, allow_leading_hyphen=True)]
Help = Annotated[bool, Parameter(("--help", "-h"), negative=())]
"""Handled here instead of by the program's own help, which does not know the flags of a lab."""

Which = Annotated[
    str,
    Parameter(
        name=("--example", "--book"),
        help="The example to start from: its number, or the beginning of its name.", group=OUTPUT,
    ),
]
Code = Annotated[bool, switch("Print code that computes the same, and nothing else.")]
List = Annotated[bool, switch("List all experiments.")]

ASKING = Group("Settings", sort_key=-1, help="Each option changes one setting of the example.")
USAGE = """Run an experiment of the Learn tab, with an example or your own input.

gptstudio lab --list           lists all experiments
gptstudio lab NAME             runs one with its first example
gptstudio lab NAME --help      shows what you can change in it"""
WIDEST = 400
"""Maximum width of a table of a lab, in characters."""
MODEL_FIELDS = ("model", "seed", "device")


def lab(*tokens: Tokens, help: Help = False) -> None:
    """Run an experiment of the Learn tab."""
    from gptstudio.labs import catalogue

    name, *rest = tokens or ("",)
    named = name and not name.startswith("-")
    app = _command_of(catalogue.load(name)) if named else _app("gptstudio lab", USAGE, _overview)
    given = rest if named else tokens
    app([*given, "--help"] if help else given, exit_on_error=False, print_error=False)


def _app(name: str, help: str, otherwise: Callable[..., None]) -> App:
    app = App(
        name=name, help=help, help_format="plaintext", version_flags=(), result_action="return_value",
        suppress_keyboard_interrupt=False, console=output.results(),
    )
    app.default(otherwise)
    return app


# List of experiments.


def _overview(*, list: List = False, json: Json = False) -> None:  # noqa: ARG001 - it lists them in any case
    """List names, titles and ideas by chapter."""
    from gptstudio.labs.catalogue import CHAPTERS

    table = rich.Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for chapter in CHAPTERS:
        table.add_row(Text(chapter.title, "bold"))
        for entry in chapter.entries:
            table.add_row(Text(f"  {entry.name}"), entry.title, Text(entry.idea, "dim"))
            if json:
                output.print_json(
                    {"lab": entry.name, "title": entry.title, "idea": entry.idea, "chapter": chapter.title}
                )
    if not json:
        output.results().print(table)


# Single experiments.


@dataclass(frozen=True)
class LabCall:
    """Request, example and model described by the flags."""

    example: Example
    request: Spec
    model: model_source.LoadableModel | None = None
    device: str = "auto"


def _command_of(lab: Lab) -> App:
    """Return a command whose flags are the fields of the lab's request and, for a lab that needs one, the model."""
    asking = _flags(lab.request, ASKING)
    others = tuple(name for name in MODEL_FIELDS if name not in lab.request.model_fields)
    reading = _flags(GenerateSpec, READING, others) if lab.model else Flags
    nothing_asked, nothing_read = asking(), reading()

    def do(
        *, asked: Flags = nothing_asked, read: Flags = nothing_read, example: Which = "1", json: Json = False,
        code: Code = False,
    ) -> None:
        call = _understood(lab, asked.given(), read.given(), example)
        of_model = {f"--{name}": True for name in read.given()}
        if code:
            check_used({**of_model, "--json": json}, beside="--code")
        if not lab.reads(call.request):
            check_used(of_model, beside="these settings of the experiment, which use no model, or one of their own")
        _show(lab, call, json, code)

    do.__annotations__ |= {"asked": asking, "read": reading if lab.model else Annotated[Flags, Parameter(parse=False)]}
    return _app(f"gptstudio lab {lab.name}", _help(lab), do)


def _help(lab: Lab) -> str:
    from gptstudio.labs.catalogue import ENTRIES

    entry = ENTRIES[lab.name]
    lines = [f"{entry.title}: {entry.idea}", "", f"Examples{' from the book' if lab.of_book else ''} (--example):"]
    lines += [f"  {number}  {example.name}" for number, example in enumerate(lab.examples, start=1)]
    if lab.model:
        lines += ["", f"Without --model, it is {lab.model.name}."]
    return "\n".join(lines)


def _flags(spec: type[Spec], group: Group, only: tuple[str, ...] = ()) -> type[Flags]:
    class Made(Flags):
        """Flags of one lab."""

    return flags_of(spec, group, only, defaults=False)(Made)


def _understood(lab: Lab, asked: dict[str, Any], read: dict[str, Any], which: str) -> LabCall:
    """Return the request, the example that it is based on, and the model.

    Raises:
        SpecError: with every problem.
        UserError: the model does not exist.
    """
    example = _example(lab, which)
    start = (example or lab.examples[0]).request.shallow()
    problems = lab.request.problems(start | asked) + GenerateSpec.problems(read)
    if example is None:
        names = "; ".join(f"{number} {each.name}" for number, each in enumerate(lab.examples, start=1))
        problems.append(Problem("example", f"example is {which!r}; it must be one of: {names}."))
    if problems or example is None:
        raise SpecError(problems)
    device = read.get("device", LabCall.device)
    model = _model(lab, read.get("model", ""), read.get("seed"))
    return LabCall(example, lab.request.make(start | asked), model, device)


def _model(lab: Lab, model: str, seed: int | None) -> model_source.LoadableModel | None:
    if lab.model is None:
        return None
    seed = lab.model.seed if seed is None else seed
    return model_source.resolve(model, seed) if model else replace(lab.model, seed=seed)


def _example(lab: Lab, which: str) -> Example | None:
    """Return the example with a number, counted from 1, or with a name that begins like this."""
    if which.isdecimal():
        return dict(enumerate(lab.examples, start=1)).get(int(which))
    prefix = which.casefold()
    return next((example for example in lab.examples if prefix and example.name.casefold().startswith(prefix)), None)


def _show(lab: Lab, asked: LabCall, json: bool, code: bool) -> None:
    from gptstudio.labs.lab import compare, plain

    if code:
        output.results().print(lab.code(asked.request), end="", markup=False, soft_wrap=True)
        return
    answer = _answer(lab, asked)
    first = lab.examples[0].name
    figures = [each for each in compare(lab, answer) if (each.figure.example or first) == asked.example.name]
    if json:
        output.print_json({
            "lab": lab.name, "request": plain(asked.request), "answer": plain(answer),
            "values": plain(lab.values(answer)), "figures": [_as_json(each) for each in figures],
        })
    else:
        _print(lab, asked, answer, figures)


def _answer(lab: Lab, asked: LabCall) -> Any:
    if asked.model is None or not lab.reads(asked.request):
        return lab.answer(asked.request)
    return lab.answer(asked.request, model_source.load(asked.model, devices.choose(asked.device), "reference"))


def _as_json(each: Comparison) -> dict[str, Any]:
    from gptstudio.labs.lab import plain

    figure = each.figure
    return {"place": list(figure.place), "name": figure.name, "printed": plain(each.printed), "agrees": each.agrees}


def _print(lab: Lab, asked: LabCall, answer: Any, figures: Sequence[Comparison]) -> None:
    from gptstudio.labs.catalogue import ENTRIES

    console = output.results()
    console.print(Text(ENTRIES[lab.name].title, "bold"))
    if asked.model and lab.reads(asked.request):
        output.line(asked.model.name, "dim")
    _print_table(console, lab.table(answer))
    console.print(_named(lab.values(answer).items()))
    if figures:
        output.line(f"Figures from the book for “{asked.example.name}”", "bold")
        console.print(_named((each.figure.name, _verdict(each)) for each in figures))


def _print_table(console: Console, rows: Table) -> None:
    """Print a table, transposed if it fits only that way; if neither form fits, print the narrower one, which the
    terminal wraps."""
    tables = [_rows(rows), _rows(_turned(rows))]
    wide = console.options.update(max_width=WIDEST)
    widths = [console.measure(each, options=wide).maximum for each in tables]
    place = 0 if widths[0] <= console.width else widths.index(min(widths))
    narrow, console.width = console.width, max(console.width, widths[place])
    console.print(tables[place])
    console.width = narrow


def _rows(rows: Table) -> rich.Table:
    table = rich.Table(box=box.SIMPLE_HEAD)
    for place, column in enumerate(rows.columns):
        text = any(isinstance(row[place], str) for row in rows.rows)
        table.add_column(Text(column), justify="left" if text else "right", no_wrap=not text)
    for row in rows.rows:
        table.add_row(*(Text(_cell(value)) for value in row))
    return table


def _turned(rows: Table) -> Table:
    """Return the transposed table, for a terminal that is narrower than the table."""
    from gptstudio.labs.lab import Table

    first, *others = rows.columns
    names = tuple(f"{first} {row[0]}" for row in rows.rows)
    below = ((name, *(row[place] for row in rows.rows)) for place, name in enumerate(others, 1))
    return Table(("", *names), tuple(below))


def _named(pairs: Any) -> rich.Table:
    table = rich.Table(box=box.SIMPLE, show_header=False)
    for name, value in pairs:
        table.add_row(Text(name.replace("_", " ")), Text(_cell(value), "bold"))
    return table


def _cell(value: Any) -> str:
    """Return a value as text; integers without decimals, other numbers with six digits."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"


def _verdict(each: Comparison) -> str:
    if each.equal is None:
        return "differs: the shape is not the same"
    if each.agrees or each.count == 1:
        return "agrees" if each.agrees else "differs"
    return f"differs: {int(each.equal.sum())} of {each.count} numbers match"
