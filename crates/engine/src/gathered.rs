//! A row beside what is believed about its features.

use crate::belief::{Numbered, Packed};
use crate::fields::Fields;
use crate::head::Head;
use crate::memory::Memory;
use crate::real::Real;
use crate::rows::Row;
use crate::rule::LANES;

/// The values of a row and the beliefs about its features, side by side, filled up with features of
/// value zero to whole groups of lanes.
#[derive(Default)]
pub struct Gathered<C> {
    pub len: usize,
    pub x: Vec<C>,
    pub mu: Vec<C>,
    pub v: Vec<C>,
    /// Where the gain of each feature's field is.
    places: Vec<usize>,
}

impl<C: Real> Gathered<C> {
    #[inline(always)]
    pub fn gather<T: Packed>(&mut self, table: &Numbered<T>, row: Row<'_, T>) {
        self.len = row.features.len();
        let padded = self.len.next_multiple_of(LANES);
        for column in [&mut self.x, &mut self.mu, &mut self.v] {
            column.resize(padded, C::zero());
        }
        for (to, x) in self.x.iter_mut().zip(row.values) {
            *to = C::of(x.f64());
        }
        self.x[self.len..].fill(C::zero());
        for ((&feature, to_mu), to_v) in row.features.iter().zip(&mut self.mu).zip(&mut self.v) {
            let [(mu, v)] = table.get(feature);
            *to_mu = C::of(mu.f64());
            *to_v = C::of(v.f64());
        }
    }

    #[inline(always)]
    pub fn scatter<T: Packed>(&self, table: &Numbered<T>, row: Row<'_, T>) {
        for ((&feature, mu), v) in row.features.iter().zip(&self.mu).zip(&self.v) {
            table.set(feature, [(T::of(mu.f64()), T::of(v.f64()))]);
        }
    }

    #[inline(always)]
    pub fn columns(&mut self, n: usize) -> (&[C], &mut [C], &mut [C]) {
        (&self.x[..n], &mut self.mu[..n], &mut self.v[..n])
    }

    /// Sums lane by lane: one after the other, each addition would wait for the last.
    #[inline(always)]
    pub fn totals(&self) -> (f64, f64) {
        let mut m = [C::zero(); LANES];
        let mut s = [C::zero(); LANES];
        let x = self.x.as_chunks::<LANES>().0;
        let mu = self.mu.as_chunks::<LANES>().0;
        let v = self.v.as_chunks::<LANES>().0;
        for ((x, mu), v) in x.iter().zip(mu).zip(v) {
            for lane in 0..LANES {
                m[lane] = m[lane] + x[lane] * mu[lane];
                s[lane] = s[lane] + x[lane] * x[lane] * v[lane];
            }
        }
        let sum = |lanes: [C; LANES]| lanes.iter().map(|x| x.f64()).sum();
        (sum(m), sum(s))
    }

    /// The mean and variance of the row's total as a head sees it. From here on features have the
    /// values that the head gives them.
    #[inline(always)]
    pub fn totals_with_head<T>(
        &mut self,
        head: &mut Head,
        fields: &mut Fields,
        row: Row<'_, T>,
    ) -> (f64, f64) {
        if head.has_one_gain() {
            let (m, s) = self.totals();
            head.scores()[0] = m;
            let gain = C::of(head.gain(0));
            self.x.iter_mut().for_each(|x| *x = *x * gain);
            let (mean, variance) = head.look();
            let gain = gain.f64();
            return (mean, gain * gain * s + variance);
        }
        self.find_places(head, fields, row);
        let scores = head.scores();
        for ((&place, &x), &mu) in self.places.iter().zip(&self.x).zip(&self.mu) {
            scores[place] += (x * mu).f64();
        }
        self.scale(|place| head.gain(place));
        let (mean, variance) = head.look();
        (mean, self.totals().1 + variance)
    }

    /// Gives features the values that they have behind their gains.
    #[inline(always)]
    pub fn scale(&mut self, gain: impl Fn(usize) -> f64) {
        for (&place, x) in self.places.iter().zip(&mut self.x) {
            *x = *x * C::of(gain(place));
        }
    }

    /// Where the gains of the row's features are.
    #[inline(always)]
    pub fn find_places<T>(&mut self, head: &mut Head, fields: &mut Fields, row: Row<'_, T>) {
        if head.has_one_gain() {
            self.places.clear();
            self.places.resize(row.features.len(), 0);
        } else {
            fields.find(row.features, row.fields, &mut self.places);
            head.reach(fields.count());
        }
    }

    #[inline(always)]
    pub fn forget(&mut self, memory: &Memory<C>) {
        for (mu, v) in self.mu.iter_mut().zip(&mut self.v).take(self.len) {
            (*mu, *v) = memory.forget(*mu, *v);
        }
    }
}
