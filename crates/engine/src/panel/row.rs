//! A row beside what each member believes about its features: lanes are members.

use crate::belief::{Numbered, Packed};
use crate::memory::Memory;
use crate::rows::Row;
use crate::rule::joint::Step;
use pulp::{Arch, Simd, WithSimd};

/// The values of a row, and the beliefs of `K` members about its features.
pub struct Gathered<T, const K: usize> {
    arch: Arch,
    pub x: Vec<T>,
    pub mu: Vec<[T; K]>,
    pub v: Vec<[T; K]>,
    /// Where the gains of each feature's field are.
    pub places: Vec<usize>,
    /// Of each field, for each member.
    pub gains: Vec<[T; K]>,
    /// `sum_{i in f} x_i mu_i`.
    pub scores: Vec<[T; K]>,
}

impl<T: Packed, const K: usize> Gathered<T, K> {
    pub fn new() -> Self {
        Gathered {
            arch: Arch::new(),
            x: Vec::new(),
            mu: Vec::new(),
            v: Vec::new(),
            places: Vec::new(),
            gains: Vec::new(),
            scores: Vec::new(),
        }
    }

    #[inline(always)]
    pub fn gather(&mut self, table: &Numbered<T, K>, row: Row<'_, T>) {
        self.x.clear();
        self.x.extend_from_slice(row.values);
        self.mu.clear();
        self.v.clear();
        for &feature in row.features {
            let beliefs = table.get(feature);
            self.mu.push(beliefs.map(|belief| belief.0));
            self.v.push(beliefs.map(|belief| belief.1));
        }
    }

    #[inline(always)]
    pub fn scatter(&self, table: &Numbered<T, K>, row: Row<'_, T>) {
        for ((&feature, mu), v) in row.features.iter().zip(&self.mu).zip(&self.v) {
            table.set(feature, std::array::from_fn(|k| (mu[k], v[k])));
        }
    }

    /// The scores of fields, and `sum_i (x_i G_f)^2 v_i` of every member.
    #[inline(always)]
    pub fn look(&mut self) -> [T; K] {
        let arch = self.arch;
        arch.dispatch(Look(self))
    }

    /// What a joint rule's step does to every member's beliefs; `s` is the variance of its total.
    #[inline(always)]
    pub fn learn(&mut self, s: &[f64; K], steps: &[Step; K], memories: &Memories<T, K>) {
        let arch = self.arch;
        let lanes = Lanes {
            s: s.map(T::of),
            g: steps.map(|step| T::of(step.g)),
            h: steps.map(|step| T::of(step.h)),
            kept: steps.map(|step| T::of(step.kept)),
        };
        arch.dispatch(Learn { row: self, lanes, memories });
    }
}

/// How every member forgets.
pub struct Memories<T, const K: usize> {
    of: [Memory<T>; K],
    any: bool,
}

impl<T, const K: usize> Memories<T, K> {
    pub fn new(of: [Memory<T>; K], any: bool) -> Self {
        Memories { of, any }
    }
}

struct Lanes<T, const K: usize> {
    s: [T; K],
    g: [T; K],
    h: [T; K],
    kept: [T; K],
}

struct Look<'a, T, const K: usize>(&'a mut Gathered<T, K>);

impl<T: Packed, const K: usize> WithSimd for Look<'_, T, K> {
    type Output = [T; K];

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) -> [T; K] {
        let row = self.0;
        row.scores.clear();
        row.scores.resize(row.gains.len(), [T::zero(); K]);
        let mut s = [T::zero(); K];
        let beliefs = row.mu.iter().zip(&row.v);
        for ((&x, &place), (mu, v)) in row.x.iter().zip(&row.places).zip(beliefs) {
            let (scores, gains) = (&mut row.scores[place], &row.gains[place]);
            for k in 0..K {
                scores[k] = scores[k] + x * mu[k];
                let seen = x * gains[k];
                s[k] = s[k] + seen * seen * v[k];
            }
        }
        s
    }
}

struct Learn<'a, T, const K: usize> {
    row: &'a mut Gathered<T, K>,
    lanes: Lanes<T, K>,
    memories: &'a Memories<T, K>,
}

impl<T: Packed, const K: usize> WithSimd for Learn<'_, T, K> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        let Learn { row, lanes: Lanes { s, g, h, kept }, memories } = self;
        let beliefs = row.mu.iter_mut().zip(&mut row.v);
        for ((&x, &place), (mu, v)) in row.x.iter().zip(&row.places).zip(beliefs) {
            let gains = &row.gains[place];
            let (mut mu_lanes, mut v_lanes) = (*mu, *v);
            for k in 0..K {
                let seen = x * gains[k];
                let xv = seen * v_lanes[k];
                let others = (s[k] - seen * xv).max(T::zero());
                mu_lanes[k] = mu_lanes[k] + xv * g[k];
                v_lanes[k] = v_lanes[k] * (kept[k] + h[k] * others).min(T::one());
            }
            if memories.any {
                for k in 0..K {
                    (mu_lanes[k], v_lanes[k]) = memories.of[k].forget(mu_lanes[k], v_lanes[k]);
                }
            }
            (*mu, *v) = (mu_lanes, v_lanes);
        }
    }
}
