//! How good progressive predictions are, in constant memory: sums, and counts by the predicted
//! logit.

use crate::error::Error;
use crate::likelihood::{Likelihood, Logistic};
use crate::rows::check_answers;

/// Predicted logits beyond this share the outermost bins.
const REACH: f64 = 20.0;
/// Wide enough apart to be few, close enough that ranks within one do not matter: the area under
/// the curve is off by less than the share of pairs that fall into one bin.
const BINS: usize = 8192;

/// Sums over predicted rows, by weight. Adding rows in parts is adding them at once.
#[derive(Clone, Debug)]
pub struct Metrics {
    rows: u64,
    weight: f64,
    positive: f64,
    loss: f64,
    predicted: f64,
    bins: Vec<Bin>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bin {
    pub positive: f64,
    pub negative: f64,
    /// The sum of the predictions.
    pub predicted: f64,
}

impl Bin {
    fn weight(&self) -> f64 {
        self.positive + self.negative
    }

    fn add(&mut self, other: &Bin) {
        self.positive += other.positive;
        self.negative += other.negative;
        self.predicted += other.predicted;
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Metrics {
            rows: 0,
            weight: 0.0,
            positive: 0.0,
            loss: 0.0,
            predicted: 0.0,
            bins: vec![Bin::default(); BINS],
        }
    }
}

impl Metrics {
    /// Adds rows with their predictions of `P(y = 1)`; rows of weight zero say nothing.
    pub fn add(
        &mut self,
        predictions: &[f64],
        labels: &[i8],
        weights: Option<&[f64]>,
    ) -> Result<(), Error> {
        check_answers(predictions.len(), labels, weights)?;
        if let Some(row) = predictions.iter().position(|p| !(0.0..=1.0).contains(p)) {
            return Err(Error::Prediction { row, given: predictions[row] });
        }
        for (i, (&p, &y)) in predictions.iter().zip(labels).enumerate() {
            let weight = weights.map_or(1.0, |weights| weights[i]);
            if weight > 0.0 {
                self.add_row(p, y == 1, weight);
            }
        }
        Ok(())
    }

    fn add_row(&mut self, p: f64, positive: bool, weight: f64) {
        let (in_favour, against) = (p.ln(), (-p).ln_1p());
        self.rows += 1;
        self.weight += weight;
        self.loss -= weight * if positive { in_favour } else { against };
        self.predicted += weight * p;
        let place = (in_favour - against + REACH) * (BINS as f64 / (2.0 * REACH));
        // Saturates at both ends.
        let bin = &mut self.bins[(place as usize).min(BINS - 1)];
        bin.predicted += weight * p;
        if positive {
            self.positive += weight;
            bin.positive += weight;
        } else {
            bin.negative += weight;
        }
    }

    /// Rows of weight above zero.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// The sum over rows; an average is it divided by the weight.
    pub fn total_loss(&self) -> f64 {
        self.loss
    }

    pub fn log_loss(&self) -> f64 {
        self.loss / self.weight
    }

    /// The share of positive rows.
    pub fn base_rate(&self) -> f64 {
        self.positive / self.weight
    }

    pub fn mean_prediction(&self) -> f64 {
        self.predicted / self.weight
    }

    /// The log loss of the best constant: the entropy of the base rate.
    pub fn constant_loss(&self) -> f64 {
        let part = |p: f64| if p > 0.0 { -p * p.ln() } else { 0.0 };
        part(self.base_rate()) + part(1.0 - self.base_rate())
    }

    /// The probability that a positive row was predicted higher than a negative one (the area
    /// under the ROC curve); ties, and rows of one bin, count half.
    pub fn auc(&self) -> f64 {
        let (mut below, mut ordered) = (0.0, 0.0);
        for bin in &self.bins {
            ordered += bin.positive * (below + 0.5 * bin.negative);
            below += bin.negative;
        }
        ordered / (self.positive * below)
    }

    /// Rows in the order of their predictions, in at most `groups` groups of about equal weight.
    pub fn reliability(&self, groups: usize) -> Vec<Bin> {
        let share = self.weight / groups as f64;
        let mut found = Vec::new();
        let (mut group, mut so_far) = (Bin::default(), 0.0);
        for bin in self.bins.iter().filter(|bin| bin.weight() > 0.0) {
            group.add(bin);
            so_far += bin.weight();
            // A little less than whole shares, for the sum's rounding.
            if so_far >= share * (found.len() + 1) as f64 * (1.0 - 1e-9) {
                found.push(group);
                group = Bin::default();
            }
        }
        if group.weight() > 0.0 {
            found.push(group);
        }
        found
    }

    /// The weight of rows by prediction, in `steps` equal steps of the probability.
    pub fn histogram(&self, steps: usize) -> Vec<Bin> {
        let mut found = vec![Bin::default(); steps];
        let width = 2.0 * REACH / BINS as f64;
        for (i, bin) in self.bins.iter().enumerate() {
            let p = Logistic::cdf((i as f64 + 0.5) * width - REACH);
            let step = (p * steps as f64) as usize;
            if let Some(place) = found.get_mut(step) {
                place.add(bin);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn metrics(rows: &[(f64, i8)]) -> Metrics {
        let (p, y): (Vec<f64>, Vec<i8>) = rows.iter().copied().unzip();
        let mut metrics = Metrics::default();
        metrics.add(&p, &y, None).unwrap();
        metrics
    }

    #[test]
    fn a_constant_is_as_good_as_its_entropy_and_orders_nothing() {
        let found = metrics(&[(0.25, 1), (0.25, -1), (0.25, -1), (0.25, -1)]);
        assert!((found.log_loss() - found.constant_loss()).abs() < 1e-15);
        assert_eq!((found.auc(), found.base_rate(), found.mean_prediction()), (0.5, 0.25, 0.25));
    }

    #[test]
    fn certainty_is_counted_and_may_cost_everything() {
        assert_eq!(metrics(&[(1.0, 1), (0.0, -1)]).log_loss(), 0.0);
        assert_eq!(metrics(&[(1.0, 1), (0.0, -1)]).auc(), 1.0);
        assert_eq!(metrics(&[(1.0, -1)]).log_loss(), f64::INFINITY);
    }

    #[test]
    fn what_is_no_probability_is_told() {
        for odd in [f64::NAN, -0.1, 1.1] {
            let refused = Metrics::default().add(&[0.5, odd], &[1, 1], None).unwrap_err();
            assert!(refused.to_string().starts_with("the prediction of row 1 is"), "{refused}");
        }
    }

    proptest! {
        #[test]
        fn the_area_is_the_share_of_pairs_in_order(
            rows in prop::collection::vec((1_u32..200, any::<bool>()), 2..60)
        ) {
            // Far enough apart to fall into bins of their own.
            let rows: Vec<(f64, i8)> =
                rows.iter().map(|&(p, y)| (f64::from(p) / 200.0, if y { 1 } else { -1 })).collect();
            let of = |label| rows.iter().filter(move |row| row.1 == label).map(|row| row.0);
            let pairs = of(1).flat_map(|p| of(-1).map(move |q| (p, q)));
            let (mut all, mut ordered) = (0.0, 0.0);
            for (p, q) in pairs {
                all += 1.0;
                ordered += if p > q { 1.0 } else if p == q { 0.5 } else { 0.0 };
            }
            prop_assume!(all > 0.0);
            prop_assert!((metrics(&rows).auc() - ordered / all).abs() < 1e-12);
        }

        #[test]
        fn groups_hold_all_rows_and_are_even(
            logits in prop::collection::vec(-5.0_f64..5.0, 100..400), groups in 1_usize..20
        ) {
            let rows: Vec<(f64, i8)> =
                logits.iter().map(|&z| (Logistic::cdf(z), if z > 0.3 { 1 } else { -1 })).collect();
            let found = metrics(&rows);
            for parts in [found.reliability(groups), found.histogram(groups)] {
                let weight: f64 = parts.iter().map(Bin::weight).sum();
                let predicted: f64 = parts.iter().map(|bin| bin.predicted).sum();
                prop_assert_eq!(weight, rows.len() as f64);
                prop_assert!((predicted / weight - found.mean_prediction()).abs() < 1e-9);
                prop_assert!(parts.len() <= groups);
            }
            let even = rows.len() as f64 / groups as f64;
            for group in found.reliability(groups) {
                prop_assert!(group.weight() < even + 8.0);
            }
        }
    }
}
