//! Taking over the tests of another pack, most of them without decoding them.

use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom};
use std::path::Path;

use super::PackWriter;
use super::frame::{Frames, HEADER};
use super::record::{Item, Parts, Tables};
use super::writer::Numbers;
use crate::{Error, Result, TestCase};

/// What becomes of a test of the other pack.
pub enum Taken {
    /// It has this number now.
    Number(u64),
    /// It covers new code or shows a bug, or cannot be taken over as it is.
    Special(Box<TestCase>),
}

/// Takes over the tests of the pack at `path`; `taken` hears of each, in order.
pub fn take_over(
    writer: &mut PackWriter,
    path: &Path,
    mut taken: impl FnMut(Taken, &mut PackWriter) -> Result<()>,
) -> Result<()> {
    let mut file = File::open(path).map_err(Error::read(path))?;
    let len = file.metadata().map_err(Error::read(path))?.len();
    let start = HEADER.len() as u64;
    if len < start {
        return Ok(());
    }
    file.seek(SeekFrom::Start(start)).map_err(Error::read(path))?;
    let mut frames = Frames::new(BufReader::with_capacity(1 << 20, file), start, len);
    let (mut tables, mut numbers) = (Tables::default(), Numbers::default());
    while let Some((at, body)) = frames.next().map_err(Error::read(path))? {
        let unknown = || Error::format(path, format!("the record at byte {at} is none"));
        match tables.take(body).ok_or_else(unknown)? {
            Item::Definition => continue,
            Item::Test => {}
        }
        let parts = Parts::take(body).ok_or_else(unknown)?;
        let is_bug = tables.outcomes.get(parts.outcome).is_some_and(|outcome| outcome.is_bug());
        let number = match parts.is_new_coverage() || is_bug {
            true => None,
            false => writer.append_parts(&parts, &tables, &mut numbers)?,
        };
        let what = match number {
            Some(number) => Taken::Number(number),
            None => Taken::Special(Box::new(tables.test(body).ok_or_else(unknown)?)),
        };
        taken(what, writer)?;
    }
    Ok(())
}
