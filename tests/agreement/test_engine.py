"""The engine does what the reference says: every rule, link, and case."""

import numpy as np
import pytest

import lapwing
from lapwing.reference import Reference
from tests.cases import LINKS, RULES, single_rows, stream

TINY, BELOW_ONE = np.finfo(float).tiny, 1 - np.finfo(float).eps / 2


def told(case, link):
    return {
        "link": link,
        "prior_mean": case.prior_mean,
        "prior_variance": case.prior_variance,
        "size": case.size,
        "seed": 3,
    }


def learn_reference(case, rule, link):
    reference = Reference(rule, **told(case, link))
    p = reference.learn(case.rows, case.y, case.weights)
    return reference, np.clip(p, TINY, BELOW_ONE)


def learn_engine(case, rule, link, dtype):
    model = lapwing.Model(rule, dtype=dtype, **told(case, link))
    return model, model.learn(case.batch, case.y, case.weights)


def check_double(case, rule, link, reference, expected, tolerance):
    model, p = learn_engine(case, rule, link, "float64")
    np.testing.assert_allclose(p, expected, rtol=tolerance)
    first, second = model._core.beliefs()
    np.testing.assert_allclose(first, reference.mu, rtol=tolerance, atol=tolerance * 1e-3)
    np.testing.assert_allclose(second, reference.v, rtol=tolerance)
    assert model.rows_learned == reference.rows_learned


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("case", list(single_rows()), ids=lambda case: case.name)
def test_one_step(case, rule, link):
    check_double(case, rule, link, *learn_reference(case, rule, link), tolerance=1e-10)


@pytest.fixture(scope="module")
def long_stream():
    return stream()


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("rule", RULES, ids=str)
def test_ten_thousand_rows(long_stream, rule, link):
    """In double precision the same beliefs, in single precision the same loss."""
    reference, expected = learn_reference(long_stream, rule, link)
    check_double(long_stream, rule, link, reference, expected, tolerance=1e-8)

    model, p = learn_engine(long_stream, rule, link, "float32")
    loss, exact = (lapwing.log_loss(long_stream.y, q) for q in (p, expected))
    assert loss == pytest.approx(exact, rel=1e-4)
    assert model.mean.dtype == np.float32
    np.testing.assert_allclose(model.mean, reference.mu, rtol=2e-2, atol=2e-3)
