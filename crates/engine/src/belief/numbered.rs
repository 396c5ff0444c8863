use super::{Near, Packed, Touched};
use crate::error::Error;
use bytemuck::allocation::try_zeroed_slice_box;

/// What a cache line has room for.
const LINE: usize = 64;

type Cells<T> = Box<[<T as Packed>::Cell]>;

/// Beliefs about features 0, 1, 2, ... of one learner, or of `K` side by side: eight single-precision
/// beliefs about a feature are one cache line.
pub struct Numbered<T: Packed, const K: usize = 1> {
    prior: [T::Bits; K],
    unseen: [(T, T); K],
    /// Room for at least `size` features; growing doubles it, so that it costs the same per feature.
    cells: Cells<T>,
    /// Cells before the first feature, so that none lies across two lines.
    skipped: usize,
    size: usize,
}

impl<T: Packed, const K: usize> Numbered<T, K> {
    pub fn new(unseen: [(T, T); K], size: usize) -> Result<Self, Error> {
        let prior = unseen.map(|(mean, second)| T::bits(mean, second));
        let (cells, skipped) = allocate::<T, K>(size)?;
        Ok(Numbered { prior, unseen, cells, skipped, size })
    }

    /// The number of features the table speaks of.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Makes room for `size` features; those that are added have the prior.
    pub fn grow(&mut self, size: usize) -> Result<(), Error> {
        if self.cells.len() < cells_for::<T, K>(size) {
            let (cells, skipped) = allocate::<T, K>(size.next_power_of_two())?;
            for (from, to) in self.features().flatten().zip(&cells[skipped..]) {
                T::carry(from, to);
            }
            (self.cells, self.skipped) = (cells, skipped);
        }
        self.size = self.size.max(size);
        Ok(())
    }

    #[inline(always)]
    fn cells_of(&self, feature: u32) -> Option<&[T::Cell]> {
        let first = self.skipped + feature as usize * K;
        self.cells.get(first..first + K)
    }

    /// The cells of each feature that the table speaks of.
    fn features(&self) -> impl Iterator<Item = &[T::Cell]> {
        self.cells[self.skipped..].chunks_exact(K).take(self.size)
    }

    /// The beliefs about a feature, which are the priors where the table does not reach.
    #[inline(always)]
    pub fn get(&self, feature: u32) -> [(T, T); K] {
        match self.cells_of(feature) {
            Some(cells) => std::array::from_fn(|k| T::load(&cells[k], self.prior[k])),
            None => self.unseen,
        }
    }

    /// Does nothing where the table does not reach.
    #[inline(always)]
    pub fn set(&self, feature: u32, beliefs: [(T, T); K]) {
        if let Some(cells) = self.cells_of(feature) {
            for ((cell, &prior), (mean, second)) in cells.iter().zip(&self.prior).zip(beliefs) {
                T::store(cell, prior, mean, second);
            }
        }
    }

    /// What asks for the cells of rows to come.
    pub fn near(&self) -> Near {
        Near::of(size_of_val(&*self.cells))
    }

    #[inline(always)]
    pub fn bring(&self, near: &Near, features: &[u32]) {
        near.bring(features.iter().filter_map(|&feature| self.cells_of(feature)?.first()));
    }

    /// The features of which any of the first `learners` beliefs is not the prior, in order.
    pub fn touched(&self, learners: usize) -> Result<Touched<T>, Error> {
        let is_changed = |cells: &[T::Cell]| !cells[..learners].iter().all(T::is_untouched);
        let changed = || (0_u32..).zip(self.features()).filter(|(_, cells)| is_changed(cells));
        let mut touched = Touched::with_room(changed().count(), learners)?;
        for (feature, _) in changed() {
            touched.push(feature, &self.get(feature)[..learners]);
        }
        Ok(touched)
    }

    pub fn iter(&self) -> impl Iterator<Item = [(T, T); K]> + '_ {
        let load = |cells: &[T::Cell]| std::array::from_fn(|k| T::load(&cells[k], self.prior[k]));
        self.features().map(load)
    }
}

fn cells_for<T: Packed, const K: usize>(size: usize) -> usize {
    size.saturating_mul(K).saturating_add(LINE / size_of::<T::Cell>())
}

/// Zeroed by the system, page by page, when they are first written.
fn allocate<T: Packed, const K: usize>(size: usize) -> Result<(Cells<T>, usize), Error> {
    let cells = try_zeroed_slice_box::<T::Cell>(cells_for::<T, K>(size));
    let cells = cells.map_err(|()| Error::Memory { size })?;
    let beyond = cells.as_ptr().addr() % LINE;
    Ok((cells, (LINE - beyond) % LINE / size_of::<T::Cell>()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn holds_beliefs<T: Packed, const K: usize>() {
        let number = T::of;
        let unseen = [(number(0.5), number(2.0)); K];
        let known = std::array::from_fn(|k| (number(-3.0), number(0.25 + k as f64)));
        let mut table = Numbered::<T, K>::new(unseen, 2).unwrap();
        table.set(1, known);
        table.grow(100).unwrap();
        assert_eq!(table.size(), 100);
        assert_eq!(table.get(0), unseen);
        assert_eq!(table.get(1), known);
        assert_eq!(table.get(99), unseen);
        assert_eq!(table.get(4_000_000_000), unseen);
        assert_eq!(table.iter().count(), 100);
        let first = table.cells_of(0).unwrap().as_ptr().addr();
        assert_eq!(first % LINE, 0);
    }

    #[test]
    fn growing_keeps_beliefs_and_adds_priors() {
        holds_beliefs::<f32, 1>();
        holds_beliefs::<f64, 1>();
        holds_beliefs::<f32, 8>();
        holds_beliefs::<f64, 2>();
    }

    #[test]
    fn only_what_differs_from_the_prior_is_touched() {
        let table = Numbered::new([(0.0_f32, 1.0)], 1 << 20).unwrap();
        assert!(table.touched(1).unwrap().features.is_empty());
        table.set(700_000, [(0.5, 1.0)]);
        table.set(3, [(0.0, 0.5)]);
        table.set(4, [(0.0, 1.0)]);
        table.set(5, [(-0.0, 1.0)]);
        let touched = table.touched(1).unwrap();
        assert_eq!(touched.features, [3, 5, 700_000]);
        assert_eq!(touched.mean, [0.0, -0.0, 0.5]);
        assert!(touched.mean[1].is_sign_negative());
        assert_eq!(touched.second, [0.5, 1.0, 1.0]);
    }

    #[test]
    fn a_table_beyond_memory_is_an_error() {
        let size = usize::MAX / 32;
        let table = Numbered::new([(0.0_f64, 1.0)], size);
        assert_eq!(table.err().unwrap(), Error::Memory { size });
    }

    #[test]
    fn learners_beside_each_other_are_told_together() {
        let table = Numbered::new([(0.0_f32, 1.0), (0.0, 4.0)], 9).unwrap();
        table.set(7, [(0.0, 1.0), (2.0, 3.0)]);
        assert!(table.touched(1).unwrap().features.is_empty());
        let touched = table.touched(2).unwrap();
        assert_eq!((touched.features, touched.mean), (vec![7], vec![0.0, 2.0]));
        assert_eq!(touched.second, [1.0, 3.0]);
    }

    proptest! {
        #[test]
        fn what_is_set_is_what_is_got(mean: f32, variance: f32, prior_mean: f32) {
            let table = Numbered::new([(prior_mean, 1.0)], 1).unwrap();
            table.set(0, [(mean, variance)]);
            let [(m, v)] = table.get(0);
            prop_assert_eq!(m.to_bits(), mean.to_bits());
            prop_assert_eq!(v.to_bits(), variance.to_bits());
        }
    }
}
