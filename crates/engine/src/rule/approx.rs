use super::Evidence;
use super::marginal::{Marginal, MarginalRule};
use super::variance::VarianceRule;
use crate::likelihood::Likelihood;
use crate::real::Real;

/// The mean by one Taylor step, in closed form (eq. `muito_simple`, `muito_simple_probit`).
#[derive(Default)]
pub struct Approx<V>(V);

impl<C: Real, L: Likelihood<C>, V: VarianceRule<C, L>> MarginalRule<C, L> for Approx<V> {
    #[inline(always)]
    fn begin(&mut self, row: &Evidence) {
        self.0.begin(row);
    }

    #[inline(always)]
    fn posterior(&self, marginal: &Marginal<C>) -> (C, C) {
        let t = marginal.t();
        let (slope, curvature) = log_derivatives::<C, L, V>(marginal.z);
        let slope = slope / (C::one() + t * curvature);
        let z_plus = marginal.z + t * slope;
        let curvature = || log_derivatives::<C, L, V>(z_plus).1;
        (marginal.mean_after(slope), self.0.variance(marginal, slope, z_plus, curvature))
    }
}

/// In the form that suits the loop around it.
#[inline(always)]
fn log_derivatives<C: Real, L: Likelihood<C>, V: VarianceRule<C, L>>(z: C) -> (C, C) {
    if V::IN_LANES { L::slope_and_curvature_in_lanes(z) } else { L::slope_and_curvature(z) }
}
