"""The full covariance: the engine against the reference's matrices."""

import numpy as np
import pytest

import lapwing
from lapwing import rules
from lapwing.reference import LOGIT, PROBIT, joint
from lapwing.reference.draws import normals
from lapwing.reference.logistic_normal import probability
from lapwing.reference.prediction import interval, predictive_probability
from tests.cases import LINKS, batch

LIKELIHOODS = {"logit": LOGIT, "probit": PROBIT}
SIZE = 6
MOVES = {
    rules.DimGauss("newton"): joint.dim_gauss_newton,
    rules.DimGauss("taylor"): joint.dim_gauss_taylor,
    rules.ADF(): joint.adf,
    rules.Moments(): joint.moments,
}


def stream(n, seed=9):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, SIZE)) * (rng.random((n, SIZE)) < 0.6)
    y = np.where(rng.random(n) < 1 / (1 + np.exp(-X @ rng.normal(size=SIZE))), 1.0, -1.0)
    return X, y, rng.choice([0.0, 0.5, 1.0, 1.0, 2.0], n)


def prior():
    return np.linspace(-0.5, 0.5, SIZE), np.linspace(0.2, 3.0, SIZE)


def learn_reference(move, likelihood, X, y, weights):
    u, variance = prior()
    Sigma = np.diag(variance)
    p = []
    for x, label, weight in zip(X, y, weights, strict=True):
        m, s = x @ u, x @ Sigma @ x
        exact = move is joint.moments and likelihood is LOGIT
        p.append(probability(m, s) if exact else predictive_probability(m, s, 1.0, likelihood))
        if weight > 0:
            u, Sigma = move(u, Sigma, x, label, likelihood, weight)
    return np.array(p), u, Sigma


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("rule", list(MOVES), ids=str)
def test_covariance_form(rule, link):
    for n, tolerance in ((1, 1e-10), (3000, 1e-8)):
        X, y, weights = stream(n)
        mean, variance = prior()
        told = {"link": link, "prior_mean": mean, "prior_variance": variance}
        expected, u, Sigma = learn_reference(MOVES[rule], LIKELIHOODS[link], X, y, weights)
        model = lapwing.DenseModel(SIZE, rule, **told)
        np.testing.assert_allclose(model.learn(X, y, weights), expected, rtol=tolerance)
        np.testing.assert_allclose(model.mean, u, rtol=tolerance, atol=tolerance * 1e-2)
        np.testing.assert_allclose(model.covariance, Sigma, rtol=tolerance, atol=tolerance * 1e-3)
        np.testing.assert_allclose(model.variance, np.diag(Sigma), rtol=tolerance)
        assert np.array_equal(model.covariance, model.covariance.T)

        single = lapwing.DenseModel(SIZE, rule, dtype="float32", **told)
        loss = lapwing.log_loss(y, single.learn(X, y, weights))
        assert loss == pytest.approx(lapwing.log_loss(y, expected), rel=1e-4)


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("mean_form", ["newton", "taylor"])
@pytest.mark.parametrize("size_of_batch", [1, 7, 64])
def test_precision_form(mean_form, link, size_of_batch):
    X, y, _ = stream(200)
    likelihood = LIKELIHOODS[link]
    u, variance = prior()
    H = np.diag(1 / variance)
    expected = []
    model = lapwing.DenseModel(
        SIZE,
        rules.DimGauss(mean_form),
        link=link,
        prior_mean=u,
        prior_variance=variance,
        form="precision",
        batch=size_of_batch,
    )
    for start in range(0, len(X), size_of_batch):
        part = slice(start, start + size_of_batch)
        Sigma = np.linalg.inv(H)
        expected += [predictive_probability(x @ u, x @ Sigma @ x, 1.0, likelihood) for x in X[part]]
        u, H = joint.precision_batch(u, H, X[part], y[part], likelihood, mean=mean_form)
    np.testing.assert_allclose(model.learn(X, y), expected, rtol=1e-9)
    np.testing.assert_allclose(model.mean, u, rtol=1e-8)
    np.testing.assert_allclose(model.covariance, np.linalg.inv(H), rtol=1e-7, atol=1e-10)


def test_precision_form_with_weights_is_covariance_form():
    X, y, weights = stream(500)
    mean, variance = prior()
    told = {"prior_mean": mean, "prior_variance": variance}
    by_covariance = lapwing.DenseModel(SIZE, **told)
    by_precision = lapwing.DenseModel(SIZE, form="precision", **told)
    np.testing.assert_allclose(
        by_precision.learn(X, y, weights), by_covariance.learn(X, y, weights), rtol=1e-8
    )
    np.testing.assert_allclose(by_precision.covariance, by_covariance.covariance, atol=1e-10)
    assert by_precision.rows_learned == by_covariance.rows_learned == (weights > 0).sum()


def test_orthogonal_rows_need_no_covariance():
    """Where no two features meet in a row, the diagonal is all there is."""
    rng = np.random.default_rng(3)
    rows = [([rng.integers(SIZE)], [rng.normal()]) for _ in range(300)]
    X, y = batch([(np.array(i), np.array(x)) for i, x in rows], SIZE), rng.choice([-1, 1], 300)
    full, diagonal = lapwing.DenseModel(SIZE), lapwing.Model("dimgauss", size=SIZE, dtype="float64")
    np.testing.assert_allclose(full.learn(X, y), diagonal.learn(X, y), rtol=1e-10)
    np.testing.assert_allclose(full.covariance, np.diag(diagonal.variance), rtol=1e-10)


@pytest.mark.parametrize("form", ["covariance", "precision"])
def test_intervals_and_samples_come_from_the_same_normal(form):
    X, y, _ = stream(300)
    model = lapwing.DenseModel(SIZE, form=form)
    model.learn(X, y)
    m, s = model.predict_logit(X[:20])
    np.testing.assert_allclose(m, X[:20] @ model.mean, rtol=1e-9)
    np.testing.assert_allclose(s, np.sum(X[:20] @ model.covariance * X[:20], axis=1), rtol=1e-8)
    low, high = model.interval(X[:20], 0.8)
    expected = np.array([interval(*pair, 0.8, LOGIT) for pair in zip(m, s, strict=True)])
    np.testing.assert_allclose(np.stack([low, high], axis=1), expected, rtol=1e-8)

    root = np.linalg.cholesky(model.covariance)
    if form == "precision":
        root = np.linalg.inv(np.linalg.cholesky(np.linalg.inv(model.covariance))).T
    w = model.mean + root @ normals(seed=4, place=0, n=SIZE)
    np.testing.assert_allclose(model.sample(X[:20], 4), LOGIT.cdf(X[:20] @ w), rtol=1e-7)
