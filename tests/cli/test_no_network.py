"""Nobody is called up unasked: only a download that somebody wants, of a model or of a text, opens a connection."""

import json

from command_line import LESSON, finish, start_python

WATCHED = """
import json, sys
calls = []
sys.addaudithook(lambda event, args: calls.append(event) if event in (
    "socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "socket.bind") else None)
from gptstudio.__main__ import main
for argv in json.loads(sys.argv[1]):
    assert main(argv) == int(sys.argv[2]), argv
print(json.dumps(calls), file=sys.stderr)
"""
"""Does commands one after the other, and tells at last what was asked of the network."""


def calls(*commands: list[object], code: int = 0, **environment: str) -> list[str]:
    """What they asked of the network; each ends with this exit code."""
    asked = json.dumps([[str(part) for part in argv] for argv in commands])
    said = finish(start_python("-c", WATCHED, asked, code, **{"HF_HUB_OFFLINE": None, **environment}))
    assert said.code == 0, said.err[-2000:]
    return json.loads(said.err.splitlines()[-1])


def test_that_no_command_opens_a_connection_unasked(tmp_path):
    run, book, folder = tmp_path / "run", tmp_path / "model.pth", tmp_path / "model"
    text = tmp_path / "text.txt"
    text.write_text("Every effort moves you.", encoding="utf-8")
    assert not calls(
        ["train", "--text", "story", *LESSON, "--steps", 2, "--run", run],
        ["export", book, "--model", run, "--to", "book"],
        ["export", folder, "--model", run, "--to", "huggingface"],
        ["import", book, "--heads", 2, "--name", "one"], ["import", folder, "--name", "two"], ["import", "--list"],
        ["train", "--text", "story", *LESSON, "--qkv-bias", "--steps", 1, "--begin-with", "two", "--freeze-blocks", 1],
        ["generate", "--model", "one", "--max-new-tokens", 2, "--precision", "int8"], ["score", text, "--model", "two"],
        ["size", "--preset", "gpt2-xl"], ["runs"],
    )


NOBODY = "http://127.0.0.1:9"


def test_that_the_watch_sees_a_connection():
    assert "socket.connect" in calls(["import", "gpt2"], code=2, HF_ENDPOINT=NOBODY)


def test_that_nobody_is_asked_for_a_published_model_where_the_hub_is_to_be_left_alone():
    assert not calls(["import", "gpt2"], code=2, HF_ENDPOINT=NOBODY, HF_HUB_OFFLINE="1")
