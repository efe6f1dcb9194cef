"""What the shared-memory model says of predictions outside what it was fitted to."""

from dataclasses import replace

import numpy as np
import pytest

from advisor.models.dvsm import (
    FAST_ETHERNET,
    OC3_ATM,
    Operation,
    OperationCounts,
    Technology,
    application_time,
    wire_time,
)
from advisor.models.dvsm_domain import domain_notes, medium_load, messages


def counts(kind="fault", processors=2, count=1.0, busy=1e5, **inputs):
    inputs = {"parts": 1, "request": 12, "reply": 20, **inputs} if kind == "fault" else inputs
    return OperationCounts(
        processors=processors,
        sequential_time=1e6,
        operations=(Operation(kind, tuple(inputs.items())),),
        repeats=np.ones(1),
        busy=np.full((1, processors), busy),
        counts=np.full((1, processors, 1), count),
    )


def test_what_the_paper_measured_needs_no_note():
    assert domain_notes(FAST_ETHERNET, counts()) == ()
    assert domain_notes(OC3_ATM, counts("lock", parties=3)) == ()


@pytest.mark.parametrize(
    ("net", "application", "technology", "words"),
    [
        (FAST_ETHERNET, counts(reply=979), {}, "979 bytes are at the knee"),
        (FAST_ETHERNET, counts(reply=1024), {}, "1024 bytes are at the knee"),
        (OC3_ATM, counts(reply=9000), {}, "9000 bytes are larger"),
        (OC3_ATM, counts("barrier", request=40, release=8200), {}, "8200 bytes are larger"),
        (OC3_ATM, counts(processors=16), {}, "16 processors"),
        (OC3_ATM, counts(parts=6), {}, "6 parts"),
        (OC3_ATM, counts(), {"processor": 32}, "32 times as fast"),
        (OC3_ATM, counts(), {"fault": 0.5}, "upper bound"),
        (OC3_ATM, counts(), {"lock": 0.5, "lock_mode": "prefetch"}, "upper bound"),
        (FAST_ETHERNET, counts(reply=4120, count=100), {}, "no switch and would be busy"),
    ],
)
def test_what_is_outside_gets_one_note(net, application, technology, words):
    (note,) = domain_notes(net, application, Technology(**technology))
    assert words in note
    assert note.endswith(".")


@pytest.mark.parametrize("size", [978, 1025])
def test_a_message_beside_the_knee_is_clear(size):
    assert domain_notes(FAST_ETHERNET, counts(reply=size)) == ()


def test_what_never_happens_is_not_noted():
    assert domain_notes(OC3_ATM, counts(reply=9000, count=0)) == ()


def test_the_medium_carries_every_message_once():
    one = counts(parts=3, reply=4120)
    wire = 2 * 3 * (wire_time(FAST_ETHERNET, 12) + wire_time(FAST_ETHERNET, 4120))
    time = application_time(FAST_ETHERNET, one).time
    assert medium_load(FAST_ETHERNET, one) == pytest.approx(wire / time)
    assert medium_load(replace(FAST_ETHERNET, switch_latency=1.0), one) == 0.0
    assert medium_load(FAST_ETHERNET, one, Technology(wire_per_byte=0.0)) == 0.0


def test_a_barrier_s_messages_are_one_arrival_and_release_for_each_other_processor():
    shares = messages("barrier", {"request": 40, "release": 200}, 8)
    assert [(size, 8 * share) for size, share in shares] == [(40, 7), (200, 7)]


def test_a_service_sends_nothing_of_its_own():
    assert messages("service", {"request": 12, "reply": 4}, 8) == ()
    assert messages("lock", {"parties": 1}, 8) == ()
    assert messages("lock", {"parties": 3}, 8) == ((24, 2), (4, 1))
