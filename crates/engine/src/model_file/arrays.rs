//! Beliefs and names as arrays of a container, and back.

use super::container::{Container, Tensor};
use super::description::{Description, Kind};
use super::panel::{panel_of, panel_tensors};
use super::{Contents, Problem, Stored};
use crate::belief::Touched;
use crate::dense::Form;
use crate::fields::Fields;
use crate::head::HeadState;
use crate::names::Names;
use crate::settings::Settings;
use crate::state::Beliefs;
use bytemuck::Pod;
use safetensors::Dtype;
use std::borrow::Cow;

/// A number that arrays are made of.
pub trait Number: Pod {
    const DTYPE: Dtype;

    /// Between the machine's order of bytes and the file's: there and back are the same.
    fn swapped(self) -> Self;
}

macro_rules! numbers {
    ($($number:ident $dtype:ident),*) => {$(
        impl Number for $number {
            const DTYPE: Dtype = Dtype::$dtype;

            fn swapped(self) -> Self {
                $number::from_ne_bytes(self.to_le_bytes())
            }
        }
    )*};
}

numbers!(u8 U8, u32 U32, u64 U64, f32 F32, f64 F64);

pub const FEATURE: &str = "feature";
pub const MEAN: &str = "mean";
pub const FIELD: &str = "field";
pub const HEAD_FIELD: &str = "head_field";
pub const HEAD_MEAN: &str = "head_mean";
pub const HEAD_COVARIANCE: &str = "head_covariance";
const NAMED: &str = "named_feature";
const ENDS: &str = "name_end";
const LETTERS: &str = "name_bytes";
const COUNTED: &str = "counted_feature";
const COUNTS: &str = "rows";

/// What the number beside the mean is.
fn second(settings: &Settings) -> &'static str {
    if settings.rule.keeps_variance() { "variance" } else { "squared_gradients" }
}

pub fn tensors<'a, T: Stored>(contents: &'a Contents<'_, T>) -> Vec<Tensor<'a>> {
    let mut tensors = match &contents.state.beliefs {
        Beliefs::Table { touched, head, fields, .. } => {
            let mut tensors = vec![
                vector(FEATURE, &touched.features),
                vector(MEAN, &touched.mean),
                vector(second(&contents.state.settings), &touched.second),
            ];
            if let Some(head) = head {
                tensors.push(vector(FIELD, fields.of_features()));
                tensors.push(vector(HEAD_FIELD, fields.known()));
                tensors.extend(head_tensors(head));
            }
            tensors
        }
        Beliefs::Panel(panel) => panel_tensors(panel),
        Beliefs::Dense { form, mean, matrix } => {
            vec![vector(MEAN, mean), tensor(form.matrix(), matrix, vec![mean.len(), mean.len()])]
        }
    };
    if let Some(names) = &contents.names {
        let (named, spelled): (Vec<u32>, Vec<&str>) = names.iter().unzip();
        let mut end = 0;
        let ends: Vec<u64> = spelled
            .iter()
            .map(|name| {
                end += name.len() as u64;
                end
            })
            .collect();
        let (counted, counts): (Vec<u32>, Vec<u64>) = names.counts().unzip();
        tensors.push(vector(NAMED, named));
        tensors.push(vector(ENDS, ends));
        tensors.push(vector(COUNTED, counted));
        tensors.push(vector(COUNTS, counts));
        tensors.push(vector(LETTERS, spelled.concat().into_bytes()));
    }
    tensors
}

fn head_tensors(head: &HeadState) -> [Tensor<'_>; 2] {
    let n = head.mean.len();
    [vector(HEAD_MEAN, &head.mean), tensor(HEAD_COVARIANCE, &head.covariance, vec![n, n])]
}

pub fn fields_of(container: &Container<'_>) -> Result<Fields, Problem> {
    let of_feature = container.numbers(FIELD, &[container.length(FIELD)?])?;
    let known = container.numbers(HEAD_FIELD, &[container.length(HEAD_FIELD)?])?;
    Ok(Fields::restore(of_feature, known)?)
}

fn head_of(container: &Container<'_>) -> Result<HeadState, Problem> {
    let n = container.length(HEAD_MEAN)?;
    Ok(HeadState {
        mean: container.numbers(HEAD_MEAN, &[n])?,
        covariance: container.numbers(HEAD_COVARIANCE, &[n, n])?,
    })
}

pub fn beliefs_of<T: Stored>(
    container: &Container<'_>,
    description: &Description,
) -> Result<Beliefs<T>, Problem> {
    let dense = |form: Form, size| {
        let mean = container.numbers(MEAN, &[size])?;
        let matrix = container.numbers(form.matrix(), &[size, size])?;
        Ok(Beliefs::Dense { form, mean, matrix })
    };
    match description.beliefs {
        Kind::Covariance { size } => dense(Form::Covariance, size),
        Kind::Precision { size, batch } => dense(Form::Precision(batch), size),
        Kind::Panel { size, grows, ref panel } => {
            Ok(Beliefs::Panel(panel_of(container, panel, size, grows)?))
        }
        Kind::Table { size, grows } => {
            let n = container.length(FEATURE)?;
            let touched = Touched {
                features: container.numbers(FEATURE, &[n])?,
                mean: container.numbers(MEAN, &[n])?,
                second: container.numbers(second(&description.settings), &[n])?,
            };
            let (mut head, mut fields) = (None, Fields::default());
            if description.settings.head.is_some() {
                head = Some(head_of(container)?);
                fields = fields_of(container)?;
            }
            Ok(Beliefs::Table { size, grows, touched, head, fields })
        }
    }
}

pub fn names_of(
    container: &Container<'_>,
    description: &Description,
) -> Result<Option<Names>, Problem> {
    if !description.names {
        return Ok(None);
    }
    let n = container.length(NAMED)?;
    let named: Vec<u32> = container.numbers(NAMED, &[n])?;
    let ends: Vec<u64> = container.numbers(ENDS, &[n])?;
    let letters: Vec<u8> = container.numbers(LETTERS, &[container.length(LETTERS)?])?;
    let text = String::from_utf8(letters)
        .map_err(|error| Problem::array(LETTERS, format!("is no text: {error}")))?;
    let mut names = Vec::with_capacity(n);
    let mut start = 0;
    for (feature, end) in named.into_iter().zip(ends) {
        let end = usize::try_from(end).ok();
        let name = end.and_then(|end| text.get(start..end));
        let name = name.ok_or_else(|| Problem::array(ENDS, "cuts the names wrongly"))?;
        start += name.len();
        names.push((feature, name.to_string()));
    }
    if start != text.len() {
        return Err(Problem::array(ENDS, "ends before the names do"));
    }
    let n = container.length(COUNTED)?;
    let counted: Vec<u32> = container.numbers(COUNTED, &[n])?;
    let counts: Vec<u64> = container.numbers(COUNTS, &[n])?;
    let counts: Vec<(u32, u64)> = counted.into_iter().zip(counts).collect();
    Ok(Some(Names::from_parts(names, &counts, description.size())?))
}

pub fn vector<'a, N: Number>(name: &'static str, numbers: impl Into<Cow<'a, [N]>>) -> Tensor<'a> {
    let numbers = numbers.into();
    let shape = vec![numbers.len()];
    tensor(name, numbers, shape)
}

fn tensor<'a, N: Number>(
    name: &'static str,
    numbers: impl Into<Cow<'a, [N]>>,
    shape: Vec<usize>,
) -> Tensor<'a> {
    let bytes = match numbers.into() {
        Cow::Borrowed(numbers) if cfg!(target_endian = "little") => {
            Cow::Borrowed(bytemuck::cast_slice(numbers))
        }
        numbers => {
            let swapped: Vec<N> = numbers.iter().map(|n| n.swapped()).collect();
            Cow::Owned(bytemuck::cast_slice(&swapped).to_vec())
        }
    };
    Tensor { name, dtype: N::DTYPE, shape, bytes }
}

impl Container<'_> {
    pub fn numbers<N: Number>(&self, name: &str, shape: &[usize]) -> Result<Vec<N>, Problem> {
        let bytes = self.array(name, N::DTYPE, shape)?;
        let mut numbers: Vec<N> = bytemuck::pod_collect_to_vec(bytes);
        if cfg!(target_endian = "big") {
            numbers.iter_mut().for_each(|n| *n = n.swapped());
        }
        Ok(numbers)
    }
}
