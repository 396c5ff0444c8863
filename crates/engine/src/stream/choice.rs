use super::no_column;
use crate::error::Error;
use serde::{Deserialize, Serialize};

/// Which columns of a table are features.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    #[default]
    All,
    Only(Vec<String>),
    AllBut(Vec<String>),
}

impl Choice {
    pub fn takes(&self, column: &str) -> bool {
        match self {
            Choice::All => true,
            Choice::Only(names) => names.iter().any(|name| name == column),
            Choice::AllBut(names) => names.iter().all(|name| name != column),
        }
    }

    /// Refuses names that are no columns. A column that would be ignored anyway may be missing from
    /// rows that are only predicted; where they are learned, its name is a slip.
    pub fn check<S: AsRef<str>>(&self, columns: &[S], learns: bool) -> Result<(), Error> {
        let names: &[String] = match self {
            Choice::Only(names) => names,
            Choice::AllBut(names) if learns => names,
            _ => &[],
        };
        let is_there = |name: &str| columns.iter().any(|column| column.as_ref() == name);
        match names.iter().find(|name| !is_there(name)) {
            Some(name) => Err(no_column(name, columns)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_taken_or_left() {
        let names = || vec!["a".to_string(), "b".to_string()];
        let taken = |choice: &Choice| ["a", "b", "c"].map(|column| choice.takes(column));
        assert_eq!(taken(&Choice::All), [true, true, true]);
        assert_eq!(taken(&Choice::Only(names())), [true, true, false]);
        assert_eq!(taken(&Choice::AllBut(names())), [false, false, true]);
    }

    #[test]
    fn a_column_that_is_not_there_is_told() {
        let names = vec!["dist".to_string()];
        let columns = ["id", "distance"];
        let error = Choice::Only(names.clone()).check(&columns, false).unwrap_err();
        assert_eq!(error.to_string(), "there is no column \"dist\"; the columns are id, distance");
        assert!(Choice::AllBut(names.clone()).check(&columns, true).is_err());
        assert!(Choice::AllBut(names).check(&columns, false).is_ok());
        assert!(Choice::All.check(&columns, true).is_ok());
    }
}
