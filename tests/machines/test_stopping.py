"""Work deep below a call asks whether it shall stop, and ends when it shall."""

from __future__ import annotations

from threading import Thread

import pytest

from machines.stopping import Stopped, ask, stoppable, stopped


def test_work_that_nobody_stops_goes_on() -> None:
    ask()
    with stoppable(None):
        ask()
        assert not stopped()


def test_work_ends_at_the_first_look_after_the_order_to_stop() -> None:
    answers = iter([False, False, True])
    steps = 0
    told = pytest.raises(Stopped, match="before there was anything")
    with told as caught, stoppable(lambda: next(answers)):
        while True:
            ask()
            steps += 1
    assert steps == 2
    assert caught.value.exit_status == 130
    ask()  # the block is over


def test_an_inner_block_has_its_own_order_and_other_threads_have_none() -> None:
    seen = []
    with stoppable(lambda: True):
        with stoppable(None):
            ask()
        assert stopped()
        other = Thread(target=lambda: seen.append(stopped()))
        other.start()
        other.join()
    assert seen == [False]


def test_an_inner_block_may_hand_on_the_order_of_the_outer_one() -> None:
    with stoppable(stopped):
        assert not stopped()
    with stoppable(lambda: True), stoppable(stopped), pytest.raises(Stopped):
        ask()
