//! Joint rules: one step and one curvature for the whole row, shared out by variance.

use super::{Evidence, Rule};
use crate::real::Real;

/// `mu_i += x_i v_i g` and `v_i -= x_i^2 v_i^2 h`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    pub g: f64,
    pub h: f64,
    /// `1 - h s`, the share of the total's variance that is left, kept apart because at a wide
    /// prior the subtraction would lose it.
    pub kept: f64,
}

impl Step {
    /// Where nothing was learned.
    pub const NONE: Step = Step { g: 0.0, h: 0.0, kept: 1.0 };

    /// For one more feature, of value 1 and this `variance`, of a row whose total has the variance
    /// `s`: its step, and the share of the variance that is left.
    pub fn of_one_more(&self, s: f64, variance: f64) -> (f64, f64) {
        let others = (s - variance).max(0.0);
        (variance * self.g, (self.kept + self.h * others).min(1.0))
    }

    /// Where the log likelihood was replaced by one with this slope and curvature at the mean it
    /// moves to, over a prior of variance `s` (Sherman-Morrison, eq. `sherman`).
    pub fn from_curvature(g: f64, curvature: f64, s: f64) -> Step {
        let kept = 1.0 / (1.0 + curvature * s);
        Step { g, h: curvature * kept, kept }
    }

    /// The step of this step's normal likelihood raised to a power: its precision and its
    /// precision-weighted mean are multiplied by `weight`.
    pub fn to_the_power(self, weight: f64) -> Step {
        let scale = 1.0 / (self.kept + weight * (1.0 - self.kept));
        Step { g: weight * self.g * scale, h: weight * self.h * scale, kept: self.kept * scale }
    }
}

pub trait JointRule {
    /// `P(y = 1)` before the row, and the step: a rule may find both in one evaluation.
    fn step(&self, row: &Evidence) -> (f64, Step);
}

/// Applies a joint rule to the features of a row, each with its own variance.
pub struct Jointly<R> {
    rule: R,
    step: Step,
}

impl<R> Jointly<R> {
    pub fn new(rule: R) -> Self {
        Jointly { rule, step: Step::NONE }
    }
}

impl<C: Real, R: JointRule> Rule<C> for Jointly<R> {
    fn learn(&mut self, row: &Evidence, x: &[C], mu: &mut [C], v: &mut [C]) -> f64 {
        let (p, step) = self.rule.step(row);
        self.step = step;
        let Step { g, h, kept } = step;
        let (g, h, kept, s) = (C::of(g), C::of(h), C::of(kept), C::of(row.s));
        for ((&x, mu), v) in x.iter().zip(mu).zip(v) {
            let xv = x * *v;
            let others = (s - x * xv).max(C::zero());
            *mu = *mu + xv * g;
            *v = *v * (kept + h * others).min(C::one());
        }
        p
    }

    fn learn_one_more(&self, row: &Evidence, variance: f64) -> (f64, f64) {
        self.step.of_one_more(row.s, variance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn powers_multiply(
            (g, hs, s) in (-1.0..1.0_f64, 0.0..1.0_f64, 1e-6..1e6_f64),
            (first, second) in (0.01..10.0_f64, 0.01..10.0_f64),
        ) {
            let step = Step { g, h: hs / s, kept: 1.0 - hs };
            let twice = step.to_the_power(first).to_the_power(second);
            let once = step.to_the_power(first * second);
            prop_assert!((twice.g - once.g).abs() <= 1e-12 * once.g.abs());
            prop_assert!((twice.h - once.h).abs() <= 1e-12 * once.h);
            prop_assert!((once.kept + once.h * s - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_first_power_changes_nothing() {
        let step = Step { g: 0.3, h: 0.25, kept: 0.5 };
        assert_eq!(step.to_the_power(1.0), step);
        assert_eq!(step.to_the_power(0.0), Step { g: 0.0, h: 0.0, kept: 1.0 });
    }
}
