use super::Packed;
use crate::error::Error;

/// Beliefs side by side with the numbers of their features, which rise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Touched<T> {
    pub features: Vec<u32>,
    pub mean: Vec<T>,
    /// Variances, or what the rule keeps in their place.
    pub second: Vec<T>,
}

impl<T: Packed> Touched<T> {
    pub fn with_room(size: usize) -> Result<Self, Error> {
        let memory = |_| Error::Memory { size };
        let mut touched = Touched::default();
        touched.features.try_reserve_exact(size).map_err(memory)?;
        touched.mean.try_reserve_exact(size).map_err(memory)?;
        touched.second.try_reserve_exact(size).map_err(memory)?;
        Ok(touched)
    }

    pub fn push(&mut self, feature: u32, mean: T, second: T) {
        self.features.push(feature);
        self.mean.push(mean);
        self.second.push(second);
    }

    pub fn iter(&self) -> impl Iterator<Item = (u32, T, T)> {
        let beliefs = self.mean.iter().zip(&self.second);
        self.features
            .iter()
            .zip(beliefs)
            .map(|(&feature, (&mean, &second))| (feature, mean, second))
    }

    /// Refuses what no table of this size can have held.
    pub fn check(&self, size: usize) -> Result<(), Error> {
        let (features, found) = (self.features.len(), [self.mean.len(), self.second.len()]);
        if found != [features; 2] {
            return Err(Error::Beliefs { features, means: found[0], variances: found[1] });
        }
        if let Some(pair) = self.features.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(Error::Unordered { before: pair[0], feature: pair[1] });
        }
        if let Some(&feature) = self.features.last().filter(|&&last| last as usize >= size) {
            return Err(Error::BeliefOutside { feature, size });
        }
        let odd = |&(_, mean, second): &(u32, T, T)| {
            !mean.is_finite() || !second.is_finite() || second < T::zero()
        };
        match self.iter().find(odd) {
            Some((feature, mean, second)) => Err(Error::Belief {
                feature: feature as usize,
                mean: mean.f64(),
                variance: second.f64(),
            }),
            None => Ok(()),
        }
    }
}
