use super::hash;
use super::{Block, LineError};
use crate::error::Error;
use crate::real::Real;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// A long row with many features in each field of a cross could fill the memory.
pub const MOST_CROSSED: usize = 1 << 20;

/// How names become numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Naming {
    /// The table has `2^bits` places.
    pub bits: u32,
    /// Pairs or triples of fields whose features are also taken together.
    pub crosses: Vec<Vec<String>>,
    /// Whether the names are told, for a dictionary.
    pub keeps_names: bool,
}

impl Default for Naming {
    fn default() -> Self {
        Naming { bits: 22, crosses: Vec::new(), keeps_names: false }
    }
}

impl Naming {
    pub fn check(&self) -> Result<(), Error> {
        let refuse = |name, given: String, allowed: &str| {
            Err(Error::Setting { name, given, allowed: allowed.to_string() })
        };
        if !(1..=32).contains(&self.bits) {
            return refuse("bits", self.bits.to_string(), "between 1 and 32");
        }
        match self.crosses.iter().find(|cross| !(2..=3).contains(&cross.len())) {
            Some(odd) => refuse("a cross", odd.join(","), "two or three fields"),
            None => Ok(()),
        }
    }

    pub fn slots(&self) -> usize {
        1 << self.bits
    }
}

/// A field with its hash, made once and used for many features.
#[derive(Clone, Debug)]
pub struct Field {
    name: Vec<u8>,
    hash: u64,
    /// Whether features of it take part in a cross.
    crossed: bool,
}

/// Puts the named features of a row into a block, each at its hash's place, and after them the
/// crosses.
#[derive(Clone, Debug)]
pub struct Namer {
    naming: Naming,
    /// The crosses, as hashes of fields.
    crosses: Vec<Vec<u64>>,
    told: HashSet<u32>,
    /// The features of this row that take part in crosses.
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
struct Part {
    field: u64,
    hash: u64,
    value: f64,
    name: String,
}

impl Namer {
    pub fn new(naming: &Naming) -> Result<Self, Error> {
        naming.check()?;
        let hashes =
            |cross: &Vec<String>| cross.iter().map(|field| hash::field(field.as_bytes())).collect();
        Ok(Namer {
            crosses: naming.crosses.iter().map(hashes).collect(),
            naming: naming.clone(),
            told: HashSet::new(),
            parts: Vec::new(),
        })
    }

    pub fn field(&self, name: &[u8]) -> Field {
        let hash = hash::field(name);
        let crossed = self.crosses.iter().any(|cross| cross.contains(&hash));
        Field { name: name.to_vec(), hash, crossed }
    }

    #[inline]
    pub fn push<T: Real>(&mut self, field: &Field, name: &[u8], value: T, block: &mut Block<T>) {
        let hash = hash::feature(field.hash, name);
        let slot = hash::slot(hash, self.naming.bits);
        block.push_named(slot, value, field.hash as u32);
        if field.crossed || self.naming.keeps_names {
            self.note(field, name, hash, slot, value.f64(), block);
        }
    }

    fn note<T: Real>(
        &mut self,
        field: &Field,
        name: &[u8],
        hash: u64,
        slot: u32,
        value: f64,
        block: &mut Block<T>,
    ) {
        let mut shown = String::new();
        if self.naming.keeps_names {
            let is_new = self.told.insert(slot);
            if is_new || field.crossed {
                shown = full_name(&field.name, name);
            }
            if is_new {
                block.new_names.push((slot, shown.clone()));
            }
        }
        if field.crossed {
            self.parts.push(Part { field: field.hash, hash, value, name: shown });
        }
    }

    /// Whether the crosses of the row's features are few enough to be added.
    #[inline]
    pub fn check_crosses(&self) -> Result<(), LineError> {
        let of_field = |field: &u64| self.parts.iter().filter(|part| part.field == *field).count();
        let size = |cross: &Vec<u64>| cross.iter().map(of_field).fold(1, usize::saturating_mul);
        // Short rows, and rows without crosses, have few.
        if self.parts.len() > 64 && self.crosses.iter().any(|cross| size(cross) > MOST_CROSSED) {
            return Err(LineError::Crosses);
        }
        Ok(())
    }

    /// Adds the crosses of the row's features. The row is the block's to end.
    pub fn cross<T: Real>(&mut self, block: &mut Block<T>) {
        let parts = std::mem::take(&mut self.parts);
        for fields in 0..self.crosses.len() {
            self.product(&parts, fields, 0, None, block);
        }
        self.parts = parts;
        self.parts.clear();
    }

    /// Continues a cross at its field number `depth`.
    fn product<T: Real>(
        &mut self,
        parts: &[Part],
        cross: usize,
        depth: usize,
        so_far: Option<&Part>,
        block: &mut Block<T>,
    ) {
        let Some(&field) = self.crosses[cross].get(depth) else {
            if let Some(whole) = so_far {
                let slot = hash::slot(whole.hash, self.naming.bits);
                block.push_named(slot, T::of(whole.value), hash::of_cross(&self.crosses[cross]));
                if self.naming.keeps_names && self.told.insert(slot) {
                    block.new_names.push((slot, whole.name.clone()));
                }
            }
            return;
        };
        for part in parts.iter().filter(|part| part.field == field) {
            let joined = match so_far {
                None => part.clone(),
                Some(first) => first.joined(part),
            };
            self.product(parts, cross, depth + 1, Some(&joined), block);
        }
    }

    /// The features of a row that is given up take part in no cross.
    pub fn abandon_row(&mut self) {
        self.parts.clear();
    }
}

impl Part {
    fn joined(&self, other: &Part) -> Part {
        let name = if self.name.is_empty() && other.name.is_empty() {
            String::new()
        } else {
            format!("{}*{}", self.name, other.name)
        };
        Part {
            field: self.field,
            hash: hash::cross(self.hash, other.hash),
            value: self.value * other.value,
            name,
        }
    }
}

/// As people read it: `carrier=UA`, or what there is of the two. A bucket has its own sign between
/// them: `distance~724..861`.
fn full_name(field: &[u8], name: &[u8]) -> String {
    let (field, name) = (String::from_utf8_lossy(field), String::from_utf8_lossy(name));
    match (field.is_empty(), name.is_empty()) {
        (true, _) => name.into_owned(),
        (_, true) => field.into_owned(),
        _ if name.starts_with('~') => format!("{field}{name}"),
        _ => format!("{field}={name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn namer(crosses: &[&[&str]]) -> Namer {
        let crosses = crosses.iter().map(|c| c.iter().map(ToString::to_string).collect()).collect();
        Namer::new(&Naming { bits: 24, crosses, keeps_names: true }).unwrap()
    }

    #[test]
    fn a_feature_is_told_once_with_its_field() {
        let mut namer = namer(&[]);
        let (user, default) = (namer.field(b"user"), namer.field(b""));
        let mut block = Block::<f32>::default();
        for _ in 0..2 {
            namer.push(&user, b"anna", 1.0, &mut block);
            namer.push(&default, b"hour", 0.5, &mut block);
            namer.push(&user, b"", 2.0, &mut block);
            block.end_row(1, 1.0);
        }
        let names: Vec<&str> = block.new_names.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(names, ["user=anna", "hour", "user"]);
        assert_eq!(block.features[..3], block.features[3..]);
        assert_eq!(block.starts, [0, 3, 6]);
    }

    #[test]
    fn crosses_are_all_pairs_and_triples_with_values_multiplied() {
        let mut namer = namer(&[&["a", "b"], &["a", "b", "c"], &["a", "absent"]]);
        let fields = [b"a", b"b", b"c"].map(|name| namer.field(name));
        let mut block = Block::<f64>::default();
        namer.push(&fields[1], b"x", 2.0, &mut block);
        namer.push(&fields[0], b"y", 3.0, &mut block);
        namer.push(&fields[0], b"z", 5.0, &mut block);
        namer.push(&fields[2], b"w", 0.5, &mut block);
        namer.cross(&mut block);
        block.end_row(1, 1.0);
        assert_eq!(block.values, [2.0, 3.0, 5.0, 0.5, 6.0, 10.0, 3.0, 5.0]);
        let names: Vec<&str> = block.new_names[4..].iter().map(|(_, name)| &name[..]).collect();
        assert_eq!(names, ["a=y*b=x", "a=z*b=x", "a=y*b=x*c=w", "a=z*b=x*c=w"]);
        namer.cross(&mut block);
        assert_eq!(block.features.len(), 8);
    }

    #[test]
    fn a_row_given_up_leaves_nothing() {
        let mut namer = namer(&[&["a", "a"]]);
        let a = namer.field(b"a");
        let mut block = Block::<f32>::default();
        namer.push(&a, b"x", 1.0, &mut block);
        namer.abandon_row();
        block.abandon_row();
        namer.cross(&mut block);
        assert_eq!((block.features.len(), block.rows()), (0, 0));
    }

    #[test]
    fn crosses_of_a_row_are_not_without_bounds() {
        let mut namer = namer(&[&["a", "a", "a"]]);
        let a = namer.field(b"a");
        let mut block = Block::<f32>::default();
        for number in 0..102 {
            assert_eq!(namer.check_crosses(), Ok(()));
            namer.push(&a, number.to_string().as_bytes(), 1.0, &mut block);
        }
        assert_eq!(namer.check_crosses(), Err(LineError::Crosses));
    }

    #[test]
    fn impossible_settings_are_told() {
        let naming = Naming { bits: 33, ..Naming::default() };
        assert!(Namer::new(&naming).unwrap_err().to_string().contains("between 1 and 32"));
        let naming = Naming { crosses: vec![vec!["a".into()]], ..Naming::default() };
        assert!(Namer::new(&naming).unwrap_err().to_string().contains("two or three fields"));
    }
}
