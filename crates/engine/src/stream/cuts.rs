/// Where blocks of a stream end besides being full: after `first` rows of it, and every `every` rows
/// from there. So that a stream which is read again has a block that begins where it was left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cuts {
    pub first: u64,
    /// 0 for never.
    pub every: u64,
}

impl Cuts {
    #[inline]
    pub fn is_at(self, rows: u64) -> bool {
        match rows.checked_sub(self.first) {
            None => false,
            Some(0) => true,
            Some(beyond) => self.every > 0 && beyond % self.every == 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_are_at_the_first_place_and_regularly_from_there() {
        let at = |first, every| {
            (1..=12).filter(move |&n| Cuts { first, every }.is_at(n)).collect::<Vec<u64>>()
        };
        assert_eq!(at(0, 0), Vec::<u64>::new());
        assert_eq!(at(0, 5), [5, 10]);
        assert_eq!(at(3, 4), [3, 7, 11]);
        assert_eq!(at(3, 0), [3]);
    }
}
