//! Which column is the label, and what in it means yes.

use super::{Cell, Labels, LineError, shown};
use crate::error::Error;

/// Columns that are the label where the user names none; without one of these, the first is.
const USUAL: [&str; 4] = ["label", "y", "target", "click"];

/// In this order, so that `>=` is not taken for `>`.
const SIGNS: [(&str, Order); 6] = [
    (">=", Order::AtLeast),
    ("<=", Order::AtMost),
    ("==", Order::Equal),
    ("!=", Order::Different),
    (">", Order::Above),
    ("<", Order::Below),
];

/// A column of labels, or a comparison that makes labels of it: `delay > 15`.
#[derive(Clone, Debug)]
pub struct Label {
    /// As the user said it.
    text: String,
    column: String,
    comparison: Option<(Order, Operand)>,
    labels: Labels,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    AtLeast,
    AtMost,
    Equal,
    Different,
    Above,
    Below,
}

#[derive(Clone, Debug, PartialEq)]
enum Operand {
    Number(f64),
    Text(Vec<u8>),
}

impl Label {
    /// What the user wants, among these columns; without a wish, the column that is usual. Gives the
    /// column's place too.
    pub fn find<S: AsRef<str>>(
        wanted: Option<&str>,
        columns: &[S],
    ) -> Result<(usize, Self), Error> {
        let place = |name: &str| columns.iter().position(|column| column.as_ref() == name);
        let Some(text) = wanted else {
            let usual = USUAL.iter().find_map(|name| place(name)).unwrap_or(0);
            let Some(column) = columns.get(usual) else { return Err(no_column("", columns)) };
            return Ok((usual, Label::of_column(column.as_ref())));
        };
        // A column may be called `a > b`.
        if let Some(place) = place(text) {
            return Ok((place, Label::of_column(text)));
        }
        let label = Label::parse(text)?;
        match place(&label.column) {
            Some(place) => Ok((place, label)),
            None => Err(no_column(&label.column, columns)),
        }
    }

    fn of_column(name: &str) -> Self {
        Label {
            text: name.to_string(),
            column: name.to_string(),
            comparison: None,
            labels: Labels::default(),
        }
    }

    fn parse(text: &str) -> Result<Self, Error> {
        let found = SIGNS.iter().filter_map(|&(sign, order)| Some((text.find(sign)?, sign, order)));
        let first = found.min_by_key(|&(place, ..)| place);
        let Some((place, sign, order)) = first else { return Ok(Label::of_column(text.trim())) };
        let column = text[..place].trim();
        let operand = text[place + sign.len()..].trim();
        if column.is_empty() || operand.is_empty() {
            return Err(Error::Setting {
                name: "label",
                given: format!("{text:?}"),
                allowed: "a column, or a comparison such as \"delay > 15\"".to_string(),
            });
        }
        let comparison = Some((order, Operand::parse(operand)));
        Ok(Label { text: text.to_string(), comparison, ..Label::of_column(column) })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn column(&self) -> &str {
        &self.column
    }

    /// The label of a row whose cell is text: -1, 1, or 0 where it is missing.
    pub fn of_text(&mut self, text: &[u8]) -> Result<i8, LineError> {
        self.of(match self.comparison {
            Some((_, Operand::Text(_))) => Cell::text(text),
            _ => Cell::read(text),
        })
    }

    pub fn of(&mut self, cell: Cell<'_>) -> Result<i8, LineError> {
        if cell == Cell::Missing {
            return Ok(0);
        }
        let Some((order, operand)) = &self.comparison else {
            return self.labels.label(match &*cell.to_text() {
                // As tables of bools are written.
                b"true" | b"True" | b"TRUE" => b"1",
                b"false" | b"False" | b"FALSE" => b"0",
                text => text,
            });
        };
        let is_so = match (operand, cell) {
            (Operand::Text(text), _) => order.holds(&*cell.to_text(), &text[..]),
            (Operand::Number(number), Cell::Whole(n)) => order.holds(&(n as f64), number),
            (Operand::Number(number), Cell::Number(x)) => order.holds(&x, number),
            (Operand::Number(number), _) => {
                return Err(LineError::Expected {
                    expected: format!("a number in {:?}, to compare with {number}", self.column),
                    found: shown(&cell.to_text()),
                });
            }
        };
        Ok(if is_so { 1 } else { -1 })
    }
}

impl Operand {
    /// Text, where quotes say so or where it is no number.
    fn parse(text: &str) -> Self {
        for quote in ['"', '\''] {
            let within = text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
            if let Some(within) = within {
                return Operand::Text(within.into());
            }
        }
        match Cell::read(text.as_bytes()) {
            Cell::Whole(n) => Operand::Number(n as f64),
            Cell::Number(x) => Operand::Number(x),
            _ => Operand::Text(text.into()),
        }
    }
}

impl Order {
    fn holds<T: PartialOrd + ?Sized>(self, left: &T, right: &T) -> bool {
        match self {
            Order::AtLeast => left >= right,
            Order::AtMost => left <= right,
            Order::Equal => left == right,
            Order::Different => left != right,
            Order::Above => left > right,
            Order::Below => left < right,
        }
    }
}

/// Refuses a column that is not there.
pub fn no_column<S: AsRef<str>>(name: &str, columns: &[S]) -> Error {
    const MOST_SHOWN: usize = 30;
    let names: Vec<&str> = columns.iter().take(MOST_SHOWN).map(AsRef::as_ref).collect();
    let mut list = names.join(", ");
    if columns.len() > MOST_SHOWN {
        list.push_str(&format!(" and {} more", columns.len() - MOST_SHOWN));
    }
    Error::NoColumn { name: name.to_string(), columns: list }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [&str; 5] = ["id", "delay", "dest", "click", "a > b"];

    fn labels(wanted: &str, cells: &[&str]) -> Result<Vec<i8>, LineError> {
        let (_, mut label) = Label::find(Some(wanted), &COLUMNS).unwrap();
        cells.iter().map(|cell| label.of_text(cell.as_bytes())).collect()
    }

    #[test]
    fn a_column_holds_labels_or_is_compared() {
        assert_eq!(labels("click", &["1", "0", "", "1.0", "NA"]).unwrap(), [1, -1, 0, 1, 0]);
        assert_eq!(labels("click", &["True", "false", "TRUE", "0"]).unwrap(), [1, -1, 1, -1]);
        let cells = ["15", "15.5", "-3", "", "2e1"];
        assert_eq!(labels("delay > 15", &cells).unwrap(), [-1, 1, -1, 0, 1]);
        assert_eq!(labels("delay>=15", &cells).unwrap(), [1, 1, -1, 0, 1]);
        assert_eq!(labels("delay < 15", &cells).unwrap(), [-1, -1, 1, 0, -1]);
        assert_eq!(labels("delay <=15.0", &cells).unwrap(), [1, -1, 1, 0, -1]);
        assert_eq!(labels("delay == 15", &cells).unwrap(), [1, -1, -1, 0, -1]);
        assert_eq!(labels("delay != 15", &cells).unwrap(), [-1, 1, 1, 0, 1]);
        assert_eq!(labels("dest == JFK", &["JFK", "LGA", " JFK"]).unwrap(), [1, -1, 1]);
        assert_eq!(labels("dest != 'J F'", &["J F", "LGA"]).unwrap(), [-1, 1]);
        assert_eq!(labels("delay == \"5\"", &["5", "5.0"]).unwrap(), [1, -1]);
        assert_eq!(labels("dest >= 2013-01-05", &["2013-01-04", "2013-02-01"]).unwrap(), [-1, 1]);
    }

    #[test]
    fn the_column_is_named_or_usual_or_the_first() {
        let place = |wanted, columns: &[&str]| Label::find(wanted, columns).unwrap().0;
        assert_eq!(place(None, &COLUMNS), 3);
        assert_eq!(place(None, &["click", "y"]), 1);
        assert_eq!(place(None, &["a", "b"]), 0);
        assert_eq!(place(Some("a > b"), &COLUMNS), 4);
        assert_eq!(place(Some("id > b"), &COLUMNS), 0);
    }

    #[test]
    fn what_is_no_label_is_told() {
        let sentence = |wanted| Label::find(Some(wanted), &COLUMNS).unwrap_err().to_string();
        let columns = "the columns are id, delay, dest, click, a > b";
        assert_eq!(sentence("dela > 15"), format!("there is no column \"dela\"; {columns}"));
        assert_eq!(sentence("late"), format!("there is no column \"late\"; {columns}"));
        assert!(sentence("delay >").starts_with("label is \"delay >\"; it must be a column, or"));
        let many: Vec<String> = (0..100).map(|i| i.to_string()).collect();
        let error = Label::find(Some("x"), &many).unwrap_err().to_string();
        assert!(error.ends_with("28, 29 and 70 more"), "{error}");
        let error = labels("delay > 15", &["late"]).unwrap_err().to_string();
        assert_eq!(error, "expected a number in \"delay\", to compare with 15, found \"late\"");
        let error = labels("click", &["2"]).unwrap_err().to_string();
        assert_eq!(error, "the label is \"2\"; labels are 0 and 1, or -1 and 1");
        assert!(labels("click", &["0", "-1"]).is_err());
    }
}
