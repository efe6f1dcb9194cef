"""How numba compiles the kernels; a change here compiles them all anew."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any


def options(module: ModuleType, name: str) -> dict[str, Any]:
    """How a kernel is compiled.

    Its module may list it in ``INLINED`` (copied into its callers, because a call costs as much
    as what it does) and in ``BORROWING`` (it allocates nothing and returns no array, so that
    numba needs not count references to its arguments, which would take most of its time).
    """
    return {
        "nogil": True,
        "no_cfunc_wrapper": True,
        "error_model": "numpy",
        "forceinline": name in getattr(module, "INLINED", ()),
        "_nrt": name not in getattr(module, "BORROWING", ()),
    }


def merging(resolve: Callable[..., Any]) -> Callable[..., Any]:
    """Let kernels that pass a constant or a short integer use the code for any integer."""
    from numba import types  # noqa: PLC0415

    def merged(kind: Any) -> Any:
        kind = types.unliteral(kind)
        return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind

    return lambda args, kws: resolve(tuple(merged(kind) for kind in args), kws)
