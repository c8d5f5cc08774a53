//! Reading a pack, also one that is still being written or was cut short.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::frame::{Frames, HEADER};
use super::record::{Item, Tables};
use crate::{Error, Result, TestCase};

/// A pack and where its tests are.
pub struct Pack {
    path: PathBuf,
    file: File,
    tables: Tables,
    /// Where each test's frame body starts, and its length.
    tests: Vec<(u64, u32)>,
    end: u64,
    torn: u64,
}

impl Pack {
    /// Reads what is there now; a frame cut short at the end is left out.
    pub fn open(path: &Path) -> Result<Pack> {
        let file = File::open(path).map_err(Error::read(path))?;
        Pack::scan(path, file)
    }

    pub(super) fn scan(path: &Path, mut file: File) -> Result<Pack> {
        let len = file.metadata().map_err(Error::read(path))?.len();
        let mut header = Vec::new();
        file.by_ref()
            .take(HEADER.len() as u64)
            .read_to_end(&mut header)
            .map_err(Error::read(path))?;
        check_header(path, &header)?;
        let mut pack = Pack {
            path: path.into(),
            file,
            tables: Tables::default(),
            tests: Vec::new(),
            end: header.len() as u64,
            torn: 0,
        };
        if header.len() == HEADER.len() {
            pack.scan_frames(len)?;
        } else {
            // The process died before its first words were out.
            (pack.end, pack.torn) = (0, len);
        }
        Ok(pack)
    }

    fn scan_frames(&mut self, len: u64) -> Result<()> {
        self.file.seek(SeekFrom::Start(self.end)).map_err(Error::read(&self.path))?;
        let mut frames = Frames::new(BufReader::with_capacity(1 << 20, &self.file), self.end, len);
        while let Some((at, body)) = frames.next().map_err(Error::read(&self.path))? {
            match self.tables.take(body) {
                Some(Item::Definition) => {}
                Some(Item::Test) => self.tests.push((at, body.len() as u32)),
                None => return Err(unknown(&self.path, at)),
            }
        }
        (self.end, self.torn) = (frames.end, frames.torn());
        Ok(())
    }

    /// How many tests there are.
    pub fn len(&self) -> u64 {
        self.tests.len() as u64
    }

    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    /// Bytes at the end that are not a whole record: what a killed run was about to write.
    pub fn torn(&self) -> u64 {
        self.torn
    }

    /// Test `number`, counted from 1.
    pub fn get(&self, number: u64) -> Result<TestCase> {
        let place = number.checked_sub(1).and_then(|at| self.tests.get(at as usize));
        let Some(&(at, len)) = place else {
            let what = match self.len() {
                0 => "there are no tests in it".to_string(),
                n => format!("there is no test {number}; it has tests 1 to {n}"),
            };
            return Err(Error::format(&self.path, what));
        };
        let mut body = vec![0; len as usize];
        self.file.read_exact_at(&mut body, at).map_err(Error::read(&self.path))?;
        self.tables.test(&body).ok_or_else(|| unknown(&self.path, at))
    }

    /// All tests, in order.
    pub fn iter(&self) -> impl Iterator<Item = Result<TestCase>> + '_ {
        (1..=self.len()).map(|number| self.get(number))
    }

    /// Where the first `n_tests` tests end.
    pub(super) fn end_of(&self, n_tests: u64) -> u64 {
        match n_tests.checked_sub(1) {
            None => (HEADER.len() as u64).min(self.end),
            Some(last) => {
                self.tests.get(last as usize).map_or(self.end, |&(at, len)| at + u64::from(len))
            }
        }
    }

    pub(super) fn into_parts(self) -> (File, Tables, u64, u64) {
        let n_tests = self.len();
        (self.file, self.tables, n_tests, self.end)
    }
}

/// A header may be cut short, but what there is of it must be right.
fn check_header(path: &Path, header: &[u8]) -> Result<()> {
    let name = &HEADER[..HEADER.len() - 1];
    if HEADER.starts_with(header) {
        return Ok(());
    }
    match header.starts_with(name) {
        true => Err(Error::format(
            path,
            format!("a pack of format {}, but this fathom reads format {}", header[7], HEADER[7]),
        )),
        false => Err(Error::format(path, "not a pack of test cases (tests.pack)")),
    }
}

fn unknown(path: &Path, at: u64) -> Error {
    Error::format(path, format!("the record at byte {at} is none that this fathom knows"))
}
