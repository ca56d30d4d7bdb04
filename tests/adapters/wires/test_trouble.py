"""Errors in one line: whatever a server says, it takes no time and holds no key."""

from __future__ import annotations

import ssl
import time

import attrs
import pytest

from offhook_adapters.openai_realtime.config import OPENAI
from offhook_adapters.wires.trouble import failed_connect, one_line, refused_status
from offhook_adapters.wires.vendor import VendorError, VendorUnusable, number

KEY = "a-key-of-no-known-shape"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Incorrect API key provided: sk-proj-ab***xyz. See", "Incorrect API key provided: [key]. See"),
        ("the key ab****cd, is old", "the key [key], is old"),
        ("(abc***def) and\nAIzaABCDEFGHIJKLMNOPQRSTUVWXYZ", "[key] and [key]"),
        (f"no {KEY} here", "no [key] here"),
        ("two ** stars stay", "two ** stars stay"),
    ],
)
def test_keys_are_left_out(text: str, line: str) -> None:
    assert one_line(text, KEY) == line


@pytest.mark.parametrize("word", ["x", "**x", "sk-....", "x*.", "AIza"])
def test_a_long_word_holds_nobody_up(word: str) -> None:
    began = time.process_time()
    assert len(one_line(word * (100_000 // len(word)), KEY)) <= 300
    # a try at each of its letters would take half a minute, and hours for a megabyte
    assert time.process_time() - began < 10


def test_a_refusal_that_is_nested_too_deeply_is_a_refusal() -> None:
    refused = refused_status(400, b"[" * 100_000, OPENAI, "host", KEY)
    assert isinstance(refused, VendorUnusable)
    assert str(refused).startswith("host answered HTTP 400 ([[[")


def test_a_certificate_that_is_not_trusted_stops_a_run_however_it_is_wrapped() -> None:
    wrapped = OSError("no connection")
    wrapped.__cause__ = ssl.SSLCertVerificationError("self-signed")
    for error in (ssl.SSLCertVerificationError("self-signed"), wrapped):
        told = failed_connect(error, OPENAI, "host", KEY)
        assert isinstance(told, VendorUnusable)
        assert str(told).startswith("host has a certificate that is not trusted here: ")
    other = failed_connect(ssl.SSLError("wrong version"), OPENAI, "host", KEY)
    assert not isinstance(other, VendorUnusable)
    assert str(other) == "host can't be reached (SSLError): check the network and base_url"


@pytest.mark.parametrize(
    ("url", "taken"),
    [
        ("http://127.0.0.1:65535/v1", "http://127.0.0.1:65535/v1"),
        (" https://host/v1\n", "https://host/v1"),
        ("  ", None),
    ],
)
def test_an_address_from_the_environment(url: str, taken: str | None) -> None:
    assert OPENAI.base_url({}, {"OPENAI_BASE_URL": url}) == taken


@pytest.mark.parametrize("url", ["http://127.0.0.1:65536/v1", "http://127.0.0.1:99999", "http://a b/v1"])
def test_an_address_that_can_not_be(url: str) -> None:
    with pytest.raises(VendorUnusable, match=r"OPENAI_BASE_URL is .*: set it to a URL like"):
        OPENAI.base_url({}, {"OPENAI_BASE_URL": url})


@pytest.mark.parametrize(("given", "kind"), [("nan", float), ("inf", float), ("-1e999", float), ("1.5", int)])
def test_a_number_that_no_message_can_carry(given: str, kind: type[float]) -> None:
    with pytest.raises(VendorError, match="threshold must be a number, not "):
        number({"threshold": given}, "threshold", kind)


def test_numbers() -> None:
    assert number({"threshold": "0.5"}, "threshold", float) == 0.5
    assert number({"silence_ms": "500"}, "silence_ms", int) == 500
    assert number({}, "silence_ms", int) is None


def test_the_servers_name_for_its_address_is_the_one_to_look_at() -> None:
    vendor = attrs.evolve(OPENAI, url="ELSEWHERE")
    told = failed_connect(OSError(), vendor, "host", KEY, address=vendor.url)
    assert str(told) == "host can't be reached (OSError): check the network and ELSEWHERE"
