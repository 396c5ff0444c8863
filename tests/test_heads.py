"""Sentences about heads and memory, each true for every rule that they fit, and for panels."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lapwing
from lapwing import Head, Member, Model, Panel, rules
from tests.test_properties import SIZE, bits, priors, streams

RULES = [
    rules.Approx(),
    rules.Gauss("height"),
    rules.Moments(),
    rules.ADF(),
    rules.DimGauss(),
    rules.LeastSquares(),
]
FIELDS = np.arange(SIZE) // 3
HEADS = {
    "scale": Head("scale"),
    "fields": Head("fields"),
    "wide": Head("fields", 100.0, 1e6),
    "forgetful": Head("fields", memory=30),
}


def single(rule, head, memory, **told):
    return Model(rule, head=HEADS[head], memory=memory, fields=FIELDS, size=SIZE, **told)


def panel(rule, head, memory, **told):
    variance = told.pop("prior_variance", 1.0)
    mean = told.pop("prior_mean", 0.0)
    members = [
        Member(variance, mean, memory, HEADS[head]),
        Member(1.0),
        Member(variance, mean, None, "scale"),
    ]
    return Panel(members, rule, fields=FIELDS, size=SIZE, **told)


def models():
    for rule in RULES:
        for head in HEADS:
            yield pytest.param(single, rule, head, id=f"{rule}-{head}")
    for rule in (rules.Moments(), rules.ADF(), rules.DimGauss()):
        for head in ("fields", "wide"):
            yield pytest.param(panel, rule, head, id=f"panel-{rule}-{head}")


every_model = pytest.mark.parametrize(("make", "rule", "head"), list(models()))
memories = st.sampled_from([None, 1.0, 7.0, 1e6])


@every_model
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@given(stream=streams(), prior=priors(), memory=memories)
def test_whatever_is_allowed_ends_in_finite_beliefs(make, rule, head, dtype, stream, prior, memory):
    X, y, weights = stream
    model = make(rule, head, memory, dtype=dtype, **prior)
    p = model.learn(X, y, weights)
    assert np.all((p > 0) & (p < 1))
    first, second = model._core.beliefs()
    assert np.all(np.isfinite(first))
    assert np.all(np.isfinite(second))
    assert np.all(second > 0)
    p = model.predict(X)
    assert np.all((p > 0) & (p < 1))
    assert pickle.dumps(pickle.loads(pickle.dumps(model))) == pickle.dumps(model)


@every_model
@given(stream=streams(scales=(1.0,)), cut=st.floats(0, 1), memory=memories)
def test_in_parts_and_resumed_is_at_once(make, rule, head, stream, cut, memory):
    X, y, weights = stream
    cut = int(cut * len(X))
    once, parts = (make(rule, head, memory) for _ in range(2))
    p = once.learn(X, y, weights)
    first = parts.learn(X[:cut], y[:cut], weights[:cut])
    parts = pickle.loads(pickle.dumps(parts))
    second = parts.learn(X[cut:], y[cut:], weights[cut:])
    assert np.array_equal(p, np.concatenate([first, second]))
    assert pickle.dumps(once) == pickle.dumps(parts)


@every_model
@given(stream=streams(scales=(1.0,)))
def test_predicting_and_rows_of_no_weight_never_write(make, rule, head, stream):
    X, y, weights = stream
    model = make(rule, head, 20.0)
    model.learn(X, y, weights)
    before = pickle.dumps(model)
    p = model.predict(X)
    model.predict_logit(X)
    model.interval(X, 0.9)
    model.sample(X, 3)
    assert pickle.dumps(model) == before
    np.testing.assert_allclose(model.learn(X, y, np.zeros(len(X))), p, rtol=1e-4, atol=1e-12)
    assert pickle.dumps(model) == before


@every_model
@given(stream=streams(scales=(1.0,)))
def test_flipping_labels_flips_the_result(make, rule, head, stream):
    X, y, weights = stream
    one, other = (make(rule, head, 20.0, dtype="float64") for _ in range(2))
    p, q = one.learn(X, y, weights), other.learn(X, -y, weights)
    # The closed form of Moments is symmetric to about as much.
    np.testing.assert_allclose(p, 1 - q, atol=2e-6)
    np.testing.assert_allclose(one.mean, -other.mean, atol=2e-5)


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_what_is_drawn_has_the_mean_and_variance_of_the_total(rule):
    """The gains' part to first order: here the features are well known."""
    rng = np.random.default_rng(3)
    X = (rng.random((4000, SIZE)) < 0.4).astype(float)
    y = rng.random(4000) < 1 / (1 + np.exp(-X @ np.sin(np.arange(SIZE))))
    model = single(rule, "fields", None, dtype="float64")
    model.learn(X, y)
    draws = np.array([model.sample(X[:3], seed) for seed in range(4000)])
    logits = np.log(draws / (1 - draws))
    mean, variance = model.predict_logit(X[:3])
    np.testing.assert_allclose(logits.mean(axis=0), mean, atol=5 * np.sqrt(variance.max() / 4000))
    np.testing.assert_allclose(logits.var(axis=0), variance, rtol=0.12)


@pytest.mark.parametrize("head", ["scale", "fields"])
def test_a_head_stays_positive_definite_over_many_rows(head):
    stream = lapwing.synthetic.RandomStream(features=60, active=8, seed=5)
    model = Model("moments", head=head, fields=np.arange(60) // 3, size=60)
    for _ in range(40):
        X, y, _ = stream.draw(25_000)
        model.learn(X, y)
    arrays = head_of(model)
    assert np.linalg.eigvalsh(arrays["covariance"]).min() > 0
    np.testing.assert_array_equal(arrays["covariance"], arrays["covariance"].T)
    assert np.abs(arrays["mean"][1:] - 1).max() < 1


def head_of(model):
    from safetensors.numpy import load

    arrays = load(model.__getstate__())
    return {"mean": arrays["head_mean"], "covariance": arrays["head_covariance"]}


def test_a_stream_that_changes_is_followed_by_a_model_that_forgets():
    rng = np.random.default_rng(0)
    X = (rng.random((20_000, 20)) < 0.3).astype(float)
    truth = np.sin(np.arange(20))
    score = X @ truth * np.where(np.arange(20_000) < 10_000, 1, -1)
    y = rng.random(20_000) < 1 / (1 + np.exp(-score))
    loss = {}
    for memory in (None, 300):
        p = Model("moments", size=20, memory=memory).learn(X, y)
        loss[memory] = lapwing.log_loss(y[12_000:], p[12_000:])
    assert loss[300] < 0.9 * loss[None]


def test_a_model_that_keeps_no_variance_has_no_head_and_no_memory():
    for told in ({"head": "scale"}, {"memory": 100}):
        with pytest.raises(ValueError, match="AdaGrad keeps no variance"):
            Model("adagrad", **told)


def test_what_is_no_head_or_memory_is_refused():
    with pytest.raises(ValueError, match='head is \'both\'; it must be "scale" or "fields"'):
        Model(head="both")
    with pytest.raises(TypeError, match=r"None, \"scale\", \"fields\" or a lapwing\.Head"):
        Model(head=1)
    with pytest.raises(ValueError, match=r"memory is 0\.5; it must be between 1"):
        Model(memory=0.5)
    with pytest.raises(ValueError, match="one prior for all features"):
        Model(memory=10, prior_variance=np.ones(3))
    with pytest.raises(ValueError, match="scale_variance is -1"):
        Model(head=Head("scale", -1.0))
    with pytest.raises(ValueError, match="array of whole numbers"):
        Model(head="fields", fields=[[1]])
    assert bits(Model(memory=np.inf)) == bits(Model())
