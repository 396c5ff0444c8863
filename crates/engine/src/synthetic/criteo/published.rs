//! What is published of the 45,840,617 rows of the training file of the Criteo display advertising
//! challenge (Kaggle, 2014).
//!
//! The numbers of values: the table sizes of Facebook's DLRM for this file, in which missing is a
//! value. Clicks and missing values: counts over the whole file (w261 project of UC Berkeley,
//! github.com/ansjory/w261_project). Means and deviations of the integers: a sample of 1 % there.
//! Maxima: the dataset viewer of huggingface.co/datasets/reczoo/Criteo_x4.

pub const CLICK_RATE: f64 = 11_745_438.0 / 45_840_617.0;

pub const INTEGERS: usize = 13;
pub const CATEGORIES: usize = 26;

/// Shares of missing values. Fields with the very same count miss them in the same rows.
pub const MISSING: [f64; 12] = [
    0.453606, 0.214645, 0.216781, 0.025809, 0.223652, 0.043256, 0.000497, 0.765078, 0.034019,
    0.120867, 0.440065, 0.762535,
];

/// Which share of missing values a field has; `None`: never missing.
pub type Missing = Option<u8>;

pub struct Integers {
    pub mean: f64,
    pub deviation: f64,
    pub least: i32,
    pub most: i32,
    pub missing: Missing,
}

const fn integers(mean: f64, deviation: f64, least: i32, most: i32, missing: Missing) -> Integers {
    Integers { mean, deviation, least, most, missing }
}

pub const INTEGER_FIELDS: [Integers; INTEGERS] = [
    integers(3.476, 9.137, 0, 5_775, Some(0)),
    integers(106.285, 390.4, -1, 258_000, None),
    integers(26.600, 379.6, 0, 65_535, Some(1)),
    integers(7.330, 8.913, 0, 969, Some(2)),
    integers(18447.9, 69124.2, 0, 23_200_000, Some(3)),
    integers(115.409, 340.7, 0, 431_000, Some(4)),
    integers(16.436, 67.98, 0, 56_300, Some(5)),
    integers(12.511, 17.16, 0, 6_050, Some(6)),
    integers(106.338, 224.8, 0, 25_600, Some(5)),
    integers(0.617, 0.684, 0, 11, Some(0)),
    integers(2.746, 5.258, 0, 231, Some(5)),
    integers(0.978, 5.061, 0, 1_880, Some(7)),
    integers(8.215, 19.41, 0, 7_390, Some(2)),
];

/// Numbers of values, with missing as one where there is any.
pub const CATEGORY_FIELDS: [(u32, Missing); CATEGORIES] = [
    (1_460, None),
    (583, None),
    (10_131_227, Some(8)),
    (2_202_608, Some(8)),
    (305, None),
    (24, Some(9)),
    (12_517, None),
    (633, None),
    (3, None),
    (93_145, None),
    (5_683, None),
    (8_351_593, Some(8)),
    (3_194, None),
    (27, None),
    (14_992, None),
    (5_461_306, Some(8)),
    (10, None),
    (5_652, None),
    (2_173, Some(10)),
    (4, Some(10)),
    (7_046_547, Some(8)),
    (18, Some(11)),
    (15, None),
    (286_181, Some(8)),
    (105, Some(10)),
    (142_572, Some(10)),
];
