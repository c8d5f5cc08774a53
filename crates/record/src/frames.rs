//! The frames of a recording's file, and the numbers in them.

use crate::Time;

pub const MAGIC: &[u8] = b"fathomr1";

/// What stands behind the magic bytes, up to the first frame that is not whole.
pub struct Frames<'a> {
    rest: &'a [u8],
    /// The file ends within a frame.
    pub is_torn: bool,
}

impl<'a> Frames<'a> {
    pub fn new(file: &'a [u8]) -> Option<Self> {
        Some(Frames { rest: file.strip_prefix(MAGIC)?, is_torn: false })
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = (u8, Bytes<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let mut rest = Bytes(self.rest);
        let word = rest.u32().unwrap_or(0);
        let (kind, length) = (word as u8, (word >> 8) as usize);
        if kind == 0 {
            return None;
        }
        let Some(data) = rest.take(length) else {
            self.is_torn = true;
            self.rest = &[];
            return None;
        };
        self.rest = &self.rest[(4 + length.next_multiple_of(4)).min(self.rest.len())..];
        Some((kind, Bytes(data)))
    }
}

/// A frame's data, read from its front; `None` where there is too little of it.
#[derive(Clone, Copy)]
pub struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    pub fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (front, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(front)
    }

    pub fn u16(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes(self.take(2)?.try_into().ok()?))
    }

    pub fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    pub fn i32(&mut self) -> Option<i32> {
        Some(self.u32()? as i32)
    }

    pub fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    pub fn i64(&mut self) -> Option<i64> {
        Some(self.u64()? as i64)
    }

    pub fn time(&mut self) -> Option<Time> {
        Some(Time { seconds: self.i64()?, nanoseconds: self.i64()? })
    }

    /// Up to a NUL, which is taken too.
    pub fn text(&mut self) -> Option<&'a [u8]> {
        let length = self.0.iter().position(|&byte| byte == 0)?;
        let text = self.take(length)?;
        self.take(1)?;
        Some(text)
    }
}
