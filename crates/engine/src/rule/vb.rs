use super::marginal::{Marginal, MarginalRule};
use super::{Evidence, LANES};
use crate::likelihood::Likelihood;
use crate::random::Random;
use crate::settings::MeanForm;
use pulp::{Arch, Simd, WithSimd};
use std::marker::PhantomData;

/// Marginal variational Bayes (Appendix D.3): the normal that minimises `KL(Q || posterior)`, its
/// expectation estimated by `N` standard normal samples, one set per row.
pub struct Vb {
    seed: u64,
    samples: Vec<f64>,
    mean: MeanForm,
    tolerance: f64,
    iterations: usize,
    arch: Arch,
}

impl Vb {
    pub fn new(seed: u64, samples: usize, mean: MeanForm, tolerance: f64, iterations: usize) -> Vb {
        let samples = vec![0.0; samples];
        Vb { seed, samples, mean, tolerance, iterations, arch: Arch::new() }
    }
}

impl<L: Likelihood<f64>> MarginalRule<f64, L> for Vb {
    fn begin(&mut self, row: &Evidence) {
        Random::at(self.seed, row.row).fill_normal(&mut self.samples);
    }

    fn posterior(&self, marginal: &Marginal<f64>) -> (f64, f64) {
        let deviation = marginal.v.sqrt();
        let divergence = Divergence {
            z: marginal.z,
            tau: marginal.a * deviation,
            weight: marginal.weight,
            samples: &self.samples,
            arch: self.arch,
        };
        let Place { alpha, beta } = match self.mean {
            MeanForm::Newton => divergence.newton::<L>(self.tolerance, self.iterations),
            MeanForm::Taylor => divergence.taylor::<L>(),
        };
        (marginal.mu + deviation * alpha, marginal.v * beta * beta)
    }
}

/// `KL(Q || posterior)` (eq. `vb_kl`) up to a constant, in units of the prior: `Q` has the mean
/// `mu + d alpha` and the deviation `d beta`, where `d` is the prior's deviation and `tau = a d`.
/// It is convex, so it has one minimum and a damped Newton's method reaches it.
struct Divergence<'a> {
    z: f64,
    tau: f64,
    weight: f64,
    samples: &'a [f64],
    arch: Arch,
}

#[derive(Clone, Copy)]
struct Place {
    alpha: f64,
    beta: f64,
}

/// Averages over the samples: of the slope `r`, the curvature `k`, and their products with the
/// sample `s`.
struct Averages {
    r: f64,
    sr: f64,
    k: f64,
    sk: f64,
    ssk: f64,
}

/// The same as sums, in vector instructions: nearly all the time of VB is spent here.
struct Sums<'a, L> {
    base: f64,
    scale: f64,
    samples: &'a [f64],
    likelihood: PhantomData<L>,
}

impl<L: Likelihood<f64>> WithSimd for Sums<'_, L> {
    type Output = Averages;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) -> Averages {
        let mut lanes = [[0.0; LANES]; 5];
        let (chunks, rest) = self.samples.as_chunks::<LANES>();
        for samples in chunks {
            self.add::<LANES>(&mut lanes, samples);
        }
        for (lane, sample) in rest.iter().enumerate() {
            let mut one = [[0.0]; 5];
            self.add::<1>(&mut one, &[*sample]);
            for (sums, [one]) in lanes.iter_mut().zip(one) {
                sums[lane] += one;
            }
        }
        let [r, sr, k, sk, ssk] = lanes.map(|lanes| lanes.iter().sum());
        Averages { r, sr, k, sk, ssk }
    }
}

impl<L: Likelihood<f64>> Sums<'_, L> {
    #[inline(always)]
    fn add<const N: usize>(&self, lanes: &mut [[f64; N]; 5], samples: &[f64; N]) {
        let s = *samples;
        let (mut r, mut k) = ([0.0; N], [0.0; N]);
        for ((&s, r), k) in s.iter().zip(&mut r).zip(&mut k) {
            (*r, *k) = L::slope_and_curvature_in_lanes(self.base + self.scale * s);
        }
        let terms: [[f64; N]; 5] = [
            r,
            std::array::from_fn(|lane| s[lane] * r[lane]),
            k,
            std::array::from_fn(|lane| s[lane] * k[lane]),
            std::array::from_fn(|lane| s[lane] * s[lane] * k[lane]),
        ];
        for (sums, terms) in lanes.iter_mut().zip(&terms) {
            for (sum, term) in sums.iter_mut().zip(terms) {
                *sum += term;
            }
        }
    }
}

const START: Place = Place { alpha: 0.0, beta: 1.0 };

impl Divergence<'_> {
    fn score(&self, at: Place, sample: f64) -> f64 {
        self.z + self.tau * (at.alpha + sample * at.beta)
    }

    fn value<L: Likelihood<f64>>(&self, at: Place) -> f64 {
        let total: f64 = self.samples.iter().map(|&s| L::log_cdf(self.score(at, s))).sum();
        let expectation = self.weight * total / self.samples.len() as f64;
        0.5 * (at.alpha * at.alpha + at.beta * at.beta) - at.beta.ln() - expectation
    }

    fn averages<L: Likelihood<f64>>(&self, at: Place) -> Averages {
        let base = self.z + self.tau * at.alpha;
        let likelihood = PhantomData::<L>;
        let samples = self.samples;
        let sums =
            self.arch.dispatch(Sums { base, scale: self.tau * at.beta, samples, likelihood });
        let n = self.samples.len() as f64;
        let first = self.weight * self.tau / n;
        let second = first * self.tau;
        Averages {
            r: first * sums.r,
            sr: first * sums.sr,
            k: second * sums.k,
            sk: second * sums.sk,
            ssk: second * sums.ssk,
        }
    }

    /// The joint Newton's method. Stops when a whole step moved both by less than `tolerance`, or
    /// after `iterations` steps. A step that would make the deviation negative or the divergence
    /// worse is halved.
    fn newton<L: Likelihood<f64>>(&self, tolerance: f64, iterations: usize) -> Place {
        let mut at = START;
        let mut averages = self.averages::<L>(at);
        for _ in 0..iterations {
            let Averages { r, sr, k, sk, ssk } = averages;
            let (ga, gb) = (at.alpha - r, at.beta - 1.0 / at.beta - sr);
            let (haa, hab, hbb) = (1.0 + k, sk, 1.0 + 1.0 / (at.beta * at.beta) + ssk);
            let determinant = haa * hbb - hab * hab;
            let da = -(hbb * ga - hab * gb) / determinant;
            let db = -(haa * gb - hab * ga) / determinant;
            if da.abs() <= tolerance && db.abs() <= tolerance * at.beta {
                return Place { alpha: at.alpha + da, beta: at.beta + db };
            }
            let mut size = 1.0;
            loop {
                let next = Place { alpha: at.alpha + size * da, beta: at.beta + size * db };
                if next.beta > 0.0 {
                    let ahead = self.averages::<L>(next);
                    let slope =
                        (next.alpha - ahead.r) * da + (next.beta - 1.0 / next.beta - ahead.sr) * db;
                    // The prior's part alone bends by da^2 + db^2 along the step, so up to half of
                    // that the slope at its end cannot have undone the descent before it.
                    if slope <= 0.5 * size * (da * da + db * db)
                        || self.value::<L>(next) <= self.value::<L>(at)
                    {
                        (at, averages) = (next, ahead);
                        break;
                    }
                }
                size *= 0.5;
                if size < 1e-12 {
                    return at;
                }
            }
        }
        at
    }

    /// Both conditions with the slopes replaced by their first-order Taylor series around the
    /// prior. The first is then linear; what is left for `beta` is `A beta^2 + B beta = 1`, whose
    /// one positive root is the solution.
    fn taylor<L: Likelihood<f64>>(&self) -> Place {
        let Averages { r, sr, k, sk, ssk } = self.averages::<L>(START);
        let a = 1.0 + ssk - sk * sk / (1.0 + k);
        let b = sk * (r + sk) / (1.0 + k) - ssk - sr;
        let root = (b * b + 4.0 * a).sqrt();
        // Of the two forms of the root, the one in which nothing cancels.
        let beta = if b > 0.0 { 2.0 / (b + root) } else { (root - b) / (2.0 * a) };
        Place { alpha: (r - sk * (beta - 1.0)) / (1.0 + k), beta }
    }
}
