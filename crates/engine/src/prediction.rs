//! From the mean and variance of a row's total weight to probabilities.

use crate::likelihood::{Likelihood, Logistic, Probit, normal_quantile};
use crate::settings::{Link, Settings};

/// Probabilities returned to the user stay inside (0, 1), so that their logarithms are finite.
pub fn open_interval(p: f64) -> f64 {
    p.clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON / 2.0)
}

/// `m / sqrt(1 + c s)`: the score, shrunk by its uncertainty.
pub fn shrunk_score<L: Likelihood<f64>>(m: f64, s: f64) -> f64 {
    m / (1.0 + L::SHRINK * s).sqrt()
}

/// `P(y = 1 | x)` (eq. `mixture_prediction`; for the probit eq. `probit_mixture_prediction`).
#[inline]
pub fn probability<L: Likelihood<f64>>(m: f64, s: f64) -> f64 {
    open_interval(L::cdf(shrunk_score::<L>(m, s)))
}

/// How many standard deviations around the mean hold `level` of a normal distribution.
pub fn half_width(level: f64) -> f64 {
    normal_quantile(0.5 + 0.5 * level)
}

/// What several learners believe of a row's total weight: a mixture of normals.
#[derive(Clone, Debug)]
pub struct Mixture {
    /// Weights, means and variances.
    parts: Vec<(f64, f64, f64)>,
}

impl Mixture {
    pub fn new(parts: Vec<(f64, f64, f64)>) -> Self {
        Mixture { parts }
    }

    pub fn probability(&self, settings: &Settings) -> f64 {
        self.parts.iter().map(|&(weight, m, s)| weight * settings.probability(m, s)).sum()
    }

    pub fn moments(&self) -> (f64, f64) {
        let mean: f64 = self.parts.iter().map(|&(weight, m, _)| weight * m).sum();
        let about_mean = |&(weight, m, s): &(f64, f64, f64)| weight * (s + (m - mean).powi(2));
        (mean, self.parts.iter().map(about_mean).sum())
    }

    /// Where so much of the mixture lies below, found by halving between the quantiles of its
    /// parts, which lie within `reach` deviations.
    pub fn quantile(&self, below: f64, reach: f64) -> f64 {
        let ends = |sign: f64| self.parts.iter().map(move |&(_, m, s)| m + sign * reach * s.sqrt());
        let mut low = ends(-1.0).fold(f64::INFINITY, f64::min);
        let mut high = ends(1.0).fold(f64::NEG_INFINITY, f64::max);
        let share = |at: f64| {
            let parts = self.parts.iter();
            parts.map(|&(w, m, s)| w * normal_share(at - m, s)).sum::<f64>()
        };
        for _ in 0..QUANTILE_STEPS {
            let middle = 0.5 * (low + high);
            if share(middle) < below { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }
}

/// After these the bounds of a quantile are equal to rounding.
const QUANTILE_STEPS: usize = 60;

fn normal_share(distance: f64, variance: f64) -> f64 {
    match variance > 0.0 {
        true => Probit::cdf(distance / variance.sqrt()),
        false if distance < 0.0 => 0.0,
        false => 1.0,
    }
}

impl Link {
    /// `P(y = 1 | x)`, [`probability`] of this link.
    #[inline]
    pub fn probability(self, m: f64, s: f64) -> f64 {
        match self {
            Link::Logit => probability::<Logistic>(m, s),
            Link::Probit => probability::<Probit>(m, s),
        }
    }

    /// `P(y = 1 | x, w)` for a total weight that is known.
    #[inline]
    pub fn probability_at(self, w: f64) -> f64 {
        let p = match self {
            Link::Logit => Logistic::cdf(w),
            Link::Probit => Probit::cdf(w),
        };
        open_interval(p)
    }

    /// The central credible interval of `P(y = 1 | x, w)`, `w` normal: the link is monotone, so
    /// the bounds are the link's values at the bounds of `w`.
    pub fn interval(self, m: f64, s: f64, half_width: f64) -> (f64, f64) {
        let reach = half_width * s.sqrt();
        (self.probability_at(m - reach), self.probability_at(m + reach))
    }

    /// The label that a uniform number stands for, and its `-log P(y | x, w)`.
    pub fn draw_label(self, w: f64, uniform: f64) -> (i8, f64) {
        match self {
            // One exponential and one logarithm serve both.
            Link::Logit => {
                let e = (-w.abs()).exp();
                let positive = uniform * (1.0 + e) < if w >= 0.0 { 1.0 } else { e };
                let unlikely = positive != (w >= 0.0);
                let loss = e.ln_1p() + if unlikely { w.abs() } else { 0.0 };
                (if positive { 1 } else { -1 }, loss)
            }
            Link::Probit => {
                let y = if uniform < self.probability_at(w) { 1 } else { -1 };
                (y, -Probit::log_cdf(f64::from(y) * w))
            }
        }
    }
}
