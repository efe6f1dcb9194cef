"""Names that anything may have: letters and signs of all scripts, single blanks between them."""

from hypothesis import strategies as st

_SEEN = st.characters(exclude_categories=["Cc", "Cf", "Cn", "Cs", "Zl", "Zp", "Zs"])
_words = st.text(_SEEN, min_size=1, max_size=4)

plain_names = st.lists(_words, min_size=1, max_size=3).map(" ".join)
