use super::{Evidence, Rule};
use crate::likelihood::Likelihood;
use crate::prediction::probability;
use crate::real::Real;
use std::marker::PhantomData;

/// Gradient descent can diverge where a Bayesian rule cannot; it stops here, and stays finite.
const LARGEST_WEIGHT: f64 = 1e15;

/// Stochastic gradient descent on the log loss with AdaGrad's schedule (section 4; Duchi et al.
/// 2011): the baseline. Where other rules keep a variance it keeps the sum of squared gradients.
pub struct AdaGrad<L> {
    learning_rate: f64,
    epsilon: f64,
    likelihood: PhantomData<L>,
}

impl<L> AdaGrad<L> {
    pub fn new(learning_rate: f64, epsilon: f64) -> Self {
        AdaGrad { learning_rate, epsilon, likelihood: PhantomData }
    }
}

impl<C: Real, L: Likelihood<f64>> Rule<C> for AdaGrad<L> {
    fn learn(&mut self, row: &Evidence, x: &[C], w: &mut [C], squares: &mut [C]) -> f64 {
        let pull = C::of(row.weight * row.y * L::slope(row.y * row.m));
        let largest = C::of(LARGEST_WEIGHT);
        let (rate, epsilon) = (C::of(self.learning_rate), C::of(self.epsilon));
        for ((&x, w), squares) in x.iter().zip(w).zip(squares) {
            let ascent = x * pull;
            *squares = (*squares + ascent * ascent).min(C::max_value());
            let moved = *w + rate * ascent / (squares.sqrt() + epsilon);
            *w = moved.max(-largest).min(largest);
        }
        probability::<L>(row.m, row.s)
    }

    /// Settings with a head are refused: there is no variance to share out by.
    fn learn_one_more(&self, _row: &Evidence, _variance: f64) -> (f64, f64) {
        (0.0, 1.0)
    }
}
