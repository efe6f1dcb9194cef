"""Platform values: what they accept, refuse and answer."""

import pickle

import pytest

from machines import Contender, Direction, InputError, Link, LinkPiece, Machine, Platform

WAY = Direction(0.002, 1e6)
BUSY = Contender("busy", 1.0)


def link(first="M1", second="M2", **options):
    return Link(first, second, WAY, WAY, **options)


def pair(**options):
    return Platform("pair", (Machine("M1"), Machine("M2")), (link(),), **options)


def test_machines_and_links_are_found_by_name_in_either_order():
    platform = pair()
    assert platform.machine("M2") is platform.machines[1]
    assert platform.link("M2", "M1") is platform.links[0]
    assert platform.link("M1", "M1") is None
    assert platform.index == {"M1": 0, "M2": 1}
    assert platform.degree == {"M1": 1, "M2": 1}


def test_values_compare_hash_and_pickle():
    assert pair() == pair()
    assert hash(pair()) == hash(pair())
    assert pickle.loads(pickle.dumps(pair())) == pair()


def test_a_message_of_the_threshold_size_uses_the_lower_piece():
    way = Direction(0.002, 1e6, LinkPiece(4096, 0.0035, 1.6e6))
    assert way.at(4096) == (0.002, 1e6)
    assert way.at(4096.5) == (0.0035, 1.6e6)
    assert WAY.at(1e12) == (0.002, 1e6)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Machine("M", cores=0), "cores"),
        (lambda: Machine("M", cores=1.5), "cores"),
        (lambda: Machine("M", speed=0.0), "speed"),
        (lambda: Machine("M", speed=float("nan")), "speed"),
        (lambda: Machine("M", memory_bytes=0), "memory_bytes"),
        (lambda: Machine("M", slowdown=0.5), "slowdown"),
        (lambda: Machine(""), "name"),
        (lambda: Contender("c", 1.1), "compute"),
        (lambda: Contender("c", 0.5, -0.1), "communicate"),
        (lambda: Contender("c", 0.6, 0.6), "exceed 1"),
        (lambda: Contender("c", 0.5, message_words=-1), "message_words"),
        (lambda: Direction(-0.1, 1e6), "startup_s"),
        (lambda: Direction(0.1, 0.0), "bandwidth"),
        (lambda: LinkPiece(0, 0.1, 1e6), "threshold_bytes"),
        (lambda: link("M1", "M1"), "two different machines"),
        (lambda: link(slowdown=0.9), "slowdown"),
        (lambda: link(delay_comp=(0.1, -0.1)), "delay_comp"),
        (lambda: link(delay_comm=(float("inf"),)), "delay_comm"),
        (lambda: link(delay_comp=(0.5, 1.0, 0.9)), "delay_comp falls from 1 to 0.9.*3 contenders"),
        (lambda: link(delay_comm=(2.0, 0.0)), "delay_comm falls from 2 to 0"),
        (lambda: Machine("M", slowdown=2.0, contenders=(BUSY,)), 'machine "M".*give one of them'),
        (lambda: Machine("M", cores=2**53), "cores must be.*1,000,000"),
        (lambda: Machine("M", contenders=(BUSY,) * 513), "more contenders.*Allowed: 512"),
        (lambda: Machine("M", cores=10**6, contenders=(BUSY,)), "machine of 1,000,000 cores may"),
        (lambda: Platform("p", ()), "at least one machine"),
        (lambda: Platform("p", (Machine("M"), Machine("M"))), "one name"),
        (lambda: Platform("p", (Machine("M1"),), (link(),)), "unknown machine"),
        (
            lambda: Platform("p", (Machine("M1"), Machine("M2")), (link(), link("M2", "M1"))),
            "linked twice",
        ),
    ],
)
def test_unusable_hardware_is_refused(build, message):
    with pytest.raises(InputError, match=message):
        build()


def test_shares_that_add_to_one_only_up_to_rounding_are_accepted():
    assert Contender("c", 0.7, 0.3).compute == 0.7
    assert Contender("c", 0.1 + 0.2, 0.7).communicate == 0.7


def test_a_stated_slowdown_of_one_is_no_load_beside_contenders():
    assert Machine("M", slowdown=1.0, contenders=(BUSY,)).contenders == (BUSY,)


def test_delays_may_rise_and_stay():
    assert link(delay_comp=(0.0, 1.0, 1.0)).delay_comp == (0.0, 1.0, 1.0)


def test_a_platform_is_hashed_once_and_its_hash_does_not_travel() -> None:
    count = 0

    class Counted(str):
        __slots__ = ()

        def __hash__(self) -> int:
            nonlocal count
            count += 1
            return super().__hash__()

    platform = Platform(Counted("p"), (Machine("M"),))
    first = hash(platform)
    assert hash(platform) == first == hash(Platform("p", (Machine("M"),)))
    assert count == 1
    travelled = pickle.loads(pickle.dumps(Platform("p", (Machine("M"),))))
    other = Platform("p", (Machine("M"),))
    hash(other)
    assert "_hash" not in pickle.loads(pickle.dumps(other)).__dict__
    assert travelled == other
