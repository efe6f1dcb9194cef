"""Messages on their way through a network, event by event; resumable in slices.

Every node has one message at a time. Its header acquires the slots of the path one by one and
keeps what it has; with the last of them the message takes off, and its end releases them all. A
slot serves its queue first come, first served. Events wait in a binary heap, by time, then by age.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = Any

# what a node does
IDLE, BLOCKED, FLYING, HALTED = 0, 1, 2, 3

# entries of `count`
EVENTS, AGE, STARTED, COMPLETED, LOWEST, AT_LOWEST = 0, 1, 2, 3, 4, 5
# entries of `clock`
NOW, WAITED = 0, 1


class Traffic(NamedTuple):
    """What does not change: P nodes, s slots."""

    offsets: Array  # (P·P + 1,) where the path of a pair begins
    slots: Array  # (steps,)
    partner: Array  # (s,) the slot that shares its bandwidth, −1: none
    cumulative: Array  # (P, P) of the probabilities of destinations; 0 in rows of silent nodes
    occ: float
    pause: float  # mean time from the end of a message to the next, open: between arrivals
    open: bool
    lead: int  # messages that a node may be ahead of the slowest, 0: any


class State(NamedTuple):
    """Where the simulation stands."""

    doing: Array  # (P,)
    at: Array  # (P,) step to acquire next
    first: Array  # (P,) steps of the path
    last: Array
    due: Array  # (P,) when the next message may start; open: when it arrived
    wait: Array  # (P,) pause that follows the message
    injected: Array  # (P,) when the message started
    sent: Array  # (P,)
    ended: Array  # (P,) when the last message did; before the first: when the node began
    left: Array  # (P,) time to fly at full rate, as of `since`
    since: Array
    shares: Array  # (P,) slots whose partner carries a message, too
    when: Array  # (P,) of the node's event
    age: Array  # (P,) order of the events
    heap: Array  # (P,) nodes
    place: Array  # (P,) in the heap
    owner: Array  # (s,) node, −1: free
    head: Array  # (s,) of its queue, −1: empty
    tail: Array
    behind: Array  # (P,) next in the queue
    carried: Array  # (s,) messages
    moving: Array  # (P,) whose headers may go on
    count: Array
    clock: Array


PLAIN = ("new_state",)
BORROWING = (
    "sooner",
    "rise",
    "sink",
    "push",
    "pop",
    "shift",
    "sharer",
    "take_off",
    "land",
    "go",
    "start",
    "restart",
    "keep_pace",
    "finish",
    "advance",
    "begin",
)


def sooner(state: State, one: int, other: int) -> bool:
    """Whether the event of a node comes before that of another."""
    if state.when[one] != state.when[other]:
        return state.when[one] < state.when[other]
    return state.age[one] < state.age[other]


def rise(state: State, place: int) -> None:
    """Move the node at a place of the heap up to where it belongs."""
    node = state.heap[place]
    while place > 0:
        above = (place - 1) // 2
        if not sooner(state, node, state.heap[above]):
            break
        state.heap[place] = state.heap[above]
        state.place[state.heap[place]] = place
        place = above
    state.heap[place] = node
    state.place[node] = place


def sink(state: State, place: int) -> None:
    """Move the node at a place of the heap down to where it belongs."""
    node = state.heap[place]
    events = state.count[EVENTS]
    while True:
        below = 2 * place + 1
        if below >= events:
            break
        if below + 1 < events and sooner(state, state.heap[below + 1], state.heap[below]):
            below += 1
        if not sooner(state, state.heap[below], node):
            break
        state.heap[place] = state.heap[below]
        state.place[state.heap[place]] = place
        place = below
    state.heap[place] = node
    state.place[node] = place


def push(state: State, node: int, when: float) -> None:
    """Enter the next event of a node."""
    state.when[node] = when
    state.age[node] = state.count[AGE]
    state.count[AGE] += 1
    place = state.count[EVENTS]
    state.count[EVENTS] = place + 1
    state.heap[place] = node
    rise(state, place)


def pop(state: State) -> int:
    """The node of the first event, which is taken out."""
    node = state.heap[0]
    state.count[EVENTS] -= 1
    if state.count[EVENTS] > 0:
        state.heap[0] = state.heap[state.count[EVENTS]]
        sink(state, 0)
    return node


def shift(state: State, node: int, more: int) -> None:
    """Let a flying message share `more` slots; sharing any halves its rate."""
    now = state.clock[NOW]
    halved = state.shares[node] > 0
    state.shares[node] += more
    if halved == (state.shares[node] > 0):
        return
    state.left[node] -= (now - state.since[node]) * (0.5 if halved else 1.0)
    state.since[node] = now
    state.when[node] = now + state.left[node] * (1.0 if halved else 2.0)
    rise(state, state.place[node])
    sink(state, state.place[node])


def sharer(traffic: Traffic, state: State, slot: int) -> int:
    """The node whose message flies on the other lane of a slot's channel; −1 without one."""
    partner = traffic.partner[slot]
    if partner < 0 or state.owner[partner] < 0:
        return -1
    node = state.owner[partner]
    return node if state.doing[node] == FLYING else -1


def take_off(traffic: Traffic, state: State, node: int) -> None:
    """The header has arrived: the message flies for `occ`, longer where it shares channels."""
    state.doing[node] = FLYING
    state.left[node] = traffic.occ
    state.since[node] = state.clock[NOW]
    state.shares[node] = 0
    for step in range(state.first[node], state.last[node]):
        other = sharer(traffic, state, traffic.slots[step])
        if other >= 0:
            state.shares[node] += 1
            shift(state, other, 1)
    rate = 0.5 if state.shares[node] > 0 else 1.0
    push(state, node, state.clock[NOW] + traffic.occ / rate)


def land(traffic: Traffic, state: State, node: int) -> int:
    """Release the path; returns how many headers got a slot, listed in `moving`."""
    moving = 0
    for step in range(state.first[node], state.last[node]):
        slot = traffic.slots[step]
        other = sharer(traffic, state, slot)
        if other >= 0:
            shift(state, other, -1)
        state.carried[slot] += 1
        waiting = state.head[slot]
        state.owner[slot] = waiting
        if waiting >= 0:
            state.head[slot] = state.behind[waiting]
            state.at[waiting] += 1
            state.moving[moving] = waiting
            moving += 1
    return moving


def go(traffic: Traffic, state: State, node: int) -> None:
    """Move a header on until it waits or has arrived."""
    while state.at[node] < state.last[node]:
        slot = traffic.slots[state.at[node]]
        if state.owner[slot] >= 0:
            if state.head[slot] < 0:
                state.head[slot] = node
            else:
                state.behind[state.tail[slot]] = node
            state.tail[slot] = node
            state.behind[node] = -1
            return
        state.owner[slot] = node
        state.at[node] += 1
    take_off(traffic, state, node)


def start(traffic: Traffic, state: State, node: int, choice: float, length: float) -> None:
    """Inject a message; `choice` in [0, 1) picks its destination, `length` the pause after it."""
    nodes = traffic.cumulative.shape[0]
    low, high = 0, nodes - 1
    while low < high:  # the first whose cumulative probability exceeds the choice
        middle = (low + high) // 2
        if traffic.cumulative[node, middle] > choice:
            high = middle
        else:
            low = middle + 1
    pair = node * nodes + low
    state.first[node] = state.at[node] = traffic.offsets[pair]
    state.last[node] = traffic.offsets[pair + 1]
    state.doing[node] = BLOCKED
    state.injected[node] = state.clock[NOW]
    state.wait[node] = length * traffic.pause
    go(traffic, state, node)


def restart(traffic: Traffic, state: State, node: int) -> None:
    """Enter the start of a node's next message, unless the node is too far ahead."""
    ahead = state.sent[node] - state.count[LOWEST]
    if traffic.lead > 0 and ahead >= traffic.lead:
        state.doing[node] = HALTED
        return
    state.doing[node] = IDLE
    push(state, node, max(state.due[node], state.clock[NOW]))


def keep_pace(traffic: Traffic, state: State) -> None:
    """The slowest nodes have caught up: let those go on that waited for them."""
    lowest = state.count[LOWEST] + 1
    state.count[LOWEST] = lowest
    for node in range(state.sent.size):
        if traffic.cumulative[node, state.sent.size - 1] <= 0.0:
            continue
        if state.sent[node] == lowest:
            state.count[AT_LOWEST] += 1
        if state.doing[node] == HALTED:
            restart(traffic, state, node)


def finish(traffic: Traffic, state: State, node: int) -> None:
    """A message has ended: release its path, plan the next of its node, let others go on."""
    now = state.clock[NOW]
    state.clock[WAITED] += now - state.injected[node] - traffic.occ
    state.count[COMPLETED] += 1
    state.ended[node] = now
    moving = land(traffic, state, node)
    state.due[node] = (state.due[node] if traffic.open else now) + state.wait[node]
    was_lowest = state.sent[node] == state.count[LOWEST]
    state.sent[node] += 1
    restart(traffic, state, node)
    if was_lowest:
        state.count[AT_LOWEST] -= 1
        if state.count[AT_LOWEST] == 0:
            keep_pace(traffic, state)
    for position in range(moving):
        go(traffic, state, state.moving[position])


def advance(traffic: Traffic, state: State, choices: Array, lengths: Array) -> bool:
    """Go on until as many messages have started as there are `choices`; False: all stand still.

    `choices` in [0, 1) pick the destinations, `lengths` stretch the pauses, of mean 1.
    """
    used = 0
    while True:
        if state.count[EVENTS] == 0:
            return False
        first = state.heap[0]
        if state.doing[first] == IDLE and used == choices.size:
            return True
        node = pop(state)
        state.clock[NOW] = state.when[node]
        if state.doing[node] == FLYING:
            finish(traffic, state, node)
        else:
            start(traffic, state, node, choices[used], lengths[used])
            used += 1
            state.count[STARTED] += 1


def new_state(traffic: Traffic, begins: Array) -> State:
    """All nodes idle; each that sends starts at its time in `begins`, shape (P,)."""
    nodes, slots = begins.size, traffic.partner.size
    state = State(
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int64),
        begins.copy(),
        np.zeros(nodes),
        np.zeros(nodes),
        np.zeros(nodes, np.int64),
        begins.copy(),
        np.zeros(nodes),
        np.zeros(nodes),
        np.zeros(nodes, np.int64),
        np.zeros(nodes),
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int64),
        np.full(slots, -1, np.int64),
        np.full(slots, -1, np.int64),
        np.full(slots, -1, np.int64),
        np.full(nodes, -1, np.int64),
        np.zeros(slots, np.int64),
        np.zeros(nodes, np.int64),
        np.zeros(6, np.int64),
        np.zeros(2),
    )
    begin(traffic, state)
    return state


def begin(traffic: Traffic, state: State) -> None:
    """Enter the first message of every node that sends."""
    nodes = state.due.size
    for node in range(nodes):
        if traffic.cumulative[node, nodes - 1] > 0.0:
            push(state, node, state.due[node])
            state.count[AT_LOWEST] += 1


def warm_up() -> None:
    """Compile for the array types in use."""
    traffic = Traffic(
        np.array([0, 0, 2, 4, 4]),
        np.array([0, 3, 1, 2], np.int32),
        np.full(4, -1, np.int32),
        np.array([[0.0, 1.0], [1.0, 1.0]]),
        1.0,
        1.0,
        False,
        8,
    )
    advance(traffic, new_state(traffic, np.zeros(2)), np.zeros(4), np.ones(4))
