"""Totals, intervals and draws of the engine against the reference."""

import numpy as np
import pytest

import lapwing
from lapwing.reference import LOGIT, PROBIT
from lapwing.reference.draws import normals
from lapwing.reference.prediction import interval, predictive_probability, totals
from tests.cases import LINKS, stream

LIKELIHOODS = {"logit": LOGIT, "probit": PROBIT}


@pytest.fixture(scope="module")
def learned():
    case = stream(n=500)
    models = {}
    for link in LINKS:
        models[link] = lapwing.Model(link=link, size=case.size, dtype="float64")
        models[link].learn(case.batch, case.y)
    return case, models


def dense_rows(case):
    X = np.zeros((len(case.rows), case.size))
    for line, (features, values) in zip(X, case.rows, strict=True):
        np.add.at(line, features, values)
    return X


@pytest.mark.parametrize("link", LINKS)
def test_predictions_and_intervals(learned, link):
    case, model, likelihood = learned[0], learned[1][link], LIKELIHOODS[link]
    X = dense_rows(case)
    pairs = [totals(model.mean, model.variance, x) for x in X]
    np.testing.assert_allclose(
        np.transpose(model.predict_logit(case.batch)), pairs, rtol=1e-11, atol=1e-13
    )
    p = [predictive_probability(m, s, 1.0, likelihood) for m, s in pairs]
    np.testing.assert_allclose(model.predict(case.batch), p, rtol=1e-10)
    np.testing.assert_array_equal(model.predict(X), model.predict(case.batch))
    for level in (0.5, 0.9, 0.999):
        bounds = [interval(m, s, level, likelihood) for m, s in pairs]
        np.testing.assert_allclose(
            np.transpose(model.interval(X, level)), bounds, rtol=1e-9, atol=1e-300
        )


@pytest.mark.parametrize("link", LINKS)
def test_a_sample_is_one_draw_per_feature_and_seed(learned, link):
    case, model, likelihood = learned[0], learned[1][link], LIKELIHOODS[link]
    X = dense_rows(case)
    for seed in (0, 7, 2**64 - 1):
        draws = np.array([normals(seed, feature, 1)[0] for feature in range(case.size)])
        w = model.mean + np.sqrt(model.variance) * draws
        np.testing.assert_allclose(model.sample(X, seed), likelihood.cdf(X @ w), rtol=1e-9)


def test_samples_have_the_mean_and_variance_of_the_belief(learned):
    case, model = learned[0], learned[1]["logit"]
    X = dense_rows(case)[1:4]
    draws = np.array([model.sample(X, seed) for seed in range(4000)])
    logits = np.log(draws / (1 - draws))
    m, s = model.predict_logit(X)
    np.testing.assert_allclose(logits.mean(axis=0), m, atol=4 * np.sqrt(s.max() / 4000))
    np.testing.assert_allclose(logits.var(axis=0), s, rtol=4 * np.sqrt(2 / 4000), atol=1e-15)


def test_features_nobody_has_seen_have_the_prior():
    model = lapwing.Model(prior_mean=0.25, prior_variance=0.5)
    m, s = model.predict_logit([[1.0, 2.0]])
    assert (m[0], s[0]) == (0.75, 2.5)
    model.learn([[1.0]], [1])
    assert model.predict_logit([[0.0, 1.0]])[1][0] == 0.5
    assert model.size == 1
