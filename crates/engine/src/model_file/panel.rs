//! A panel's beliefs as arrays of a container, and back. What the members have each follows each other
//! in one array.

use super::arrays::{
    FEATURE, FIELD, HEAD_COVARIANCE, HEAD_FIELD, HEAD_MEAN, MEAN, fields_of, vector,
};
use super::container::{Container, Tensor};
use super::{Problem, Stored};
use crate::belief::Touched;
use crate::head::HeadState;
use crate::panel::trust::{Mark, Trust};
use crate::settings::{HeadForm, HeadSettings, PanelSettings};
use crate::state::PanelState;

const VARIANCE: &str = "variance";
const WEIGHTS: &str = "member_weight";
const LOSSES: &str = "member_loss";
const MARK_ROWS: &str = "mark_rows";
const MARK_WEIGHTS: &str = "mark_weight";
const MARK_LOSSES: &str = "mark_loss";

pub fn panel_tensors<T: Stored>(panel: &PanelState<T>) -> Vec<Tensor<'_>> {
    let PanelState { touched, heads, fields, trust, .. } = panel;
    let heads = || heads.iter().flatten();
    let means: Vec<f64> = heads().flat_map(|head| &head.mean).copied().collect();
    let covariances: Vec<f64> = heads().flat_map(|head| &head.covariance).copied().collect();
    let marks = trust.marks();
    let rows: Vec<u64> = marks.iter().map(|mark| mark.rows).collect();
    let weights: Vec<f64> = marks.iter().flat_map(|mark| &mark.weights).copied().collect();
    let losses: Vec<f64> = marks.iter().flat_map(|mark| &mark.losses).copied().collect();
    vec![
        vector(FEATURE, &touched.features),
        vector(MEAN, &touched.mean),
        vector(VARIANCE, &touched.second),
        vector(FIELD, fields.of_features()),
        vector(HEAD_FIELD, fields.known()),
        vector(HEAD_MEAN, means),
        vector(HEAD_COVARIANCE, covariances),
        vector(WEIGHTS, trust.weights()),
        vector(LOSSES, trust.losses()),
        vector(MARK_ROWS, rows),
        vector(MARK_WEIGHTS, weights),
        vector(MARK_LOSSES, losses),
    ]
}

pub fn panel_of<T: Stored>(
    container: &Container<'_>,
    settings: &PanelSettings,
    size: usize,
    grows: bool,
) -> Result<PanelState<T>, Problem> {
    settings.check()?;
    let (n, members) = (container.length(FEATURE)?, settings.members.len());
    let touched = Touched {
        features: container.numbers(FEATURE, &[n])?,
        mean: container.numbers(MEAN, &[n * members])?,
        second: container.numbers(VARIANCE, &[n * members])?,
    };
    let fields = fields_of(container)?;
    let heads = heads_of(container, settings, fields.count())?;
    let trust = trust_of(container, settings)?;
    Ok(PanelState { settings: settings.clone(), size, grows, touched, heads, fields, trust })
}

fn heads_of(
    container: &Container<'_>,
    settings: &PanelSettings,
    fields: usize,
) -> Result<Vec<Option<HeadState>>, Problem> {
    let numbers = |head: HeadSettings| match head.form {
        HeadForm::Scale => 2,
        HeadForm::Fields => fields + 1,
    };
    let heads = || settings.members.iter().map(|member| member.head.map_or(0, numbers));
    let means: Vec<f64> = container.numbers(HEAD_MEAN, &[heads().sum()])?;
    let entries = heads().map(|n| n * n).sum();
    let covariances: Vec<f64> = container.numbers(HEAD_COVARIANCE, &[entries])?;
    let (mut means, mut covariances) = (means.into_iter(), covariances.into_iter());
    let mut head = |n: usize| HeadState {
        mean: means.by_ref().take(n).collect(),
        covariance: covariances.by_ref().take(n * n).collect(),
    };
    Ok(heads().map(|n| (n > 0).then(|| head(n))).collect())
}

fn trust_of(container: &Container<'_>, settings: &PanelSettings) -> Result<Trust, Problem> {
    let (members, marks) = (settings.members.len(), container.length(MARK_ROWS)?);
    let rows: Vec<u64> = container.numbers(MARK_ROWS, &[marks])?;
    let weights: Vec<f64> = container.numbers(MARK_WEIGHTS, &[marks * members])?;
    let losses: Vec<f64> = container.numbers(MARK_LOSSES, &[marks * (members + 1)])?;
    let numbers = weights.chunks(members).zip(losses.chunks(members + 1));
    let marks = rows.into_iter().zip(numbers).map(|(rows, (weights, losses))| Mark {
        rows,
        weights: weights.to_vec(),
        losses: losses.to_vec(),
    });
    Ok(Trust::restore(
        members,
        settings.share,
        container.numbers(WEIGHTS, &[members])?,
        container.numbers(LOSSES, &[members + 1])?,
        marks.collect(),
    )?)
}
