//! Names as numbers: the same in every version, on every machine, in every format.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// A field is a column, a namespace, the key of a dict; the default one has no name.
pub fn field(name: &[u8]) -> u64 {
    xxh3_64(name)
}

/// A feature is a name within a field.
#[inline]
pub fn feature(field: u64, name: &[u8]) -> u64 {
    xxh3_64_with_seed(name, field)
}

/// A feature that is on where both of its parts are; their order matters.
pub fn cross(first: u64, second: u64) -> u64 {
    xxh3_64_with_seed(&second.to_le_bytes(), first)
}

/// The field that the features of a cross belong to.
pub fn of_cross(fields: &[u64]) -> u32 {
    fields.iter().copied().reduce(cross).unwrap_or_default() as u32
}

/// The place in a table of `2^bits` features.
#[inline]
pub fn slot(hash: u64, bits: u32) -> u32 {
    (hash & ((1 << bits) - 1)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_never_change() {
        assert_eq!(field(b""), 0x2d06_8005_38d3_94c2);
        assert_eq!(feature(field(b"user"), b"anna"), 0x57e6_d4a0_1527_5f53);
        assert_eq!(slot(u64::MAX, 22), (1 << 22) - 1);
        assert_eq!(slot(u64::MAX, 32), u32::MAX);
    }

    #[test]
    fn the_parts_of_a_name_do_not_run_together() {
        let ab = feature(field(b"a"), b"b");
        assert_ne!(ab, feature(field(b""), b"ab"));
        assert_ne!(ab, feature(field(b"ab"), b""));
        assert_ne!(cross(1, 2), cross(2, 1));
    }
}
