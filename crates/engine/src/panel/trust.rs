//! Whom to believe: members are weighted by what they foretold.

use crate::error::Error;

/// Rows after which the first mark is made; each further one after twice as many.
const FIRST_MARK: u64 = 1000;

/// The weights of a panel's members, and how well each of them foretold so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Trust {
    share: f64,
    weights: Vec<f64>,
    /// The sum of each member's losses, and the mixture's behind them.
    losses: Vec<f64>,
    marks: Vec<Mark>,
}

/// How things stood after so many rows: weights, and losses with the mixture's behind them.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    pub rows: u64,
    pub weights: Vec<f64>,
    pub losses: Vec<f64>,
}

impl Trust {
    /// Of each row's trust, `share` is given to all members alike, so that none is lost for good.
    pub fn new(members: usize, share: f64) -> Self {
        Trust {
            share,
            weights: vec![1.0 / members as f64; members],
            losses: vec![0.0; members + 1],
            marks: Vec::new(),
        }
    }

    pub fn restore(
        members: usize,
        share: f64,
        weights: Vec<f64>,
        losses: Vec<f64>,
        marks: Vec<Mark>,
    ) -> Result<Self, Error> {
        let are_weights = |weights: &[f64]| {
            let sum: f64 = weights.iter().sum();
            weights.len() == members
                && weights.iter().all(|w| (0.0..=1.0).contains(w))
                && (sum - 1.0).abs() < 1e-6
        };
        let are_losses = |losses: &[f64]| {
            losses.len() == members + 1 && losses.iter().all(|loss| loss.is_finite())
        };
        let fit = are_weights(&weights)
            && are_losses(&losses)
            && marks.iter().all(|mark| are_weights(&mark.weights) && are_losses(&mark.losses))
            && marks.windows(2).all(|pair| pair[0].rows < pair[1].rows);
        if fit { Ok(Trust { share, weights, losses, marks }) } else { Err(Error::Trust) }
    }

    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    pub fn losses(&self) -> &[f64] {
        &self.losses
    }

    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// `p = sum_k w_k p_k`.
    #[inline(always)]
    pub fn mix(&self, p: &[f64]) -> f64 {
        self.weights.iter().zip(p).map(|(w, p)| w * p).sum()
    }

    /// `w_k <- (1 - a) w_k p_k(y)^power / sum_j w_j p_j(y)^power + a / K`, from the members'
    /// probabilities of `y = 1`, of which the mixture is `mixed`.
    #[inline(always)]
    pub fn weigh(&mut self, p: &[f64], mixed: f64, y: i8, power: f64, rows: u64) {
        let of_label = |p: f64| if y > 0 { p } else { 1.0 - p };
        let best = p.iter().map(|&p| of_label(p)).fold(0.0, f64::max);
        let mut sum = 0.0;
        for (w, &p) in self.weights.iter_mut().zip(p) {
            let ratio = of_label(p) / best;
            *w *= if power == 1.0 { ratio } else { ratio.powf(power) };
            sum += *w;
        }
        let (scale, share) = ((1.0 - self.share) / sum, self.share / p.len() as f64);
        self.weights.iter_mut().for_each(|w| *w = *w * scale + share);
        let all = p.iter().copied().chain([mixed]);
        for (loss, p) in self.losses.iter_mut().zip(all) {
            *loss -= power * of_label(p).ln();
        }
        if rows >= FIRST_MARK
            && rows.is_multiple_of(FIRST_MARK)
            && (rows / FIRST_MARK).is_power_of_two()
        {
            let (weights, losses) = (self.weights.clone(), self.losses.clone());
            self.marks.push(Mark { rows, weights, losses });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_mixture_is_hardly_worse_than_the_best_member(
            foretold in prop::collection::vec((prop::collection::vec(1e-9..1.0_f64, 3), any::<bool>()), 1..300),
            share in 0.0..0.1_f64,
        ) {
            let mut trust = Trust::new(3, share);
            for (rows, (p, y)) in (1..).zip(&foretold) {
                let p: Vec<f64> = p.iter().map(|p| p.min(1.0 - 1e-9)).collect();
                let mixed = trust.mix(&p);
                trust.weigh(&p, mixed, if *y { 1 } else { -1 }, 1.0, rows);
            }
            let best = trust.losses[..3].iter().copied().fold(f64::INFINITY, f64::min);
            let price = 3.0_f64.ln() - foretold.len() as f64 * (1.0 - share).ln();
            prop_assert!(trust.losses[3] <= best + price + 1e-9);
            prop_assert!((trust.weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn marks_are_made_at_doubling_rows() {
        let mut trust = Trust::new(2, 0.0);
        for rows in 1..=9000 {
            trust.weigh(&[0.5, 0.25], 0.4, 1, 1.0, rows);
        }
        let rows: Vec<u64> = trust.marks().iter().map(|mark| mark.rows).collect();
        assert_eq!(rows, [1000, 2000, 4000, 8000]);
        assert!((trust.marks()[1].losses[1] - 2000.0 * 4.0_f64.ln()).abs() < 1e-6);
        assert!(trust.weights()[0] > 1.0 - 1e-12);
    }
}
