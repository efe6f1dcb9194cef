"""Documents as YAML text below lines of comment, and back."""

from __future__ import annotations

from collections.abc import Iterable

import yaml

from machines.errors import InputError

_ENDLESS = 2**31 - 1
# written in C where PyYAML was built so: several times as fast
_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def render(comment: Iterable[str], document: object) -> str:
    """The text: every string quoted where YAML needs it, no line folded."""
    lines = "".join(f"# {line}".rstrip() + "\n" for line in comment)
    body = yaml.dump(document, Dumper=_DUMPER, sort_keys=False, allow_unicode=True, width=_ENDLESS)
    return f"{lines}\n{body}"


def read(text: str, where: str) -> dict[str, object]:
    """What a text holds."""
    try:
        found = yaml.load(text, Loader=_LOADER)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise InputError(f"not valid YAML: {error}", where=where) from None
    if not isinstance(found, dict):
        raise InputError("the document must be a mapping", where=where, value=found)
    return found
