"""This computer has one identity, from which other programs cannot derive its number, or reports that it has none."""

import uuid

import pytest

from gptstudio import machine


@pytest.fixture(autouse=True)
def forgotten():
    machine.identity.cache_clear()
    yield
    machine.identity.cache_clear()


def identity_of(monkeypatch, *files) -> str:
    monkeypatch.setattr(machine, "FILES", files)
    machine.identity.cache_clear()
    return machine.identity()


def test_that_an_identity_is_constant_and_does_not_reveal_the_number(tmp_path, monkeypatch):
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("0123456789abcdef0123456789abcdef\n")
    other.write_text("0123456789abcdef0123456789abcdee\n")
    ours = identity_of(monkeypatch, one)
    assert ours == identity_of(monkeypatch, tmp_path / "none", one)
    assert len(ours) == 32
    assert ours != identity_of(monkeypatch, other)
    assert one.read_text()[:8] not in ours


@pytest.mark.parametrize("content", [None, "", "uninitialized\n", "\xff"])
def test_that_without_a_number_the_network_card_identifies_unless_it_is_random(tmp_path, monkeypatch, content):
    if content is not None:
        (tmp_path / "id").write_text(content, encoding="latin-1")
    monkeypatch.setattr(uuid, "getnode", lambda: 0x0242AC110002)
    assert len(identity_of(monkeypatch, tmp_path / "id")) == 32
    monkeypatch.setattr(uuid, "getnode", lambda: 0x0342AC110002)
    assert identity_of(monkeypatch, tmp_path / "id") == ""
