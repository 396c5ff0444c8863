//! What is not an array, as JSON.

use super::{Contents, Problem, Stored};
use crate::dense::Form;
use crate::settings::{PanelSettings, Settings};
use crate::state::{Beliefs, PanelState};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Rises with every change that this version could not read.
pub const FORMAT: u64 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    pub format: u64,
    pub written_by: String,
    pub settings: Settings,
    pub dtype: Precision,
    pub beliefs: Kind,
    pub rows_learned: u64,
    /// Whether there is a dictionary of names.
    pub names: bool,
    pub notes: BTreeMap<String, String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    Float32,
    Float64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Kind {
    Table { size: usize, grows: bool },
    Panel { size: usize, grows: bool, panel: PanelSettings },
    Covariance { size: usize },
    Precision { size: usize, batch: usize },
}

/// What can be said of any format.
#[derive(Deserialize)]
struct AnyFormat {
    format: u64,
    #[serde(default)]
    written_by: String,
}

impl Description {
    pub fn of<T: Stored>(contents: &Contents<'_, T>) -> Self {
        let beliefs = match &contents.state.beliefs {
            Beliefs::Table { size, grows, .. } => Kind::Table { size: *size, grows: *grows },
            Beliefs::Panel(panel) => {
                let PanelState { size, grows, settings, .. } = panel;
                Kind::Panel { size: *size, grows: *grows, panel: settings.clone() }
            }
            Beliefs::Dense { form, mean, .. } => match *form {
                Form::Covariance => Kind::Covariance { size: mean.len() },
                Form::Precision(batch) => Kind::Precision { size: mean.len(), batch },
            },
        };
        Description {
            format: FORMAT,
            written_by: format!("lapwing {}", env!("CARGO_PKG_VERSION")),
            settings: contents.state.settings,
            dtype: T::PRECISION,
            beliefs,
            rows_learned: contents.state.rows_learned,
            names: contents.names.is_some(),
            notes: contents.notes.clone(),
        }
    }

    /// How many features the model speaks of.
    pub fn size(&self) -> usize {
        match self.beliefs {
            Kind::Table { size, .. }
            | Kind::Panel { size, .. }
            | Kind::Covariance { size }
            | Kind::Precision { size, .. } => size,
        }
    }

    pub fn to_json(&self) -> Result<String, Problem> {
        serde_json::to_string(self).map_err(Problem::Description)
    }

    pub fn from_json(text: &str) -> Result<Self, Problem> {
        serde_json::from_str(text).map_err(Problem::Description)
    }

    pub fn check_format(text: &str) -> Result<(), Problem> {
        let any: AnyFormat = serde_json::from_str(text).map_err(Problem::Description)?;
        if any.format == FORMAT {
            return Ok(());
        }
        Err(Problem::Newer { format: any.format, written_by: any.written_by })
    }
}
