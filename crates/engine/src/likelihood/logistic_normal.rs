//! The sigmoid averaged over a normal weight, to rounding: what moment matching needs.

use super::{Likelihood, Logistic, Probit};
use crate::rule::peak;
use std::f64::consts::PI;

/// `Z = E F(w)` for `w ~ N(z, s)`, and the derivatives of its logarithm in `z`.
#[derive(Clone, Copy, Debug)]
pub struct Average {
    pub log_z: f64,
    /// `d log Z / dz`.
    pub slope: f64,
    /// `-d^2 log Z / dz^2`.
    pub curvature: f64,
}

/// By the trapezoid rule, which converges faster than any power for a smooth function that falls off
/// on both sides: its error is `exp(-2 pi a / step)`, `a` the distance of the nearest singularity (pi
/// for the sigmoid), or `exp(-2 (pi deviation / step)^2)` for the normal.
///
/// With `r` and `k` the slope and curvature of `log F`, and averages over the density in proportion
/// to `N(w; z, s) F(w)`: `slope = E r` and `curvature = E k - Var r`, in which far less cancels than
/// in differences of moments.
pub fn average(z: f64, s: f64) -> Average {
    let deviation = s.sqrt();
    if deviation < 1e-9 {
        let (slope, curvature) = Logistic::slope_and_curvature(z);
        return Average { log_z: Logistic::log_cdf(z), slope, curvature };
    }
    if s > WIDE {
        return average_at_a_wide_normal(z, s);
    }
    let centre = peak::<f64, Logistic>(z, s);
    let step = (0.5 * deviation).min(0.5);
    // The density falls at least as fast as the normal to either side of its peak.
    let reach = (REACH * deviation / step).ceil() as i32;
    // By the distance u from z: where s is small, w - z would have lost its digits.
    let log_density = |u: f64| Logistic::log_cdf(z + u) - 0.5 * u * u / s;
    let peak_distance: f64 = s * <Logistic as Likelihood<f64>>::slope(centre);
    let highest = log_density(peak_distance);
    // Var r = Var (1 - r): of the two the one that is nearly zero keeps its digits.
    let flip = centre < 0.0;
    let (mut all, mut sum_k, mut sum_q, mut sum_qq) = (0.0, 0.0, 0.0, 0.0);
    for i in -reach..=reach {
        let u = peak_distance + f64::from(i) * step;
        let weight = (log_density(u) - highest).exp();
        let (r, k): (f64, f64) = Logistic::slope_and_curvature(z + u);
        let q: f64 = if flip { Logistic::cdf(z + u) } else { r };
        all += weight;
        sum_k += weight * k;
        sum_q += weight * q;
        sum_qq += weight * q * q;
    }
    let (k, q) = (sum_k / all, sum_q / all);
    let variance = (sum_qq / all - q * q).max(0.0);
    Average {
        log_z: highest + (all * step / (2.0 * PI).sqrt() / deviation).ln(),
        slope: if flip { 1.0 - q } else { q },
        curvature: (k - variance).max(0.0),
    }
}

/// Beyond this variance the sigmoid is so narrow beside the normal that only its own variance as a
/// distribution, pi^2 / 3, is seen: `Z = Phi(z / sqrt(s + pi^2 / 3))` to about 1e-8, in few steps.
const WIDE: f64 = 1e4;

fn average_at_a_wide_normal(z: f64, s: f64) -> Average {
    let k = (s + PI * PI / 3.0).sqrt().recip();
    let (slope, curvature): (f64, f64) = Probit::slope_and_curvature(k * z);
    Average { log_z: Probit::log_cdf(k * z), slope: k * slope, curvature: k * k * curvature }
}

/// In deviations; beyond it lies less than 1e-18.
const REACH: f64 = 9.0;
