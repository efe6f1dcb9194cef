"""Study: how many processors a program is worth, from known times, LogP parameters or data.

Known times make a machine repairman (`scaling_queue`), LogP one for each reading of the paper's
mapping (`scaling_logp`); measurements are fitted with all laws together (`scaling_measured`).

LogP as a machine repairman: the paper's mapping, with each of its readings by name.

Gunther 2005, Eq. (27): L is D (or R), o is Z_min/2, g is Z/P. The equations contradict each other,
and the figures use more than one of them, so every reading is computed and listed. L as R is
none: a latency under load is an outcome, not a demand.
"""

from __future__ import annotations

from dataclasses import dataclass

from advisor.basics.stop_rule import ShouldStop
from advisor.messages.networks import Clock
from advisor.studies.network_source import network_of_settings, with_stated_shape
from advisor.studies.scaling.measured import measured_answer
from advisor.studies.scaling.parameters import (
    BOTH,
    CHANNEL,
    DATA,
    EQUAL_STAGES,
    GAPS,
    LATENCY_READINGS,
    LOGP,
    NUMBERS,
    ONE_STAGE,
    OVERHEADS,
    TIME_READINGS,
    Reading,
    Repairman,
    ScalingCase,
    ScalingParameters,
    case_of,
    clock_of,
    stated_case,
)
from advisor.studies.scaling.queue import queue_answer
from advisor.studies.study import Note, OnProgress, StudyResult
from machines import Crossbar, InputError, Interconnect, LogGP, Network


def run(
    parameters: ScalingParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Draw the laws, choose numbers of processors and name what limits them.

    Returns: speedup, latency, efficiency and throughput against P with bounds and the knee; of data
    the measured points, every fitted law with the one that they support first, and residuals.
    Incomplete when stopped.
    """
    if parameters.source == DATA:
        return measured_answer(parameters, on_progress, should_stop)
    case = logp_case(parameters) if parameters.source == LOGP else stated_case(parameters)
    return queue_answer(case, on_progress, should_stop)


_TWO_NODES = Interconnect("Own network", Crossbar(2), LogGP(0, 0, 0), LogGP(0, 0, 0), "cycle", 1.0)


@dataclass(frozen=True)
class LogP:
    """LogP parameters of a network with what the mapping needs beside them.

    `L`, `o`, `g`: latency, overhead and gap. `hop_time`, `transfer`: r, and M/W: time of a hop and
    of the message on one channel.
    """

    L: float
    o: float
    g: float
    hops: int  # H
    hop_time: float
    transfer: float

    def demands(self, reading: str) -> tuple[float, ...]:
        """D_k under one of `LATENCY_READINGS`.

        One stage of L gives sigma = .0274 for the nCUBE2; H hops of r and one of M/W its Fig. 5;
        M/W alone P_opt = 81, 401, 801, Eq. (30), (31).
        """
        if reading == ONE_STAGE:
            return (self.L,)
        if reading == EQUAL_STAGES:
            return (self.L / self.hops,) * self.hops
        if reading == CHANNEL:
            return (self.transfer,)
        return (*(self.hop_time,) * self.hops, self.transfer)

    def time(self, reading: str, Z: float, P: int) -> float:
        """Z under one of `TIME_READINGS`: as given, Z_min = 2 o, both, or P g."""
        if reading == OVERHEADS:
            return 2.0 * self.o
        if reading == BOTH:
            return 2.0 * self.o + Z
        return P * self.g if reading == GAPS else Z


def logp_case(asked: ScalingParameters) -> ScalingCase:
    """The case of LogP parameters, with all its readings."""
    if asked.network == NUMBERS:
        logp, clock = numbers(asked), clock_of(asked.unit)
        origin, notes = "LogP parameters as given", tuple[Note, ...]()
    else:
        found = network_of_settings(asked)
        logp, clock, origin = of_network(found.net, asked.message_bits)
        notes = found.notes
    if asked.time_reading == GAPS and asked.processors is None:
        raise InputError(
            "Z = P g needs a number of processors",
            where="setting processors",
            remedy="Give processors=, or another time_reading",
        )
    readings = tuple(
        Reading(latency, time, Repairman(demands, logp.time(time, asked.think_time, P)))
        for latency in LATENCY_READINGS
        for time in TIME_READINGS
        for demands in [logp.demands(latency)]
        for P in [asked.processors or 1]
        if any(demands) and (time != GAPS or asked.processors is not None)
    )
    chosen = [
        one.machine
        for one in readings
        if (one.latency, one.time) == (asked.latency_reading, asked.time_reading)
    ]
    machine = chosen[0] if chosen else Repairman((0.0,), 0.0)
    return case_of(asked, machine, clock, readings, origin, notes)


def numbers(asked: ScalingParameters) -> LogP:
    """LogP parameters of the settings; L = H r + M/W and g = 2 o where they are not given."""
    transfer = asked.message_bits / asked.channel_bits
    if asked.gap_per_byte is not None:
        transfer = asked.gap_per_byte * asked.message_bits / 8.0
    hops = asked.hops
    if asked.dims.strip() or asked.nodes is not None:
        hops = mean_hops(with_stated_shape(asked, _TWO_NODES).network)
    latency = hops * asked.hop_time + transfer if asked.latency is None else asked.latency
    sent, received = asked.overheads
    gap = sent + received if asked.gap is None else asked.gap
    return LogP(latency, (sent + received) / 2.0, gap, hops, asked.hop_time, transfer)


def mean_hops(network: Network) -> int:
    """H: mean hops between two nodes, in whole stages."""
    return max(1, round(network.mean_distance(distinct=True)))


def of_network(net: Interconnect, message_bits: float) -> tuple[LogP, Clock, str]:
    """LogP parameters of a network: L in its mean number of hops, then G for each byte.

    Returns (LogP, Clock, source).
    """
    costs, hops = net.long, mean_hops(net.network)
    transfer = costs.G * message_bits / 8.0
    overhead = (costs.o_s + costs.o_r) / 2.0
    logp = LogP(costs.L + transfer, overhead, costs.g, hops, costs.L / hops, transfer)
    return logp, Clock.of(net), ": ".join(filter(None, (net.name, net.source)))
