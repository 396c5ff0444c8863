//! Text with a header and a row on every line: comma-separated, or with tabs, semicolons, pipes.

mod cells;
mod header;

use super::parser::{LineError, Parser};
use super::{Block, Cell, Encoder, Encoding, Label};
use crate::error::Error;
use crate::real::Real;
use cells::{Cells, name_of};
use header::Header;
pub use header::is_csv;

/// The header names the columns of its file, and so every file has one. Cells are what
/// [`Cell::read`] makes of them.
pub struct Csv {
    /// What the model knows, and then what the first header told.
    encoder: Encoder,
    wanted_label: Option<String>,
    learns: bool,
    expects_header: bool,
    table: Option<Table>,
    cells: Cells,
}

/// The columns of the files so far, and their places in this one.
struct Table {
    first: Header,
    delimiter: u8,
    columns: usize,
    label: Option<(usize, Label)>,
    features: Vec<Feature>,
    encoding: Encoding,
}

struct Feature {
    /// Among the cells of a line.
    place: usize,
    /// Among the columns of the encoding.
    column: usize,
    is_category: bool,
}

impl Csv {
    pub fn new(encoder: Encoder, wanted_label: Option<String>, learns: bool) -> Self {
        Csv {
            encoder: encoder.in_use(),
            wanted_label,
            learns,
            expects_header: true,
            table: None,
            cells: Cells::default(),
        }
    }

    fn header(&mut self, line: &[u8]) -> Result<(), LineError> {
        let header = Header::parse(line)?;
        let mut table = match self.table.take() {
            Some(table) => {
                header.check_like(&table.first)?;
                table
            }
            None => {
                self.begin(header.clone()).map_err(|error| LineError::Header(error.to_string()))?
            }
        };
        table.delimiter = header.delimiter;
        table.columns = header.columns;
        table.find(&header, &self.encoder, self.learns)?;
        self.table = Some(table);
        Ok(())
    }

    fn begin(&mut self, first: Header) -> Result<Table, Error> {
        let wanted = self.wanted_label.as_deref();
        let label = self.encoder.find_label(wanted, &first.names(), self.learns)?;
        let encoder = match &label {
            Some((_, label)) => self.encoder.clone().with_label(label.text()),
            None => self.encoder.clone(),
        };
        let encoding = Encoding::new(encoder.clone())?;
        self.encoder = encoder;
        Ok(Table { first, delimiter: 0, columns: 0, label, features: Vec::new(), encoding })
    }

    fn row<T: Real>(&mut self, line: &[u8], block: &mut Block<T>) -> Result<(), LineError> {
        let Some(table) = &mut self.table else { return Ok(()) };
        let cells = &mut self.cells;
        cells.split(line, table.delimiter)?;
        if cells.len() != table.columns {
            let (columns, between) = (table.columns, name_of(table.delimiter));
            return Err(LineError::Expected {
                expected: format!("{columns} columns with {between} between them"),
                found: cells.len().to_string(),
            });
        }
        let label = match &mut table.label {
            Some((place, label)) => label.of_text(cells.get(*place, line))?,
            None => 0,
        };
        let is_learned = self.learns && label != 0;
        for feature in &table.features {
            let text = cells.get(feature.place, line);
            let cell = if feature.is_category { Cell::category(text) } else { Cell::read(text) };
            table.encoding.put(feature.column, cell, is_learned, block);
        }
        table.encoding.end_row(label, 1.0, block);
        Ok(())
    }
}

impl Table {
    /// Finds its columns in a file with this header.
    fn find(&mut self, header: &Header, encoder: &Encoder, learns: bool) -> Result<(), LineError> {
        let names = header.names();
        if let Some((place, label)) = &mut self.label {
            let found = header.named.iter().find(|(_, name)| name == label.column());
            *place = found.map_or(0, |(place, _)| *place);
        }
        let refuse = |error: Error| LineError::Header(error.to_string());
        let features = encoder.features_among(&names, learns).map_err(refuse)?;
        self.features.clear();
        for feature in features {
            let (place, name) = &header.named[feature];
            let column = self.encoding.column(name);
            let is_category = self.encoding.is_category(column);
            self.features.push(Feature { place: *place, column, is_category });
        }
        Ok(())
    }
}

impl<T: Real> Parser<T> for Csv {
    fn line(&mut self, line: &[u8], block: &mut Block<T>) -> Result<(), LineError> {
        if line.is_empty() {
            return Ok(());
        }
        if self.expects_header {
            self.header(line)?;
            self.expects_header = false;
            return Ok(());
        }
        self.row(line, block)
    }

    fn begin_file(&mut self) {
        self.expects_header = true;
    }

    fn expects_header(&self) -> bool {
        self.expects_header
    }

    fn encoder(&self) -> Option<Encoder> {
        let table = self.table.as_ref().filter(|_| self.learns)?;
        Some(table.encoding.encoder())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{Choice, Naming};

    fn encoder() -> Encoder {
        Encoder::new(Naming { keeps_names: true, ..Naming::default() }).unwrap()
    }

    fn read(csv: &mut Csv, lines: &[&str]) -> Result<Block<f64>, String> {
        let mut block = Block::default();
        for line in lines {
            csv.line(line.as_bytes(), &mut block).map_err(|error| error.to_string())?;
        }
        Ok(block)
    }

    fn names(block: &Block<f64>) -> Vec<&str> {
        block.new_names.iter().map(|(_, name)| name.as_str()).collect()
    }

    #[test]
    fn columns_are_fields_and_the_label_is_none() {
        let mut csv = Csv::new(encoder(), Some("delay > 15".into()), true);
        let block =
            read(&mut csv, &["carrier,delay,hour", "UA,16,5", "\"A,A\",15,6", ",,6"]).unwrap();
        assert_eq!(block.labels, [1, -1, 0]);
        assert_eq!(
            names(&block),
            ["carrier=UA", "hour=5", "constant", "carrier=A,A", "hour=6", "carrier=NA"]
        );
        let encoder = Parser::<f64>::encoder(&csv).unwrap();
        assert_eq!(encoder.label(), Some("delay > 15"));
        assert!(encoder.is_in_use());
    }

    #[test]
    fn columns_are_chosen_and_categories_declared() {
        let chosen = encoder().with_choice(Choice::Only(vec!["zip".into(), "x".into()]));
        let mut csv = Csv::new(chosen.with_categories(["zip"]), None, true);
        let block =
            read(&mut csv, &["y\tzip\tx\tz", "1\t1.50\t1.50\t7", "0\t5.0\t3.0\t7"]).unwrap();
        assert_eq!(
            names(&block),
            ["zip=1.50", "x", "x~1.41..1.68", "constant", "zip=5", "x~2.83..3.36"]
        );
        assert_eq!(block.values[4..], [1.0, 1.0, 1.0, 1.0]);
    }

    #[test]
    fn rows_to_predict_may_have_no_label() {
        let model = encoder().with_label("y");
        let mut csv = Csv::new(model.clone(), None, false);
        let block = read(&mut csv, &["a,y", "u,1", "v,"]).unwrap();
        assert_eq!(block.labels, [1, 0]);
        let mut csv = Csv::new(model, None, false);
        let without = read(&mut csv, &["a", "u", "v"]).unwrap();
        assert_eq!(without.labels, [0, 0]);
        assert_eq!(without.features, block.features);
    }

    #[test]
    fn further_files_have_the_same_columns_in_any_order() {
        let mut csv = Csv::new(encoder(), None, true);
        let block = read(&mut csv, &["y,a,b", "1,u,v"]).unwrap();
        Parser::<f64>::begin_file(&mut csv);
        let other = read(&mut csv, &["", "b;y;a", "v;1;u"]).unwrap();
        assert_eq!([block.features[1], block.features[0]], other.features[..2]);
        assert_eq!(block.labels, other.labels);
        Parser::<f64>::begin_file(&mut csv);
        assert!(read(&mut csv, &["v,u,1"]).unwrap_err().starts_with("there is no column"));
    }

    #[test]
    fn what_is_wrong_is_told() {
        let told = |lines: &[&str]| read(&mut Csv::new(encoder(), None, true), lines).unwrap_err();
        assert_eq!(
            told(&["y,a,b", "1,u"]),
            "expected 3 columns with a comma between them, found 2"
        );
        assert!(told(&["y,a", "yes,u"]).starts_with("the label is \"yes\"; labels are"));
        let mut csv = Csv::new(encoder(), Some("late".into()), true);
        assert_eq!(
            read(&mut csv, &["y,a"]).unwrap_err(),
            "there is no column \"late\"; the columns are y, a"
        );
        let mut csv = Csv::new(encoder().with_choice(Choice::Only(vec!["c".into()])), None, true);
        assert_eq!(
            read(&mut csv, &["y,a"]).unwrap_err(),
            "there is no column \"c\"; the columns are y, a"
        );
    }

    #[test]
    fn a_bad_row_leaves_no_trace() {
        let mut csv = Csv::new(encoder(), None, true);
        read(&mut csv, &["y,a", "1,2.5"]).unwrap();
        let before = Parser::<f64>::encoder(&csv);
        let mut block = Block::<f64>::default();
        for line in ["7,99", "1,99,1", "1,\"99", "1,\"9\"9"] {
            assert!(csv.line(line.as_bytes(), &mut block).is_err(), "{line}");
        }
        assert_eq!((block.rows(), block.features.len()), (0, 0));
        assert_eq!(Parser::<f64>::encoder(&csv), before);
    }
}
