use super::*;

const ROWS: usize = 100_000;

fn stream(activity: Activity, link: Link) -> Stream {
    let truth =
        Truth { weights: Weights::Normal, deviations: &[1.0], values: Values::One, link, seed: 11 };
    Stream::new(activity, &truth).unwrap()
}

fn independent(features: usize, active: f64) -> Activity {
    Activity::Independent(Gaps::new(features, active).unwrap())
}

fn categories(sizes: &[u32], per_row: usize, tail: Tail) -> Activity {
    Activity::Categories(Categories::new(sizes, per_row, tail).unwrap())
}

fn counts(activity: &Activity, features: usize) -> Vec<f64> {
    let mut counts = vec![0.0; features];
    for feature in stream(activity.clone(), Link::Logit).draw(ROWS).features {
        counts[feature as usize] += 1.0;
    }
    counts
}

/// Pearson's statistic against its distribution's mean and deviation.
fn check_frequencies(counts: &[f64], probabilities: &[f64]) {
    let pairs = counts.iter().zip(probabilities).filter(|(_, p)| **p * ROWS as f64 > 20.0);
    let (mut statistic, mut cells) = (0.0, 0.0_f64);
    for (count, p) in pairs {
        let expected = p * ROWS as f64;
        statistic += (count - expected).powi(2) / (expected * (1.0 - p)).max(1e-9);
        cells += 1.0;
    }
    assert!((statistic - cells).abs() < 5.0 * (2.0 * cells).sqrt(), "{statistic} for {cells}");
}

#[test]
fn drawing_in_parts_is_drawing_at_once() {
    for activity in [independent(50, 5.0), categories(&[20, 30], 3, Tail::Exponential(0.8))] {
        let mut whole = stream(activity, Link::Logit);
        let mut parts = whole.clone();
        let whole = whole.draw(100);
        let (first, second) = (parts.draw(37), parts.draw(63));
        assert_eq!(whole.features, [first.features, second.features].concat());
        assert_eq!(whole.labels, [first.labels, second.labels].concat());
    }
}

#[test]
fn every_feature_is_active_as_often_as_asked() {
    for active in [0.5, 1.0, 20.0, 49.5] {
        check_frequencies(&counts(&independent(50, active), 50), &[active / 50.0; 50]);
    }
    assert_eq!(counts(&independent(50, 50.0), 50), [ROWS as f64; 50]);
}

#[test]
fn categories_are_even_or_tailed_as_asked() {
    check_frequencies(&counts(&categories(&[30, 70], 1, Tail::Even), 100), &{
        let mut p = vec![1.0 / 30.0; 30];
        p.extend([1.0 / 70.0; 70]);
        p
    });
    let decay: f64 = 0.9;
    let all: f64 = (0..100).map(|n| decay.powi(n)).sum();
    let falling: Vec<f64> = (0..100).map(|n| decay.powi(n) / all).collect();
    check_frequencies(&counts(&categories(&[100], 1, Tail::Exponential(decay)), 100), &falling);
    let all: f64 = (1..=1000).map(|n| f64::from(n).powf(-1.75)).sum();
    let zipf: Vec<f64> = (1..=1000).map(|n| f64::from(n).powf(-1.75) / all).collect();
    check_frequencies(&counts(&categories(&[1000], 1, Tail::Zipf(1.75)), 1000), &zipf);
}

/// Their probabilities are those of drawing one after the other without putting back.
#[test]
fn several_of_a_category_are_drawn_without_putting_back() {
    let weights: Vec<f64> = (0..6).map(|n| 0.6_f64.powi(n)).collect();
    let all: f64 = weights.iter().sum();
    let mut active = vec![0.0; 6];
    for i in 0..6 {
        for j in (0..6).filter(|&j| j != i) {
            for k in (0..6).filter(|&k| k != i && k != j) {
                let left = all - weights[i];
                let p = weights[i] / all * weights[j] / left * weights[k] / (left - weights[j]);
                for feature in [i, j, k] {
                    active[feature] += p;
                }
            }
        }
    }
    check_frequencies(&counts(&categories(&[6], 3, Tail::Exponential(0.6)), 6), &active);
    check_frequencies(&counts(&categories(&[6], 3, Tail::Even), 6), &[0.5; 6]);
}

/// Of each other in a row, and of the row before.
#[test]
fn features_are_active_independently() {
    for (activity, together) in [
        (independent(8, 3.0), vec![3.0 / 8.0; 8]),
        (categories(&[4, 4], 1, Tail::Even), vec![0.25; 8]),
    ] {
        let drawn = stream(activity, Link::Logit).draw(ROWS);
        let rows: Vec<[bool; 8]> = drawn
            .starts
            .windows(2)
            .map(|ends| {
                let row = &drawn.features[ends[0] as usize..ends[1] as usize];
                std::array::from_fn(|feature| row.contains(&(feature as u32)))
            })
            .collect();
        // Features of one category exclude each other.
        let free = |i: usize, j: usize| i != j && (together[0] != 0.25 || i / 4 != j / 4);
        for i in 0..8 {
            for j in 0..8 {
                let p = together[i] * together[j];
                let deviation = (ROWS as f64 * p * (1.0 - p)).sqrt();
                let expected = ROWS as f64 * p;
                if free(i, j) {
                    let count = rows.iter().filter(|row| row[i] && row[j]).count() as f64;
                    assert!((count - expected).abs() < 4.5 * deviation, "{i} {j}: {count}");
                }
                let count = rows.windows(2).filter(|two| two[0][i] && two[1][j]).count() as f64;
                assert!((count - expected).abs() < 4.5 * deviation, "{i} then {j}: {count}");
            }
        }
    }
}

#[test]
fn rows_of_categories_hold_as_many_of_each_as_asked_in_order() {
    let sizes = [10, 200, 40];
    for tail in [Tail::Even, Tail::Exponential(0.95), Tail::Zipf(1.75)] {
        let drawn = stream(categories(&sizes, 5, tail), Link::Logit).draw(2000);
        for row in drawn.features.chunks(15) {
            assert!(row.windows(2).all(|pair| pair[0] < pair[1]));
            let in_second = row.iter().filter(|&&feature| (10..210).contains(&feature)).count();
            assert_eq!((in_second, row.len()), (5, 15));
        }
    }
}

#[test]
fn labels_are_as_probable_as_the_truth_says() {
    for link in [Link::Logit, Link::Probit] {
        for activity in [independent(50, 10.0), categories(&[50], 4, Tail::Even)] {
            let drawn = stream(activity, link).draw(4 * ROWS);
            // The surprise of a label minus its expectation has mean zero under the truth.
            let (mut excess, mut variance) = (0.0, 0.0);
            for &loss in &drawn.true_loss {
                let p = (-loss).exp();
                if p < 1.0 {
                    let other = -(-p).ln_1p();
                    let entropy = p * loss + (1.0 - p) * other;
                    excess += loss - entropy;
                    variance += p * (1.0 - p) * (loss - other).powi(2);
                }
            }
            assert!(excess.abs() < 4.0 * f64::sqrt(variance), "{excess} of {variance}");
        }
    }
}

/// Of the rows whose label is positive with about the probability p, about p are.
#[test]
fn labels_are_calibrated_at_every_probability() {
    for link in [Link::Logit, Link::Probit] {
        let drawn = stream(independent(50, 10.0), link).draw(ROWS);
        let (mut excess, mut variance) = ([0.0; 10], [0.0; 10]);
        for (&y, &loss) in drawn.labels.iter().zip(&drawn.true_loss) {
            let p = if y > 0 { (-loss).exp() } else { -(-loss).exp_m1() };
            let bin = ((10.0 * p) as usize).min(9);
            excess[bin] += f64::from(u8::from(y > 0)) - p;
            variance[bin] += p * (1.0 - p);
        }
        let squares = excess.iter().zip(&variance).map(|(e, v)| e * e / v);
        let statistic = squares.sum::<f64>();
        // The 0.9999 quantile of chi-square with ten degrees of freedom is 35.6.
        assert!(statistic < 35.6, "{statistic}");
    }
}

#[test]
fn weights_have_their_deviations() {
    for weights in [Weights::Normal, Weights::Uniform] {
        let deviations: Vec<f64> =
            (0..20_000).map(|i| if i < 10_000 { 2.0 } else { 0.5 }).collect();
        let truth = Truth {
            weights,
            deviations: &deviations,
            values: Values::Uniform,
            link: Link::Logit,
            seed: 2,
        };
        let stream = Stream::new(independent(20_000, 1.0), &truth).unwrap();
        for (part, deviation) in stream.weights().chunks(10_000).zip([2.0, 0.5]) {
            let square = part.iter().map(|w| w * w).sum::<f64>() / 10_000.0;
            assert!((square / f64::powi(deviation, 2) - 1.0).abs() < 0.06, "{square}");
            // One over the square root of three of a uniform's, and of a normal's the well known.
            let near = part.iter().filter(|w| w.abs() < deviation).count() as f64 / 10_000.0;
            let expected = if weights == Weights::Uniform { 0.5774 } else { 0.6827 };
            assert!((near - expected).abs() < 0.025, "{near}");
            let positive = part.iter().filter(|w| **w > 0.0).count() as f64 / 10_000.0;
            assert!((positive - 0.5).abs() < 0.025, "{positive}");
        }
    }
}

#[test]
fn uniform_values_fill_the_interval() {
    let truth = Truth {
        weights: Weights::Normal,
        deviations: &[1.0],
        values: Values::Uniform,
        link: Link::Logit,
        seed: 2,
    };
    let drawn = Stream::new(independent(50, 10.0), &truth).unwrap().draw(ROWS);
    let n = drawn.values.len() as f64;
    for k in 0..10 {
        let (low, high) = (k as f32 / 10.0, (k + 1) as f32 / 10.0);
        let count = drawn.values.iter().filter(|&&x| low < x && x <= high).count() as f64;
        assert!((count - n / 10.0).abs() < 5.0 * (n * 0.09).sqrt(), "{count} of {n}");
    }
}

#[test]
fn impossible_streams_are_refused() {
    assert!(Gaps::new(0, 1.0).is_err());
    assert!(Gaps::new(10, 0.0).is_err());
    assert!(Gaps::new(10, 10.5).is_err());
    assert!(Categories::new(&[], 1, Tail::Even).is_err());
    assert!(Categories::new(&[5, 0], 1, Tail::Even).is_err());
    assert!(Categories::new(&[5, 3], 4, Tail::Even).is_err());
    assert!(Categories::new(&[5], 1, Tail::Exponential(1.0)).is_err());
    assert!(Categories::new(&[200], 100, Tail::Exponential(0.5)).is_err());
    assert!(Categories::new(&[5], 1, Tail::Zipf(f64::NAN)).is_err());
    let truth = Truth {
        weights: Weights::Normal,
        deviations: &[1.0, 2.0],
        values: Values::One,
        link: Link::Logit,
        seed: 0,
    };
    assert!(Stream::new(independent(3, 1.0), &truth).is_err());
}

#[test]
fn beginning_again_gives_the_same_rows() {
    let mut first = stream(categories(&[20, 30], 3, Tail::Exponential(0.8)), Link::Logit);
    let rows = first.draw(100);
    let again = first.again().draw(100);
    assert_eq!((rows.features, rows.labels), (again.features, again.labels));
}

#[test]
fn text_is_the_rows() {
    for (values, activity) in [
        (Values::One, categories(&[20, 30], 2, Tail::Even)),
        (Values::Uniform, independent(30, 4.0)),
    ] {
        let truth = Truth {
            weights: Weights::Normal,
            deviations: &[1.0],
            values,
            link: Link::Logit,
            seed: 3,
        };
        let stream = Stream::new(activity, &truth).unwrap();
        // More than are written at once.
        let drawn = stream.again().draw(2500);
        for (format, first) in [(Format::Vw, 0), (Format::Svmlight, 1)] {
            let text = String::from_utf8(stream.again().text(2500, format).unwrap()).unwrap();
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(lines.len(), 2500);
            let mut place = 0;
            for (line, label) in lines.iter().zip(&drawn.labels) {
                let line = line.replace(" |", "");
                let mut words = line.split(' ');
                assert_eq!(words.next().unwrap().parse::<i8>().unwrap(), *label);
                for word in words {
                    let (feature, x) = word.split_once(':').unwrap_or((word, "1"));
                    assert_eq!(feature.parse::<u32>().unwrap() - first, drawn.features[place]);
                    assert_eq!(x.parse::<f32>().unwrap(), drawn.values[place]);
                    place += 1;
                }
            }
            assert_eq!(place, drawn.features.len());
        }
        assert!(stream.again().text(1, Format::Criteo).is_err());
    }
}
