"""``lab``: the experiments on the command line."""

import json

import numpy as np
import pytest

from gptstudio.fields import fields_of
from gptstudio.labs import catalogue
from gptstudio.labs.lab import plain
from gptstudio.training.run_folder import all_runs


def words(text: str) -> str:
    return " ".join(text.replace("│", " ").split())


def done(cli, *argv: object) -> dict:
    result = cli("lab", *argv, "--json")
    assert (result.code, result.err, result.out.count("\n")) == (0, "", 1)
    return json.loads(result.out)


@pytest.mark.parametrize("argv", [["--list"], []])
def test_that_the_list_has_every_lab_with_its_idea_by_chapter(cli, argv):
    output = words(cli("lab", *argv).out)
    places = [output.index(f"{entry.name} {entry.title} {entry.idea}") for entry in catalogue.ENTRIES.values()]
    assert places == sorted(places)
    assert all(chapter.title in output for chapter in catalogue.CHAPTERS)


def test_that_the_list_as_json_has_a_line_for_each_lab(cli):
    listed = [json.loads(line) for line in cli("lab", "--list", "--json").out.splitlines()]
    assert [each["lab"] for each in listed] == list(catalogue.ENTRIES)
    assert listed[0].keys() == {"lab", "title", "idea", "chapter"}


@pytest.mark.parametrize("name", ["sampling", "loss", "layernorm", "beams"])
def test_that_the_help_of_a_lab_has_each_field_and_each_book(cli, name):
    lab, output = catalogue.load(name), words(cli("lab", name, "--help").out)
    for field in fields_of(lab.request):
        assert f"--{field.name.replace('_', '-')} " in output
        assert field.help.split(":")[0].split(". ")[0][:30] in output
    assert all(f"{number} {example.name}" in output for number, example in enumerate(lab.examples, start=1))
    assert ("--model " in output) == (lab.model is not None)
    assert ("Examples from the book" in output) == (name != "beams"), "the book has no beam search"


def test_that_the_help_of_the_command_names_the_next_command(cli):
    for flag in ("--help", "-h"):
        assert "gptstudio lab NAME --help" in cli("lab", flag).out


def test_that_json_is_the_pure_functions_answer(cli):
    lab, answer = catalogue.load("sampling"), done(cli, "sampling")
    request = lab.examples[0].request
    assert answer.keys() == {"lab", "request", "answer", "values", "figures"}
    assert answer["request"] == plain(request)
    assert answer["answer"] == plain(lab.answer(request))
    assert answer["values"] == plain(lab.values(lab.answer(request)))
    assert [(tuple(each["place"]), each["agrees"]) for each in answer["figures"]] == [
        (figure.place, True) for figure in lab.figures
    ]


def test_that_a_flag_changes_its_field_and_the_figures(cli):
    answer = done(cli, "sampling", "--temperature", "5", "--top-k", "none", "--seed", "7")
    assert (answer["request"]["temperature"], answer["request"]["top_k"], answer["request"]["seed"]) == (5, None, 7)
    assert not any(each["agrees"] for each in answer["figures"])


def test_that_lists_and_matrices_are_typed_with_commas_and_semicolons(cli):
    nine = [-1.0, 2, 3, 4, 5, 6, 7, 8, 9]
    assert done(cli, "sampling", "--logits", ",".join(map(str, nine)))["request"]["logits"] == nine
    matrix = done(cli, "layernorm", "--batch", "-1,2;3,4.5")["request"]["batch"]
    assert matrix == [[-1, 2], [3, 4.5]]


@pytest.mark.parametrize("which", ["number", "name", "beginning"])
def test_that_a_book_is_named_by_number_or_by_the_beginning_of_its_name(cli, which):
    lab = catalogue.load("layernorm")
    name = lab.examples[1].name
    answer = done(cli, "layernorm", "--book", {"number": 2, "name": name, "beginning": name[:-1].upper()}[which])
    assert answer["request"] == plain(lab.examples[1].request)
    assert answer["figures"]
    assert all(each["agrees"] for each in answer["figures"])


def test_that_the_text_output_has_the_table_the_values_and_what_agrees(cli):
    output = words(cli("lab", "sampling").out)
    assert "forward 6.75 6.75 6.75 0.577547 576 577.547" in output
    assert "top probability 0.577547" in output
    assert "probabilities after top-k agrees" in output
    assert "probabilities after top-k differs: 0 of 9" not in output
    assert "number of words kept differs" in words(cli("lab", "sampling", "--top-k", "4").out)


def test_that_the_code_alone_is_printed_and_runs(cli):
    result = cli("lab", "sampling", "--temperature", "2", "--code")
    names: dict = {}
    exec(result.out, names)
    answer = catalogue.load("sampling").answer(catalogue.load("sampling").examples[0].request.but(temperature=2.0))
    assert np.allclose(names["probabilities"].numpy(), answer.probabilities)


def test_that_a_lab_about_a_model_takes_any(cli, learn):
    run = learn("--vocab-size", "50257")
    answer = done(cli, "generate", "--model", run.name, "--new-tokens", "2", "--prompt", "The bell")
    assert len(answer["answer"]["steps"]) == 2
    assert not any(each["agrees"] for each in answer["figures"])
    assert all_runs()[0] == run


def test_that_the_books_own_model_prints_the_books_figures_and_a_seed_builds_another(cli):
    own = done(cli, "loss", "--book", "2")
    assert [each["agrees"] for each in own["figures"]] == [True]
    other = done(cli, "loss", "--source", "model", "--seed", 7)
    assert other["request"] == own["request"]
    assert own["values"]["loss"] != other["values"]["loss"]


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["nope"], "There is no experiment 'nope'. Available: tokens, vocabulary, windows,"),
        (["sampling", "--top-k", "0"], "top_k is 0; it must be a whole number between 1 and 9, or empty."),
        (["sampling", "--book", "7"], "example is '7'; it must be one of: 1 The three most likely of nine words."),
        (["sampling", "--book", ""], "example is ''; it must be one of"),
        (["sampling", "--nix", "1"], "Unknown option: --nix"),
        (["sampling", "--model", "book"], "Unknown option: --model"),
        (["sampling", "more"], "Unknown argument: more."),
        (["loss", "--model", "nope"], "There is no model 'nope'"),
        (["loss", "--source", "model", "--device", "toaster"], "There is no device 'toaster'."),
        (["layernorm", "--batch", "1,2;3,x"], "Batch, row 2, column 2, is 'x'; it must be a number."),
        (["--nix"], "--nix"),
        (["loss", "--model", "workshop"], "these settings of the experiment, which use no model"),
    ],
)
def test_that_an_error_is_reported_in_one_line(refused, argv, expected):
    assert expected in refused("lab", *argv)


def test_that_all_errors_are_reported_at_once(refused):
    wrong = ("--first", "", "--probabilities", "2", "--seed", "-1", "--book", "9")
    expected = refused("lab", "loss", "--source", "model", *wrong)
    for part in ("First sentence ('') is too", "Probabilities, number 1: 2.0 must be", "seed is -1", "example is '9'"):
        assert part in expected


def test_that_a_table_wider_than_the_terminal_is_transposed_and_no_number_is_cut(cli):
    output = cli("lab", "shortcuts").out
    assert "…" not in output
    assert "layer 0" in output  # a column for each layer now
    assert "0.000201736" in output
