use super::marginal::{Marginal, MarginalRule};
use super::newton::peak;
use crate::likelihood::Likelihood;

/// The parabola nearest, in least squares, to the logarithm of the posterior at five points
/// (Appendix D): its peak, and one and two Laplace deviations to either side. The prior's part is
/// a parabola already, so it is the log likelihood that is fitted.
pub struct LeastSquares;

impl<L: Likelihood<f64>> MarginalRule<f64, L> for LeastSquares {
    fn posterior(&self, marginal: &Marginal<f64>) -> (f64, f64) {
        let deviation = marginal.v.sqrt();
        let tau = marginal.a * deviation;
        let t = marginal.t();
        let z_plus = peak::<f64, L>(marginal.z, t);
        let (slope, curvature) = L::slope_and_curvature(z_plus);
        // In units of the prior's deviation around the prior's mean, as in TwoPoint.
        let centre = marginal.weight * tau * slope;
        let spacing = 1.0 / (1.0 + t * curvature).sqrt();

        // Over these points k and k^2 - 2 are orthogonal, with squares summing to 10 and 14. Summed
        // in pairs: mirrored points give the mirrored parabola to the last bit.
        let l = |k: f64| marginal.weight * L::log_cdf(marginal.z + tau * (centre + k * spacing));
        let (near, far) = ((l(-1.0), l(1.0)), (l(-2.0), l(2.0)));
        let linear = (2.0 * (far.1 - far.0) + (near.1 - near.0)) / 10.0;
        let quadratic = (2.0 * (far.0 + far.1) - (near.0 + near.1) - 2.0 * l(0.0)) / 14.0;
        let tilt = linear / spacing;
        // A parabola fitted to a concave function is concave; rounding need not be.
        let bend = (-2.0 * quadratic / (spacing * spacing)).max(0.0);
        let mean = (tilt + bend * centre) / (1.0 + bend);
        (marginal.mu + deviation * mean, marginal.v / (1.0 + bend))
    }
}
