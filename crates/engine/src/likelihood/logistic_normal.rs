//! The sigmoid averaged over a normal weight, in closed form: what moment matching needs.
//!
//! `Z(z, s) = E F(w)` for `w ~ N(z, s)`. The reference has the derivation: because
//! `F(w) = e^w F(-w)`, `Z(z) = e^(z + s/2) Z(-(z + s))`, so the curvature of `log Z` is symmetric
//! about `-s/2` and the slope is one minus its reflection. This brings every tail to a place where
//! a few normals in the sigmoid's place are right.

/// What a row's total weight `w ~ N(m, s)` says about its label, and each label about the weight.
#[derive(Clone, Copy, Debug)]
pub struct LogisticNormal {
    m: f64,
    s: f64,
    form: Form,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    /// At `|m|`.
    Middle(Centre),
    /// All at `|m| - s`, and `Z(-|m|)`.
    Beyond { tail: f64, behind: Average },
}

impl LogisticNormal {
    #[inline]
    pub fn new(m: f64, s: f64) -> Self {
        let u = m.abs();
        let form = if s <= SMALL {
            Form::Middle(Centre::of_series(u, s))
        } else if u <= 0.5 * s {
            Form::Middle(Centre::of_normals(u, s))
        } else {
            let behind = by_normals(u - s, s);
            Form::Beyond { tail: (0.5 * s - u).exp() * behind.z, behind }
        };
        LogisticNormal { m, s, form }
    }

    /// `Z(m)`.
    #[inline]
    pub fn probability(&self) -> f64 {
        let tail = match self.form {
            Form::Middle(centre) => centre.scale * centre.tail,
            Form::Beyond { tail, .. } => tail,
        };
        if self.m < 0.0 { tail } else { 1.0 - tail }
    }

    /// `d log Z / dz` and `-d^2 log Z / dz^2` at `z = y m`. The curvature is at most `1 / (4 + s)`:
    /// no likelihood bends more sharply than 1/4, so the posterior's variance is at least
    /// `1 / (1/s + 1/4)`.
    #[inline]
    pub fn slope_and_curvature(&self, y: f64) -> (f64, f64) {
        let (u, s) = (self.m.abs(), self.s);
        let (slope, curvature) = match self.form {
            Form::Middle(centre) if y * self.m >= 0.0 => centre.right().derivatives(),
            Form::Middle(centre) if u <= 0.5 * s => centre.left().derivatives(),
            Form::Beyond { tail, behind } if y * self.m >= 0.0 => behind.ahead(tail).derivatives(),
            Form::Beyond { behind, .. } if u <= 1.5 * s => behind.reflected(),
            _ => right(u - s, s).reflected(),
        };
        (slope, curvature.clamp(0.0, 1.0 / (4.0 + s)))
    }
}

/// To the right of `s / 2`, where no tail cancels.
fn right(z: f64, s: f64) -> Average {
    if s <= SMALL {
        return Centre::of_series(z.abs(), s).at(z);
    }
    let behind = by_normals(z - s, s);
    behind.ahead((0.5 * s - z).exp() * behind.z)
}

fn by_normals(u: f64, s: f64) -> Average {
    Centre::of_normals(u.abs(), s).at(u)
}

/// `Z`, and slope and curvature of its logarithm.
#[derive(Clone, Copy, Debug)]
struct Average {
    z: f64,
    slope: f64,
    curvature: f64,
}

impl Average {
    #[inline]
    fn derivatives(self) -> (f64, f64) {
        (self.slope, self.curvature)
    }

    /// As far to the other side of `-s/2`.
    #[inline]
    fn reflected(self) -> (f64, f64) {
        (1.0 - self.slope, self.curvature)
    }

    /// All at a place from that at `s` behind it, and from `Z` at its opposite.
    #[inline]
    fn ahead(self, tail: f64) -> Average {
        let rest = 1.0 - self.slope;
        let odds = tail / (1.0 - tail);
        let slope = odds * rest;
        let bend = odds * (rest * rest - self.curvature);
        Average { z: 1.0 - tail, slope, curvature: slope * slope + bend }
    }
}

/// For `u >= 0`: `Z(-u)`, `dZ/du` and `|d^2 Z / du^2|`, each divided by `scale`, which may underflow.
#[derive(Clone, Copy, Debug)]
struct Centre {
    tail: f64,
    density: f64,
    bend: f64,
    scale: f64,
}

impl Centre {
    /// `F(w)` as `sum_k P_k Phi(w / sqrt(C_k))`: normals become wider by `s`.
    #[inline]
    fn of_normals(u: f64, s: f64) -> Centre {
        let r = C.map(|c| 1.0 / (s + c).sqrt());
        let x = r.map(|r| u * r);
        let mut weights = P;
        for k in 0..3 {
            // e^(-x^2 / 2), the widest normal's divided out: u may be many deviations.
            let y = x[k] * r[3];
            weights[k] *= (-0.5 * y * y * (C[3] - C[k])).exp();
        }
        let (mut tail, mut density, mut bend) = (0.0, 0.0, 0.0);
        for k in 0..4 {
            tail += weights[k] * mills(x[k]);
            density += weights[k] * r[k];
            bend += weights[k] * r[k] * r[k] * x[k];
        }
        Centre { tail, density, bend, scale: INVERSE_ROOT_TAU * (-0.5 * x[3] * x[3]).exp() }
    }

    /// `Z = sum_k (s/2)^k / k! F^(2k)(u)`, up to `k = 3`; every term falls like `e^-u`.
    #[inline]
    fn of_series(u: f64, s: f64) -> Centre {
        let e = (-u).exp();
        let p = 1.0 / (1.0 + e);
        let q = e * p;
        let (c, d) = (p * q, p - q);
        let (t1, t2, t3) = (s / 2.0, s * s / 8.0, s * s * s / 48.0);
        let tail = t1 + t2 * (1.0 - 12.0 * c) + t3 * (1.0 - c * (60.0 - 360.0 * c));
        let density = 1.0
            + t1 * (1.0 - 6.0 * c)
            + t2 * (1.0 - c * (30.0 - 120.0 * c))
            + t3 * (1.0 - c * (126.0 - c * (1680.0 - 5040.0 * c)));
        let bend = 1.0
            + t1 * (1.0 - 12.0 * c)
            + t2 * (1.0 - c * (60.0 - 360.0 * c))
            + t3 * (1.0 - c * (252.0 - c * (5040.0 - 20160.0 * c)));
        Centre { tail: q + c * d * tail, density: c * density, bend: c * d * bend, scale: 1.0 }
    }

    #[inline]
    fn at(self, u: f64) -> Average {
        if u < 0.0 { self.left() } else { self.right() }
    }

    /// At `-u`.
    #[inline]
    fn left(self) -> Average {
        let slope = self.density / self.tail;
        let curvature = slope * slope - self.bend / self.tail;
        Average { z: self.scale * self.tail, slope, curvature }
    }

    /// At `u`.
    #[inline]
    fn right(self) -> Average {
        let z = 1.0 - self.scale * self.tail;
        let share = self.scale / z;
        let slope = share * self.density;
        Average { z, slope, curvature: slope * slope + share * self.bend }
    }
}

/// `Phi(-x) / phi(x)` for `x >= 0`, within 2e-7: a polynomial in `1 / (x + 3.5)`, summed in pairs so
/// that no term waits for all before it.
#[inline]
fn mills(x: f64) -> f64 {
    let t = 1.0 / (x + 3.5);
    let (t2, t4) = (t * t, (t * t) * (t * t));
    let low = (MILLS[0] + MILLS[1] * t) + (MILLS[2] + MILLS[3] * t) * t2;
    let high = (MILLS[4] + MILLS[5] * t) + (MILLS[6] + MILLS[7] * t) * t2;
    t * (low + (high + MILLS[8] * t4) * t4)
}

/// The weights and variances of the normals; the reference says how they were fitted.
const P: [f64; 4] = [0.107007, 0.476727, 0.372024, 0.044242];
const C: [f64; 4] = [0.953596, 2.076228, 4.643953, 10.617705];

/// The variance up to which the series in it is used.
const SMALL: f64 = 0.15;

const MILLS: [f64; 9] = [
    0.999999833,
    3.50001896,
    11.2527406,
    32.1109651,
    87.7616211,
    24.7189067,
    1138.35623,
    -4800.076,
    4818.18837,
];

const INVERSE_ROOT_TAU: f64 = 0.398_942_280_401_432_7;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(z: f64, s: f64) -> (f64, f64, f64) {
        let average = LogisticNormal::new(z, s);
        let (slope, curvature) = average.slope_and_curvature(1.0);
        (average.probability(), slope, curvature)
    }

    proptest! {
        #[test]
        fn slope_and_curvature_are_those_of_the_logarithm(
            z in -40.0..40.0_f64, log_s in -3.0..3.0_f64,
        ) {
            let (s, step) = (10_f64.powf(log_s), 1e-3);
            // A difference over one of the seams would see the jump there.
            let seams = [0.5 * s, -0.5 * s, 1.5 * s, -1.5 * s];
            prop_assume!(seams.iter().all(|seam| (z - seam).abs() > 2.0 * step));
            let (below, above) = (at(z - step, s), at(z + step, s));
            let (_, slope, curvature) = at(z, s);
            let rise = (above.0.ln() - below.0.ln()) / (2.0 * step);
            let fall = (below.1 - above.1) / (2.0 * step);
            prop_assert!((rise - slope).abs() < 5e-4 * slope + 1e-12, "{rise} {slope}");
            prop_assert!((fall - curvature).abs() < 1e-3 * curvature + 1e-9, "{fall} {curvature}");
        }

        #[test]
        fn the_labels_share_one_evaluation(z in -40.0..40.0_f64, log_s in -8.0..3.0_f64) {
            let s = 10_f64.powf(log_s);
            let (there, back) = (LogisticNormal::new(z, s), LogisticNormal::new(-z, s));
            prop_assert_eq!(there.slope_and_curvature(-1.0), back.slope_and_curvature(1.0));
            prop_assert!((there.probability() + back.probability() - 1.0).abs() < 1e-15);
        }

        #[test]
        fn everything_stays_within_its_bounds(
            m in -1e9..1e9_f64, log_m in -12.0..0.0_f64, log_s in -12.0..24.0_f64,
        ) {
            let (m, s) = (m * 10_f64.powf(log_m), 10_f64.powf(log_s));
            for s in [0.0, s] {
                let (p, slope, curvature) = at(m, s);
                prop_assert!((0.0..=1.0).contains(&p), "{p}");
                prop_assert!((0.0..=1.0).contains(&slope), "{slope}");
                prop_assert!((0.0..=1.0 / (4.0 + s)).contains(&curvature), "{curvature}");
            }
        }
    }
}
