"""Records of shared-memory applications: what they count, whether requests are served."""

import pickle
from dataclasses import replace

import pytest

from advisor.models import dvsm
from advisor.shared_memory.phases import (
    Application,
    Load,
    OperationKind,
    Phase,
    application_notes,
    imbalances,
)
from machines import InputError

FAULT = OperationKind(
    "diff",
    "fault",
    (("parts", 2), ("request", 12), ("reply", 20)),
    (("fast-ethernet", (("delay", 400.0),)), ("oc3-atm", (("delay", 300.0),))),
)
LOCK = OperationKind("lock", "lock", (("parties", 3),))
SERVICE = OperationKind("serve", "service", (("request", 12), ("reply", 20)))
MISS = OperationKind("cold", "empty_miss")
BARRIER = OperationKind("barrier", "barrier", (("request", 40), ("release", 200)))


def application(served=(4.0, 5.0), **changes):
    loads = (
        Load(1000.0, (("diff", 2.0), ("lock", 1.0), ("serve", served[0]), ("barrier", 1.0))),
        Load(900.0, (("cold", 3.0), ("serve", served[1]), ("barrier", 1.0))),
    )
    fields = {
        "name": "example",
        "sequential_time": 1800.0,
        "operations": (FAULT, LOCK, SERVICE, MISS, BARRIER),
        "phases": (Phase("step", 4, loads),),
        "networks": ("fast-ethernet", "oc3-atm"),
    }
    return Application(**{**fields, **changes})


def test_the_counts_are_those_of_a_plain_mapping():
    fault = {"count": 2, "parts": 2, "request": 12, "reply": 20, "delay": 400}
    barrier = {"request": 40, "release": 200}
    plain = {
        "processors": 2,
        "sequential_time": 1800,
        "phases": [
            {
                "repeat": 4,
                "loads": [
                    {
                        "busy": 1000,
                        "faults": [fault],
                        "locks": [{"parties": 3}],
                        "services": [{"count": 4, "request": 12, "reply": 20}],
                        "barriers": [barrier],
                    },
                    {
                        "busy": 900,
                        "empty_misses": [{"count": 3}],
                        "services": [{"count": 5, "request": 12, "reply": 20}],
                        "barriers": [barrier],
                    },
                ],
            }
        ],
    }
    own = dvsm.application_time(dvsm.FAST_ETHERNET, application().counted("fast-ethernet"))
    other = dvsm.application_time(dvsm.FAST_ETHERNET, plain)
    assert own.time == pytest.approx(other.time, rel=1e-12)
    assert own.breakdown == pytest.approx(other.breakdown)


def test_measured_inputs_are_those_of_the_network_and_of_the_first_elsewhere():
    delays = {
        name: dict(application().counted(name).operations[0].inputs)["delay"]
        for name in ("fast-ethernet", "oc3-atm", "myrinet")
    }
    assert delays == {"fast-ethernet": 400, "oc3-atm": 300, "myrinet": 400}


def test_every_request_is_served_once():
    # 2 faults of 2 parts, a lock of 3 and 3 cold pages
    assert imbalances(application()) == ()
    assert imbalances(application((4.0 + 1e-9, 5.0))) == ()


@pytest.mark.parametrize(
    ("served", "words"),
    [((4.0, 3.5), "ask 9.00 times but serve 7.50 requests, 1.50 too few"),
     ((9.0, 9.0), "ask 9.00 times but serve 18.0 requests, 9.00 too many")],
)  # fmt: skip
def test_services_that_do_not_fit_are_told_with_their_amounts(served, words):
    (one,) = imbalances(application(served))
    assert str(one) == f'phase "step": processors {words}'
    (note,) = application_notes(application(served), "oc3-atm")
    assert words in note


def test_a_network_on_which_nothing_was_measured_is_noted():
    assert application_notes(application(), "oc3-atm") == ()
    (note,) = application_notes(application(), "infiniband-edr")
    assert "measured on Fast Ethernet, not on InfiniBand EDR (DEEP-EST):" in note
    (note,) = application_notes(application(), "my own")
    assert "not on my own:" in note
    assert application_notes(application(networks=(), operations=(
        replace(FAULT, measured=()), LOCK, SERVICE, MISS, BARRIER)), "oc3-atm") == ()  # fmt: skip


def test_a_record_is_a_value():
    one = application()
    assert pickle.loads(pickle.dumps(one)) == one == application()
    assert hash(one) == hash(application())
    assert one.processors == 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": ""}, "name"),
        ({"sequential_time": -1.0}, "sequential_time"),
        ({"phases": ()}, "there is no phase"),
        ({"phases": (Phase("empty", 1, ()),)}, 'phase "empty": no processor has a load'),
        (
            {"phases": (Phase("a", 1, (Load(1.0),)), Phase("b", 1, (Load(1.0), Load(1.0))))},
            'phase "b": the number of processors differs.*got 2.*Expected: 1, as in phase "a"',
        ),
        ({"phases": (Phase("a", 0, (Load(1.0),)),)}, 'phase "a": repeat'),
        ({"phases": (Phase("a", 1, (Load(-1.0),)),)}, 'phase "a": processor 0: busy'),
        (
            {"phases": (Phase("a", 1, (Load(1.0, (("dif", 1.0),)),)),)},
            'phase "a": processor 0: unknown operation.*Did you mean "diff"',
        ),
        ({"phases": (Phase("a", 1, (Load(1.0, (("diff", -1.0),)),)),)}, "count of diff"),
        ({"operations": (FAULT, FAULT)}, "two operations have this name"),
        ({"networks": ("oc3-atm",)}, 'operation "diff": not one of networks.*fast-ethernet'),
    ],
)
def test_a_wrong_application_is_refused_with_its_place(changes, message):
    with pytest.raises(InputError, match=message):
        application(**changes)


@pytest.mark.parametrize(
    ("kind", "inputs", "message"),
    [
        ("fault", (("parts", 2), ("request", 12)), 'operation "x": fault: reply is missing'),
        ("fualt", (), "unknown kind of operation"),
        ("lock", (("parties", 2), ("parts", 2)), 'unknown key "parts"'),
        ("barrier", (("request", -1), ("release", 4)), "request is out of range"),
    ],
)
def test_a_wrong_operation_is_refused(kind, inputs, message):
    with pytest.raises(InputError, match=message):
        OperationKind("x", kind, inputs)
