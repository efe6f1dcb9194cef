"""Interconnects of every kind, for round trips through files."""

from hypothesis import strategies as st

from machines import Crossbar, Hypercube, Interconnect, LogGP, Mesh
from tests.plain_names import plain_names

_texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6).filter(
    lambda text: bool(text.strip())
)
_costs = st.builds(LogGP, *[st.floats(0, 1e6)] * 7)
_networks = (
    st.builds(Mesh, st.lists(st.integers(1, 9), min_size=1, max_size=3), wrap=st.booleans())
    | st.builds(Hypercube, st.integers(1, 10))
    | st.builds(Crossbar, st.integers(1, 99))
)
interconnects = st.builds(
    Interconnect,
    plain_names,
    _networks,
    _costs,
    _costs,
    _texts,
    st.floats(1e-12, 1.0),
    st.just("") | _texts,
    st.lists(_texts, max_size=2).map(tuple),
)
