"""A run as one HTML file: complete, harmless whatever the run contains, and small whatever its length."""

import re
import shlex

import numpy as np
import pytest
from cyclopts import App
from disks import disk_is_full
from made_up import cancel, step_done
from reported import SAMPLE, STARTED, Page, events, folder, record, reported

from gptstudio import files
from gptstudio.cli.arguments import SAME_MODEL, SAME_TRAINING, ModelFlags, TrainFlags, train_spec_from
from gptstudio.errors import UserError
from gptstudio.gpt.config import GPTConfig
from gptstudio.history.columns import thinned
from gptstudio.history.guesses import Goal, Guess, Learner, LessonGuesses
from gptstudio.history.report import reading, sections, writing
from gptstudio.history.report.page import ReportChart, ReportCurve, element, ticks
from gptstudio.history.report.reading import ReportedRun
from gptstudio.history.run_data import data_of, read_report
from gptstudio.history.run_history import History
from gptstudio.training.control import Stopped
from gptstudio.training.events import RunStarted
from gptstudio.training.run_code import train_command, without_folders
from gptstudio.training.spec import TrainSpec

GUESSES = (LessonGuesses(lesson="Lesson 1", guesses=(
    Guess(question="Which is lower?", guess="training", answer="training", right=True),
    Guess(question="How many?", guess="7", answer="8", right=False)),
    goals=(Goal(step="Warm up", state="reached"), Goal(step="Go deeper", state="skipped"))),)
ANNA = Learner(name="Anna", id="ab", words="The loss <b>fell</b>.")
HOSTILE = [
    "<script>alert(1)</script>", "</style><script>alert(1)</script>", "</template></title><img src=x onerror=alert(1)>",
    '" onload="alert(1)', "' onload='alert(1)", "<!-- -->", "&lt;b&gt; &amp;", "<![CDATA[x]]>", "\x00\x1b[2J\x07\x9b",
    "\u202eevil\u2066\u200f", "\ud800 half", "{0} {name} %s $x", "\u2028\u2029",
]


def page_of(run: ReportedRun) -> Page:
    return Page(writing.html(run))


def test_that_a_report_has_all_known_data_of_a_run(tmp_path):
    run = reading.read(folder(tmp_path / "run", learning_rate=0.01), GUESSES, learner=ANNA)
    page = page_of(run)
    assert page.headings() == [name for name, _, _ in sections.SECTIONS]
    for words in (
        "Anna", "The loss <b>fell</b>.", "Go deeper", "skipped",
        "A run", "12 / 40", "Which is lower?", "not quite", "Every effort", "␣effort", "0.01", "0.0004",
        "The learning rate was set to 0.02.", "The run was paused, and resumed.",
        "The run was continued from its checkpoint after step 8; the 2 steps after it were done again.",
        "The run was made longer: 40 steps in all instead of 20.", "All steps were completed.", "ab" * 32, "50.0 %",
        "50.0 % copied, longest 4 tokens", "The first 20 steps are not judged",
    ):
        assert words in page.text, words
    assert page.underlined == SAMPLE[26:41]


@pytest.mark.parametrize("schedule", ["constant", "cosine"])
def test_that_the_command_of_a_run_that_was_trained_longer_is_qualified_if_its_rates_differ(tmp_path, schedule):
    longer = STARTED.model_copy(update={"first_step": 2, "total_steps": 40})
    run_events = [STARTED, step_done(0), step_done(1), longer, step_done(2)]
    page = page_of(reading.read(folder(tmp_path / "run", run_events=run_events, schedule=schedule)))
    assert ("trained longer with a schedule" in page.text) == (schedule == "cosine")


def test_that_sections_without_data_are_left_out(tmp_path):
    page = page_of(reading.read(folder(tmp_path / "run", run_events=[])))
    assert page.headings() == ["figures", "settings", "text", "reproduction"]


def test_that_changed_settings_are_marked_and_others_are_not(tmp_path):
    source = writing.html(reported(tmp_path / "run", learning_rate=0.01, epochs=3))
    differing = re.findall(r'<tr class="differs"><td>(.*?)</td>', source)
    assert differing == ["Epochs", "Learning rate"]


@pytest.mark.parametrize(("changes", "shown", "hidden"), [
    ({}, ["constant", "characters", "AdamW"], ["Momentum", "Warm-up"]),
    ({"optimizer": "sgd", "schedule": "cosine"}, ["cosine", "SGD", "Momentum", "Warm-up"], ["Beta 1"]),
    ({"momentum": 0.5}, ["Momentum"], ["Nesterov momentum"]),
    ({"text": ("verdict",), "optimizer": "muon"}, ["The Verdict", "Muon"], ["verdict"]),
], ids=str)
def test_that_values_of_settings_are_translated_and_those_without_use_left_out(tmp_path, changes, shown, hidden):
    run = reading.read(folder(tmp_path / "run", **changes), say=lambda words: f"«{words}»")
    words = {"".join(cell.itertext()) for part in sections.settings(run) for cell in part.iter("td")}
    assert {f"«{each}»" for each in shown} <= words
    assert not {f"«{each}»" for each in hidden}.union(hidden) & words


def test_that_a_browser_fetches_nothing_and_runs_nothing(tmp_path):
    page = page_of(reported(tmp_path / "run"))
    kinds = {tag for tag, _ in page.tags}
    assert kinds.isdisjoint({"script", "link", "img", "iframe", "object", "embed", "form", "base", "video", "a", "use"})
    names = {name for _, attributes in page.tags for name in attributes}
    assert not [name for name in names if name.startswith("on") or name in ("src", "href", "style", "srcset")]
    policy = next(attributes["content"] for _, attributes in page.tags if "http-equiv" in attributes)
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    style = writing.html(reported(tmp_path / "run")).partition("<style>")[2].partition("</style>")[0]
    assert "url(" not in style
    assert "@import" not in style


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE)
def test_that_no_text_of_a_run_is_read_as_html(tmp_path, text):
    harmless = page_of(reported(tmp_path / "harmless"))
    made = folder(tmp_path / "run")
    spoken = text.encode("utf-8", "replace").decode()
    record_ = record(spoken, sample_prompt=spoken.strip() or "x").model_copy(update={"text_name": spoken})
    history = History()
    history.add(*events(text))
    guesses = (LessonGuesses(lesson=spoken, guesses=(Guess(question=spoken, guess=spoken, right=False),),
                             goals=(Goal(step=spoken, state="open"),)),)
    learner = Learner(name=spoken, words=spoken)
    page = page_of(ReportedRun(text, record_, history, guesses=guesses, learner=learner))
    assert {tag for tag, _ in page.tags} <= {tag for tag, _ in harmless.tags} | {"h3"}
    names = {name for _, attributes in page.tags for name in attributes}
    assert names <= {name for _, attributes in harmless.tags for name in attributes}
    for bad in "\x00\x1b\x07\x9b\u202e\u2066\u200f\ud800":
        assert bad not in page.text
    assert made.record().title == "A run"


def test_that_a_title_of_a_megabyte_is_cut(tmp_path):
    run = reported(tmp_path / "run", title="t" * 10**6)
    assert len(writing.html(run)) < 10**5
    assert "t" * 200 + "…" in page_of(run).text


def test_that_hostile_positions_of_copies_underline_nothing_else(tmp_path):
    run_events = events()
    found = next(each for each in run_events if each.event == "copies_found")
    copies = [{"start": start, "stop": stop, "tokens": 5} for start, stop in ((0, 5), (3, 9), (9, 2), (10**15, 2**53))]
    run_events[run_events.index(found)] = type(found).model_validate({**found.model_dump(), "copies": copies})
    assert page_of(reading.read(folder(tmp_path / "run", run_events=run_events))).underlined == SAMPLE[:9]


@pytest.mark.parametrize("loss", [float("nan"), float("inf"), -float("inf"), 1e308, -1e308, 0.0])
def test_that_values_that_no_chart_can_show_are_accepted(tmp_path, loss):
    run_events = [STARTED, *(step_done(number, loss if number % 2 else 3.0) for number in range(9))]
    run = reading.read(folder(tmp_path / "run", run_events=run_events))
    source = writing.html(run)
    Page(source)
    assert "nan" not in source.partition("<svg")[2].partition("</svg>")[0].lower()


@pytest.mark.slow
def test_that_a_million_steps_fit_into_a_page_and_a_spike_of_one_is_kept(tmp_path):
    history, rows = History(), np.arange(10**6, dtype=float)
    losses = 4 + np.cos(rows)
    losses[765_432], losses[123_456] = 11, 0.5
    ones = np.ones_like(rows)
    history.add(RunStarted(**STARTED.model_dump(exclude={"total_steps"}), total_steps=10**6))
    history.steps.extend(np.column_stack([rows, ones, losses, ones, ones, 32 * rows, rows, ones]))
    history.last_step = 10**6 - 1
    run = ReportedRun("long", record(), history)
    path = tmp_path / "long.html"
    assert writing.write(run, path) == path.stat().st_size < 3 * 10**6
    kept = read_report(path).curves["steps"]
    assert {11, 0.5} <= set(kept["loss"])
    x, y = thinned(rows, losses, 400)
    assert len(x) <= 802
    assert {11, 0.5} <= set(y)
    chart = ReportChart("", [ReportCurve("", "batch", rows, losses)])
    points = chart.drawn().find(".//polyline").get("points").split()
    heights = [float(point.partition(",")[2]) for point in points]
    assert min(heights) < np.median(heights) - 80
    assert max(heights) > np.median(heights) + 40


def test_that_ticks_are_round():
    assert ticks(0, 10, 5) == [0, 2, 4, 6, 8, 10]
    assert ticks(0.00012, 0.0031, 5) == [0.001, 0.002, 0.003]
    assert ticks(-1e300, 1e300, 5)
    assert ticks(5, 5, 5) == [5]


def test_that_the_language_is_that_of_the_window(tmp_path):
    spoken: list[str] = []

    def say(text: str) -> str:
        spoken.append(text)
        return "说"

    run = reading.read(folder(tmp_path / "run"), GUESSES, say, "zh_CN")
    page = page_of(run)
    assert page.tags[0] == ("html", {"lang": "zh-CN"})
    left = page.text
    own_texts = SAMPLE, SAMPLE[26:41], "Which is lower", "Every effort moves you", "I had always thought"
    for own in (*own_texts, "gptstudio train"):
        left = left.replace(own, "")
    assert re.findall(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}", left) == []
    assert SAMPLE not in spoken
    assert "A text" not in spoken


def test_that_names_of_folders_are_not_in_a_report(tmp_path):
    run = reported(tmp_path / "run", text=("/home/anna/secret/story.txt", "C:\\Users\\anna\\b.txt"),
                   init_from="/home/anna/runs/first")
    source = writing.html(run)
    assert "anna" not in source
    assert "story.txt" in source


SPECS = [
    {}, {"steps": 30, "learning_rate": 1e-3, "reference": True, "stride": 16, "save_every_s": None},
    {"text": ("story", "-odd name.txt"), "split": "documents", "freeze": ("norms", "attention"), "freeze_blocks": 1},
    {"config": GPTConfig(context_length=16, emb_dim=16, n_heads=2, n_layers=1, drop_rate_emb=0.2, qkv_bias=True)},
    {"sample_prompt": "two words; $HOME `x`", "schedule": "cosine", "probes": ("one", "two")},
]


@pytest.mark.parametrize("values", SPECS)
def test_that_the_command_of_a_report_means_the_same_run(values):
    spec = TrainSpec.make(values)
    made: list[TrainSpec] = []

    def train(*, preset: str | None = None, model: ModelFlags = SAME_MODEL, training: TrainFlags = SAME_TRAINING):
        made.append(train_spec_from(preset, model, training))

    app = App()
    app.command(train)
    app(shlex.split(train_command(without_folders(spec)))[1:], result_action="return_value")
    assert made == [spec]


def test_that_a_full_disk_is_reported_with_a_message_and_leaves_nothing(tmp_path, monkeypatch):
    run = reported(tmp_path / "run")
    (tmp_path / "out").mkdir()
    before = tmp_path / "out" / "a.html"
    before.write_text("old")

    monkeypatch.setattr(files.os, "fsync", disk_is_full)
    with pytest.raises(UserError, match=r"Could not save .*: No space left on device. Choose another location"):
        writing.write(run, before)
    assert [path.read_text() for path in (tmp_path / "out").iterdir()] == ["old"]


def test_that_reading_can_be_cancelled(tmp_path):
    made = folder(tmp_path / "run")
    with pytest.raises(Stopped):
        reading.read(made, progress=cancel)


def test_that_a_jump_is_marked_on_the_curve(tmp_path):
    run_events = [STARTED.model_copy(update={"total_steps": 60}),
            *(step_done(number, 9.0 if number == 40 else 4 + number % 2 / 100) for number in range(60))]
    run = reading.read(folder(tmp_path / "run", run_events=run_events))
    assert [each.step for each in run.anomalies] == [40]
    assert "At step 41, the loss jumped" in page_of(run).text


def test_that_the_size_of_the_text_is_reported_where_it_is_available_also_if_it_was_moved(tmp_path, home, study):
    run = study(probes=()).folder
    found = reading.read(run)
    page = page_of(found)
    assert found.text
    assert f"{found.text.characters:,}" in page.text
    text = tmp_path / "lesson.txt"
    assert found.text.characters == len(text.read_text())
    (home / "texts").mkdir()
    moved = text.rename(home / "texts" / "renamed.txt")
    assert reading.read(run).text == found.text
    moved.write_text("another")
    assert reading.read(run).text is None


def test_that_the_figures_of_a_report_are_read_back(tmp_path):
    run = reading.read(folder(tmp_path / "run"), GUESSES)
    writing.write(run, tmp_path / "a.html")
    data = read_report(tmp_path / "a.html")
    assert data == data_of(run)
    assert data.guesses == GUESSES
    assert (data.steps, data.total_steps, data.outcome, data.best.val_loss) == (12, 40, "finished", 5.0)
    assert data.history().evaluations["val_loss"].tolist() == run.history.evaluations["val_loss"].tolist()
    assert data.history().axes["epoch"] == run.history.axes["epoch"]


def test_that_html_characters_in_figures_are_read_back_unchanged(tmp_path):
    title = "</template><script>&amp;\u2028 ‹é›"
    writing.write(reported(tmp_path / "run", title=title), tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text(encoding="utf-8").count("</template>") == 1
    assert read_report(tmp_path / "a.html").name == title


def test_that_an_element_escapes_texts_attributes_and_its_content():
    made = element("p", "<a>", element("b", "&"), "<c>", title='"<>')
    assert writing.written(made) == '<p title="&quot;<&gt;">&lt;a&gt;<b>&amp;</b>&lt;c&gt;</p>'
