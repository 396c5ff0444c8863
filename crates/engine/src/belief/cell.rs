use crate::real::Real;
use bytemuck::Zeroable;
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How a pair of numbers is kept in atomic words.
pub trait Packed: Real {
    type Cell: Zeroable + Send + Sync;
    type Bits: Copy + Debug + Send + Sync;

    fn bits(mean: Self, variance: Self) -> Self::Bits;
    fn load(cell: &Self::Cell, prior: Self::Bits) -> (Self, Self);
    fn store(cell: &Self::Cell, prior: Self::Bits, mean: Self, variance: Self);
    /// Whether the cell still holds the prior.
    fn is_untouched(cell: &Self::Cell) -> bool;
    /// Copies what `from` holds, unless it still holds the prior.
    fn carry(from: &Self::Cell, to: &Self::Cell);
}

/// Eight bytes: a reader sees the old belief or the new one, never half of each.
impl Packed for f32 {
    type Cell = AtomicU64;
    type Bits = u64;

    #[inline(always)]
    fn bits(mean: f32, variance: f32) -> u64 {
        u64::from(mean.to_bits()) | u64::from(variance.to_bits()) << 32
    }

    #[inline(always)]
    fn load(cell: &AtomicU64, prior: u64) -> (f32, f32) {
        let word = cell.load(Relaxed) ^ prior;
        (f32::from_bits(word as u32), f32::from_bits((word >> 32) as u32))
    }

    #[inline(always)]
    fn store(cell: &AtomicU64, prior: u64, mean: f32, variance: f32) {
        cell.store(f32::bits(mean, variance) ^ prior, Relaxed);
    }

    #[inline(always)]
    fn is_untouched(cell: &AtomicU64) -> bool {
        cell.load(Relaxed) == 0
    }

    fn carry(from: &AtomicU64, to: &AtomicU64) {
        let word = from.load(Relaxed);
        if word != 0 {
            to.store(word, Relaxed);
        }
    }
}

/// Sixteen bytes: each number is whole, but a reader beside a learner may see a mean and a
/// variance from either side of one update.
impl Packed for f64 {
    type Cell = [AtomicU64; 2];
    type Bits = [u64; 2];

    #[inline(always)]
    fn bits(mean: f64, variance: f64) -> [u64; 2] {
        [mean.to_bits(), variance.to_bits()]
    }

    #[inline(always)]
    fn load(cell: &Self::Cell, prior: [u64; 2]) -> (f64, f64) {
        let [mean, variance] = [0, 1].map(|i| f64::from_bits(cell[i].load(Relaxed) ^ prior[i]));
        (mean, variance)
    }

    #[inline(always)]
    fn store(cell: &Self::Cell, prior: [u64; 2], mean: f64, variance: f64) {
        let bits = f64::bits(mean, variance);
        cell[0].store(bits[0] ^ prior[0], Relaxed);
        cell[1].store(bits[1] ^ prior[1], Relaxed);
    }

    #[inline(always)]
    fn is_untouched(cell: &Self::Cell) -> bool {
        cell.iter().all(f32::is_untouched)
    }

    fn carry(from: &Self::Cell, to: &Self::Cell) {
        for (from, to) in from.iter().zip(to) {
            f32::carry(from, to);
        }
    }
}
