use super::Evidence;
use super::marginal::{Marginal, MarginalRule};
use super::newton::peak;
use super::variance::VarianceRule;
use crate::likelihood::Likelihood;

/// The mean at the peak of the posterior, by Newton's method (eq. `muito`, `muito_probit`;
/// Appendix C).
#[derive(Default)]
pub struct Gauss<V>(V);

impl<L: Likelihood<f64>, V: VarianceRule<f64, L>> MarginalRule<f64, L> for Gauss<V> {
    fn begin(&mut self, row: &Evidence) {
        self.0.begin(row);
    }

    fn posterior(&self, marginal: &Marginal<f64>) -> (f64, f64) {
        let z_plus = peak::<f64, L>(marginal.z, marginal.t());
        let (slope, curvature) = L::slope_and_curvature(z_plus);
        (marginal.mean_after(slope), self.0.variance(marginal, slope, z_plus, || curvature))
    }
}
