"""A head, and memory: the engine does what the reference says, for every rule they fit."""

import numpy as np
import pytest

import lapwing
from lapwing.reference import Reference
from lapwing.reference.head import Head
from tests.cases import LINKS, RULES, stream

BAYESIAN = [rule for rule in RULES if rule.keeps_variance]
ROWS, SIZE = 1500, 40


@pytest.fixture(scope="module")
def case():
    return stream(n=ROWS, size=SIZE)


def heads(form, memory):
    """The engine's and the reference's, with the field of every feature."""
    of = np.arange(SIZE) % 3 if form == "fields" else np.zeros(SIZE, dtype=np.int64)
    engine = lapwing.Head(form, 0.15, 0.6, None if np.isinf(memory) else memory)
    return engine, Head.of_fields(int(of.max()) + 1, 0.15, 0.6, memory), of


@pytest.mark.parametrize("form", ["scale", "fields"])
@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("rule", BAYESIAN, ids=str)
def test_a_head(case, rule, link, form):
    engine_head, head, of = heads(form, memory=400.0)
    prior = {"prior_mean": 0.0, "prior_variance": 0.7, "size": SIZE, "seed": 3}
    reference = Reference(rule, link=link, head=head, fields=of, **prior)
    expected = reference.learn(case.rows, case.y, case.weights)
    model = lapwing.Model(rule, link=link, dtype="float64", head=engine_head, fields=of, **prior)
    p = model.learn(case.batch, case.y, case.weights)
    np.testing.assert_allclose(p, expected, rtol=1e-7)
    np.testing.assert_allclose(model.mean, reference.mu, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(model.variance, reference.v, rtol=1e-7)


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("rule", BAYESIAN, ids=str)
def test_memory(case, rule, link):
    prior = {"prior_mean": 0.4, "prior_variance": 0.7, "size": SIZE, "seed": 3}
    reference = Reference(rule, link=link, memory=50.0, **prior)
    expected = reference.learn(case.rows, case.y, case.weights)
    model = lapwing.Model(rule, link=link, dtype="float64", memory=50.0, **prior)
    p = model.learn(case.batch, case.y, case.weights)
    np.testing.assert_allclose(p, expected, rtol=1e-8)
    np.testing.assert_allclose(model.mean, reference.mu, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(model.variance, reference.v, rtol=1e-8)
    single = lapwing.Model(rule, link=link, memory=50.0, **prior)
    loss = lapwing.log_loss(case.y, single.learn(case.batch, case.y, case.weights))
    assert loss == pytest.approx(lapwing.log_loss(case.y, p), rel=1e-4)
