//! Several learners of the same rows, believed by what they foretold.
//!
//! The members differ in prior, memory and head. Their beliefs about a feature lie side by side, so
//! that a feature of eight single-precision members is one cache line; what one member does for
//! eight features at a time in [`crate::learner`], eight members do here for one.

mod row;
pub mod trust;

use crate::belief::{AHEAD, Numbered, Packed, Touched};
use crate::error::Error;
use crate::fields::Fields;
use crate::head::{Draw, Head};
use crate::memory::Memory;
use crate::model::Model;
use crate::prediction::{Mixture, half_width};
use crate::random::Random;
use crate::rows::{Row, Rows, check_answers};
use crate::rule::joint::{JointRule, Step};
use crate::rule::{self, Evidence};
use crate::settings::{Member, PanelSettings, Settings};
use crate::state::{Beliefs, PanelState, State};
use row::{Gathered, Memories};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};
use trust::Trust;

/// More are refused: eight single-precision beliefs fill a cache line.
pub const MOST_MEMBERS: usize = 8;
/// The draw of the member that a sample follows belongs to a place behind those of the heads.
const MEMBER_PLACE: u64 = 1 << 40;

/// A panel of up to `K` members; what is more than there are members stays untouched.
pub struct Panel<T: Packed, const K: usize> {
    settings: Settings,
    panel: PanelSettings,
    table: RwLock<Numbered<T, K>>,
    upper: RwLock<Upper>,
    grows: bool,
    turn: Mutex<()>,
    learned: AtomicU64,
}

/// What is above the features, as it was after the last call of `learn`.
#[derive(Clone)]
struct Upper {
    fields: Fields,
    heads: Vec<Option<Head>>,
    trust: Trust,
}

/// A panel with as many lanes as its members need.
pub fn panel<T: Packed>(
    settings: Settings,
    panel: PanelSettings,
    size: Option<usize>,
    fields: Vec<u32>,
) -> Result<Box<dyn Model<T>>, Error> {
    Ok(match panel.members.len() {
        0..=2 => Box::new(Panel::<T, 2>::new(settings, panel, size, fields)?),
        3..=4 => Box::new(Panel::<T, 4>::new(settings, panel, size, fields)?),
        _ => Box::new(Panel::<T, 8>::new(settings, panel, size, fields)?),
    })
}

/// The panel that has learned this.
pub(crate) fn restore<T: Packed>(state: State<T>) -> Result<Box<dyn Model<T>>, Error> {
    state.check()?;
    let Beliefs::Panel(panel) = state.beliefs else {
        return Err(Error::Kind { expected: "a panel" });
    };
    let (settings, rows) = (state.settings, state.rows_learned);
    Ok(match panel.settings.members.len() {
        0..=2 => Box::new(Panel::<T, 2>::restore(settings, panel, rows)?),
        3..=4 => Box::new(Panel::<T, 4>::restore(settings, panel, rows)?),
        _ => Box::new(Panel::<T, 8>::restore(settings, panel, rows)?),
    })
}

impl<T: Packed, const K: usize> Panel<T, K> {
    fn new(
        settings: Settings,
        panel: PanelSettings,
        size: Option<usize>,
        fields: Vec<u32>,
    ) -> Result<Self, Error> {
        settings.check()?;
        panel.check()?;
        rule::joint_rule(&settings)?;
        let member = |k: usize| panel.members.get(k).unwrap_or(&panel.members[0]).prior;
        let unseen = std::array::from_fn(|k| (T::of(member(k).mean), T::of(member(k).variance)));
        let heads = panel.members.iter().map(|member| member.head.map(Head::new)).collect();
        let trust = Trust::new(panel.members.len(), panel.share);
        Ok(Panel {
            settings,
            table: RwLock::new(Numbered::new(unseen, size.unwrap_or(0))?),
            upper: RwLock::new(Upper { fields: Fields::new(fields), heads, trust }),
            panel,
            grows: size.is_none(),
            turn: Mutex::new(()),
            learned: AtomicU64::new(0),
        })
    }

    fn restore(settings: Settings, state: PanelState<T>, rows: u64) -> Result<Self, Error> {
        let members = state.settings.members.clone();
        let mut panel = Self::new(settings, state.settings, Some(state.size), Vec::new())?;
        let fields = state.fields.count();
        let of = |(member, head): (&Member, &Option<_>)| match (member.head, head) {
            (Some(settings), Some(head)) => Head::restore(settings, head, fields).map(Some),
            _ => Ok(None),
        };
        let heads: Result<Vec<_>, Error> = members.iter().zip(&state.heads).map(of).collect();
        for (feature, mean, second) in state.touched.iter(members.len()) {
            let table = panel.read();
            let mut beliefs = table.get(feature);
            for ((belief, &mean), &second) in beliefs.iter_mut().zip(mean).zip(second) {
                *belief = (mean, second);
            }
            table.set(feature, beliefs);
        }
        let (fields, trust) = (state.fields, state.trust);
        panel.upper = RwLock::new(Upper { fields, heads: heads?, trust });
        panel.grows = state.grows;
        panel.learned = AtomicU64::new(rows);
        Ok(panel)
    }

    fn read(&self) -> RwLockReadGuard<'_, Numbered<T, K>> {
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn upper(&self) -> Upper {
        self.upper.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn memories(&self) -> Memories<T, K> {
        let members = &self.panel.members;
        let of = |k: usize| {
            let member = members.get(k).unwrap_or(&members[0]);
            Memory::new(member.memory.filter(|_| k < members.len()), member.prior)
        };
        Memories::new(std::array::from_fn(of), members.iter().any(|member| member.memory.is_some()))
    }

    fn run(
        &self,
        rule: &dyn JointRule,
        rows: &Rows<'_, T>,
        labels: &[i8],
        weights: Option<&[f64]>,
    ) -> Vec<f64> {
        let table = self.read();
        let memories = self.memories();
        let mut upper = self.upper();
        let mut gathered = Gathered::<T, K>::new();
        let mut row_number = self.rows_learned();
        let members = self.panel.members.len();
        let (mut p, mut steps) = (vec![0.0; members], [Step::NONE; K]);
        let mut predictions = Vec::with_capacity(rows.len());
        let near = table.near();
        for (i, row) in rows.iter().enumerate() {
            if i + AHEAD < rows.len() {
                table.bring(&near, rows.row(i + AHEAD).features);
            }
            let fields = upper.fields.count();
            let totals = upper.look(&mut gathered, &table, row);
            let (y, weight) = (f64::from(labels[i]), weights.map_or(1.0, |weights| weights[i]));
            if weight == 0.0 {
                predictions.push(self.mixture(&upper, &totals).probability(&self.settings));
                upper.truncate(fields);
                continue;
            }
            let mut s = [0.0; K];
            for (k, &(m, variance)) in totals[..members].iter().enumerate() {
                s[k] = variance;
                (p[k], steps[k]) =
                    rule.step(&Evidence { m, s: variance, y, weight, row: row_number });
            }
            row_number += 1;
            let mixed = upper.trust.mix(&p);
            predictions.push(mixed);
            upper.trust.weigh(&p, mixed, labels[i], weight, row_number);
            gathered.learn(&s, &steps, &memories);
            gathered.scatter(&table, row);
            for ((head, step), &s) in upper.heads.iter_mut().zip(&steps).zip(&s) {
                if let Some(head) = head {
                    let (ahead, kept) = step.of_one_more(s, head.variance());
                    head.learn(ahead, kept);
                }
            }
        }
        self.learned.store(row_number, Relaxed);
        *self.upper.write().unwrap_or_else(PoisonError::into_inner) = upper;
        predictions
    }

    fn mixture(&self, upper: &Upper, totals: &[(f64, f64); K]) -> Mixture {
        let weights = upper.trust.weights().iter();
        Mixture::new(weights.zip(totals).map(|(&weight, &(m, s))| (weight, m, s)).collect())
    }

    fn over<A>(
        &self,
        rows: &Rows<'_, T>,
        mut answer: impl FnMut(&mut Gathered<T, K>, &mut Upper, &Numbered<T, K>, Row<'_, T>) -> A,
    ) -> Result<Vec<A>, Error> {
        let table = self.read();
        if !self.grows {
            rows.check_features(table.size())?;
        }
        let (mut gathered, mut upper) = (Gathered::new(), self.upper());
        Ok(rows.iter().map(|row| answer(&mut gathered, &mut upper, &table, row)).collect())
    }

    fn mixtures(&self, rows: &Rows<'_, T>) -> Result<Vec<Mixture>, Error> {
        self.over(rows, |gathered, upper, table, row| {
            let totals = upper.look(gathered, table, row);
            self.mixture(upper, &totals)
        })
    }

    /// One belief in the place of the members': that of their mixture.
    fn merged(&self, weights: &[f64], mean: &[T], second: &[T]) -> (T, T) {
        let beliefs = || weights.iter().zip(mean.iter().zip(second));
        let mixture = Mixture::new(beliefs().map(|(&w, (m, v))| (w, m.f64(), v.f64())).collect());
        let (mean, variance) = mixture.moments();
        (T::of(mean), T::of(variance))
    }
}

impl Upper {
    /// The mean and variance of the row's total in every member's eyes.
    #[inline(always)]
    fn look<T: Packed, const K: usize>(
        &mut self,
        gathered: &mut Gathered<T, K>,
        table: &Numbered<T, K>,
        row: Row<'_, T>,
    ) -> [(f64, f64); K] {
        gathered.gather(table, row);
        self.find_gains(gathered, row);
        let s = gathered.look();
        let mut totals = [(0.0, 0.0); K];
        let scores = |k: usize| gathered.scores.iter().map(move |scores| scores[k].f64());
        for (k, (total, head)) in totals.iter_mut().zip(&mut self.heads).enumerate() {
            let Some(head) = head else {
                *total = (scores(k).sum(), s[k].f64());
                continue;
            };
            if head.has_one_gain() {
                head.scores()[0] = scores(k).sum();
            } else {
                head.scores().iter_mut().zip(scores(k)).for_each(|(to, score)| *to = score);
            }
            let (mean, variance) = head.look();
            *total = (mean, s[k].f64() + variance);
        }
        totals
    }

    #[inline(always)]
    fn find_gains<T: Packed, const K: usize>(
        &mut self,
        gathered: &mut Gathered<T, K>,
        row: Row<'_, T>,
    ) {
        let by_field = self.heads.iter().flatten().any(|head| !head.has_one_gain());
        if by_field {
            self.fields.find(row.features, row.fields, &mut gathered.places);
        } else {
            gathered.places.clear();
            gathered.places.resize(row.features.len(), 0);
        }
        let count = if by_field { self.fields.count().max(1) } else { 1 };
        gathered.gains.resize(count, [T::one(); K]);
        for (k, head) in self.heads.iter_mut().enumerate() {
            let Some(head) = head else { continue };
            head.reach(self.fields.count());
            for (place, gains) in gathered.gains.iter_mut().enumerate() {
                let place = if head.has_one_gain() { 0 } else { place };
                if place < head.gains() {
                    gains[k] = T::of(head.gain(place));
                }
            }
        }
    }

    /// Forgets fields that came behind the first `fields`, and taught nothing.
    fn truncate(&mut self, fields: usize) {
        self.fields.truncate(fields);
        self.heads.iter_mut().flatten().for_each(|head| head.truncate(fields));
    }
}

impl<T: Packed, const K: usize> Model<T> for Panel<T, K> {
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
        let (upper, table) = (self.upper(), self.read());
        let weights = upper.trust.weights();
        let merged = table.iter().map(|beliefs| {
            let (mean, second): (Vec<T>, Vec<T>) = beliefs[..weights.len()].iter().copied().unzip();
            self.merged(weights, &mean, &second)
        });
        Ok(merged.unzip())
    }

    fn touched(&self) -> Result<Touched<T>, Error> {
        let (upper, table) = (self.upper(), self.read());
        let weights = upper.trust.weights();
        let all = table.touched(weights.len())?;
        let mut touched = Touched::with_room(all.features.len(), 1)?;
        for (feature, mean, second) in all.iter(weights.len()) {
            touched.push(feature, &[self.merged(weights, mean, second)]);
        }
        Ok(touched)
    }

    fn state(&self) -> Result<State<T>, Error> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let (settings, rows_learned) = (self.settings, self.rows_learned());
        let table = self.read();
        let Upper { fields, heads, trust } = self.upper();
        let beliefs = Beliefs::Panel(PanelState {
            settings: self.panel.clone(),
            size: table.size(),
            grows: self.grows,
            touched: table.touched(self.panel.members.len())?,
            heads: heads.iter().map(|head| head.as_ref().map(Head::state)).collect(),
            fields,
            trust,
        });
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
        if self.grows && columns > self.size() {
            self.table.write().unwrap_or_else(PoisonError::into_inner).grow(columns)?;
        }
        Ok(self.run(rule::joint_rule(&self.settings)?.as_ref(), rows, labels, weights))
    }

    fn predict_logit(&self, rows: &Rows<'_, T>) -> Result<Vec<(f64, f64)>, Error> {
        Ok(self.mixtures(rows)?.iter().map(Mixture::moments).collect())
    }

    fn predict(&self, rows: &Rows<'_, T>) -> Result<Vec<f64>, Error> {
        let mixtures = self.mixtures(rows)?.into_iter();
        Ok(mixtures.map(|mixture| mixture.probability(&self.settings)).collect())
    }

    fn interval(&self, rows: &Rows<'_, T>, level: f64) -> Result<Vec<(f64, f64)>, Error> {
        let tail = 0.5 - 0.5 * level;
        let reach = half_width(level);
        let at = |w: f64| self.settings.link.probability_at(w);
        let bounds = |mixture: Mixture| {
            (at(mixture.quantile(tail, reach)), at(mixture.quantile(1.0 - tail, reach)))
        };
        Ok(self.mixtures(rows)?.into_iter().map(bounds).collect())
    }

    /// The seed chooses a member by the weights, and then a draw of that member's beliefs.
    fn sample(&self, rows: &Rows<'_, T>, seed: u64) -> Result<Vec<f64>, Error> {
        let upper = self.upper();
        let mut left = Random::at(seed, MEMBER_PLACE).uniform();
        let weights = upper.trust.weights();
        let chosen = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        let k = chosen.unwrap_or(weights.len() - 1);
        let drawn = upper.heads[k].as_ref().map(|head| (head.draw(seed), head.has_one_gain()));
        self.over(rows, |gathered, upper, table, row| {
            gathered.gather(table, row);
            upper.find_gains(gathered, row);
            let mut total = drawn.as_ref().map_or(0.0, |(drawn, _)| drawn.bias());
            let gain = |place: usize| match &drawn {
                None => 1.0,
                Some((drawn, true)) => Draw::gain(drawn, 0),
                Some((drawn, false)) => Draw::gain(drawn, place),
            };
            for (i, &feature) in row.features.iter().enumerate() {
                let (mu, v) = (gathered.mu[i][k].f64(), gathered.v[i][k].f64());
                let weight = mu + v.sqrt() * Random::at(seed, u64::from(feature)).normal();
                total += gathered.x[i].f64() * gain(gathered.places[i]) * weight;
            }
            self.settings.link.probability_at(total)
        })
    }

    fn trust(&self) -> Option<Trust> {
        Some(self.upper().trust)
    }
}
