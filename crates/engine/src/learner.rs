//! Algorithm 1, for any rule over any table: predict with uncertainty, observe, update.

use crate::belief::{AHEAD, Numbered, Packed, Touched};
use crate::error::Error;
use crate::fields::Fields;
use crate::gathered::Gathered;
use crate::head::Head;
use crate::memory::Memory;
use crate::model::Model;
use crate::random::Random;
use crate::real::Real;
use crate::rows::{Row, Rows, check_answers};
use crate::rule::{self, Evidence, Rule};
use crate::settings::{Prior, Settings};
use crate::state::{Beliefs, State};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};

/// Beliefs about numbered features, and how they are moved.
pub struct Learner<T: Packed> {
    settings: Settings,
    /// Learning goes on under a read lock, for cells are atomic; only growing keeps readers out.
    table: RwLock<Numbered<T>>,
    /// As they were after the last call of `learn`.
    upper: RwLock<Upper>,
    grows: bool,
    turn: Mutex<()>,
    learned: AtomicU64,
}

/// What is above the features.
#[derive(Clone)]
struct Upper {
    fields: Fields,
    head: Option<Head>,
}

impl<T: Packed> Learner<T> {
    /// A table of `size` features, or one that grows.
    pub fn new(settings: Settings, size: Option<usize>) -> Result<Self, Error> {
        settings.check()?;
        let (mean, second) = at_first(&settings, settings.prior);
        Ok(Learner {
            settings,
            table: RwLock::new(Numbered::new([(mean, second)], size.unwrap_or(0))?),
            upper: RwLock::new(Upper {
                fields: Fields::default(),
                head: settings.head.map(Head::new),
            }),
            grows: size.is_none(),
            turn: Mutex::new(()),
            learned: AtomicU64::new(0),
        })
    }

    /// A table with a prior of its own for every feature.
    pub fn with_priors(settings: Settings, priors: &[Prior]) -> Result<Self, Error> {
        if settings.memory.is_some() {
            return Err(Error::ManyPriors);
        }
        let learner = Self::new(settings, Some(priors.len()))?;
        for (feature, &prior) in (0_u32..).zip(priors) {
            prior.check()?;
            let (mean, second) = at_first(&settings, prior);
            learner.read().set(feature, [(mean, second)]);
        }
        Ok(learner)
    }

    /// The same, told which field each numbered feature belongs to.
    pub fn with_fields(mut self, fields: Vec<u32>) -> Self {
        let upper = self.upper.get_mut().unwrap_or_else(PoisonError::into_inner);
        upper.fields = Fields::new(fields);
        self
    }

    /// The learner that has learned this; a dense state is none of its own.
    pub(crate) fn restore(state: State<T>) -> Result<Self, Error> {
        state.check()?;
        let Beliefs::Table { size, grows, touched, head, fields } = state.beliefs else {
            return Err(Error::Kind { expected: "a table" });
        };
        let mut learner = Self::new(state.settings, Some(size))?;
        if let (Some(settings), Some(head)) = (state.settings.head, head) {
            let head = Some(Head::restore(settings, &head, fields.count())?);
            learner.upper = RwLock::new(Upper { fields, head });
        }
        for (feature, mean, second) in touched.iter(1) {
            learner.read().set(feature, [(mean[0], second[0])]);
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
        let memory =
            self.settings.memory.map(|_| Memory::new(self.settings.memory, self.settings.prior));
        let mut upper = self.upper();
        let mut gathered = Gathered::<C>::default();
        let mut row_number = self.rows_learned();
        let mut predictions = Vec::with_capacity(rows.len());
        let near = table.near();
        for (i, row) in rows.iter().enumerate() {
            if i + AHEAD < rows.len() {
                table.bring(&near, rows.row(i + AHEAD).features);
            }
            let fields = upper.fields.count();
            gathered.gather(&table, row);
            let (m, s) = self.totals(&mut gathered, &mut upper, row);
            let weight = weights.map_or(1.0, |weights| weights[i]);
            if weight == 0.0 {
                predictions.push(self.settings.probability(m, s));
                upper.truncate(fields);
                continue;
            }
            let evidence = Evidence { m, s, y: f64::from(labels[i]), weight, row: row_number };
            let n = if in_lanes { gathered.x.len() } else { gathered.len };
            let (x, mu, v) = gathered.columns(n);
            predictions.push(rule.learn(&evidence, x, mu, v));
            if let Some(memory) = &memory {
                gathered.forget(memory);
            }
            gathered.scatter(&table, row);
            if let Some(head) = &mut upper.head {
                let (step, kept) = rule.learn_one_more(&evidence, head.variance());
                head.learn(step, kept);
            }
            row_number += 1;
        }
        self.learned.store(row_number, Relaxed);
        *self.upper.write().unwrap_or_else(PoisonError::into_inner) = upper;
        predictions
    }

    fn upper(&self) -> Upper {
        self.upper.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn over<A>(
        &self,
        rows: &Rows<'_, T>,
        mut answer: impl FnMut(&mut Gathered<f64>, Row<'_, T>) -> A,
    ) -> Result<Vec<A>, Error> {
        let table = self.read();
        if !self.grows {
            rows.check_features(table.size())?;
        }
        let mut gathered = Gathered::default();
        let answers = rows.iter().map(|row| {
            gathered.gather(&table, row);
            answer(&mut gathered, row)
        });
        Ok(answers.collect())
    }

    #[inline(always)]
    fn totals<C: Real>(
        &self,
        gathered: &mut Gathered<C>,
        upper: &mut Upper,
        row: Row<'_, T>,
    ) -> (f64, f64) {
        if let Some(head) = &mut upper.head {
            return gathered.totals_with_head(head, &mut upper.fields, row);
        }
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
        Ok(self.read().iter().flatten().unzip())
    }

    fn touched(&self) -> Result<Touched<T>, Error> {
        self.read().touched(1)
    }

    fn state(&self) -> Result<State<T>, Error> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let (settings, rows_learned) = (self.settings, self.rows_learned());
        let table = self.read();
        let (size, touched) = (table.size(), table.touched(1)?);
        let Upper { fields, head } = self.upper();
        let head = head.map(|head| head.state());
        let beliefs = Beliefs::Table { size, grows: self.grows, touched, head, fields };
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
        let mut upper = self.upper();
        self.over(rows, |gathered, row| self.totals(gathered, &mut upper, row))
    }

    /// One draw per feature and seed, so that all rows, in this call and in others, speak of the
    /// same draw of the whole model.
    fn sample(&self, rows: &Rows<'_, T>, seed: u64) -> Result<Vec<f64>, Error> {
        let keeps_variance = self.settings.rule.keeps_variance();
        let Upper { mut fields, mut head } = self.upper();
        let drawn = head.as_ref().map(|head| head.draw(seed));
        self.over(rows, |gathered, row| {
            let mut total = 0.0;
            if let (Some(head), Some(drawn)) = (&mut head, &drawn) {
                gathered.find_places(head, &mut fields, row);
                gathered.scale(|place| drawn.gain(place));
                total = drawn.bias();
            }
            for (i, &feature) in row.features.iter().enumerate() {
                let deviation = if keeps_variance { gathered.v[i].sqrt() } else { 0.0 };
                let draw = Random::at(seed, u64::from(feature)).normal();
                total += gathered.x[i] * (gathered.mu[i] + deviation * draw);
            }
            self.settings.link.probability_at(total)
        })
    }
}

impl Upper {
    /// Forgets fields that came behind the first `fields`, and taught nothing.
    fn truncate(&mut self, fields: usize) {
        self.fields.truncate(fields);
        if let Some(head) = &mut self.head {
            head.truncate(fields);
        }
    }
}

/// What the table holds for a feature that nobody has seen.
fn at_first<T: Packed>(settings: &Settings, prior: Prior) -> (T, T) {
    let second = if settings.rule.keeps_variance() { prior.variance } else { 0.0 };
    (T::of(prior.mean), T::of(second))
}
