"""The head is one more block of a normal vector; memory leads back to the prior."""

import numpy as np
import pytest

from lapwing import rules
from lapwing.reference import Reference, joint
from lapwing.reference.head import Head, forget_head, move_head, totals_with_head
from lapwing.reference.likelihood import LOGIT
from lapwing.reference.memory import forget


def beliefs(seed, features=5, fields=2):
    """Features with fields, a head with a full covariance, and a row of values."""
    rng = np.random.default_rng(seed)
    head = Head.of_fields(fields, 0.2, 1.0)
    root = rng.normal(size=(fields + 1, fields + 1))
    head.mean = head.mean + 0.3 * rng.normal(size=fields + 1)
    head.P = 0.1 * root @ root.T + 0.01 * np.eye(fields + 1)
    of = rng.integers(0, fields, features)
    return (
        rng.normal(size=features),
        rng.uniform(0.1, 2, features),
        rng.normal(size=features),
        of,
        head,
    )


def total(mu, x, of, gains):
    """The row's total weight, as a function of all weights: bilinear in features and gains."""
    return gains[-1] + sum(g * (x * mu)[of == f].sum() for f, g in enumerate(gains[:-1]))


@pytest.mark.parametrize("seed", range(5))
def test_the_row_is_linear_in_features_and_head_to_first_order(seed):
    """x_i G_f and z are the total's derivatives, and the variance is that of the linear form."""
    mu, v, x, of, head = beliefs(seed)
    m, s, z = totals_with_head(mu, v, x, of, head)
    assert m == pytest.approx(total(mu, x, of, head.mean), rel=1e-12)
    step = 1e-6
    by_feature, by_head = (
        [
            (total(*up) - total(*down)) / (2 * step)
            for d in np.eye(n) * step
            for up, down in [both(d)]
        ]
        for n, both in (
            (len(mu), lambda d: ((mu + d, x, of, head.mean), (mu - d, x, of, head.mean))),
            (len(z), lambda d: ((mu, x, of, head.mean + d), (mu, x, of, head.mean - d))),
        )
    )
    np.testing.assert_allclose(by_feature, x * head.mean[of], atol=1e-8)
    np.testing.assert_allclose(by_head, z, atol=1e-8)
    variance = np.array(by_feature) ** 2 @ v + np.array(by_head) @ head.P @ by_head
    assert s == pytest.approx(variance, rel=1e-6)


@pytest.mark.parametrize("rule", [rules.ADF(), rules.Moments(), rules.DimGauss()], ids=str)
@pytest.mark.parametrize("y", [-1.0, 1.0])
@pytest.mark.parametrize("weight", [1.0, 0.3])
def test_a_joint_rule_moves_the_head_as_it_moves_a_dense_block(rule, y, weight):
    """The same as the rule on the whole matrix, of which the head's block is kept."""
    for seed in range(5):
        mu, v, x, of, head = beliefs(seed)
        _, _, z = totals_with_head(mu, v, x, of, head)
        seen = np.concatenate([x * head.mean[of], z])
        Sigma = np.zeros((len(seen), len(seen)))
        Sigma[: len(mu), : len(mu)] = np.diag(v)
        Sigma[len(mu) :, len(mu) :] = head.P
        # The features' part of the total must not be counted twice: they are told with mean zero.
        u = np.concatenate([np.zeros(len(mu)), head.mean])
        move = {"ADF()": joint.adf, "Moments()": joint.moments}.get(
            str(rule), joint.dim_gauss_newton
        )
        u_plus, Sigma_plus = move(u, Sigma, seen, y, LOGIT, weight)

        learner = Reference(rule, size=len(mu), head=head, fields=of)
        learner.mu, learner.v = mu.copy(), v.copy()
        learner.step(np.arange(len(mu)), x, y, weight)
        np.testing.assert_allclose(learner.mu - mu, u_plus[: len(mu)], atol=1e-12)
        np.testing.assert_allclose(learner.v, np.diag(Sigma_plus)[: len(mu)], rtol=1e-12)
        np.testing.assert_allclose(head.mean, u_plus[len(mu) :], rtol=1e-11)
        np.testing.assert_allclose(head.P, Sigma_plus[len(mu) :, len(mu) :], rtol=1e-10, atol=1e-14)


def test_what_a_row_does_not_see_of_the_head_keeps_its_conditional_distribution():
    _, _, _, _, head = beliefs(3, fields=3)
    z = np.array([0.5, -1.0, 2.0, 1.0])
    before, P = head.mean.copy(), head.P.copy()
    s = z @ P @ z
    move_head(head, z, 0.7, 0.25 * s)
    assert z @ head.mean == pytest.approx(z @ before + 0.7, rel=1e-12)
    assert z @ head.P @ z == pytest.approx(0.25 * s, rel=1e-10)
    # The regression of everything on the projection, and what it leaves unexplained.
    regression = P @ z / s
    np.testing.assert_allclose(head.mean - before, regression * 0.7, rtol=1e-12)
    rest = P - np.outer(regression, regression) * s
    np.testing.assert_allclose(
        head.P - np.outer(regression, regression) * 0.25 * s, rest, atol=1e-12
    )


def test_a_head_that_forgets_goes_back_to_its_prior_and_stays_positive_definite():
    _, _, _, _, head = beliefs(1)
    head.memory = 50.0
    head.P = 0.01 * head.P
    for _ in range(20_000):
        forget_head(head)
        np.linalg.cholesky(head.P)
    np.testing.assert_allclose(np.diag(head.P), head.prior_variance, rtol=1e-3)


def test_forgetting_is_exponential_in_touches():
    """The information that is left of what was learned n touches ago is (1 - 1/touches)^n."""
    mu, v = np.array([2.0]), np.array([0.01])
    prior_mean, prior_variance, touches = np.array([0.5]), np.array([4.0]), 20.0
    told = 1 / v - 1 / prior_variance, mu / v - prior_mean / prior_variance
    for n in range(1, 60):
        mu, v = forget(mu, v, prior_mean, prior_variance, touches)
        left = (1 - 1 / touches) ** n
        assert 1 / v - 1 / prior_variance == pytest.approx(left * told[0], rel=1e-9)
        assert mu / v - prior_mean / prior_variance == pytest.approx(left * told[1], rel=1e-9)


def test_evidence_that_keeps_coming_is_remembered_for_as_many_touches_as_told():
    """With precision a per touch, lambda settles at lambda_0 + a / e - a, where e = 1 / touches."""
    a, touches = 0.3, 100.0
    mu, v = np.zeros(1), np.ones(1)
    for _ in range(5000):
        v = 1 / (1 / v + a)
        mu, v = forget(mu, v, np.zeros(1), np.ones(1), touches)
    assert 1 / v[0] == pytest.approx(1 + a * (touches - 1), rel=1e-9)
