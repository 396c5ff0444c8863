use super::Packed;
use crate::error::Error;

/// Beliefs side by side with the numbers of their features, which rise. Where several learners share
/// a table, the beliefs about a feature follow each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Touched<T> {
    pub features: Vec<u32>,
    pub mean: Vec<T>,
    /// Variances, or what the rule keeps in their place.
    pub second: Vec<T>,
}

impl<T: Packed> Touched<T> {
    pub fn with_room(size: usize, learners: usize) -> Result<Self, Error> {
        let memory = |_| Error::Memory { size };
        let mut touched = Touched::default();
        touched.features.try_reserve_exact(size).map_err(memory)?;
        touched.mean.try_reserve_exact(size * learners).map_err(memory)?;
        touched.second.try_reserve_exact(size * learners).map_err(memory)?;
        Ok(touched)
    }

    pub fn push(&mut self, feature: u32, beliefs: &[(T, T)]) {
        self.features.push(feature);
        self.mean.extend(beliefs.iter().map(|belief| belief.0));
        self.second.extend(beliefs.iter().map(|belief| belief.1));
    }

    /// Features with the means and the second numbers of each of so many learners.
    pub fn iter(&self, learners: usize) -> impl Iterator<Item = (u32, &[T], &[T])> {
        let beliefs = self.mean.chunks(learners).zip(self.second.chunks(learners));
        self.features.iter().zip(beliefs).map(|(&feature, (mean, second))| (feature, mean, second))
    }

    /// Refuses what no table of this size and of so many learners can have held.
    pub fn check(&self, size: usize, learners: usize) -> Result<(), Error> {
        let (features, found) = (self.features.len(), [self.mean.len(), self.second.len()]);
        if found != [features * learners; 2] {
            return Err(Error::Beliefs { features, means: found[0], variances: found[1] });
        }
        if let Some(pair) = self.features.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(Error::Unordered { before: pair[0], feature: pair[1] });
        }
        if let Some(&feature) = self.features.last().filter(|&&last| last as usize >= size) {
            return Err(Error::BeliefOutside { feature, size });
        }
        let odd = |(mean, second): (&T, &T)| {
            !mean.is_finite() || !second.is_finite() || *second < T::zero()
        };
        match self.mean.iter().zip(&self.second).position(odd) {
            Some(place) => Err(Error::Belief {
                feature: self.features[place / learners] as usize,
                mean: self.mean[place].f64(),
                variance: self.second[place].f64(),
            }),
            None => Ok(()),
        }
    }
}
