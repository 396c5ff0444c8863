use super::{Block, Cell, Choice, Column, Field, Label, MISSING, Namer, Naming, no_column};
use crate::error::Error;
use crate::real::Real;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// What a model knows about the names and the columns of its rows: how names become numbers, and
/// what each column has shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Encoder {
    naming: Naming,
    /// Whether the model has learned named rows: then it takes no numbered ones.
    is_in_use: bool,
    /// Where the label came from, as the user said it: its column is no feature.
    label: Option<String>,
    /// Which of the others are features.
    choice: Choice,
    /// Those that have shown numbers, or are declared.
    columns: BTreeMap<String, Column>,
}

impl Encoder {
    pub fn new(naming: Naming) -> Result<Self, Error> {
        naming.check()?;
        Ok(Encoder { naming, ..Encoder::default() })
    }

    pub fn naming(&self) -> &Naming {
        &self.naming
    }

    pub fn is_in_use(&self) -> bool {
        self.is_in_use
    }

    pub fn in_use(mut self) -> Self {
        self.is_in_use = true;
        self
    }

    pub fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }

    /// The place among these of the column that the label came from.
    pub fn label_among<S: AsRef<str>>(&self, columns: &[S]) -> Option<usize> {
        Some(Label::find(Some(self.label()?), columns).ok()?.0)
    }

    /// The label of a stream with these columns: what the user wants, what the model learned with,
    /// or what is usual. Rows that are only predicted may have none.
    pub fn find_label<S: AsRef<str>>(
        &self,
        wanted: Option<&str>,
        columns: &[S],
        learns: bool,
    ) -> Result<Option<(usize, Label)>, Error> {
        let found = Label::find(wanted.or(self.label()), columns);
        match wanted {
            None if !learns => Ok(found.ok().filter(|_| self.label.is_some())),
            _ => found.map(Some),
        }
    }

    pub fn with_label(mut self, label: &str) -> Self {
        self.label = Some(label.to_string());
        self
    }

    pub fn with_choice(mut self, choice: Choice) -> Self {
        self.choice = choice;
        self
    }

    /// The places among these columns of those that are features.
    pub fn features_among<S: AsRef<str>>(
        &self,
        columns: &[S],
        learns: bool,
    ) -> Result<Vec<usize>, Error> {
        self.choice.check(columns, learns)?;
        let is_there = |name: &str| columns.iter().any(|column| column.as_ref() == name);
        let declared = self.columns.iter().filter(|(_, state)| **state == Column::Categories);
        if let Some((name, _)) = declared.filter(|_| learns).find(|(name, _)| !is_there(name)) {
            return Err(no_column(name, columns));
        }
        let label = self.label_among(columns);
        let is_feature =
            |&place: &usize| Some(place) != label && self.choice.takes(columns[place].as_ref());
        Ok((0..columns.len()).filter(is_feature).collect())
    }

    pub fn columns(&self) -> &BTreeMap<String, Column> {
        &self.columns
    }

    /// Declares columns to be categories.
    pub fn with_categories<'a>(mut self, columns: impl IntoIterator<Item = &'a str>) -> Self {
        let declared = columns.into_iter().map(|name| (name.to_string(), Column::Categories));
        self.columns.extend(declared);
        self
    }

    pub fn is_category(&self, column: &str) -> bool {
        self.columns.get(column) == Some(&Column::Categories)
    }

    pub fn to_json(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(|reason| Error::Columns { reason: reason.to_string() })
    }

    pub fn from_json(json: &str) -> Result<Self, Error> {
        let refuse = |reason| Err(Error::Columns { reason });
        let encoder: Encoder = match serde_json::from_str(json) {
            Ok(encoder) => encoder,
            Err(reason) => return refuse(reason.to_string()),
        };
        encoder.naming.check()?;
        match encoder.columns.iter().find(|(_, column)| !column.is_sound()) {
            Some((name, _)) => refuse(format!("column {name:?} cannot have shown what it says")),
            None => Ok(encoder),
        }
    }
}

/// Rows of cells on their way into blocks. The state of columns moves on with every row that is
/// learned; [`Encoding::encoder`] tells it.
#[derive(Clone, Debug)]
pub struct Encoding {
    namer: Namer,
    constant: Field,
    begun: Encoder,
    places: HashMap<String, usize>,
    columns: Vec<(Field, Column)>,
}

impl Encoding {
    pub fn new(encoder: Encoder) -> Result<Self, Error> {
        let namer = Namer::new(&encoder.naming)?;
        Ok(Encoding {
            constant: namer.field(b""),
            namer,
            begun: encoder,
            places: HashMap::new(),
            columns: Vec::new(),
        })
    }

    /// The place of a column, by which [`Encoding::put`] knows it.
    pub fn column(&mut self, name: &str) -> usize {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        let state = self.begun.columns.get(name).cloned().unwrap_or_default();
        self.columns.push((self.namer.field(name.as_bytes()), state));
        self.places.insert(name.to_string(), self.columns.len() - 1);
        self.columns.len() - 1
    }

    /// How many columns have come up so far.
    pub fn columns_met(&self) -> usize {
        self.columns.len()
    }

    pub fn is_category(&self, column: usize) -> bool {
        self.columns.get(column).is_some_and(|(_, state)| *state == Column::Categories)
    }

    #[inline]
    pub fn put<T: Real>(
        &mut self,
        column: usize,
        cell: Cell<'_>,
        is_learned: bool,
        block: &mut Block<T>,
    ) {
        if let Some((field, state)) = self.columns.get_mut(column) {
            state.put(cell, is_learned, field, &mut self.namer, block);
        }
    }

    /// The same for a row that names its features itself: a number is a value as it is.
    #[inline]
    pub fn put_explicit<T: Real>(&mut self, column: usize, cell: Cell<'_>, block: &mut Block<T>) {
        let Some((field, _)) = self.columns.get(column) else { return };
        match cell {
            Cell::Missing => self.namer.push(field, MISSING, T::one(), block),
            Cell::Text(text) => self.namer.push(field, text, T::one(), block),
            Cell::Whole(n) => self.put_explicit(column, Cell::Number(n as f64), block),
            Cell::Number(0.0) => {}
            Cell::Number(x) => self.namer.push(field, b"", T::of(x), block),
        }
    }

    /// Ends a row with what every row has: the constant, and the crosses of its features.
    #[inline]
    pub fn end_row<T: Real>(&mut self, label: i8, weight: f64, block: &mut Block<T>) {
        self.namer.push(&self.constant, b"constant", T::one(), block);
        self.namer.cross(block);
        block.end_row(label, weight);
    }

    /// The state after the rows so far.
    pub fn encoder(&self) -> Encoder {
        let mut encoder = self.begun.clone();
        for (name, &place) in &self.places {
            let state = &self.columns[place].1;
            if *state != Column::default() {
                encoder.columns.insert(name.clone(), state.clone());
            }
        }
        encoder
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn encode(encoder: &Encoder, rows: &[(Vec<String>, bool)], block: &mut Block<f64>) -> Encoder {
        let mut encoding = Encoding::new(encoder.clone()).unwrap();
        let columns = ["a", "b", "c"].map(|name| encoding.column(name));
        for (cells, is_learned) in rows {
            for (&column, cell) in columns.iter().zip(cells) {
                encoding.put(column, Cell::read(cell.as_bytes()), *is_learned, block);
            }
            encoding.end_row(1, 1.0, block);
        }
        encoding.encoder()
    }

    fn cells() -> impl Strategy<Value = String> {
        prop_oneof![
            (-40..40_i64).prop_map(|n| n.to_string()),
            any::<f64>().prop_map(|x| x.to_string()),
            "[a-z]{0,2}",
        ]
    }

    fn tables() -> impl Strategy<Value = Vec<(Vec<String>, bool)>> {
        prop::collection::vec((prop::collection::vec(cells(), 3), any::<bool>()), 0..80)
    }

    fn crossed() -> Encoder {
        let crosses = vec![vec!["a".to_string(), "b".to_string()]];
        Encoder::new(Naming { bits: 20, crosses, keeps_names: true }).unwrap()
    }

    proptest! {
        #[test]
        fn rows_in_parts_are_rows_at_once(rows in tables(), cut in 0..80_usize) {
            let cut = cut.min(rows.len());
            let (mut once, mut parts) = (Block::default(), Block::default());
            let whole = encode(&crossed(), &rows, &mut once);
            let first = encode(&crossed(), &rows[..cut], &mut parts);
            let first = Encoder::from_json(&first.to_json().unwrap()).unwrap();
            let second = encode(&first, &rows[cut..], &mut parts);
            prop_assert_eq!(whole, second);
            prop_assert_eq!(once.features, parts.features);
            prop_assert_eq!(once.values, parts.values);
            prop_assert_eq!(once.starts, parts.starts);
        }

        #[test]
        fn rows_that_are_not_learned_leave_no_trace(rows in tables()) {
            let (mut all, mut kept) = (Block::default(), Block::default());
            let learned: Vec<_> = rows.iter().filter(|row| row.1).cloned().collect();
            let one = encode(&crossed(), &rows, &mut all);
            prop_assert_eq!(one, encode(&crossed(), &learned, &mut kept));
        }

        #[test]
        fn values_are_finite_and_within_one(rows in tables()) {
            let mut block = Block::default();
            encode(&Encoder::default(), &rows, &mut block);
            prop_assert!(block.values.iter().all(|x| x.abs() <= 1.0 && *x != 0.0));
        }

        #[test]
        fn a_damaged_description_is_an_error_and_no_panic(place: usize, byte: u8) {
            let rows = vec![(vec!["1".into(), "2.5".into(), "x".into()], true)];
            let encoder = encode(&crossed(), &rows, &mut Block::default()).with_label("y > 1");
            let mut json = encoder.to_json().unwrap().into_bytes();
            let place = place % json.len();
            json[place] = byte;
            if let Ok(text) = std::str::from_utf8(&json) {
                let _ = Encoder::from_json(text);
            }
            let cut = String::from_utf8_lossy(&json[..place]).into_owned();
            prop_assert!(Encoder::from_json(&cut).is_err());
        }
    }

    #[test]
    fn the_description_is_the_same_text_every_time() {
        let rows = vec![(vec!["7".into(), "2.5".into(), "x".into()], true)];
        let encoder =
            encode(&crossed(), &rows, &mut Block::default()).with_categories(["z"]).in_use();
        assert_eq!(
            encoder.with_label("delay > 15").to_json().unwrap(),
            r#"{"naming":{"bits":20,"crosses":[["a","b"]],"keeps_names":true},"is_in_use":true,"label":"delay > 15","choice":"all","#
                .to_string()
                + r#""columns":{"a":{"few":[7]},"b":{"quantity":2.5},"z":"categories"}}"#
        );
    }

    #[test]
    fn impossible_descriptions_are_refused() {
        let json = |columns: &str| {
            let naming = r#"{"bits":20,"crosses":[],"keeps_names":false}"#;
            format!(
                r#"{{"naming":{naming},"is_in_use":false,"label":null,"choice":"all","columns":{columns}}}"#
            )
        };
        assert!(Encoder::from_json(&json("{}")).is_ok());
        for columns in [
            r#"{"a":{"quantity":-1.0}}"#,
            r#"{"a":{"quantity":1e999}}"#,
            r#"{"a":{"few":[2,1]}}"#,
            r#"{"a":{"few":[1,1]}}"#,
            r#"{"a":{"many":[]}}"#,
            r#"{"a":null}"#,
            "[]",
        ] {
            let error = Encoder::from_json(&json(columns)).unwrap_err().to_string();
            assert!(error.starts_with("the description of the columns is damaged: "), "{error}");
        }
        let bits = json("{}").replace("20", "40");
        assert!(Encoder::from_json(&bits).unwrap_err().to_string().starts_with("bits is 40"));
    }

    #[test]
    fn a_declared_column_that_is_not_there_is_a_slip_where_rows_are_learned() {
        let encoder = Encoder::default().with_categories(["zip"]);
        let error = encoder.features_among(&["zap", "x"], true).unwrap_err().to_string();
        assert_eq!(error, "there is no column \"zip\"; the columns are zap, x");
        assert_eq!(encoder.features_among(&["zap", "x"], false), Ok(vec![0, 1]));
    }

    #[test]
    fn every_row_has_the_constant() {
        let mut block = Block::default();
        let encoder = Encoder::new(Naming { keeps_names: true, ..Naming::default() }).unwrap();
        encode(&encoder, &[(vec![], true)], &mut block);
        assert_eq!(block.values, [1.0]);
        assert_eq!(block.new_names[0].1, "constant");
    }
}
