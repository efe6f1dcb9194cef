"""What a measurement says of data whose truth is known: curves, refusals, ping-pongs, platforms."""

from __future__ import annotations

import json
import threading
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.commands import cli
from advisor.measuring import peer, processors
from advisor.measuring.measure import HostState, Measurement, Network, look
from advisor.measuring.measurement_words import contention_lines, lines
from advisor.measuring.memory_and_disk import Memory, memory
from advisor.measuring.peer import Host
from advisor.measuring.processors import Contention, Point, predicted, refusal
from advisor.measuring.samples import Estimate, estimate
from advisor.models.contention import EXACT, PUBLISHED
from machines import Direction, InputError
from machines.stopping import Stopped, stoppable


def sure(value: float) -> Estimate:
    return Estimate(value, value, value)


def curve(model: str, cores: int = 1) -> Contention:
    """As if one model were the truth."""
    points = (Point(n, sure(predicted(cores, n)[model]), predicted(cores, n)) for n in (1, 2, 3))
    return Contention(tuple(points), (0.4, 0.4))


def measured(network: Network) -> Measurement:
    host = Host("here", 2, 1 << 30, 1000.0)
    speeds = {0: sure(1000.0), 1: sure(500.0)}
    return Measurement(host, HostState(0.0, 0.0, None), speeds, curve(EXACT),
                       Memory(sure(8e9), sure(1.5)), network, sure(1e9))  # fmt: skip


def test_streams_that_slow_each_other_down_tell_the_bandwidth_of_memory() -> None:
    one = Estimate(10.0, 9.5, 10.5)
    full = Memory(one, sure(1.5), Estimate(13.3333, 13.0, 13.5), 2)
    assert full.limit == 13.3
    assert Memory(one, sure(1.0), Estimate(19.0, 18.0, 20.0), 2).limit is None
    assert Memory(one, None).limit is None


def test_the_bandwidth_of_memory_is_kept_where_the_machine_was_quiet() -> None:
    way = Network(Host("here", 2, 1 << 30, 1000.0), True, {}, Direction(1e-5, 1e9))
    found = measured(way)
    full = Memory(sure(10.0), sure(1.5), sure(13.3), 2)
    quiet = replace(found, memory=full).platform().machines[0]
    busy = replace(found, memory=full, contention=Contention((), (), "the cores were busy"))
    assert quiet.memory_bandwidth == 13.3
    assert busy.platform().machines[0].memory_bandwidth is None


def test_memory_is_measured_with_as_many_streams_as_cores() -> None:
    found = memory(2)
    assert found.second is not None
    assert found.together is not None
    assert found.streams == 2
    assert found.together.value == pytest.approx(
        2 * found.bandwidth.value / found.second.value, rel=0.2
    )


def test_an_interval_holds_the_median_and_narrows_with_steadier_samples() -> None:
    wide, narrow = estimate([1.0, 2.0, 3.0, 4.0, 9.0]), estimate([2.9, 3.0, 3.0, 3.1])
    assert wide.value == 3.0
    assert 1.0 <= wide.low < wide.value < wide.high <= 9.0
    assert narrow.high - narrow.low < wide.high - wide.low


@pytest.mark.parametrize(
    ("truth", "said"), [(EXACT, "processor sharing"), (PUBLISHED, "published formula")]
)
def test_the_model_that_is_the_truth_is_nearer(truth: str, said: str) -> None:
    found = contention_lines(curve(truth))
    assert f"Nearer: {said}" in found[-1]
    assert curve(truth).misses()[truth] == 0.0


def test_ranges_wider_than_the_models_differ_give_no_verdict() -> None:
    points = [
        replace(one, slowdown=Estimate(one.slowdown.value, 1.0, 4.0)) for one in curve(EXACT).points
    ]
    assert "No verdict" in contention_lines(Contention(tuple(points), (0.4,)))[-1]


def test_busy_cores_refuse_the_curve_before_it_is_measured() -> None:
    found = processors.contention(0.55, lambda _: pytest.fail("it measures"))
    assert found.refused.startswith("the cores were 55 % busy before: end other programs")


def test_a_baseline_that_moves_or_waits_refuses_the_curve() -> None:
    steady = [0.4, 0.401, 0.402, 0.399]
    assert refusal(steady, 0.01) == ""
    assert "moved by 38 %: end other programs" in refusal([0.4, 0.5, 0.6, 0.4], 0.0)
    assert "waited 30 %" in refusal(steady, 0.3)
    told = contention_lines(Contention((), (0.4,), refusal(steady, 0.3)))
    assert told == [f"contention      refused: {refusal(steady, 0.3)}"]


def test_a_peer_becomes_the_other_machine_with_its_link(tmp_path: Path) -> None:
    other = Host("there", 4, None, 500.0)
    network = Network(other, False, {64: sure(1e-5)}, Direction(1e-5, 1e9))
    platform = measured(network).platform()
    assert [(one.name, one.cores, one.speed) for one in platform.machines] == [
        ("here", 2, 1.0), ("there", 4, 0.5)]  # fmt: skip
    assert platform.links[0].to_second.startup_s == 1e-5
    assert len(measured(Network(other, True, {}, None)).platform().machines) == 1
    with pytest.raises(InputError, match="no startup"):
        measured(Network(other, False, {}, None, "no startup")).platform()
    assert any("to there" in line for line in lines(measured(network)))
    assert json.loads(json.dumps(measured(network).document()))["disk"]["value"] == 1e9


def test_one_peer_is_answered_and_the_server_ends() -> None:
    port: Future[int] = Future()
    served: Future[str] = Future()
    host = Host("there", 4, None, 500.0)

    def serve() -> None:
        served.set_result(peer.serve(("127.0.0.1", 0), host, port.set_result))

    thread = threading.Thread(target=serve)
    thread.start()
    told, times = peer.pingpong(("127.0.0.1", port.result(timeout=10)))
    thread.join(timeout=10)
    assert told == host
    assert served.result(timeout=0) == "127.0.0.1"
    assert min(times) == 64
    assert all(one > 0.0 for some in times.values() for one in some)
    with pytest.raises(InputError, match="no peer answers"):
        peer.pingpong(("127.0.0.1", port.result()))


@pytest.mark.parametrize("text", ["0.0.0.0", "*:80", ":80", "host:port", "host:70000"])
def test_an_address_is_named(text: str) -> None:
    with pytest.raises(InputError, match="address"):
        peer.address_from(text)
    assert peer.address_from("10.0.0.1") == ("10.0.0.1", peer.PORT)


def test_a_look_tells_shares_and_what_disturbs() -> None:
    state = look()
    assert 0.0 <= state.busy <= 1.0
    assert HostState(0.01, 0.0, 0.0).warnings == ()
    busy = HostState(0.5, 0.1, 0.3).warnings
    assert [one.split(":")[0] for one in busy[:1]] == ["The cores are 50 % busy"]
    assert len(busy) == 3


def test_contenders_end_with_the_measurement_that_is_stopped() -> None:
    with processors._contenders(2) as begun:
        assert all(one.is_running() for one in begun)
    assert not any(one.is_running() for one in begun)
    with stoppable(lambda: True), pytest.raises(Stopped), processors._contenders(1):
        pass


def test_measure_writes_a_platform_and_every_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    network = Network(Host("there", 4, None, 500.0), False, {}, Direction(1e-5, 1e9))
    monkeypatch.setattr("advisor.commands.measure.measure", lambda *_: measured(network))
    out = tmp_path / "m.toml"
    assert cli.main(["measure", "--out", str(out)]) == 0
    assert "Nearer: processor sharing" in capsys.readouterr().out
    assert json.loads(out.with_suffix(".json").read_text())["format"] == "placewise-measurement"
    assert cli.main(["open", str(out)]) == 0
    assert "2 machines: here (2 cores), there (4 cores)" in capsys.readouterr().out
