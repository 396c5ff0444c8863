use super::{Packed, Touched};
use crate::error::Error;
use bytemuck::allocation::try_zeroed_slice_box;

/// Beliefs about features 0, 1, 2, ...
pub struct Numbered<T: Packed> {
    prior: T::Bits,
    unseen: (T, T),
    /// At least `size` cells; growing doubles them, so that it costs the same per feature.
    cells: Box<[T::Cell]>,
    size: usize,
}

impl<T: Packed> Numbered<T> {
    pub fn new(unseen: (T, T), size: usize) -> Result<Self, Error> {
        let prior = T::bits(unseen.0, unseen.1);
        Ok(Numbered { prior, unseen, cells: allocate::<T>(size)?, size })
    }

    /// The number of features the table speaks of.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Makes room for `size` features; those that are added have the prior.
    pub fn grow(&mut self, size: usize) -> Result<(), Error> {
        if size > self.cells.len() {
            let cells = allocate::<T>(size.next_power_of_two())?;
            for (from, to) in self.cells.iter().zip(&cells) {
                T::carry(from, to);
            }
            self.cells = cells;
        }
        self.size = self.size.max(size);
        Ok(())
    }

    /// The belief about a feature, which is the prior where the table does not reach.
    #[inline(always)]
    pub fn get(&self, feature: u32) -> (T, T) {
        match self.cells.get(feature as usize) {
            Some(cell) => T::load(cell, self.prior),
            None => self.unseen,
        }
    }

    /// Does nothing where the table does not reach.
    #[inline(always)]
    pub fn set(&self, feature: u32, mean: T, variance: T) {
        if let Some(cell) = self.cells.get(feature as usize) {
            T::store(cell, self.prior, mean, variance);
        }
    }

    /// The features whose beliefs are not the prior, in order.
    pub fn touched(&self) -> Result<Touched<T>, Error> {
        let changed =
            || (0_u32..).zip(&self.cells[..self.size]).filter(|(_, c)| !T::is_untouched(c));
        let mut touched = Touched::with_room(changed().count())?;
        for (feature, cell) in changed() {
            let (mean, second) = T::load(cell, self.prior);
            touched.push(feature, mean, second);
        }
        Ok(touched)
    }

    pub fn iter(&self) -> impl Iterator<Item = (T, T)> + '_ {
        self.cells[..self.size].iter().map(|cell| T::load(cell, self.prior))
    }
}

/// Zeroed by the system, page by page, when they are first written.
fn allocate<T: Packed>(size: usize) -> Result<Box<[T::Cell]>, Error> {
    try_zeroed_slice_box(size).map_err(|()| Error::Memory { size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn holds_beliefs<T: Packed>() {
        let number = T::of;
        let mut table = Numbered::new((number(0.5), number(2.0)), 2).unwrap();
        table.set(1, number(-3.0), number(0.25));
        table.grow(100).unwrap();
        assert_eq!(table.size(), 100);
        assert_eq!(table.get(0), (number(0.5), number(2.0)));
        assert_eq!(table.get(1), (number(-3.0), number(0.25)));
        assert_eq!(table.get(99), (number(0.5), number(2.0)));
        assert_eq!(table.get(4_000_000_000), (number(0.5), number(2.0)));
        assert_eq!(table.iter().count(), 100);
    }

    #[test]
    fn growing_keeps_beliefs_and_adds_priors() {
        holds_beliefs::<f32>();
        holds_beliefs::<f64>();
    }

    #[test]
    fn only_what_differs_from_the_prior_is_touched() {
        let table = Numbered::new((0.0_f32, 1.0), 1 << 20).unwrap();
        assert!(table.touched().unwrap().features.is_empty());
        table.set(700_000, 0.5, 1.0);
        table.set(3, 0.0, 0.5);
        table.set(4, 0.0, 1.0);
        table.set(5, -0.0, 1.0);
        let touched = table.touched().unwrap();
        assert_eq!(touched.features, [3, 5, 700_000]);
        assert_eq!(touched.mean, [0.0, -0.0, 0.5]);
        assert!(touched.mean[1].is_sign_negative());
        assert_eq!(touched.second, [0.5, 1.0, 1.0]);
    }

    #[test]
    fn a_table_beyond_memory_is_an_error() {
        let size = usize::MAX / 32;
        let table = Numbered::new((0.0_f64, 1.0), size);
        assert_eq!(table.err().unwrap(), Error::Memory { size });
    }

    proptest! {
        #[test]
        fn what_is_set_is_what_is_got(mean: f32, variance: f32, prior_mean: f32) {
            let table = Numbered::new((prior_mean, 1.0), 1).unwrap();
            table.set(0, mean, variance);
            let (m, v) = table.get(0);
            prop_assert_eq!(m.to_bits(), mean.to_bits());
            prop_assert_eq!(v.to_bits(), variance.to_bits());
        }
    }
}
