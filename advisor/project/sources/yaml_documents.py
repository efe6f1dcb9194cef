"""YAML of others: safe, and without aliases, by which a small text can become a huge value."""

from __future__ import annotations

from machines import InputError


def document(text: str, where: str) -> dict[str, object]:
    """The mapping that a YAML text is."""
    return a_table(loaded(text, where), "the document", where)


def loaded(text: str, where: str) -> object:
    """What a YAML text holds."""
    import yaml  # noqa: PLC0415 - where there is YAML

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=loader)):
            raise InputError("aliases of YAML (*name) are not read", where=where,
                             remedy="Write the values out")  # fmt: skip
        found: object = yaml.load(text, Loader=loader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        said = " ".join(str(error).split())
        raise InputError(f"not valid YAML: {said}", where=where) from None
    return found


def a_table(value: object, what: str, where: str) -> dict[str, object]:
    """A mapping with texts as keys."""
    if not isinstance(value, dict):
        raise InputError(f"{what} must be a mapping", where=where, value=value)
    return {str(key): one for key, one in value.items()}


def a_list(value: object, what: str, where: str) -> list[object]:
    """A list; absent: empty."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise InputError(f"{what} must be a list", where=where, value=value)
    return value
