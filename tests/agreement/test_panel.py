"""A panel is its members, each learning by itself, mixed as the reference mixes them."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lapwing
from lapwing import Head, Member, Model, Panel
from lapwing.reference.panel import mixture, weigh

SIZE = 40
MEMBERS = [
    Member(0.1, head="scale"),
    Member(1.0, head="fields", memory=300),
    Member(3.0, 0.2),
    Member(0.5, head=Head("fields", 0.05, 2.0, memory=500.0)),
    Member(2.0, memory=50),
]
FIELDS = np.arange(SIZE) % 5
SHARE = 1e-3


def rows(n, seed=0):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, 9, n)
    features = rng.integers(0, SIZE, lengths.sum())
    values = rng.choice([1.0, 1.0, -1.0, 0.5], lengths.sum())
    X = lapwing.Batch(np.cumsum([0, *lengths]), features, values, SIZE)
    score = np.add.reduceat(np.append(values * np.sin(features), 0), X.starts[:-1])
    y = np.where(rng.random(n) < 1 / (1 + np.exp(-np.where(lengths > 0, score, 0))), 1, -1)
    return X, y, rng.choice([0.0, 0.5, 1.0, 1.0, 2.0], n)


def alone(member, rule, dtype):
    told = {"prior_variance": member.prior_variance, "prior_mean": member.prior_mean}
    return Model(
        rule, size=SIZE, dtype=dtype, fields=FIELDS, memory=member.memory, head=member.head, **told
    )


@pytest.mark.parametrize("members", [1, 2, 3, 5])
@pytest.mark.parametrize("rule", ["adf", "moments", "dimgauss"])
@pytest.mark.parametrize(("dtype", "tolerance"), [("float64", 1e-9), ("float32", 2e-4)])
def test_a_panel_is_its_members_mixed_by_evidence(members, rule, dtype, tolerance):
    X, y, power = rows(2000)
    panel = Panel(MEMBERS[:members], rule, share=SHARE, size=SIZE, dtype=dtype, fields=FIELDS)
    p = panel.learn(X, y, power)
    learners = [alone(member, rule, dtype) for member in MEMBERS[:members]]
    each = np.array([learner.learn(X, y, power) for learner in learners])
    weights, expected = np.full(members, 1 / members), []
    for t in range(len(y)):
        expected.append(mixture(weights, each[:, t]))
        if power[t] > 0:
            of_label = each[:, t] if y[t] > 0 else 1 - each[:, t]
            weights = weigh(weights, of_label, SHARE, power[t])
    np.testing.assert_allclose(p, expected, rtol=tolerance)
    np.testing.assert_allclose([j.weight for j in panel.members], weights, rtol=50 * tolerance)
    predictions = weights @ [learner.predict(X) for learner in learners]
    np.testing.assert_allclose(panel.predict(X), predictions, rtol=20 * tolerance)


def learned(dtype="float64"):
    X, y, power = rows(1500)
    panel = Panel(MEMBERS, "adf", size=SIZE, dtype=dtype, fields=FIELDS)
    panel.learn(X, y, power)
    return panel, X, y


@given(cut=st.integers(0, 1500))
@settings(max_examples=20)
def test_in_parts_and_resumed_is_at_once(cut):
    whole, X, y = learned("float32")
    _, _, power = rows(1500)
    parts = Panel(MEMBERS, "adf", size=SIZE, fields=FIELDS)
    parts.learn(X[:cut], y[:cut], power[:cut])
    parts = pickle.loads(pickle.dumps(parts))
    parts.learn(X[cut:], y[cut:], power[cut:])
    assert pickle.dumps(parts) == pickle.dumps(whole)


def test_its_loss_is_at_most_the_best_members_and_ln_k_and_the_share():
    X, y, _ = rows(1500)
    panel = Panel(MEMBERS, "adf", size=SIZE, fields=FIELDS)
    panel.learn(X, y)
    _, totals, _ = panel._core.trust()
    price = np.log(len(MEMBERS)) - len(y) * np.log1p(-1e-4)
    assert totals[-1] <= min(totals[:-1]) + price


def test_intervals_and_moments_are_those_of_the_mixture():
    panel, X, _ = learned()
    weights = np.array([judged.weight for judged in panel.members])
    _, y, power = rows(1500)
    logits = []
    for member in MEMBERS:
        learner = alone(member, "adf", "float64")
        learner.learn(X, y, power)
        logits.append(learner.predict_logit(X[:5]))
    m, s = np.array(logits).transpose(1, 0, 2)
    mean, variance = panel.predict_logit(X[:5])
    np.testing.assert_allclose(mean, weights @ m, rtol=1e-7)
    np.testing.assert_allclose(variance, weights @ (s + m**2) - (weights @ m) ** 2, rtol=1e-6)
    rng = np.random.default_rng(1)
    which = rng.choice(len(weights), 200_000, p=weights / weights.sum())
    draws = rng.normal(m[which], np.sqrt(s[which]))
    low, high = (np.log(bound / (1 - bound)) for bound in panel.interval(X[:5], 0.8))
    inside = ((low < draws) & (draws < high)).mean(axis=0)
    assert inside == pytest.approx(0.8, abs=0.005)


def test_samples_are_coherent_and_have_the_mixtures_moments():
    panel, X, _ = learned()
    both, first = panel.sample(X[:3], 11), panel.sample(X[:1], 11)
    assert both[0] == first[0]
    draws = np.array([panel.sample(X[:3], seed) for seed in range(6000)])
    logits = np.log(draws / (1 - draws))
    mean, variance = panel.predict_logit(X[:3])
    # The head's part of the variance is to first order.
    assert logits.mean(axis=0) == pytest.approx(mean, abs=0.05)
    assert logits.var(axis=0) == pytest.approx(variance, rel=0.1)


def test_members_tell_how_they_stood():
    panel, _, _ = learned()
    judged = panel.members
    assert sum(one.weight for one in judged) == pytest.approx(1)
    assert [standing.rows for standing in judged[0].history] == [1000]
    assert all(0 < one.loss < 1 for one in judged)


@pytest.mark.parametrize("rule", ["approx", "gauss", "adagrad", "vb"])
def test_members_learn_by_a_joint_rule(rule):
    with pytest.raises(ValueError, match="joint rule: moments, dimgauss or adf"):
        Panel([Member()], rule)


def test_what_is_no_panel_is_refused():
    with pytest.raises(ValueError, match="there are 9 members"):
        Panel([Member()] * 9)
    with pytest.raises(ValueError, match="there are 0 members"):
        Panel([])
    with pytest.raises(TypeError, match=r"list of lapwing\.Member"):
        Panel([1.0])
    with pytest.raises(ValueError, match="prior_variance is 0"):
        Panel([Member(0.0)])
    with pytest.raises(ValueError, match="share is 2"):
        Panel([Member()], share=2)
