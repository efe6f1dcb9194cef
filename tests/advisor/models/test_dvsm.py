"""Shared memory on workstations: the formulas' properties, the readings, and what is refused."""

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models import dvsm
from advisor.models.dvsm import FAST_ETHERNET, FUTURE, OC3_ATM, TODAY, Network, Technology
from machines import InputError

nets = st.sampled_from([FAST_ETHERNET, OC3_ATM])
parts = st.integers(1, 8)
sizes = st.floats(0, 8192)
times = st.floats(0, 2000)
factors = st.floats(0, 1)
speeds = st.floats(0.25, 16)
PAGE_FAULT = {
    "request": 12,
    "reply": 4120,
    "send_extra": 57,
    "receive_extra": 154,
    "fault_compute": 278,
    "remote_compute": 86,
    "remote_extra": 68,
    "delay": 368,
}
LOCK = {"parties": 2, "extra": 96, "compute": 132, "remote_compute": 32, "delay": 94}


def application():
    barrier = {"request": 40, "release": 200, "merge": 200, "post": 500}
    service = {"request": 12, "reply": 4120, "remote_compute": 86, "remote_extra": 68}
    lock_service = {"request": 24, "reply": 4, "remote_compute": 32, "remote_extra": 48}
    fault = {"count": 10, "parts": 1, **PAGE_FAULT}
    return {
        "processors": 2,
        "sequential_time": 200_000,
        "phases": [
            {
                "repeat": 3,
                "loads": [
                    {"busy": 20_000, "faults": [fault], "barriers": [barrier]},
                    {
                        "busy": 15_000,
                        "barriers": [barrier],
                        "services": [{"count": 10, **service}],
                    },
                ],
            },
            {
                "repeat": 2,
                "loads": [
                    {"busy": 25_000, "locks": [{"count": 20, **LOCK}], "barriers": [barrier]},
                    {
                        "busy": 22_500,
                        "barriers": [barrier],
                        "services": [{"count": 20, **lock_service}],
                    },
                ],
            },
        ],
    }


@given(nets, parts, sizes, times, times, factors, speeds)
def test_a_better_technology_never_makes_a_fault_slower(
    net, count, reply, compute, delay, share, speed
):
    def fault(technology):
        return dvsm.fault_time(
            net, count, 12, reply, fault_compute=compute, delay=delay, technology=technology
        )

    slack = 1 + 1e-12
    base = Technology(processor=speed)
    assert fault(replace(base, protocol=share)) <= fault(base) * slack
    assert fault(replace(base, processor=speed * 2)) <= fault(base) * slack
    assert fault(replace(base, interface_latency=0.0)) <= fault(base) * slack
    assert fault(replace(base, wire_per_byte=0.0)) <= fault(base) * slack
    assert fault(base) <= fault(replace(base, system_benefit=0.5)) * slack or speed < 1


@given(nets, parts, sizes, times)
def test_each_further_part_costs_the_slowest_stage(net, count, reply, compute):
    one = dvsm.fault_time(net, count, 12, reply, fault_compute=compute)
    more = dvsm.fault_time(net, count + 1, 12, reply, fault_compute=compute)
    wire = dvsm.wire_time(net, 12) + dvsm.wire_time(net, reply)
    stages = dvsm.software_time(net, 12), dvsm.software_time(net, reply), wire
    assert more - one == pytest.approx(max(stages), rel=1e-9)


@given(nets, parts, sizes, times, times, speeds)
def test_a_prefetched_fault_costs_less_of_one_part_and_at_the_source_only(
    net, count, reply, compute, delay, speed
):
    technology = Technology(processor=speed)
    ahead = dvsm.prefetch_time(net, count, 12, reply, fault_compute=compute, technology=technology)
    asked = dvsm.fault_time(
        net, count, 12, reply, fault_compute=compute, delay=delay, technology=technology
    )
    sides = (dvsm.software_time(net, 12) + dvsm.software_time(net, reply)) / speed
    assert ahead == pytest.approx(count * sides + compute / speed, rel=1e-9)
    assert count > 1 or ahead < asked


@given(st.floats(0.1, 16), st.floats(0.05, 1), st.floats(0.1, 16))
def test_system_software_gains_the_same_by_each_factor(first, benefit, second):
    product = dvsm.system_speed(first, benefit) * dvsm.system_speed(second, benefit)
    assert dvsm.system_speed(first * second, benefit) == pytest.approx(product, rel=1e-9)
    assert dvsm.system_speed(first, 1.0) == pytest.approx(first, rel=1e-12)


@pytest.mark.parametrize("net", [FAST_ETHERNET, OC3_ATM])
def test_an_eighth_of_all_times_is_an_eighth_of_the_fault(net):
    technology = Technology(
        processor=8.0,
        interface_latency=net.interface_latency / 8,
        switch_latency=net.switch_latency / 8,
        wire_per_byte=net.wire_per_byte / 8,
    )
    today = dvsm.fault_time(net, 3, **PAGE_FAULT)
    assert dvsm.fault_time(net, 3, **PAGE_FAULT, technology=technology) == pytest.approx(today / 8)


def test_the_readings_of_handlers_and_extras_differ_as_named():
    half = replace(FUTURE, system_benefit=0.5)
    cost = {
        name: dvsm.fault_time(FAST_ETHERNET, 3, **PAGE_FAULT, technology=replace(half, **reading))
        for name, reading in {
            "B": {},
            "A": {"handlers": "processor"},
            "Bx": {"protocol_on_extra": False},
        }.items()
    }
    assert cost["A"] < cost["B"] < cost["Bx"]
    handlers = (278 + 86) * (1 / 3.375 - 1 / 8)
    assert cost["B"] - cost["A"] == pytest.approx(handlers, rel=1e-9)
    extras = (57 + 3 * 154 + 68) * 0.8 / 3.375
    assert cost["Bx"] - cost["B"] == pytest.approx(extras, rel=1e-9)


def test_a_signal_that_is_given_is_not_scaled_again():
    service = {"request": 12, "reply": 4, "technology": Technology(processor=8, signal=3.0)}
    sides = dvsm.software_time(OC3_ATM, 12) + dvsm.software_time(OC3_ATM, 4)
    assert dvsm.service_time(OC3_ATM, **service) == pytest.approx(sides / 8 + 3.0)


def test_a_lock_held_here_costs_its_handler_only():
    assert dvsm.lock_time(OC3_ATM, 1, extra=5, compute=33, delay=9) == 33
    assert dvsm.lock_prefetch_time(OC3_ATM, 1, compute=33) == 33


def test_a_barrier_of_one_sends_nothing():
    assert dvsm.barrier_time(FAST_ETHERNET, 1, 40, 200, merge=200, post=500) == 700


@given(nets, st.integers(2, 64), sizes)
def test_a_barrier_grows_by_one_release_for_each_processor(net, count, release):
    step = dvsm.barrier_time(net, count + 1, 40, release) - dvsm.barrier_time(
        net, count, 40, release
    )
    slowest = max(dvsm.software_time(net, release), dvsm.wire_time(net, release))
    assert step == pytest.approx(slowest, rel=1e-9)


def test_a_phase_lasts_as_long_as_its_slowest_processor():
    result = dvsm.application_time(FAST_ETHERNET, application())
    own = result.parts[..., :-1].sum(axis=2)
    assert result.time == pytest.approx(float(result.repeats @ own.max(axis=1)), rel=1e-12)
    assert float(result.repeats @ own.mean(axis=1)) == pytest.approx(173_075, abs=1)
    assert result.time == pytest.approx(219_898.7268, rel=1e-9)


def test_the_components_add_up_to_the_time():
    for technology in (TODAY, FUTURE, Technology(fault=0.3, lock=0.2, lock_mode="prefetch")):
        result = dvsm.application_time(OC3_ATM, application(), technology)
        assert sum(result.breakdown.values()) == pytest.approx(result.time, rel=1e-12)
        assert set(result.breakdown) == set(dvsm.COMPONENTS)
        assert (result.parts >= 0).all()
        assert result.overhead == pytest.approx(
            result.time - 200_000 / technology.processor / 2, rel=1e-12
        )


def test_prefetching_saves_its_share_of_faults_and_locks():
    counted = dvsm.counted(application())
    base = dvsm.application_time(FAST_ETHERNET, counted)
    half = dvsm.application_time(FAST_ETHERNET, counted, Technology(fault=0.5))
    here = {key: PAGE_FAULT[key] for key in list(PAGE_FAULT)[:5]}
    saved = dvsm.fault_time(FAST_ETHERNET, 1, **PAGE_FAULT) - dvsm.prefetch_time(
        FAST_ETHERNET, 1, **here
    )
    assert base.time - half.time == pytest.approx(3 * 10 * saved / 2, rel=1e-9)
    ahead = Technology(lock=0.5, lock_mode="prefetch")
    gained = base.time - dvsm.application_time(FAST_ETHERNET, counted, ahead).time
    assert (
        gained
        < base.time - dvsm.application_time(FAST_ETHERNET, counted, Technology(lock=0.5)).time
    )
    assert gained > 0


def test_collections_are_never_prefetched_and_releases_count_as_lock():
    load = {
        "collections": [{"count": 2, "parts": 1, **PAGE_FAULT}],
        "releases": [{"count": 4, "compute": 10}],
    }
    alone = {"processors": 1, "sequential_time": 1e4, "phases": [{"loads": [load]}]}
    result = dvsm.application_time(FAST_ETHERNET, alone, Technology(fault=0.0, lock=0.0))
    assert result.breakdown["collection"] == pytest.approx(
        2 * dvsm.fault_time(FAST_ETHERNET, 1, **PAGE_FAULT)
    )
    assert result.breakdown["lock"] == 40


def test_operations_that_are_alike_are_counted_once():
    fault = {"parts": 1, **PAGE_FAULT}
    load = {"faults": [{"count": 2, **fault}, {"count": 0.5, **fault}]}
    counts = dvsm.counted({"processors": 1, "sequential_time": 1, "phases": [{"loads": [load]}]})
    assert len(counts.operations) == 1
    assert counts.counts.tolist() == [[[2.5]]]
    assert not counts.counts.flags.writeable
    assert pickle.loads(pickle.dumps(counts)).operations == counts.operations


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"processors": 3}, "phase 1: each processor needs a load.*Expected: 3"),
        ({"processors": 0}, "processors must be a whole number"),
        ({"sequential_time": math.nan}, "sequential_time is out of range"),
        ({"phases": []}, "phases is empty"),
        ({"phase": []}, 'unknown key "phase".*Did you mean "phases"'),
        ({"phases": [{"loads": [{"busi": 1}, {}]}]}, 'phase 1, processor 0: unknown key "busi"'),
        ({"phases": [{"loads": [{"busy": math.inf}, {}]}]}, "phase 1, processor 0: busy"),
        (
            {"phases": [{"loads": [{}, {"faults": [{"parts": 1}]}]}]},
            "faults 1: .*request is missing",
        ),
        ({"phases": [{"loads": [{}, {"locks": [{"parties": 2, "count": -1}]}]}]}, "locks 1: count"),
        ({"phases": [{"loads": [{}, {"locks": [{"partys": 2}]}]}]}, 'Did you mean "parties"'),
        ({"phases": [{"repeat": 0, "loads": [{}, {}]}]}, "repeat must be a whole number"),
        ({"phases": [{"loads": [{}, {}]}]}, "the application does nothing"),
    ],
)
def test_a_wrong_application_is_refused_with_its_place(change, message):
    with pytest.raises(InputError, match=message):
        dvsm.application_time(FAST_ETHERNET, {**application(), **change})


@pytest.mark.parametrize(
    "change",
    [
        {"processor": 0.0},
        {"processor": math.inf},
        {"system_benefit": 0.0},
        {"protocol": -0.1},
        {"fault": 1.1},
        {"lock": math.nan},
        {"signal": -1.0},
        {"handlers": "user"},
        {"lock_mode": "none"},
        {"protocol_on_extra": 1},
    ],
)
def test_a_technology_outside_its_range_is_refused(change):
    (name,) = change
    with pytest.raises(InputError, match=name):
        Technology(**change)


def test_extras_may_be_negative_but_not_eat_the_software():
    assert dvsm.fault_time(OC3_ATM, 1, 12, 20, send_extra=-30) < dvsm.fault_time(OC3_ATM, 1, 12, 20)
    with pytest.raises(InputError, match=r"Allowed: > -150\.35"):
        dvsm.fault_time(OC3_ATM, 1, 12, 20, send_extra=-151)
    light = Technology(protocol=0.1, protocol_on_extra=False)
    with pytest.raises(InputError, match="extra"):
        dvsm.fault_time(OC3_ATM, 1, 12, 20, send_extra=-30, technology=light)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": " "}, "name"),
        ({"software_small": (0.0, 0.1)}, "base of software_small"),
        ({"software_large": (1.0,)}, "a pair"),
        ({"knee": -1.0}, "knee"),
        ({"knee": math.nan}, "knee"),
        ({"wire_per_byte": math.inf}, "wire_per_byte"),
        ({"signal": -1.0}, "signal"),
    ],
)
def test_a_wrong_network_is_refused(change, message):
    with pytest.raises(InputError, match=message):
        replace(FAST_ETHERNET, **change)


def test_a_network_of_lists_is_the_same_as_one_of_tuples():
    own = Network("own", [1, 0.5], [2, 0.25], 100, 0.01, 3)
    assert own == Network("own", (1.0, 0.5), (2.0, 0.25), 100, 0.01, 3)
    assert hash(own) == hash(replace(own))


def test_a_processor_spends_its_counts_times_what_each_costs():
    rng = np.random.default_rng(1)
    operations = dvsm.counted(application()).operations
    counts = rng.uniform(0, 9, (500, 16, len(operations)))
    busy = rng.uniform(1, 9, (500, 16))
    long_run = dvsm.OperationCounts(16, 1e6, operations, np.ones(500), busy, counts)
    result = dvsm.application_time(OC3_ATM, long_run)
    phase = counts[7, 3] @ result.operation_times + busy[7, 3]
    assert result.parts[7, 3, :-1].sum() == pytest.approx(phase, rel=1e-12)
