"""Online Bayesian logistic and probit regression for sparse streams.

A model keeps a mean and a variance for the weight of every feature, predicts with the uncertainty
taken into account, and learns in closed form, one row at a time, with no learning rate.

>>> import lapwing
>>> stream = lapwing.synthetic.RandomStream(features=200, active=20, seed=7)
>>> X, y, true_loss = stream.draw(10_000)
>>> model = lapwing.Model()
>>> p = model.learn(X, y)            # each row is predicted, then learned
>>> print(f"log loss {lapwing.log_loss(y, p):.4f}, knowing the truth {true_loss.mean():.4f}")
log loss 0.3280, knowing the truth 0.2759
"""

from importlib.metadata import version

from lapwing import rules, synthetic
from lapwing.data import Batch
from lapwing.dense import DenseModel
from lapwing.files import read
from lapwing.head import Head
from lapwing.metrics import Metrics, log_loss
from lapwing.model import Model, Panel
from lapwing.model_file import load
from lapwing.panel import Member
from lapwing.weights import Weight, Weights

__version__ = version("lapwing")

__all__ = [
    "Batch",
    "DenseModel",
    "Head",
    "Member",
    "Metrics",
    "Model",
    "Panel",
    "Weight",
    "Weights",
    "load",
    "log_loss",
    "read",
    "rules",
    "synthetic",
]
