use super::Evidence;
use super::joint::{JointRule, Step};
use super::newton::peak;
use crate::likelihood::Likelihood;
use crate::prediction::probability;
use crate::settings::MeanForm;
use std::marker::PhantomData;

/// The multi-dimensional update of the active features, diagonal kept (Appendix D.1).
///
/// The gradient of the log likelihood points along `Sigma x`, so the peak of eq. `multi_posterior`
/// is a problem in one number, the score, and Sherman-Morrison leaves a rank-one update.
pub struct DimGauss<L> {
    mean: MeanForm,
    likelihood: PhantomData<L>,
}

impl<L> DimGauss<L> {
    pub fn new(mean: MeanForm) -> Self {
        DimGauss { mean, likelihood: PhantomData }
    }
}

impl<L: Likelihood<f64>> JointRule for DimGauss<L> {
    fn step(&self, row: &Evidence) -> (f64, Step) {
        // No shrinkage here: eq. `ptplus_multi` and `pit_multi` are taken at the mean.
        let z = row.y * row.m;
        let t = row.weight * row.s;
        let (slope, z_plus) = match self.mean {
            MeanForm::Newton => {
                let z_plus = peak::<f64, L>(z, t);
                (L::slope(z_plus), z_plus)
            }
            MeanForm::Taylor => {
                let (slope, curvature) = L::slope_and_curvature(z);
                let slope = slope / (1.0 + t * curvature);
                (slope, z + t * slope)
            }
        };
        let curvature = row.weight * L::curvature(z_plus);
        let step = Step::from_curvature(row.y * row.weight * slope, curvature, row.s);
        (probability::<L>(row.m, row.s), step)
    }
}
