"""From which difference on two computed values are two.

Both are shares of the value. The same sum taken in another order differs by some 1e-13 of itself
for a thousand terms, and errors add up along a schedule; nothing that anybody measures is known to
1e-9.
"""

from __future__ import annotations

ALIKE = 1e-9  # values closer than this are ranked, proved and shown as one
ROUNDING = 1e-12  # what one step gains by rounding: a descent that took it would not end
