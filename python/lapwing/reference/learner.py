"""Algorithm 1 with every rule, in NumPy: slow, and meant to be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lapwing import rules
from lapwing.reference import joint, logistic_normal, variational
from lapwing.reference.ada_grad import ada_grad
from lapwing.reference.draws import normals
from lapwing.reference.head import Head, forget_head, move_head, totals_with_head
from lapwing.reference.likelihood import LOGIT, PROBIT
from lapwing.reference.marginal import (
    Marginal,
    approx_mean,
    gauss_mean,
    height_variance,
    laplace_variance,
    least_squares,
    two_point,
)
from lapwing.reference.memory import forget
from lapwing.reference.prediction import predictive_probability, totals

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from lapwing.reference.arrays import Array


class Reference:
    """A learner over `size` numbered features.

    `mu` and `v` are the beliefs; for AdaGrad, weights and squared-gradient sums. `memory` is the
    number of touches that a feature remembers; a `head` needs the field of every feature.
    """

    def __init__(
        self,
        rule: rules.Rule,
        *,
        size: int,
        link: str = "logit",
        prior_mean: float | Array = 0.0,
        prior_variance: float | Array = 1.0,
        seed: int = 0,
        memory: float = np.inf,
        head: Head | None = None,
        fields: NDArray[np.int64] | None = None,
    ) -> None:
        self.rule = rule
        self.likelihood = {"logit": LOGIT, "probit": PROBIT}[link]
        self.mu = np.full(size, prior_mean, dtype=float)
        self.v = np.full(size, prior_variance if rule.keeps_variance else 0.0, dtype=float)
        self.prior_mean, self.prior_variance = self.mu.copy(), self.v.copy()
        self.memory = memory
        self.head = head
        self.fields = np.zeros(size, dtype=np.int64) if fields is None else fields
        self.seed = seed
        self.rows_learned = 0

    def learn(
        self,
        rows: Iterable[tuple[NDArray[np.int64], Array]],
        y: Array,
        weights: Array | None = None,
    ) -> Array:
        """P(y=1) of every row, each before it is learned; a row is its features and values."""
        powers = np.ones(len(y)) if weights is None else weights
        steps = zip(rows, y, powers, strict=True)
        return np.array([self.step(*row, label, weight) for row, label, weight in steps])

    def step(self, features: NDArray[np.int64], values: Array, y: float, weight: float) -> float:
        i, where = np.unique(features, return_inverse=True)
        x = np.bincount(where, weights=values, minlength=len(i)).astype(float)
        i, x = i[x != 0], x[x != 0]
        if self.head is not None:
            return self.step_with_head(self.head, i, x, y, weight)
        mu, v = self.mu[i], self.v[i]
        m, s = totals(mu, v if self.rule.keeps_variance else 0 * v, x)
        if weight > 0:
            q = Marginal(mu, v, x, m, s, y, self.likelihood, weight)
            self.keep(i, *self.update(q))
        return self.probability(m, s)

    def step_with_head(
        self, head: Head, i: NDArray[np.int64], x: Array, y: float, weight: float
    ) -> float:
        """The same with one more feature, of value 1: what the head adds (`reference.head`).

        Its mean is the bias, so that the row's total is z'(G, b); its variance is z'Pz.
        """
        fields = self.fields[i]
        m, s, z = totals_with_head(self.mu[i], self.v[i], x, fields, head)
        if weight > 0:
            seen = np.append(x * head.mean[fields], 1.0)
            bias = head.mean[-1]
            mu, v = np.append(self.mu[i], bias), np.append(self.v[i], z @ head.P @ z)
            q = Marginal(mu, v, seen, m, s, y, self.likelihood, weight)
            mu_plus, v_plus = self.update(q)
            self.keep(i, mu_plus[:-1], v_plus[:-1])
            move_head(head, z, float(mu_plus[-1] - bias), float(v_plus[-1]))
            forget_head(head)
        return self.probability(m, s)

    def keep(self, i: NDArray[np.int64], mu: Array, v: Array) -> None:
        """What was touched forgets a little, after it has learned."""
        if np.isfinite(self.memory):
            mu, v = forget(mu, v, self.prior_mean[i], self.prior_variance[i], self.memory)
        self.mu[i], self.v[i] = mu, v
        self.rows_learned += 1

    def probability(self, m: float, s: float) -> float:
        """P(y=1), by the formula that belongs to the rule."""
        if isinstance(self.rule, rules.Moments) and self.likelihood is LOGIT:
            return logistic_normal.probability(m, s)
        return predictive_probability(m, s, 1.0, self.likelihood)

    def update(self, q: Marginal) -> tuple[Array, Array]:
        """The beliefs after a row, by the learner's rule."""
        rule = self.rule
        if isinstance(rule, (rules.Gauss, rules.Approx)):
            mean = gauss_mean(q) if isinstance(rule, rules.Gauss) else approx_mean(q)
            variance = laplace_variance if rule.variance == "laplace" else height_variance
            return mean, variance(q, mean)
        if isinstance(rule, rules.TwoPoint):
            return two_point(q)
        if isinstance(rule, rules.LeastSquares):
            return least_squares(q)
        if isinstance(rule, rules.VB):
            samples = normals(self.seed, self.rows_learned, rule.samples)
            if rule.mean == "taylor":
                return variational.taylor(q, samples)
            return variational.newton(q, samples, rule.tolerance, rule.iterations)
        if isinstance(rule, rules.AdaGrad):
            return ada_grad(
                q.mu,
                q.v,
                q.x,
                q.y,
                q.likelihood,
                learning_rate=rule.learning_rate,
                epsilon=rule.epsilon,
                weight=q.weight,
            )
        return self.update_jointly(q)

    def update_jointly(self, q: Marginal) -> tuple[Array, Array]:
        if isinstance(self.rule, rules.DimGauss):
            newton = self.rule.mean == "newton"
            move = joint.dim_gauss_newton if newton else joint.dim_gauss_taylor
        else:
            move = joint.moments if isinstance(self.rule, rules.Moments) else joint.adf
        u, Sigma = move(q.mu, np.diag(q.v), q.x, q.y, q.likelihood, q.weight)
        return u, np.diag(Sigma).copy()
