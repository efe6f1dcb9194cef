"""What a search process has imported before it is forked: see `forked` in tests/gui/conftest.py."""

from __future__ import annotations

import advisor.advice.explain
import advisor.search  # noqa: F401 - imported for the processes to come
from advisor import kernels

kernels.load()
