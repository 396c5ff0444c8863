//! Marginal rules: one feature at a time, the others integrated out (section 3, "Marginalization").

use super::{Evidence, LANES, Rule};
use crate::likelihood::Likelihood;
use crate::prediction::probability;
use crate::real::Real;
use pulp::{Arch, Simd, WithSimd};
use std::marker::PhantomData;

/// The posterior of one weight `w` given the row, up to its normaliser (eq. `bayes_pred_post`):
/// `N(w; mu, v) F(z + a (w - mu))^weight`.
#[derive(Clone, Copy, Debug)]
pub struct Marginal<C> {
    pub mu: C,
    pub v: C,
    /// The score at the present mean, shrunk by the variance of the other features: `p_{i,t}`'s
    /// argument (eq. `pit`), `zit` for the probit.
    pub z: C,
    /// How the score changes with the weight: `y x / sqrt(1 + c s_{-i})`.
    pub a: C,
    pub weight: C,
}

impl<C: Real> Marginal<C> {
    /// The prior variance as the score sees it: all that the shape of the posterior depends on
    /// beside `z`.
    #[inline(always)]
    pub fn t(&self) -> C {
        self.weight * self.a * self.a * self.v
    }

    /// The mean after a step of `slope` (eq. `muito`, with whatever stands for `1 - p_{i,t+}`).
    #[inline(always)]
    pub fn mean_after(&self, slope: C) -> C {
        self.mu + self.weight * self.a * self.v * slope
    }
}

pub trait MarginalRule<C, L> {
    /// What is the same for all features of a row.
    #[inline(always)]
    fn begin(&mut self, _row: &Evidence) {}

    /// The mean and variance that stand for the posterior.
    fn posterior(&self, marginal: &Marginal<C>) -> (C, C);
}

/// Applies a marginal rule to every feature of a row.
pub struct EachFeature<R, L> {
    rule: R,
    arch: Arch,
    likelihood: PhantomData<L>,
}

impl<R, L> EachFeature<R, L> {
    pub fn new(rule: R) -> Self {
        EachFeature { rule, arch: Arch::new(), likelihood: PhantomData }
    }
}

impl<C, L, R> Rule<C> for EachFeature<R, L>
where
    C: Real,
    L: Likelihood<C> + Likelihood<f64>,
    R: MarginalRule<C, L>,
{
    fn learn(&mut self, row: &Evidence, x: &[C], mu: &mut [C], v: &mut [C]) -> f64 {
        self.rule.begin(row);
        let likelihood = PhantomData::<L>;
        self.arch.dispatch(OneRow { rule: &self.rule, likelihood, row, x, mu, v });
        probability::<L>(row.m, row.s)
    }

    fn learn_one_more(&self, row: &Evidence, variance: f64) -> (f64, f64) {
        let v = C::of(variance);
        if v == C::zero() {
            return (0.0, 1.0);
        }
        let marginal = Shared::new::<L>(row).marginal(C::one(), C::zero(), v);
        let (step, left) = self.rule.posterior(&marginal);
        (step.f64(), (left / v).f64())
    }
}

/// The update of one row, compiled for every width of vector instructions. No operation is
/// reordered or fused, so all of them give the same bits.
struct OneRow<'a, C, R, L> {
    rule: &'a R,
    likelihood: PhantomData<L>,
    row: &'a Evidence,
    x: &'a [C],
    mu: &'a mut [C],
    v: &'a mut [C],
}

impl<C: Real, L: Likelihood<C>, R: MarginalRule<C, L>> WithSimd for OneRow<'_, C, R, L> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        let (x, x_rest) = self.x.as_chunks::<LANES>();
        let (mu, mu_rest) = self.mu.as_chunks_mut::<LANES>();
        let (v, v_rest) = self.v.as_chunks_mut::<LANES>();
        let shared = Shared::new::<L>(self.row);
        for ((x, mu), v) in x.iter().zip(mu).zip(v) {
            // Copies: the compiler cannot know that the three columns do not overlap.
            let (x_lanes, mut mu_lanes, mut v_lanes) = (*x, *mu, *v);
            for ((&x, mu), v) in x_lanes.iter().zip(&mut mu_lanes).zip(&mut v_lanes) {
                (*mu, *v) = self.rule.posterior(&shared.marginal(x, *mu, *v));
            }
            (*mu, *v) = (mu_lanes, v_lanes);
        }
        for ((&x, mu), v) in x_rest.iter().zip(mu_rest).zip(v_rest) {
            (*mu, *v) = self.rule.posterior(&shared.marginal(x, *mu, *v));
        }
    }
}

/// What all features of a row need of it.
struct Shared<C> {
    y: C,
    ym: C,
    s: C,
    c: C,
    weight: C,
}

impl<C: Real> Shared<C> {
    #[inline(always)]
    fn new<L: Likelihood<C>>(row: &Evidence) -> Self {
        Shared {
            y: C::of(row.y),
            ym: C::of(row.y * row.m),
            s: C::of(row.s),
            c: C::of(L::SHRINK),
            weight: C::of(row.weight),
        }
    }

    #[inline(always)]
    fn marginal(&self, x: C, mu: C, v: C) -> Marginal<C> {
        // Rounding may leave the variance of no other feature a little below zero.
        let others = (self.s - x * x * v).max(C::zero());
        let shrink = C::one() / (C::one() + self.c * others).sqrt();
        let (z, a) = (self.ym * shrink, self.y * x * shrink);
        Marginal { mu, v, z, a, weight: self.weight }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likelihood::Logistic;
    use crate::random::Random;
    use crate::rule::approx::Approx;
    use crate::rule::variance::Laplace;

    fn learned(arch: Arch, n: usize) -> (Vec<u32>, Vec<u32>) {
        let mut random = Random::at(5, n as u64);
        let mut column =
            |scale: f64| -> Vec<f32> { (0..n).map(|_| (scale * random.normal()) as f32).collect() };
        let (x, mut mu, mut v) = (column(1.0), column(2.0), column(1.0));
        v.iter_mut().for_each(|v| *v = v.abs() + 1e-6);
        let row = Evidence { m: -0.7, s: 40.0, y: 1.0, weight: 1.5, row: 0 };
        let rule = Approx::<Laplace>::default();
        let mut rule = EachFeature::<_, Logistic> { rule, arch, likelihood: PhantomData };
        rule.learn(&row, &x, &mut mu, &mut v);
        let bits = |column: Vec<f32>| column.iter().map(|x| x.to_bits()).collect();
        (bits(mu), bits(v))
    }

    #[test]
    fn all_widths_of_vector_instructions_give_the_same_bits() {
        for n in [0, 1, 7, 8, 9, 20, 64, 257] {
            assert_eq!(learned(Arch::Scalar, n), learned(Arch::new(), n));
        }
    }
}
