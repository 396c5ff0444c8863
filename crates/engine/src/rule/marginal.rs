//! Marginal rules: one feature at a time, the others integrated out (section 3, "Marginalization").

use super::{Evidence, Rule};
use crate::likelihood::Likelihood;
use crate::real::Real;
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
    likelihood: PhantomData<L>,
}

impl<R, L> EachFeature<R, L> {
    pub fn new(rule: R) -> Self {
        EachFeature { rule, likelihood: PhantomData }
    }
}

impl<C: Real, L: Likelihood<C>, R: MarginalRule<C, L>> Rule<C> for EachFeature<R, L> {
    fn learn(&mut self, row: &Evidence, x: &[C], mu: &mut [C], v: &mut [C]) {
        self.rule.begin(row);
        let (y, s, weight) = (C::of(row.y), C::of(row.s), C::of(row.weight));
        let (ym, c) = (C::of(row.y * row.m), C::of(L::SHRINK));
        for ((&x, mu), v) in x.iter().zip(mu).zip(v) {
            // Rounding may leave the variance of no other feature a little below zero.
            let others = (s - x * x * *v).max(C::zero());
            let shrink = C::one() / (C::one() + c * others).sqrt();
            let marginal = Marginal { mu: *mu, v: *v, z: ym * shrink, a: y * x * shrink, weight };
            (*mu, *v) = self.rule.posterior(&marginal);
        }
    }
}
