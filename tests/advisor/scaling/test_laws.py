"""The laws' recipes against the published ones and against each other."""

import numpy as np
import pytest

from advisor.models.mrm import amdahl, coherent_throughput, erlang_speedup, gustafson, usl
from advisor.models.shape_fit import Samples
from advisor.scaling.data import shipped
from advisor.scaling.laws import BY_KEY, LAWS

P = np.array([1.0, 3, 20, 150])


def fitted(key, name):
    data = shipped(name)
    shapes, gamma = BY_KEY[key].fit(Samples.of(data.P, data.X))
    return *shapes[0], gamma[0]


@pytest.mark.parametrize(
    ("key", "shape", "speedup"),
    [
        ("amdahl", [0.03], lambda p: amdahl(p, 0.03)),
        ("gustafson", [0.03], lambda p: gustafson(p, 0.03)),
        ("erlang", [0.03], lambda p: erlang_speedup(p, 0.03)),
        ("usl", [0.03, 1e-4], lambda p: usl(p, 0.03, 1e-4)),
        ("repairman", [0.03, 1e-4], lambda p: coherent_throughput(p, 0.03, 0.97, 1e-4 / 0.03)),
    ],
)
def test_a_laws_curve_is_the_models(key, shape, speedup):
    curve = BY_KEY[key].curve(P, np.array([shape]))[0]
    assert curve == pytest.approx([speedup(int(p)) for p in P], rel=1e-10)


@pytest.mark.parametrize(
    ("key", "sigma", "kappa"),
    [("usl", 0.02773, 1.044e-4), ("usl-fixed", 0.01260, 1.112e-4),
     ("usl-transform", 0.01705, 7.89e-5)],
)  # fmt: skip
def test_each_recipe_of_the_universal_law_gives_its_own_published_values(key, sigma, kappa):
    found = fitted(key, "specsdm91")
    assert found[:2] == pytest.approx((sigma, kappa), rel=5e-4)


def test_the_transform_of_raytracer_is_the_packages():
    assert fitted("usl-transform", "raytracer") == pytest.approx((0.050024, 4.708e-6, 20), rel=2e-4)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.key)
def test_every_recipe_gives_exact_measurements_back(law):
    loads = np.array([1.0, 2, 4, 8, 16, 32, 64])
    shape = np.array([[0.05, 1e-3][: len(law.shapes)]])
    shapes, gamma = law.fit(Samples.of(loads, 7.0 * law.curve(loads, shape)))
    assert shapes[0] == pytest.approx(shape[0], rel=1e-6)
    assert gamma[0] == pytest.approx(7.0, rel=1e-6)


def test_recipes_are_told_apart():
    assert len({(law.title, law.recipe) for law in LAWS}) == len(LAWS)
    assert [law.key for law in LAWS if law.family == "usl"] == ["usl", "usl-fixed", "usl-transform"]
