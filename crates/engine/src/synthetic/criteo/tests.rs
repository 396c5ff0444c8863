use super::super::{Activity, Format, Stream, Truth, Values, Weights};
use super::*;
use std::collections::HashMap;

const ROWS: usize = 60_000;

fn rows(criteo: &Criteo) -> Vec<CriteoRow> {
    let mut random = Random::at(5, 1);
    (0..ROWS).map(|_| criteo.row(&mut random)).collect()
}

/// A small one, whose weights are quickly drawn.
fn stream(deviation: f64, link: Link) -> Stream {
    let truth = Truth {
        weights: Weights::Normal,
        deviations: &[deviation],
        values: Values::One,
        link,
        seed: 4,
    };
    Stream::new(Activity::Criteo(Criteo::new(1000).unwrap()), &truth).unwrap()
}

/// How many deviations a count is from what is expected of `n` rows.
fn surprise(count: usize, n: usize, p: f64) -> f64 {
    let expected = n as f64 * p;
    (count as f64 - expected) / (expected * (1.0 - p)).sqrt().max(1.0)
}

#[test]
fn fields_have_the_published_numbers_of_values() {
    let criteo = Criteo::new(u32::MAX).unwrap();
    let of_categories = criteo.features() - criteo.fields[INTEGERS].first as usize;
    // The sum that DLRM prints for this file.
    assert_eq!(of_categories, 33_762_577);
    let last = criteo.fields.last().unwrap();
    assert_eq!(criteo.features, (last.first + 142_572) as usize);
}

#[test]
fn values_are_missing_as_often_as_published_and_together() {
    let criteo = Criteo::new(1000).unwrap();
    let rows = rows(&criteo);
    for (share, &p) in MISSING.iter().enumerate() {
        let count = rows.iter().filter(|row| row.lacks(Some(share as u8))).count();
        assert!(surprise(count, ROWS, p).abs() < 4.5, "{share}: {count}");
    }
    assert!(rows.iter().all(|row| row.lacks_integer(0) == row.lacks_integer(9)));
    assert!(rows.iter().all(|row| row.lacks_category(2) == row.lacks_category(23)));
    assert!(!rows.iter().any(|row| row.lacks_integer(1) || row.lacks_category(0)));
}

/// Pearson's statistic against its distribution's mean and deviation.
fn check_frequencies(counts: &HashMap<u32, usize>, probability: impl Fn(u32) -> f64, values: u32) {
    let cells = (0..values).filter(|&value| probability(value) * ROWS as f64 > 20.0);
    let cells: Vec<f64> = cells
        .map(|value| {
            let count = counts.get(&value).copied().unwrap_or(0);
            surprise(count, ROWS, probability(value)).powi(2)
        })
        .collect();
    let (statistic, n) = (cells.iter().sum::<f64>(), cells.len() as f64);
    assert!((statistic - n).abs() < 5.0 * (2.0 * n).sqrt(), "{statistic} for {n} of {values}");
}

fn counted(values: impl Iterator<Item = u32>) -> HashMap<u32, usize> {
    let mut counts = HashMap::new();
    for value in values {
        *counts.entry(value).or_insert(0) += 1;
    }
    counts
}

#[test]
fn categories_have_the_tail_that_is_promised() {
    let criteo = Criteo::new(u32::MAX).unwrap();
    let rows = rows(&criteo);
    for (i, field) in criteo.fields[INTEGERS..].iter().enumerate() {
        let counts = counted(rows.iter().map(|row| row.categories[i]));
        assert!(counts.keys().all(|&value| value < field.values));
        let power = |n: u32| (f64::from(n) + 1.0).powf(-0.1);
        let all = 1.0 - power(field.values);
        check_frequencies(&counts, |n| (power(n) - power(n + 1)) / all, field.values);
    }
}

#[test]
fn integers_fall_into_their_classes_as_often_as_the_log_normal_says() {
    let criteo = Criteo::new(1000).unwrap();
    let rows = rows(&criteo);
    for (i, classes) in criteo.classes.iter().enumerate() {
        let counts = counted(rows.iter().map(|row| row.classes[i]));
        check_frequencies(&counts, |c| classes.probability(c as usize), classes.len() as u32);
    }
}

/// So that a reader of the text, which makes classes of the integers, sees the same features.
#[test]
fn a_class_is_an_integer_up_to_2_and_the_square_of_the_logarithm_above() {
    let criteo = Criteo::new(1000).unwrap();
    let label = |x: i32| if x <= 2 { x - 3 } else { f64::from(x).ln().powi(2).floor() as i32 };
    for (i, field) in INTEGER_FIELDS.iter().enumerate() {
        let mut labels = HashMap::new();
        for row in rows(&criteo) {
            let x = row.integers[i];
            assert!((field.least..=field.most).contains(&x));
            assert_eq!(*labels.entry(row.classes[i]).or_insert(label(x)), label(x), "{x}");
        }
        let mut all: Vec<i32> = labels.values().copied().collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), labels.len());
    }
}

#[test]
fn integers_have_about_the_published_means_and_deviations() {
    let criteo = Criteo::new(1000).unwrap();
    let rows = rows(&criteo);
    // The maximum cuts some of the others, and their tails are too heavy for a sample's deviation.
    for i in [0, 3, 7, 9, 10, 12] {
        let (mut mean, mut square) = (0.0, 0.0);
        for row in &rows {
            let x = f64::from(row.integers[i]);
            mean += x / ROWS as f64;
            square += x * x / ROWS as f64;
        }
        let deviation = (square - mean * mean).sqrt();
        let published = &INTEGER_FIELDS[i];
        assert!((mean / published.mean - 1.0).abs() < 0.15, "{i}: {mean}");
        assert!((deviation / published.deviation - 1.0).abs() < 0.3, "{i}: {deviation}");
    }
}

#[test]
fn a_quarter_of_the_rows_are_clicks_whatever_the_weights() {
    for (deviation, link) in [(0.2, Link::Logit), (1.0, Link::Logit), (0.3, Link::Probit)] {
        let drawn = stream(deviation, link).draw(ROWS);
        let clicks = drawn.labels.iter().filter(|&&y| y > 0).count();
        let rate = clicks as f64 / ROWS as f64;
        assert!((rate - 0.2562).abs() < 0.012, "{rate}");
    }
}

#[test]
fn labels_are_as_probable_as_the_truth_says() {
    let drawn = stream(0.5, Link::Logit).draw(ROWS);
    let (mut excess, mut variance) = (0.0, 0.0);
    for &loss in &drawn.true_loss {
        let p = (-loss).exp();
        let other = -(-p).ln_1p();
        excess += loss - (p * loss + (1.0 - p) * other);
        variance += p * (1.0 - p) * (loss - other).powi(2);
    }
    assert!(excess.abs() < 4.0 * f64::sqrt(variance), "{excess} of {variance}");
}

#[test]
fn rows_have_a_constant_and_one_feature_of_every_field_in_order() {
    let mut stream = stream(0.2, Link::Logit);
    let drawn = stream.draw(1000);
    for row in drawn.features.chunks(1 + INTEGERS + CATEGORIES) {
        assert_eq!(row[0], 0);
        assert!(row.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(row.iter().all(|&feature| (feature as usize) < stream.weights().len()));
    }
}

#[test]
fn values_of_a_field_have_tokens_of_their_own() {
    for field in [2, 25] {
        let mut tokens: Vec<u32> = (0..100_000).map(|value| token(field, value)).collect();
        tokens.sort_unstable();
        tokens.dedup();
        assert_eq!(tokens.len(), 100_000);
    }
}

/// One to one, cell by cell: the text has the same labels, and features that are the same have the
/// same text.
#[test]
fn the_text_is_the_rows() {
    let drawn = stream(0.2, Link::Logit).draw(2000);
    let text = stream(0.2, Link::Logit).text(2000, Format::Criteo).unwrap();
    let mut cells: HashMap<(u32, String), usize> = HashMap::new();
    let mut lines = 0;
    for (i, line) in String::from_utf8(text).unwrap().lines().enumerate() {
        let columns: Vec<&str> = line.split('\t').collect();
        assert_eq!(columns.len(), 1 + INTEGERS + CATEGORIES);
        assert_eq!(columns[0], if drawn.labels[i] > 0 { "1" } else { "0" });
        let features = &drawn.features[i * columns.len()..][1..columns.len()];
        for (&feature, cell) in features.iter().zip(&columns[1..]).skip(INTEGERS) {
            assert!(cell.is_empty() || cell.len() == 8, "{cell}");
            *cells.entry((feature, cell.to_string())).or_default() += 1;
        }
        for (&feature, cell) in features.iter().zip(&columns[1..INTEGERS + 1]) {
            let x: Option<i32> = if cell.is_empty() { None } else { Some(cell.parse().unwrap()) };
            let class = x.map(|x| if x <= 2 { x } else { 1000 + f64::from(x).ln().powi(2) as i32 });
            *cells.entry((feature, format!("class {class:?}"))).or_default() += 1;
        }
        lines += 1;
    }
    assert_eq!(lines, 2000);
    let features: std::collections::HashSet<u32> = cells.keys().map(|(f, _)| *f).collect();
    assert_eq!(features.len(), cells.len());
}

#[test]
fn a_table_for_one_value_is_refused() {
    assert!(Criteo::new(1).is_err());
}
