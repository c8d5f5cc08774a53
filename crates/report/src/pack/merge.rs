//! Taking over the tests of another pack, without decoding those that show nothing new.

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
    /// It covers new code or shows a bug.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{InputKind, InputValue, Outcome};

    fn test(bytes: &[u8], stdout: Option<&[u8]>) -> TestCase {
        let stdin =
            InputValue { name: "stdin".into(), kind: InputKind::Stdin, bytes: bytes.to_vec() };
        TestCase {
            argv: vec![b"prog".to_vec()],
            inputs: vec![stdin],
            outcome: Outcome::Exit { status: bytes.len() as i32 },
            stdout: stdout.map(<[u8]>::to_vec),
            ..TestCase::default()
        }
    }

    /// The first sizes of an input differ, so those of most tests have to be written out.
    #[test]
    fn tests_are_the_same_in_another_pack() {
        let dir = std::env::temp_dir().join(format!("fathom-take-over-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let (own, other) = (dir.join("own.pack"), dir.join("other.pack"));
        let theirs = [
            test(b"ab", None),
            test(b"c", Some(b"printed")),
            test(b"de", Some(b"")),
            test(b"f", None),
        ];
        let mut writer = PackWriter::create(&other).unwrap();
        for test in &theirs {
            writer.append(test).unwrap();
        }
        writer.flush().unwrap();
        let mut writer = PackWriter::create(&own).unwrap();
        writer.append(&test(b"z", None)).unwrap();
        let mut numbers = Vec::new();
        take_over(&mut writer, &other, |taken, _| {
            let Taken::Number(number) = taken else { panic!("nothing is special about them") };
            numbers.push(number);
            Ok(())
        })
        .unwrap();
        writer.flush().unwrap();
        assert_eq!(numbers, [2, 3, 4, 5]);
        let pack = crate::Pack::open(&own).unwrap();
        for (number, mut expected) in (2..).zip(theirs) {
            expected.path = number - 1;
            expected.settle();
            assert_eq!(pack.get(number).unwrap(), expected);
        }
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
