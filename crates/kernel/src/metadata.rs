//! Symbolic metadata of a file: the fields of a `stat` that can be symbolic, and what holds of them.

use std::ops::Range;

use fathom_expr::{ExprId, InputId, Pool};

use crate::symbols::Symbols;

/// Bytes of a `stat`, and of the input that stands for one.
const STAT_SIZE: u32 = 144;

/// Symbolic bytes in a row.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// Where they are in a `stat`, and in a `statx`.
    stat: u64,
    statx: u64,
    length: u64,
}

const fn part(stat: u64, statx: u64, length: u64) -> Part {
    Part { stat, statx, length }
}

/// Something a program can set of a file's metadata. The high bytes of large numbers are not
/// symbolic but 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field(&'static [Part]);

pub(crate) const NLINK: Field = Field(&[part(16, 16, 1)]);
pub(crate) const MODE: Field = Field(&[part(24, 28, 2)]);
pub(crate) const UID: Field = Field(&[part(28, 20, 4)]);
pub(crate) const GID: Field = Field(&[part(32, 24, 4)]);
const BLOCK_SIZE: Field = Field(&[part(56, 4, 2)]);
/// Seconds and nanoseconds.
pub(crate) const ATIME: Field = Field(&[part(72, 64, 4), part(80, 72, 4)]);
pub(crate) const MTIME: Field = Field(&[part(88, 112, 4), part(96, 120, 4)]);
pub(crate) const CTIME: Field = Field(&[part(104, 96, 4), part(112, 104, 4)]);

/// In the order of a `stat`.
const FIELDS: [Field; 8] = [NLINK, MODE, UID, GID, BLOCK_SIZE, ATIME, MTIME, CTIME];

impl Field {
    /// The bytes of a `stat` it covers.
    pub fn in_stat(&self) -> impl Iterator<Item = Range<u64>> + use<> {
        self.0.iter().map(|part| part.stat..part.stat + part.length)
    }
}

/// The symbolic bytes of a `statx` that says what a `stat` with `symbols` does.
pub(crate) fn in_statx(symbols: &Symbols) -> Symbols {
    let mut moved = Symbols::default();
    for part in FIELDS.iter().flat_map(|field| field.0) {
        moved.copy(part.statx, symbols, part.stat, part.length);
    }
    moved
}

/// The bytes of a `stat` that come from the input `name`, laid out like one.
pub(crate) fn symbolic_stat(pool: &mut Pool, name: &str) -> Symbols {
    let input = pool.input(name, STAT_SIZE);
    let offsets = FIELDS.iter().flat_map(Field::in_stat).flatten();
    offsets.map(|offset| (offset, pool.byte(input, offset as u32))).collect()
}

/// What holds of the metadata of a regular file: the type, a link, times and ids that exist, a
/// block size the C library can use. `open` decides by the kernel's own idea of the owner and
/// mode, so all may read and write unless the program may do so anyway.
pub(crate) fn assumptions(pool: &mut Pool, name: &str, privileged: bool) -> Vec<ExprId> {
    let input = pool.input(name, STAT_SIZE);
    let mut holds = Vec::new();
    let mode = number(pool, input, &MODE.0[0]);
    holds.push(masked(pool, mode, libc::S_IFMT, libc::S_IFREG));
    if !privileged {
        holds.push(masked(pool, mode, 0o666, 0o666));
    }
    let block_size = number(pool, input, &BLOCK_SIZE.0[0]);
    holds.push(masked(pool, block_size, 511, 0));
    let links = number(pool, input, &NLINK.0[0]);
    for (number, width, forbidden) in [(block_size, 16, 0), (links, 8, 0)] {
        let forbidden = pool.constant(width, forbidden);
        holds.push(pool.ne(number, forbidden));
    }
    for field in [UID, GID] {
        let id = number(pool, input, &field.0[0]);
        let nobody = pool.constant(32, u32::MAX.into());
        holds.push(pool.ne(id, nobody));
    }
    for field in [ATIME, MTIME, CTIME] {
        let nanoseconds = number(pool, input, &field.0[1]);
        let second = pool.constant(32, 1_000_000_000);
        holds.push(pool.ult(nanoseconds, second));
    }
    holds
}

/// The little-endian number in a part of the input.
fn number(pool: &mut Pool, input: InputId, part: &Part) -> ExprId {
    let mut number = pool.byte(input, part.stat as u32);
    for offset in part.stat + 1..part.stat + part.length {
        let byte = pool.byte(input, offset as u32);
        number = pool.concat(byte, number);
    }
    number
}

/// Whether the bits of `mask` in a number of 16 bits are `bits`.
fn masked(pool: &mut Pool, number: ExprId, mask: u32, bits: u32) -> ExprId {
    let (mask, bits) = (pool.constant(16, mask.into()), pool.constant(16, bits.into()));
    let kept = pool.and(number, mask);
    pool.eq(kept, bits)
}
