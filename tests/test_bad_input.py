"""What is refused is told with what was given and what is allowed, and changes nothing."""

import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

import lapwing
from lapwing import Batch, rules

GOOD_X = [[1.0, 0.0, 2.0], [0.0, 1.0, 0.0]]
GOOD_Y = [1, 0]

BAD_ROWS = {
    "NaN": ([[1.0, np.nan, 0.0], [1, 2, 3]], ValueError, "row 0.*feature 1 is NaN.*must be finite"),
    "infinite": ([[1, 2, 3], [1.0, 0.0, -np.inf]], ValueError, "row 1.*feature 2 is -inf"),
    "too large": ([[1, 2, 3], [1e10, 0.0, 1]], ValueError, "row 1.*at most 1000000000 .*scale"),
    "far too large": ([[1, 2, 3], [0, 1e300, 1]], ValueError, "row 1.*feature 1 is 1e.?300.*scale"),
    "objects": (np.array([[1, None]], dtype=object), TypeError, "X has dtype object"),
    "strings": ([["a", "b", "c"]], TypeError, "X has dtype <U1; it must hold real numbers"),
    "complex": ([[1j, 2, 3]], TypeError, "X has dtype complex128"),
    "dates": (np.array([["2020-01-01"]], dtype="M8[D]"), TypeError, "X has dtype datetime64"),
    "one dimension": ([1.0, 2.0, 3.0], ValueError, r"X has 1 dimension\(s\); it must have 2"),
    "three dimensions": (np.zeros((1, 2, 3)), ValueError, r"X has 3 dimension\(s\)"),
    "ragged": ([[1.0, 2.0], [3.0]], ValueError, "X is not an array: its rows differ in length"),
    "a string": ("rows", TypeError, "X is a str; X must be a scipy sparse matrix"),
    "nothing": (None, TypeError, "X is a NoneType; X must be"),
    "too wide": (np.ones((2, 4)), ValueError, "X has 4 columns; this model has size 3"),
    "sparse too wide": (sparse.csr_array((2, 9)), ValueError, "X has 9 columns; .* has size 3"),
    "sparse vector": (sparse.coo_array(np.ones(3)), ValueError, r"X has 1 dimension\(s\)"),
    "beyond its columns": (Batch([0, 1, 1], [3], [1.0], 3), ValueError, "row 0: feature 3 .* 3 f"),
    "sum too large": (
        Batch([0, 2, 2], [1, 1], [9e8, 9e8], 3),
        ValueError,
        "feature 1 is 1800000000",
    ),
    "starts that fall": (Batch([0, 2, 1], [1], [1.0], 3), ValueError, "row starts must begin at 0"),
    "starts too short": (Batch([0, 1], [1, 2], [1.0, 1.0], 3), ValueError, "row starts must"),
    "no starts": (Batch([], [], [], 3), ValueError, "row starts must begin"),
    "uneven": (Batch([0, 1], [1, 2], [1.0], 3), ValueError, "2 feature indices for 1 values"),
}

BAD_ANSWERS = {
    "label 2": ([1, 2], None, ValueError, "row 1: the label is 2; labels must be 0 and 1, -1 and"),
    "label NaN": ([1.0, np.nan], None, ValueError, "row 1: the label is nan"),
    "label 0.5": ([0.5, 1], None, ValueError, "row 0: the label is 0.5"),
    "0 and -1": ([0, -1], None, ValueError, "y holds both 0 and -1; labels must be"),
    "strings": (["yes", "no"], None, TypeError, "y has dtype <U3; it must hold real numbers"),
    "objects": ([True, None], None, TypeError, "y has dtype object"),
    "too few labels": ([1], None, ValueError, "there are 2 rows and 1 labels"),
    "no labels": ([], None, ValueError, "there are 2 rows and 0 labels"),
    "matrix of labels": ([[1], [0]], None, ValueError, r"y has 2 dimension\(s\); it must have 1"),
    "one label": (1, None, ValueError, r"y has 0 dimension\(s\)"),
    "negative weight": (GOOD_Y, [1.0, -0.5], ValueError, "weight of row 1 is -0.5; .* between 0"),
    "NaN weight": (GOOD_Y, [np.nan, 1.0], ValueError, "the weight of row 0 is NaN"),
    "infinite weight": (GOOD_Y, [1.0, np.inf], ValueError, "the weight of row 1 is inf"),
    "too many weights": (GOOD_Y, [1.0, 1.0, 1.0], ValueError, "2 rows and 3 weights"),
    "one weight": (GOOD_Y, 2.0, ValueError, r"sample_weight has 0 dimension\(s\)"),
    "strings as weights": (GOOD_Y, ["a", "b"], TypeError, "sample_weight has dtype <U1"),
}

MODELS = {
    "numbered": lambda: lapwing.Model(size=3),
    "numbered, double": lambda: lapwing.Model(size=3, dtype="float64"),
    "dense": lambda: lapwing.DenseModel(3),
    "dense, precision": lambda: lapwing.DenseModel(3, form="precision", batch=2),
}


@pytest.fixture(params=list(MODELS))
def model(request):
    model = MODELS[request.param]()
    model.learn(GOOD_X, GOOD_Y)
    return model


def state(model):
    return model.size, model.rows_learned, model.mean.tobytes(), model.variance.tobytes()


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("name", list(BAD_ROWS))
def test_rows(model, name):
    X, kind, sentence = BAD_ROWS[name]
    if name == "too large" and "float32" not in model.dtype:
        sentence = sentence.replace("1e10", "10000000000")
    before = state(model)
    for call in (lambda: model.learn(X, GOOD_Y), lambda: model.predict(X)):
        with pytest.raises(kind, match=sentence):
            call()
    with pytest.raises(kind, match=sentence):
        model.predict_logit(X)
    with pytest.raises(kind, match=sentence):
        model.interval(X)
    with pytest.raises(kind, match=sentence):
        model.sample(X, 1)
    assert state(model) == before


@pytest.mark.parametrize("name", list(BAD_ANSWERS))
def test_labels_and_weights(model, name):
    y, weights, kind, sentence = BAD_ANSWERS[name]
    before = state(model)
    with pytest.raises(kind, match=sentence):
        model.learn(GOOD_X, y, weights)
    assert state(model) == before


BAD_SETTINGS = [
    ({"rule": "newton"}, ValueError, "rule is 'newton'; it must be one of gauss, approx, dimgauss"),
    ({"rule": 3}, TypeError, "rule is 3; it must be a name or an object of lapwing.rules"),
    ({"rule": rules.Gauss}, TypeError, "it must be a name or an object"),
    ({"link": "cloglog"}, ValueError, 'link is \'cloglog\'; it must be "logit" or "probit"'),
    ({"link": None}, ValueError, "link is None"),
    ({"prior_variance": 0.0}, ValueError, "prior_variance is 0; it must be between"),
    ({"prior_variance": -1.0}, ValueError, "prior_variance is -1; it must be between"),
    ({"prior_variance": np.nan}, ValueError, "prior_variance is NaN; it must be between"),
    ({"prior_variance": "wide"}, TypeError, "prior_variance"),
    ({"prior_variance": [1.0, -2.0]}, ValueError, "prior_variance is -2; it must be between"),
    ({"prior_variance": [[1.0]]}, ValueError, "prior_variance has 2 dimensions"),
    ({"prior_variance": ["a"]}, TypeError, "prior_variance has dtype <U1"),
    ({"prior_mean": np.inf}, ValueError, "prior_mean is inf; it must be between"),
    ({"prior_mean": [0.0, np.nan]}, ValueError, "prior_mean is NaN"),
    ({"prior_mean": [0.0, 1.0], "size": 3}, ValueError, "disagree on the number of features: 2 a"),
    ({"prior_mean": [0.0], "prior_variance": [1.0, 2.0]}, ValueError, "disagree on the number"),
    ({"size": -1}, ValueError, "size is -1; it must be between 0 and"),
    ({"size": 2.5}, TypeError, "size is 2.5; it must be a whole number"),
    ({"size": True}, TypeError, "size is True; it must be a whole number"),
    ({"dtype": "float16"}, ValueError, 'dtype is \'float16\'; it must be "float32" or "float64"'),
    ({"dtype": "half a word"}, ValueError, "dtype is 'half a word'"),
    ({"seed": -1}, ValueError, "seed is -1; it must be between 0 and 18446744073709551615"),
    ({"seed": "lucky"}, TypeError, "seed is 'lucky'; it must be a whole number"),
    ({"rule": rules.VB(tolerance=-1.0)}, ValueError, "tolerance is -1; it must be between"),
    ({"rule": rules.AdaGrad(learning_rate=0.0)}, ValueError, "learning_rate is 0; it must be"),
    ({"rule": rules.AdaGrad(epsilon=np.nan)}, ValueError, "epsilon is NaN; it must be between"),
]


@pytest.mark.parametrize(("settings", "kind", "sentence"), BAD_SETTINGS)
def test_settings(settings, kind, sentence):
    with pytest.raises(kind, match=sentence):
        lapwing.Model(**settings)


@pytest.mark.parametrize(
    ("make", "kind", "sentence"),
    [
        (lambda: rules.Gauss(variance="wide"), ValueError, "variance is 'wide'; it must be \"lapl"),
        (lambda: rules.Approx("height!"), ValueError, "variance is 'height!'"),
        (
            lambda: rules.DimGauss(mean="exact"),
            ValueError,
            "mean is 'exact'; it must be \"newton\"",
        ),
        (lambda: rules.VB(samples=0), ValueError, "samples is 0; it must be between 1 and 1000000"),
        (lambda: rules.VB(samples=1.5), TypeError, "samples is 1.5; it must be a whole number"),
        (lambda: rules.VB(iterations=0), ValueError, "iterations is 0"),
        (lambda: rules.AdaGrad(learning_rate="fast"), TypeError, "learning_rate is 'fast'"),
        (lambda: lapwing.DenseModel(3, "approx"), ValueError, "DimGauss, ADF and Moments can move"),
        (lambda: lapwing.DenseModel(3, "adf", form="precision"), ValueError, "only DimGauss can"),
        (lambda: lapwing.DenseModel(3, batch=5), ValueError, "batch is 5, but covariances do not"),
        (lambda: lapwing.DenseModel(3, form="dense"), ValueError, "form is 'dense'; it must be"),
        (lambda: lapwing.DenseModel(10**6), ValueError, "size is 1000000; .* between 0 and 16384"),
        (lambda: lapwing.DenseModel(3, prior_mean=[1.0]), ValueError, "disagree"),
        (lambda: Batch([0, 1], [-1], [1.0], 2), ValueError, "feature index is -1; indices start"),
        (lambda: Batch([0, 1], [2**32], [1.0], 2), ValueError, "feature index is 4294967296"),
        (lambda: Batch([0, 1], [0.5], [1.0], 2), TypeError, "features has dtype float64"),
        (lambda: Batch([[0, 1]], [0], [1.0], 2), ValueError, r"starts has 2 dimension\(s\)"),
        (
            lambda: Batch([0], [], [], -1),
            ValueError,
            "columns is -1; it must be between 0 and 4294",
        ),
        (lambda: Batch([0], [], [], 2**64), ValueError, "columns is 18446744073709551616; it must"),
        (lambda: lapwing.synthetic.RandomStream(features=10**9), ValueError, "features is 1000000"),
        (lambda: lapwing.synthetic.RandomStream().draw(10**12), ValueError, "rows is 1000000"),
        (lambda: lapwing.synthetic.RandomStream(features=0), ValueError, "features is 0"),
        (lambda: lapwing.synthetic.RandomStream(active=0.0), ValueError, "active is 0; .* above 0"),
        (lambda: lapwing.synthetic.RandomStream(active=201), ValueError, "active is 201"),
        (lambda: lapwing.synthetic.RandomStream(deviation=-1.0), ValueError, "deviation is -1"),
        (lambda: lapwing.synthetic.RandomStream(deviation=[1.0, 2.0]), ValueError, "is 2 numbers"),
        (lambda: lapwing.synthetic.RandomStream(values="two"), ValueError, "values is 'two'"),
        (lambda: lapwing.synthetic.CategoryStream(categories=[]), ValueError, "features is 0"),
        (lambda: lapwing.synthetic.CategoryStream(per_row=201), ValueError, "per_row is 201"),
        (lambda: lapwing.synthetic.CategoryStream(decay=1.5), ValueError, "decay is 1.5"),
        (
            lambda: lapwing.synthetic.CategoryStream(per_row=100, decay=0.5),
            ValueError,
            "per_row is 100; it must be fewer",
        ),
        (lambda: lapwing.synthetic.LongTailStream(categories=40), ValueError, "categories is 40"),
    ],
)
def test_other_objects(make, kind, sentence):
    with pytest.raises(kind, match=sentence):
        make()


@pytest.mark.parametrize("level", [0.0, 1.0, -0.5, 90, np.nan])
def test_levels(model, level):
    with pytest.raises(ValueError, match=f"level is {float(level)}; it must be between 0 and 1"):
        model.interval(GOOD_X, level)


def test_seeds_of_samples(model):
    with pytest.raises(ValueError, match="seed is -1"):
        model.sample(GOOD_X, -1)


def test_adagrad_says_that_it_has_no_variance():
    model = lapwing.Model("adagrad")
    model.learn(GOOD_X, GOOD_Y)
    assert np.all(model.predict_logit(GOOD_X)[1] == 0)
    for call in (
        lambda: model.variance,
        lambda: model.interval(GOOD_X),
        lambda: model.sample(GOOD_X, 1),
    ):
        with pytest.raises(ValueError, match=r"needs a variance, and AdaGrad\(.*\) keeps none"):
            call()


def test_what_is_empty_works(model):
    for X in (np.zeros((0, 3)), [], sparse.csr_array((0, 3)), Batch([0], [], [], 3)):
        before = state(model)
        assert model.learn(X, []).shape == (0,)
        assert model.predict(X).shape == (0,)
        assert state(model) == before
    assert model.predict(np.zeros((2, 0))).tolist() == [0.5, 0.5]


def test_a_model_that_has_learned_nothing_predicts_from_the_prior():
    X = [[1.0, 2.0], [0.0, 0.0]]
    assert lapwing.Model().predict(X).tolist() == [0.5, 0.5]
    p = lapwing.Model(prior_mean=1.0, prior_variance=0.5).predict(X)
    expected = 1 / (1 + np.exp(-3.0 / np.sqrt(1 + np.pi / 8 * 2.5)))
    np.testing.assert_allclose(p, [expected, 0.5], rtol=1e-6)


@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_negative_indices_in_sparse_matrices(model, kind):
    X = sparse.csr_array(np.array(GOOD_X))
    X.indices = np.array([0, -1, 1], dtype=kind)
    with pytest.raises(ValueError, match="a feature index is -1; indices start at 0"):
        model.predict(X)


def test_more_features_than_memory_is_an_error_and_no_crash():
    """In a process of its own whose memory is limited, for elsewhere the system may lend it."""
    script = """
import resource, lapwing
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
model = lapwing.Model()
model.learn([[1.0]], [1])
try:
    model.learn(lapwing.Batch([0, 1], [2**32 - 1], [1.0], 2**32), [1])
except MemoryError as error:
    print(error, model.size, model.rows_learned)
"""
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "a table of 4294967296 features does not fit into memory 1 1"
