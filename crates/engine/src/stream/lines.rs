use std::io::{ErrorKind, Read};

/// A file that is no text may have no line ends at all.
pub const LONGEST_LINE: usize = 16 << 20;
const PIECE: usize = 1 << 20;

/// Bytes in large pieces of whole lines.
pub struct Lines<R> {
    bytes: R,
    buffer: Vec<u8>,
    /// The first `filled` bytes of the buffer are read, the first `given` of them handed out.
    filled: usize,
    given: usize,
    longest: usize,
    ended: bool,
}

/// Why there is no piece. After a line that is too long the next piece begins behind it.
#[derive(Debug)]
pub enum Obstacle {
    LongLine,
    Io(std::io::Error),
}

impl<R: Read> Lines<R> {
    pub fn new(bytes: R) -> Self {
        Lines::with_sizes(bytes, PIECE, LONGEST_LINE)
    }

    /// Pieces of at most `piece` bytes, but for lines that are longer.
    pub fn with_sizes(bytes: R, piece: usize, longest: usize) -> Self {
        let buffer = vec![0; piece.clamp(1, longest)];
        Lines { bytes, buffer, filled: 0, given: 0, longest, ended: false }
    }

    /// Some whole lines, each with its end; only the last of all may have none.
    pub fn piece(&mut self) -> Result<Option<&[u8]>, Obstacle> {
        self.buffer.copy_within(self.given..self.filled, 0);
        self.filled -= self.given;
        self.given = 0;
        // What follows a line that was passed over may be whole already.
        if let Some(end) = memchr::memrchr(b'\n', &self.buffer[..self.filled]) {
            self.given = end + 1;
            return Ok(Some(&self.buffer[..self.given]));
        }
        while !self.ended {
            if self.filled == self.buffer.len() && !self.make_room() {
                self.skip_line().map_err(Obstacle::Io)?;
                return Err(Obstacle::LongLine);
            }
            let read = self.fill().map_err(Obstacle::Io)?;
            let fresh = &self.buffer[self.filled - read..self.filled];
            if let Some(end) = memchr::memrchr(b'\n', fresh) {
                self.given = self.filled - read + end + 1;
                return Ok(Some(&self.buffer[..self.given]));
            }
        }
        self.given = self.filled;
        Ok(Some(&self.buffer[..self.given]).filter(|rest| !rest.is_empty()))
    }

    fn make_room(&mut self) -> bool {
        let size = (2 * self.buffer.len()).min(self.longest);
        let grows = size > self.buffer.len();
        self.buffer.resize(size, 0);
        grows
    }

    fn fill(&mut self) -> std::io::Result<usize> {
        loop {
            match self.bytes.read(&mut self.buffer[self.filled..]) {
                Ok(read) => {
                    self.ended = read == 0;
                    self.filled += read;
                    return Ok(read);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Reads on to the line's end and keeps what comes after it.
    fn skip_line(&mut self) -> std::io::Result<()> {
        while !self.ended {
            self.filled = 0;
            self.fill()?;
            if let Some(end) = memchr::memchr(b'\n', &self.buffer[..self.filled]) {
                self.given = end + 1;
                break;
            }
            self.given = self.filled;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a few bytes at a time.
    struct Drops<'a>(&'a [u8], usize);

    impl Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let size = self.1.min(buffer.len());
            self.0.read(&mut buffer[..size])
        }
    }

    fn pieces(text: &[u8], drop: usize, piece: usize, longest: usize) -> Vec<String> {
        let mut lines = Lines::with_sizes(Drops(text, drop), piece, longest);
        let mut found = Vec::new();
        loop {
            match lines.piece() {
                Ok(Some(piece)) => found.push(String::from_utf8(piece.to_vec()).unwrap()),
                Ok(None) => return found,
                Err(Obstacle::LongLine) => found.push("too long".into()),
                Err(Obstacle::Io(error)) => panic!("{error}"),
            }
        }
    }

    #[test]
    fn pieces_are_whole_lines() {
        assert_eq!(pieces(b"ab\ncd\n\nef", 100, 7, 100), ["ab\ncd\n\n", "ef"]);
        assert_eq!(pieces(b"ab\ncd\n", 1, 4, 100), ["ab\n", "cd\n"]);
        assert_eq!(pieces(b"abcdefghi\nj\n", 3, 2, 100), ["abcdefghi\n", "j\n"]);
        assert!(pieces(b"", 1, 4, 100).is_empty());
    }

    #[test]
    fn a_line_that_is_too_long_is_passed_over() {
        assert_eq!(
            pieces(b"ab\n0123456789\ncd\nef\n", 100, 4, 8),
            ["ab\n", "too long", "cd\n", "ef\n"]
        );
        assert_eq!(pieces(b"0123456789", 3, 4, 8), ["too long"]);
        assert_eq!(
            pieces(b"0123456789\n\n\n\n\n\n\n01234567", 100, 8, 8)[..2],
            ["too long", "\n\n\n\n\n"]
        );
    }

    #[test]
    fn nothing_is_lost_however_the_bytes_come() {
        let text: Vec<u8> = (0..2000_u32).map(|i| b"ab\ncde\n"[(i * i % 7) as usize]).collect();
        for drop in [1, 2, 3, 64, 5000] {
            for piece in [1, 2, 7, 100, 5000] {
                let found = pieces(&text, drop, piece, 5000);
                assert_eq!(found.concat().as_bytes(), text);
                assert!(found[..found.len() - 1].iter().all(|piece| piece.ends_with('\n')));
            }
        }
    }
}
