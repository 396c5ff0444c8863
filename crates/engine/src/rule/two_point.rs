use super::Evidence;
use super::marginal::{Marginal, MarginalRule};
use super::newton::peak;
use super::variance::{HIGHEST_RATIO, lowest_ratio};
use crate::likelihood::Likelihood;
use crate::prediction::shrunk_score;

/// The normal density that equals the posterior at two points (Appendix D): half a Laplace
/// deviation to either side of the peak. At a whole deviation a normal density does not change
/// with its own width, and nothing would be learned from the match.
#[derive(Default)]
pub struct TwoPoint {
    log_p: f64,
}

const HALF_GAP: f64 = 0.5;

impl<L: Likelihood<f64>> MarginalRule<f64, L> for TwoPoint {
    fn begin(&mut self, row: &Evidence) {
        self.log_p = L::log_cdf(shrunk_score::<L>(row.y * row.m, row.s));
    }

    /// In units of the prior's deviation `d` around the prior's mean, `w = mu + d u`, the
    /// logarithm of the posterior is `l(u)`. With `D` its slope between the points, equality at
    /// both gives the new mean `centre + b D` and, for the new variance `b`,
    /// `log b + b D^2 + e^2 / b + l(u1) + l(u2) = 0`, where `e` is half their distance.
    fn posterior(&self, marginal: &Marginal<f64>) -> (f64, f64) {
        let deviation = marginal.v.sqrt();
        let tau = marginal.a * deviation;
        let t = marginal.t();
        let z_plus = peak::<f64, L>(marginal.z, t);
        let (slope, curvature) = L::slope_and_curvature(z_plus);
        let centre = marginal.weight * tau * slope;
        let e = HALF_GAP / (1.0 + t * curvature).sqrt();
        let l = |u: f64| {
            marginal.weight * (L::log_cdf(marginal.z + tau * u) - self.log_p) - 0.5 * u * u
        };
        let (left, right) = (l(centre - e), l(centre + e));
        let tilt = (right - left) / (2.0 * e);
        let b = matching_variance(tilt, e, left + right, lowest_ratio::<L>(t));
        (marginal.mu + deviation * (centre + b * tilt), marginal.v * b)
    }
}

/// The larger root of `f(b) = log b + b tilt^2 + e^2 / b + heights`, within `[lowest, 4]` (see
/// [`super::variance::bounded_ratio`]); the smaller root is a density narrower than the gap.
fn matching_variance(tilt: f64, e: f64, heights: f64, lowest: f64) -> f64 {
    let f = |b: f64| b.ln() + b * tilt * tilt + e * e / b + heights;
    let least = 2.0 * e * e / (1.0 + (1.0 + 4.0 * tilt * tilt * e * e).sqrt());
    let (mut low, mut high) = (lowest.max(least), HIGHEST_RATIO);
    if f(low) >= 0.0 {
        return low;
    }
    if f(high) <= 0.0 {
        return high;
    }
    let mut b = low.max(1.0);
    for _ in 0..200 {
        let value = f(b);
        if value > 0.0 {
            high = b;
        } else {
            low = b;
        }
        let step = value / (1.0 / b + tilt * tilt - e * e / (b * b));
        let next = b - step;
        if step.abs() <= 1e-8 * b {
            return next;
        }
        b = if low < next && next < high { next } else { 0.5 * (low + high) };
    }
    b
}
