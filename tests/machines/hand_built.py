"""Platforms of a few lines, for tests that count by hand."""

from machines import Direction, Link, Machine, Platform, Store, Switch


def link(first, second, bandwidth=100.0, startup_s=0.1, **options):
    way = Direction(startup_s, bandwidth)
    return Link(first, second, way, way, **options)


def joined(machines, links, switches=(), stores=(), **options):
    """A platform of names and links, in the order in which they are given."""
    return Platform(
        "p",
        tuple(Machine(name) for name in machines.split()),
        tuple(links),
        switches=tuple(each if isinstance(each, Switch) else Switch(each) for each in switches),
        stores=tuple(Store(each) for each in stores),
        **options,
    )


def star(count, hub="hub", **options):
    names = [f"m{number}" for number in range(count)]
    return joined(" ".join(names), [link(name, hub) for name in names], [hub], **options)


def fat_tree(k):
    """The k-ary fat tree of Al-Fares et al. 2008: k pods of k/2 edge and k/2 pod switches."""
    half = range(k // 2)
    links = []
    for pod in range(k):
        links += [link(f"m{pod}.{e}.{x}", f"e{pod}.{e}") for e in half for x in half]
        links += [link(f"e{pod}.{e}", f"a{pod}.{a}") for e in half for a in half]
        links += [link(f"a{pod}.{a}", f"c{a}.{c}") for a in half for c in half]
    machines = " ".join(f"m{pod}.{e}.{x}" for pod in range(k) for e in half for x in half)
    switches = [f"{kind}{pod}.{each}" for kind in "ea" for pod in range(k) for each in half]
    return joined(machines, links, [*switches, *(f"c{a}.{c}" for a in half for c in half)])


def visited(platform, route):
    """The names along a route."""
    names = [route[0].ends(platform)[0]]
    for hop in route:
        first, second = hop.ends(platform)
        assert first == names[-1]
        names.append(second)
    return names


def way(platform, first, second, found):
    """The names along the route between two hosts."""
    return visited(platform, found[platform.host_index[first], platform.host_index[second]])
