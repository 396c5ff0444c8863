//! Beliefs that forget: streams drift.

use crate::real::Real;
use crate::settings::Prior;

/// What a touch takes from a belief: of its precision `lambda`, `(1 - e) lambda + e lambda_0` is
/// left, and of `lambda mu` likewise, with `e` one over the number of touches remembered.
#[derive(Clone, Copy, Debug)]
pub struct Memory<C> {
    pub kept: C,
    pub mean: C,
    /// `e / v_0`.
    pub regained: C,
}

impl<C: Real> Memory<C> {
    /// Without a number of touches nothing is forgotten, to the last bit.
    pub fn new(touches: Option<f64>, prior: Prior) -> Self {
        let e = touches.map_or(0.0, f64::recip);
        Memory {
            kept: C::of(1.0 - e),
            mean: C::of(prior.mean),
            regained: C::of(e / prior.variance),
        }
    }

    #[inline(always)]
    pub fn forget(&self, mu: C, v: C) -> (C, C) {
        let returned = self.regained * v;
        let precision = self.kept + returned;
        ((self.kept * mu + returned * self.mean) / precision, v / precision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn without_a_number_of_touches_nothing_is_forgotten(mu: f32, v: f32) {
            let (mu, v) = (mu.clamp(-1e30, 1e30), v.abs().clamp(1e-30, 1e6));
            let memory = Memory::new(None, Prior { mean: 3.0, variance: 1e-12 });
            prop_assert_eq!(memory.forget(mu, v), (mu, v));
        }

        #[test]
        fn a_belief_goes_towards_the_prior_and_not_past_it(
            (mu, v) in (-9.0..9.0_f64, 1e-6..10.0_f64),
            (mean, variance) in (-9.0..9.0_f64, 1e-3..10.0_f64),
            touches in 1.0..1e6_f64,
        ) {
            let prior = Prior { mean, variance };
            let (after, v_after) = Memory::new(Some(touches), prior).forget(mu, v);
            let between = |x: f64, a: f64, b: f64| {
                let slack = 1e-12 * (a.abs() + b.abs());
                (a.min(b) - slack..=a.max(b) + slack).contains(&x)
            };
            prop_assert!(between(after, mu, mean) && between(v_after, v, variance));
        }
    }

    #[test]
    fn one_touch_remembered_is_the_prior() {
        let memory = Memory::<f64>::new(Some(1.0), Prior { mean: 0.5, variance: 2.0 });
        assert_eq!(memory.forget(-7.0, 0.125), (0.5, 2.0));
    }
}
