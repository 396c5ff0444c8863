use super::*;
use crate::belief::Touched;
use crate::dense::Form;
use crate::fields::Fields;
use crate::head::HeadState;
use crate::settings::{
    HeadForm, HeadSettings, Link, MeanForm, Prior, RuleChoice, Settings, VarianceForm,
};
use crate::state::Beliefs;
use container::{Tensor, write};
use proptest::prelude::*;
use safetensors::Dtype;

fn settings(rule: RuleChoice) -> Settings {
    let prior = Prior { mean: -0.1, variance: 1.0 / 3.0 };
    Settings { rule, link: Link::Logit, prior, seed: u64::MAX, memory: None, head: None }
}

fn table() -> Contents<'static, f32> {
    let touched = Touched {
        features: vec![0, 7, 4_000_000],
        mean: vec![0.5, -0.0, 1e-30],
        second: vec![0.25, 0.125, 1e-12],
    };
    let head = HeadState {
        mean: vec![-1.5, 0.9, 1.1],
        covariance: vec![0.5, 0.1, 0.0, 0.1, 0.25, -0.125, 0.0, -0.125, 1e-3],
    };
    let head = Some(head);
    let fields = Fields::restore(vec![3, 3, 0], vec![u32::MAX, 3]).unwrap();
    let beliefs = Beliefs::Table { size: 1 << 22, grows: true, touched, head, fields };
    let rule =
        RuleChoice::Vb { samples: 9, mean: MeanForm::Taylor, tolerance: 1e-8, iterations: 3 };
    let head = HeadSettings {
        form: HeadForm::Fields,
        scale_variance: 0.2,
        bias_variance: 1.0 / 3.0,
        memory: Some(1e5),
    };
    let settings = Settings { memory: Some(300.0), head: Some(head), ..settings(rule) };
    let state = State { settings, rows_learned: u64::MAX, beliefs };
    let mut names = Names::default();
    names.make_room(8).unwrap();
    names.tell(vec![(7, "straße=Öl".to_string()), (3, String::new())]);
    names.count(&crate::Rows::new(&[0, 1], &[7], &[1.0]).unwrap(), None);
    let notes = BTreeMap::from([("source".to_string(), "{\"format\": \"vw\"}".to_string())]);
    Contents { state, names: Some(Cow::Owned(names)), notes }
}

fn leave_out_the_head(state: &mut State<f32>) {
    state.settings.memory = None;
    state.settings.head = None;
    if let Beliefs::Table { head, fields, .. } = &mut state.beliefs {
        (*head, *fields) = (None, Fields::default());
    }
}

fn dense(form: Form) -> Contents<'static, f64> {
    let matrix = vec![1.0 / 3.0, 1e-300, 1e-300, 2.0];
    let beliefs = Beliefs::Dense { form, mean: vec![f64::MIN_POSITIVE, -7.0], matrix };
    let rule = RuleChoice::DimGauss { mean: MeanForm::Newton };
    let state = State { settings: settings(rule), rows_learned: 3, beliefs };
    Contents { state, names: None, notes: BTreeMap::new() }
}

fn sentence(bytes: &[u8]) -> String {
    match AnyContents::from_bytes(bytes) {
        Err(problem) => problem.to_string(),
        Ok((_, description)) => panic!("this was taken for a model: {description}"),
    }
}

#[test]
fn what_is_read_is_what_was_written() {
    let bytes = table().to_bytes().unwrap();
    let (AnyContents::Single(read), _) = AnyContents::from_bytes(&bytes).unwrap() else { panic!() };
    assert_eq!(read.state, table().state);
    assert_eq!(read.notes, table().notes);
    assert_eq!(read.to_bytes().unwrap(), bytes);
    for form in [Form::Covariance, Form::Precision(5)] {
        let bytes = dense(form).to_bytes().unwrap();
        let (contents, _) = AnyContents::from_bytes(&bytes).unwrap();
        let AnyContents::Double(read) = contents else { panic!() };
        assert_eq!(read.state, dense(form).state);
        assert_eq!(read.to_bytes().unwrap(), bytes);
    }
}

#[test]
fn a_model_made_from_a_state_has_that_state() {
    let state = table().state;
    assert_eq!(state.clone().into_model().unwrap().state().unwrap(), state);
    let state = dense(Form::Precision(2)).state;
    assert_eq!(state.clone().into_model().unwrap().state().unwrap(), state);
}

#[test]
fn every_rule_is_described_exactly() {
    let rules = [
        RuleChoice::Gauss { variance: VarianceForm::Height },
        RuleChoice::Approx { variance: VarianceForm::Laplace },
        RuleChoice::DimGauss { mean: MeanForm::Taylor },
        RuleChoice::Adf,
        RuleChoice::Moments,
        RuleChoice::Vb { samples: 3, mean: MeanForm::Newton, tolerance: 0.1 + 0.2, iterations: 9 },
        RuleChoice::TwoPoint,
        RuleChoice::LeastSquares,
        RuleChoice::AdaGrad { learning_rate: 0.1 + 0.7, epsilon: 1e-12 },
    ];
    for rule in rules {
        let mut contents = table();
        contents.state.settings.rule = rule;
        if !rule.keeps_variance() {
            leave_out_the_head(&mut contents.state);
        }
        let bytes = contents.to_bytes().unwrap();
        let (AnyContents::Single(read), _) = AnyContents::from_bytes(&bytes).unwrap() else {
            panic!()
        };
        assert_eq!(read.state, contents.state);
    }
}

#[test]
fn any_changed_bit_is_refused() {
    let mut bytes = table().to_bytes().unwrap();
    for place in 0..bytes.len() {
        for flip in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
            bytes[place] ^= flip;
            sentence(&bytes);
            bytes[place] ^= flip;
        }
    }
}

#[test]
fn any_cut_is_refused() {
    let bytes = table().to_bytes().unwrap();
    for end in 0..bytes.len() {
        sentence(&bytes[..end]);
    }
    assert!(sentence(&bytes[..bytes.len() - 1]).contains("ends early"));
    assert!(sentence(&[&bytes[..], b"x"].concat()).contains("where it should have"));
}

/// A file whose checksum is right and whose contents are not.
fn forged(description: &str, tensors: &[Tensor<'_>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(description, tensors, &mut bytes).unwrap();
    bytes
}

fn edited(change: impl FnOnce(&mut State<f32>)) -> String {
    let mut contents = table();
    change(&mut contents.state);
    assert!(contents.to_bytes().is_err(), "what cannot be read is not written");
    let description = Description::of(&contents).to_json().unwrap();
    sentence(&forged(&description, &tensors(&contents)))
}

fn beliefs(state: &mut State<f32>) -> (&mut usize, &mut Touched<f32>) {
    match &mut state.beliefs {
        Beliefs::Table { size, touched, .. } => (size, touched),
        _ => unreachable!("the state of a table"),
    }
}

#[test]
fn impossible_beliefs_are_refused() {
    let told = |change: fn(&mut Touched<f32>)| edited(|state| change(beliefs(state).1));
    assert!(told(|t| t.features = vec![0, 7, 7]).contains("feature 7 comes after feature 7"));
    assert!(told(|t| t.features = vec![7, 0, 9]).contains("feature 0 comes after feature 7"));
    assert!(told(|t| t.features[2] = 1 << 22).contains("outside of the model's 4194304 features"));
    assert!(told(|t| t.mean[1] = f32::NAN).contains("feature 7 has mean NaN"));
    assert!(told(|t| t.mean[1] = f32::INFINITY).contains("feature 7 has mean inf"));
    assert!(told(|t| t.second[1] = f32::NAN).contains("variance NaN"));
    assert!(told(|t| t.second[1] = -0.5).contains("variance -0.5"));
    assert!(edited(|state| *beliefs(state).0 = usize::MAX).contains("at most 4294967296"));
    assert!(edited(|state| state.settings.prior.variance = 0.0).contains("prior_variance is 0"));
}

#[test]
fn impossible_matrices_are_refused() {
    let told = |matrix: Vec<f64>| {
        let mut contents = dense(Form::Covariance);
        let mean = vec![0.0, 1.0];
        contents.state.beliefs = Beliefs::Dense { form: Form::Covariance, mean, matrix };
        let description = Description::of(&contents).to_json().unwrap();
        sentence(&forged(&description, &tensors(&contents)))
    };
    assert!(told(vec![1.0, 0.0, f64::NAN, 1.0]).contains("not finite or not symmetric"));
    assert!(told(vec![1.0, 0.0, 0.5, 1.0]).contains("not finite or not symmetric"));
}

#[test]
fn a_head_that_no_learner_can_have_is_refused() {
    let told = |change: &dyn Fn(&mut HeadState)| {
        edited(|state| match &mut state.beliefs {
            Beliefs::Table { head: Some(head), .. } => change(head),
            _ => unreachable!(),
        })
    };
    let unfit = "what the head has learned does not fit together";
    let shorter = |head: &mut HeadState| {
        head.mean.truncate(2);
        head.covariance.truncate(4);
    };
    assert!(told(&shorter).contains(unfit));
    assert!(told(&|head| head.mean[1] = f64::NAN).contains(unfit));
    assert!(told(&|head| head.covariance[4] = -1.0).contains("not finite or not symmetric"));
    assert!(edited(|state| state.settings.head = None).contains("does not belong to it"));
}

#[test]
fn arrays_of_another_kind_are_refused() {
    let contents = table();
    let description = Description::of(&contents).to_json().unwrap();
    let told = |change: &dyn Fn(&mut Vec<Tensor<'_>>)| {
        let mut given = tensors(&contents);
        change(&mut given);
        sentence(&forged(&description, &given))
    };
    assert!(told(&|t| drop(t.remove(1))).contains("its array \"mean\" is missing"));
    assert!(told(&|t| t[1].dtype = Dtype::I32).contains("is of type I32; it must be F32"));
    assert!(told(&|t| t[1].shape = vec![3, 1]).contains("has shape [3, 1]; it must be [3]"));
    assert!(told(&|t| t[0].shape = vec![1, 3]).contains("has 2 dimensions instead of 1"));
    assert!(told(&|t| t[2].name = "covariance").contains("\"variance\" is missing"));
    let more =
        || Tensor { name: "code", dtype: Dtype::U8, shape: vec![1], bytes: Cow::Borrowed(b"!") };
    assert!(told(&|t| t.push(more())).contains("\"code\" does not belong to it"));
    assert!(
        told(&|t| t[8].bytes.to_mut()[8] = 2).contains("\"name_end\" ends before the names do")
    );
    assert!(told(&|t| t[8].bytes.to_mut()[7] = 255).contains("cuts the names wrongly"));
    assert!(told(&|t| t[11].bytes.to_mut()[0] = 255).contains("is no text"));
}

#[test]
fn descriptions_that_lie_are_refused() {
    let contents = table();
    let description = Description::of(&contents).to_json().unwrap();
    let told = |from: &str, to: &str| {
        assert!(description.contains(from), "{from}");
        sentence(&forged(&description.replace(from, to), &tensors(&contents)))
    };
    assert!(told("\"format\":1", "\"format\":9").contains("format 9, written by lapwing"));
    assert!(told("\"format\":1", "\"format\":-1").contains("description is wrong"));
    assert!(told("\"format\":1", "\"format\":1,\"format\":1").contains("duplicate field"));
    assert!(told("\"seed\":", "\"seed\":1,\"seed\":").contains("duplicate field"));
    assert!(told("\"seed\":", "\"sead\":").contains("unknown field `sead`"));
    assert!(told("\"name\":\"vb\"", "\"name\":\"bv\"").contains("unknown variant `bv`"));
    assert!(told("\"samples\":9", "\"samples\":0").contains("samples is 0"));
    assert!(told("float32", "float64").contains("is of type F32; it must be F64"));
    assert!(told("float32", "float16").contains("unknown variant `float16`"));
    assert!(told("\"kind\":\"table\"", "\"kind\":\"tree\"").contains("unknown variant `tree`"));
    assert!(told("\"names\":true", "\"names\":false").contains("does not belong to it"));
    assert!(told("\"size\":4194304", "\"size\":4").contains("feature 4000000, outside"));
    let nested = "[".repeat(100_000);
    assert!(
        told("\"names\":true", &format!("\"names\":{nested}")).contains("description is wrong")
    );
}

/// The header of a container is JSON that anyone may write.
fn with_header(header: &str, arrays: &[u8]) -> Vec<u8> {
    let length = (header.len() as u64).to_le_bytes();
    [&length[..], header.as_bytes(), arrays].concat()
}

#[test]
fn headers_that_lie_are_refused() {
    let max = u64::MAX;
    let info = |shape: &str, start: u64, end: u64| {
        format!("{{\"dtype\":\"U8\",\"shape\":{shape},\"data_offsets\":[{start},{end}]}}")
    };
    let lies = [
        info(&format!("[{max}]"), 0, max),
        info(&format!("[{max},{max}]"), 0, 8),
        info("[9]", 0, 9),
        info("[8]", 8, 16),
        info("[8]", 8, 0),
        info("[]", 0, 8),
        "1".to_string(),
        "[".repeat(200_000),
    ];
    for lie in &lies {
        let header = format!("{{\"__metadata__\":{{\"lapwing\":\"{{}}\"}},\"xxh3\":{lie}}}");
        sentence(&with_header(&header, &[0; 8]));
        let twice = format!("{{\"xxh3\":{},\"xxh3\":{lie}}}", info("[8]", 0, 8));
        sentence(&with_header(&twice, &[0; 8]));
    }
    let overlapping = format!(
        "{{\"__metadata__\":{{\"lapwing\":\"{{}}\"}},\"mean\":{},\"xxh3\":{}}}",
        info("[8]", 0, 8),
        info("[8]", 0, 8)
    );
    sentence(&with_header(&overlapping, &[0; 8]));
    for length in [99_999_999, 100_000_001, u64::MAX >> 1, u64::MAX] {
        sentence(&[&length.to_le_bytes()[..], b"{}"].concat());
    }
}

/// As an attacker would who knows the format: whatever he changes, the checksum is right.
fn rehashed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 8;
    let hash = xxhash_rust::xxh3::xxh3_64(&bytes[..end]);
    bytes[end..].copy_from_slice(&hash.to_le_bytes());
    bytes
}

proptest! {
    #[test]
    fn random_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        sentence(&bytes);
    }

    #[test]
    fn random_headers_are_refused(header in "[\\[\\]{}\":,a-z0-9_]{0,60}") {
        sentence(&with_header(&header, &[]));
    }

    #[test]
    fn a_forger_makes_a_model_or_gets_a_sentence(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)
    ) {
        let mut bytes = table().to_bytes().unwrap();
        for (place, value) in changes {
            let place = place.index(bytes.len() - 8);
            bytes[place] = value;
        }
        if let Ok((AnyContents::Single(read), _)) = AnyContents::from_bytes(&rehashed(bytes)) {
            let again = read.to_bytes().unwrap();
            prop_assert!(AnyContents::from_bytes(&again).is_ok());
            if matches!(read.state.beliefs, Beliefs::Table { size, .. } if size < 1 << 24) {
                prop_assert_eq!(read.state.clone().into_model().unwrap().state().unwrap(), read.state);
            }
        }
    }
}
