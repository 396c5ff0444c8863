//! Algorithm 1, for any rule over any table: predict with uncertainty, observe, update.

use crate::belief::{Numbered, Packed, Touched};
use crate::error::Error;
use crate::model::Model;
use crate::random::Random;
use crate::real::Real;
use crate::rows::{Row, Rows, check_answers};
use crate::rule::{self, Evidence, LANES, Rule};
use crate::settings::{Prior, Settings};
use crate::state::{Beliefs, State};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};

/// Beliefs about numbered features, and how they are moved.
pub struct Learner<T: Packed> {
    settings: Settings,
    /// Learning goes on under a read lock, for cells are atomic; only growing keeps readers out.
    table: RwLock<Numbered<T>>,
    grows: bool,
    turn: Mutex<()>,
    learned: AtomicU64,
}

impl<T: Packed> Learner<T> {
    /// A table of `size` features, or one that grows.
    pub fn new(settings: Settings, size: Option<usize>) -> Result<Self, Error> {
        settings.check()?;
        let (mean, second) = at_first(&settings, settings.prior);
        Ok(Learner {
            settings,
            table: RwLock::new(Numbered::new((mean, second), size.unwrap_or(0))?),
            grows: size.is_none(),
            turn: Mutex::new(()),
            learned: AtomicU64::new(0),
        })
    }

    /// A table with a prior of its own for every feature.
    pub fn with_priors(settings: Settings, priors: &[Prior]) -> Result<Self, Error> {
        let learner = Self::new(settings, Some(priors.len()))?;
        for (feature, &prior) in (0_u32..).zip(priors) {
            prior.check()?;
            let (mean, second) = at_first(&settings, prior);
            learner.read().set(feature, mean, second);
        }
        Ok(learner)
    }

    /// The learner that has learned this; a dense state is none of its own.
    pub(crate) fn restore(state: State<T>) -> Result<Self, Error> {
        state.check()?;
        let Beliefs::Table { size, grows, touched } = state.beliefs else {
            return Err(Error::Kind { expected: "a table" });
        };
        let mut learner = Self::new(state.settings, Some(size))?;
        for (feature, mean, second) in touched.iter() {
            learner.read().set(feature, mean, second);
        }
        learner.grows = grows;
        learner.learned = AtomicU64::new(state.rows_learned);
        Ok(learner)
    }

    fn read(&self) -> RwLockReadGuard<'_, Numbered<T>> {
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn make_room(&self, columns: usize) -> Result<(), Error> {
        if self.grows && columns > self.size() {
            self.table.write().unwrap_or_else(PoisonError::into_inner).grow(columns)?;
        }
        Ok(())
    }

    fn run<C: Real>(
        &self,
        mut rule: Box<dyn Rule<C>>,
        rows: &Rows<'_, T>,
        labels: &[i8],
        weights: Option<&[f64]>,
        in_lanes: bool,
    ) -> Vec<f64> {
        let table = self.read();
        let mut gathered = Gathered::<C>::default();
        let mut row_number = self.rows_learned();
        let mut predictions = Vec::with_capacity(rows.len());
        for (i, row) in rows.iter().enumerate() {
            gathered.gather(&table, row);
            let (m, s) = self.totals(&gathered);
            let weight = weights.map_or(1.0, |weights| weights[i]);
            if weight == 0.0 {
                predictions.push(self.settings.probability(m, s));
                continue;
            }
            let evidence = Evidence { m, s, y: f64::from(labels[i]), weight, row: row_number };
            let n = if in_lanes { gathered.x.len() } else { gathered.len };
            let (x, mu, v) = gathered.columns(n);
            predictions.push(rule.learn(&evidence, x, mu, v));
            gathered.scatter(&table, row);
            row_number += 1;
        }
        self.learned.store(row_number, Relaxed);
        predictions
    }

    fn over<A>(
        &self,
        rows: &Rows<'_, T>,
        mut answer: impl FnMut(&Gathered<f64>, Row<'_, T>) -> A,
    ) -> Result<Vec<A>, Error> {
        let table = self.read();
        if !self.grows {
            rows.check_features(table.size())?;
        }
        let mut gathered = Gathered::default();
        let answers = rows.iter().map(|row| {
            gathered.gather(&table, row);
            answer(&gathered, row)
        });
        Ok(answers.collect())
    }

    #[inline(always)]
    fn totals<C: Real>(&self, gathered: &Gathered<C>) -> (f64, f64) {
        let (m, s) = gathered.totals();
        if self.settings.rule.keeps_variance() { (m, s) } else { (m, 0.0) }
    }
}

impl<T: Packed> Model<T> for Learner<T> {
    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn size(&self) -> usize {
        self.read().size()
    }

    fn rows_learned(&self) -> u64 {
        self.learned.load(Relaxed)
    }

    fn beliefs(&self) -> Result<(Vec<T>, Vec<T>), Error> {
        Ok(self.read().iter().unzip())
    }

    fn touched(&self) -> Result<Touched<T>, Error> {
        self.read().touched()
    }

    fn state(&self) -> Result<State<T>, Error> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let (settings, rows_learned) = (self.settings, self.rows_learned());
        let table = self.read();
        let (size, touched) = (table.size(), table.touched()?);
        let beliefs = Beliefs::Table { size, grows: self.grows, touched };
        Ok(State { settings, rows_learned, beliefs })
    }

    fn learn(
        &self,
        rows: &Rows<'_, T>,
        columns: usize,
        labels: &[i8],
        weights: Option<&[f64]>,
    ) -> Result<Vec<f64>, Error> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        check_answers(rows.len(), labels, weights)?;
        rows.check_features(if self.grows { columns } else { self.size() })?;
        self.make_room(columns)?;
        Ok(match rule::narrow::<T>(&self.settings) {
            Some(rule) => self.run(rule, rows, labels, weights, true),
            None => self.run(rule::wide(&self.settings), rows, labels, weights, false),
        })
    }

    fn predict_logit(&self, rows: &Rows<'_, T>) -> Result<Vec<(f64, f64)>, Error> {
        self.over(rows, |gathered, _| self.totals(gathered))
    }

    /// One draw per feature and seed, so that all rows, in this call and in others, speak of the
    /// same draw of the whole model.
    fn sample(&self, rows: &Rows<'_, T>, seed: u64) -> Result<Vec<f64>, Error> {
        let keeps_variance = self.settings.rule.keeps_variance();
        self.over(rows, |gathered, row| {
            let mut total = 0.0;
            for (i, &feature) in row.features.iter().enumerate() {
                let deviation = if keeps_variance { gathered.v[i].sqrt() } else { 0.0 };
                let draw = Random::at(seed, u64::from(feature)).normal();
                total += gathered.x[i] * (gathered.mu[i] + deviation * draw);
            }
            self.settings.link.probability_at(total)
        })
    }
}

/// What the table holds for a feature that nobody has seen.
fn at_first<T: Packed>(settings: &Settings, prior: Prior) -> (T, T) {
    let second = if settings.rule.keeps_variance() { prior.variance } else { 0.0 };
    (T::of(prior.mean), T::of(second))
}

/// The values of a row and the beliefs about its features, side by side, filled up with features of
/// value zero to whole groups of lanes.
#[derive(Default)]
struct Gathered<C> {
    len: usize,
    x: Vec<C>,
    mu: Vec<C>,
    v: Vec<C>,
}

impl<C: Real> Gathered<C> {
    #[inline(always)]
    fn gather<T: Packed>(&mut self, table: &Numbered<T>, row: Row<'_, T>) {
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
            let (mu, v) = table.get(feature);
            *to_mu = C::of(mu.f64());
            *to_v = C::of(v.f64());
        }
    }

    #[inline(always)]
    fn scatter<T: Packed>(&self, table: &Numbered<T>, row: Row<'_, T>) {
        for ((&feature, mu), v) in row.features.iter().zip(&self.mu).zip(&self.v) {
            table.set(feature, T::of(mu.f64()), T::of(v.f64()));
        }
    }

    #[inline(always)]
    fn columns(&mut self, n: usize) -> (&[C], &mut [C], &mut [C]) {
        (&self.x[..n], &mut self.mu[..n], &mut self.v[..n])
    }

    /// Sums lane by lane: one after the other, each addition would wait for the last.
    #[inline(always)]
    fn totals(&self) -> (f64, f64) {
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
}
