use thiserror::Error;

/// What the engine refuses, as sentences for the user. Rows are counted from 0, as in arrays.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum Error {
    #[error("row {row}: the value of feature {feature} is {value}; values must be finite")]
    NotFinite { row: usize, feature: u32, value: f64 },

    #[error(
        "row {row}: the value of feature {feature} is {value:?}; values may be at most {limit} in \
         magnitude: scale the feature",
        limit = crate::rows::LARGEST_VALUE
    )]
    TooLarge { row: usize, feature: u32, value: f64 },

    #[error("row {row}: feature {feature} is outside of this model's {size} features")]
    OutsideTable { row: usize, feature: u32, size: usize },

    #[error("row starts must begin at 0, never fall, and end at the number of values ({values})")]
    RowStarts { values: usize },

    #[error("there are {indices} feature indices for {values} values; there must be as many")]
    Uneven { indices: usize, values: usize },

    #[error("there are {rows} rows and {found} {what}; there must be one for every row")]
    Lengths { rows: usize, found: usize, what: &'static str },

    #[error("the label of row {row} is {label}; engine labels are -1 and 1")]
    Label { row: usize, label: i8 },

    #[error(
        "the weight of row {row} is {weight}; weights must be between 0 and {limit}",
        limit = crate::rows::LARGEST_WEIGHT
    )]
    Weight { row: usize, weight: f64 },

    #[error("the prediction of row {row} is {given}; it must be a probability")]
    Prediction { row: usize, given: f64 },

    #[error("{name} is {given}; it must be {allowed}")]
    Setting { name: &'static str, given: String, allowed: String },

    #[error("there is no column {name:?}; the columns are {columns}")]
    NoColumn { name: String, columns: String },

    #[error("the description of the columns is damaged: {reason}")]
    Columns { reason: String },

    #[error("a table of {size} features does not fit into memory")]
    Memory { size: usize },

    #[error(
        "the {matrix} matrix is no longer positive definite to within rounding; dtype=\"float64\" or \
         a smaller prior_variance keeps it so"
    )]
    NotPositiveDefinite { matrix: &'static str },

    #[error(
        "there are {features} features with {means} means and {variances} variances; there must be \
         as many"
    )]
    Beliefs { features: usize, means: usize, variances: usize },

    #[error("feature {feature} comes after feature {before}; each must come once, in order")]
    Unordered { before: u32, feature: u32 },

    #[error("there is a belief about feature {feature}, outside of the model's {size} features")]
    BeliefOutside { feature: u32, size: usize },

    #[error(
        "the belief about feature {feature} has mean {mean} and variance {variance}; both must be \
         finite, and no variance is negative"
    )]
    Belief { feature: usize, mean: f64, variance: f64 },

    #[error("the name of feature {feature} comes twice")]
    NamedTwice { feature: u32 },

    #[error("this is not the state of {expected}")]
    Kind { expected: &'static str },

    #[error("the {matrix} matrix of {size} features has {entries} entries; it must have size^2")]
    MatrixSize { matrix: &'static str, size: usize, entries: usize },

    #[error("the {matrix} matrix has entries that are not finite or not symmetric")]
    Matrix { matrix: &'static str },

    #[error("what the head has learned does not fit together: fields, gains and their covariance")]
    Head,

    #[error("what a panel knows of its members' losses and weights does not fit together")]
    Trust,

    #[error(
        "the members of a panel learn by a joint rule: moments, dimgauss or adf; for another rule \
         make a model of its own"
    )]
    PanelRule,

    #[error("AdaGrad keeps no variance, and memory and a head work by variances; leave them out")]
    NoVariance,

    #[error(
        "memory leads back to one prior for all features; give prior_mean and prior_variance as \
         numbers, or leave memory out"
    )]
    ManyPriors,

    #[error("of the rules, {rules} can move a full covariance in {form} form")]
    Rule { form: &'static str, rules: &'static str },
}
