"""Sentences of the theory, each true for every rule and link that it is about."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lapwing
from lapwing import Batch, rules
from tests.cases import LINKS, RULES

links = pytest.mark.parametrize("link", LINKS)
every_rule = pytest.mark.parametrize("rule", RULES, ids=str)
BAYESIAN = [r for r in RULES if r.keeps_variance]
NARROWING = [
    r for r in BAYESIAN if not ("height" in str(r) or isinstance(r, (rules.TwoPoint, rules.VB)))
]
SIZE = 12


@st.composite
def streams(draw, dtype=np.float64, scales=(1e-6, 1.0, 1.0, 30.0, 1e9)):
    """Up to 30 rows of up to 6 features, values of every size that is allowed."""
    scale = draw(st.sampled_from(scales))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n = draw(st.integers(0, 30))
    lengths = rng.integers(0, 7, n)
    values = np.clip(rng.normal(size=lengths.sum()), -1, 1) * scale
    features = rng.integers(0, SIZE, lengths.sum())
    X = Batch(np.cumsum([0, *lengths]), features, values.astype(dtype) / 7, SIZE)
    return X, rng.choice([-1, 1], n), rng.choice([0.0, 0.3, 1.0, 1.0, 2.0], n)


@st.composite
def priors(draw):
    variances = st.sampled_from([1e-12, 1e-3, 1.0, 1.0, 100.0, 1e6])
    return {
        "prior_mean": draw(st.sampled_from([0.0, 0.0, -3.0, 500.0])),
        "prior_variance": draw(variances),
    }


def bits(model):
    return b"".join(array.tobytes() for array in model._core.beliefs())


@links
@every_rule
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@given(stream=streams(), prior=priors())
def test_whatever_is_allowed_ends_in_finite_beliefs(rule, link, dtype, stream, prior):
    X, y, weights = stream
    model = lapwing.Model(rule, link=link, dtype=dtype, size=SIZE, **prior)
    p = model.learn(X, y, weights)
    assert np.all((p > 0) & (p < 1))
    first, second = model._core.beliefs()
    assert np.all(np.isfinite(first))
    assert np.all(np.isfinite(second))
    assert np.all(second > 0) or not rule.keeps_variance


@links
@every_rule
@given(stream=streams(), cut=st.floats(0, 1))
def test_learning_in_parts_is_learning_at_once(rule, link, stream, cut):
    X, y, weights = stream
    cut = int(cut * len(X))
    once, parts = (lapwing.Model(rule, link=link, size=SIZE, seed=5) for _ in range(2))
    p = once.learn(X, y, weights)
    first = parts.learn(X[:cut], y[:cut], weights[:cut])
    second = parts.learn(X[cut:], y[cut:], weights[cut:])
    assert np.array_equal(p, np.concatenate([first, second]))
    assert bits(once) == bits(parts)


@links
@every_rule
@given(stream=streams())
def test_predicting_never_writes(rule, link, stream):
    X, y, _ = stream
    model = lapwing.Model(rule, link=link)
    model.learn(X, y)
    before, size = bits(model), model.size
    model.predict(X)
    model.predict_logit(X)
    if rule.keeps_variance:
        model.interval(X)
        model.sample(X, seed=1)
    assert (bits(model), model.size) == (before, size)


@links
@every_rule
@given(stream=streams())
def test_a_weight_of_zero_changes_nothing(rule, link, stream):
    X, y, weights = stream
    kept = np.flatnonzero(weights > 0)
    all_rows, only_kept = (lapwing.Model(rule, link=link, size=SIZE, seed=5) for _ in range(2))
    all_rows.learn(X, y, weights)
    for row in kept:
        only_kept.learn(X[row : row + 1], y[row : row + 1], weights[row : row + 1])
    assert bits(all_rows) == bits(only_kept)


@links
@every_rule
@given(stream=streams(scales=(1e-6, 1.0, 30.0)))
def test_feature_order_does_not_matter(rule, link, stream):
    """To within rounding, which values of 1e9 would magnify: a feature that comes three times has
    its values added in another order."""
    X, y, _ = stream
    order = np.concatenate(
        [np.arange(a, b)[::-1] for a, b in zip(X.starts[:-1], X.starts[1:], strict=True)]
        + [np.zeros(0, dtype=int)]
    )
    turned = Batch(X.starts, X.features[order], X.values[order], SIZE)
    there, back = (lapwing.Model(rule, link=link, size=SIZE, dtype="float64") for _ in range(2))
    p, q = there.learn(X, y), back.learn(turned, y)
    np.testing.assert_allclose(p, q, rtol=1e-6, atol=1e-12)


@links
@pytest.mark.parametrize("rule", [r for r in RULES if not isinstance(r, rules.VB)], ids=str)
@given(stream=streams())
def test_flipping_labels_and_means_flips_the_result(rule, link, stream):
    """Not for VB: its samples have no symmetry."""
    X, y, weights = stream
    plain = lapwing.Model(rule, link=link, size=SIZE, prior_mean=0.4)
    flipped = lapwing.Model(rule, link=link, size=SIZE, prior_mean=-0.4)
    plain.learn(X, y, weights)
    flipped.learn(X, -y, weights)
    means, others = (model._core.beliefs() for model in (plain, flipped))
    assert np.array_equal(means[0], -others[0])
    assert np.array_equal(means[1], others[1])


@links
@pytest.mark.parametrize("rule", NARROWING, ids=str)
@given(stream=streams())
def test_learning_never_widens_a_belief(rule, link, stream):
    """But by height, whose normaliser is approximate, and by samples that are too few."""
    X, y, weights = stream
    model = lapwing.Model(rule, link=link, size=SIZE, prior_variance=1.5)
    for row in range(len(X)):
        before = model.variance
        part = slice(row, row + 1)
        model.learn(X[part], y[part], weights[part])
        assert np.all(model.variance <= before)


@links
@pytest.mark.parametrize("rule", [r for r in BAYESIAN if not isinstance(r, rules.VB)], ids=str)
@given(value=st.floats(0.01, 50), mean=st.floats(-5, 5), y=st.sampled_from([-1, 1]))
def test_a_mean_moves_towards_the_label(rule, link, value, mean, y):
    model = lapwing.Model(rule, link=link, prior_mean=mean, dtype="float64")
    model.learn([[value]], [y])
    assert y * (model.mean[0] - mean) >= 0


@links
@given(stream=streams())
def test_samples_are_coherent_and_intervals_nest(link, stream):
    X, y, _ = stream
    model = lapwing.Model(link=link, size=SIZE)
    model.learn(X, y)
    whole = model.sample(X, seed=3)
    rows = [model.sample(X[row : row + 1], seed=3)[0] for row in range(len(X))]
    assert np.array_equal(whole, rows)
    low, high = model.interval(X, 0.5)
    lower, higher = model.interval(X, 0.95)
    assert np.all((lower <= low) & (low <= high) & (high <= higher))


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int8, bool])
def test_every_kind_of_matrix_is_the_same_rows(dtype):
    from scipy import sparse

    rng = np.random.default_rng(1)
    X = (rng.random((50, 9)) < 0.3).astype(dtype)
    y = rng.integers(0, 2, 50)
    kinds = [X, X.tolist(), np.asfortranarray(X), X[::-1][::-1]]
    sparse_kinds = (sparse.csr_array, sparse.csc_array, sparse.coo_array, sparse.csr_matrix)
    kinds += [make(X) for make in sparse_kinds]
    wide = sparse.csr_array(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    kinds.append(wide)
    expected = lapwing.Model()
    p = expected.learn(X, y)
    for labels in (y, 2 * y - 1, y == 1, y.astype(float), y.tolist()):
        for kind in kinds:
            model = lapwing.Model()
            assert np.array_equal(model.learn(kind, labels), p)
            assert bits(model) == bits(expected)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_growing_keeps_what_was_learned(dtype):
    """A model that grows row by row is one that had the room from the start."""
    X = np.tril(np.ones((40, 40)))
    y = np.arange(40) % 3 == 0
    grown, roomy = lapwing.Model(dtype=dtype), lapwing.Model(size=40, dtype=dtype)
    for row in range(40):
        grown.learn(X[row : row + 1, : row + 1], y[row : row + 1])
        assert grown.size == row + 1
    roomy.learn(X, y)
    assert bits(grown) == bits(roomy)
