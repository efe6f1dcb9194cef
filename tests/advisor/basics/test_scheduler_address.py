"""Addresses of schedulers, as people type them and as paths keep them."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.basics.scheduler_address import address_of, no_answer, typed_address, unprotected
from machines import InputError


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("tcp://host:8786", "tcp://host:8786"),
        (" host:8786 ", "tcp://host:8786"),
        ("tls://10.0.0.1:8786/", "tls://10.0.0.1:8786"),
        ("[::1]:8786", "tcp://[::1]:8786"),
    ],
)
def test_what_a_person_types_is_an_address_with_or_without_its_scheme(
    typed: str, address: str
) -> None:
    assert typed_address(typed) == address


@pytest.mark.parametrize("typed", ["", "host", "host:", ":8786", "http://host:80", "a b:8786"])
def test_anything_else_is_refused(typed: str) -> None:
    with pytest.raises(InputError, match="no address of a scheduler"):
        typed_address(typed)


def test_a_path_keeps_an_address_with_one_slash_and_names_of_files_are_none() -> None:
    assert address_of(Path("tcp://host:8786")) == "tcp://host:8786"
    assert address_of("host:8786") == ""
    assert address_of(Path("runs/tcp.csv")) == ""


def test_who_does_not_answer_is_named_with_why() -> None:
    assert "no Dask scheduler answers (TimeoutError)" in str(no_answer("tcp://h:1", TimeoutError()))
    assert "no TLS" in unprotected("tcp://host:8786")
    assert unprotected("tls://host:8786") == ""
