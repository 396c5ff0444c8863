use crate::real::Real;
use crate::rows::Given;

/// Rows of a stream, in compressed form, with what was observed.
#[derive(Clone, Debug)]
pub struct Block<T> {
    pub starts: Vec<i64>,
    pub features: Vec<u32>,
    pub values: Vec<T>,
    /// The field of each feature, by the low bits of its hash; none where features are numbered.
    pub fields: Vec<u32>,
    /// -1 or 1; 0 where a row has no label.
    pub labels: Vec<i8>,
    pub weights: Vec<f64>,
    /// Features that came for the first time, where names are kept.
    pub new_names: Vec<(u32, String)>,
}

impl<T> Default for Block<T> {
    fn default() -> Self {
        Block {
            starts: vec![0],
            features: Vec::new(),
            values: Vec::new(),
            fields: Vec::new(),
            labels: Vec::new(),
            weights: Vec::new(),
            new_names: Vec::new(),
        }
    }
}

impl<T: Real> Block<T> {
    /// An empty block with room for one like another.
    pub fn like(other: &Block<T>) -> Self {
        let (features, rows) = (other.features.len(), other.rows());
        let mut starts = Vec::with_capacity(rows + 1);
        starts.push(0);
        Block {
            starts,
            features: Vec::with_capacity(features + features / 16),
            values: Vec::with_capacity(features + features / 16),
            fields: Vec::with_capacity(other.fields.len() + other.fields.len() / 16),
            labels: Vec::with_capacity(rows),
            weights: Vec::with_capacity(rows),
            new_names: Vec::new(),
        }
    }

    pub fn rows(&self) -> usize {
        self.labels.len()
    }

    /// Rows as the engine takes them.
    pub fn given(&self) -> Given<'_, T> {
        Given {
            starts: &self.starts,
            features: &self.features,
            values: &self.values,
            fields: &self.fields,
            named: !self.fields.is_empty(),
        }
    }

    #[inline]
    pub fn push(&mut self, feature: u32, value: T) {
        self.features.push(feature);
        self.values.push(value);
    }

    #[inline]
    pub fn push_named(&mut self, feature: u32, value: T, field: u32) {
        self.push(feature, value);
        self.fields.push(field);
    }

    /// What was pushed since the last row's end is a row.
    pub fn end_row(&mut self, label: i8, weight: f64) {
        self.starts.push(self.features.len() as i64);
        self.labels.push(label);
        self.weights.push(weight);
    }

    /// Forgets what was pushed since the last row's end.
    pub fn abandon_row(&mut self) {
        let end = self.starts.last().map_or(0, |&end| end as usize);
        self.features.truncate(end);
        self.values.truncate(end);
        self.fields.truncate(end);
    }
}
