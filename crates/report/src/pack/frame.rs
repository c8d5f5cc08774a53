//! Frames: the length of the body, its checksum, the body. The first that is not whole ends a file.

use std::io::{self, BufRead, Read};

use crate::codec::put_number;

/// What a pack starts with: a name and the format's version.
pub const HEADER: [u8; 8] = *b"FTHPACK\x01";

/// Appends a frame around `body`.
pub fn put_frame(out: &mut Vec<u8>, body: &[u8]) {
    put_number(out, body.len() as u64);
    out.extend_from_slice(&crc32fast::hash(body).to_le_bytes());
    out.extend_from_slice(body);
}

/// Reads frames one after the other, up to the end or the first that is not whole.
pub struct Frames<R> {
    from: R,
    /// Where the last whole frame ends.
    pub end: u64,
    /// The length of the file.
    len: u64,
    body: Vec<u8>,
}

impl<R: BufRead> Frames<R> {
    /// `from` stands at `at`, a frame's start, in a file of `len` bytes.
    pub fn new(from: R, at: u64, len: u64) -> Self {
        Self { from, end: at, len, body: Vec::new() }
    }

    /// The next frame's body and where it is in the file.
    pub fn next(&mut self) -> io::Result<Option<(u64, &[u8])>> {
        let Some((start, len)) = self.head()? else { return Ok(None) };
        let mut sum = [0; 4];
        self.body.resize(len, 0);
        if !fill(&mut self.from, &mut sum)? || !fill(&mut self.from, &mut self.body)? {
            return Ok(None);
        }
        if crc32fast::hash(&self.body) != u32::from_le_bytes(sum) {
            return Ok(None);
        }
        self.end = start + len as u64;
        Ok(Some((start, &self.body)))
    }

    /// Where the next body starts and its length, if that can be right: a body is never empty and
    /// ends within the file.
    fn head(&mut self) -> io::Result<Option<(u64, usize)>> {
        let mut len = 0u64;
        for n in 0..5 {
            let mut byte = [0];
            if !fill(&mut self.from, &mut byte)? {
                return Ok(None);
            }
            len |= u64::from(byte[0] & 0x7f) << (7 * n);
            if byte[0] < 0x80 {
                let start = self.end + n + 1 + 4;
                let fits = start + len <= self.len;
                return Ok((len > 0 && fits).then_some((start, len as usize)));
            }
        }
        Ok(None)
    }

    /// Bytes after the last whole frame.
    pub fn torn(&self) -> u64 {
        self.len - self.end
    }
}

/// Fills `buffer`, or says that the file ends before.
fn fill(from: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match from.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}
