/// Features are worked on in groups of this many, which become vector instructions.
pub const LANES: usize = 8;
