//! Appending to a pack: buffered, in whole records.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::Pack;
use super::frame::{HEADER, put_frame};
use super::record::{Parts, Schema, Shape, Tables, put_outcome, put_test};
use crate::{Error, Outcome, Result, TestCase};

/// Flushed by itself when this much waits.
const BUFFER: usize = 1 << 18;

/// Writes tests one after the other. A test is on disk (that is, it survives the death of this
/// process) once [`flush`](PackWriter::flush) has returned.
pub struct PackWriter {
    path: PathBuf,
    file: File,
    waiting: Vec<u8>,
    body: Vec<u8>,
    schemas: Vec<Schema>,
    schema_numbers: HashMap<Shape, usize>,
    outcome_numbers: HashMap<Outcome, usize>,
    /// The schema of the last test: usually the next one's too.
    last_schema: usize,
    n_tests: u64,
    failed: bool,
}

impl PackWriter {
    /// Starts a new pack.
    pub fn create(path: &Path) -> Result<PackWriter> {
        let file = File::create_new(path).map_err(Error::write(path))?;
        let mut writer = PackWriter::new(path, file, Tables::default(), 0);
        writer.waiting.extend_from_slice(&HEADER);
        writer.flush()?;
        Ok(writer)
    }

    /// Goes on with a pack that exists. What a killed process left half written is cut off.
    pub fn reopen(path: &Path) -> Result<PackWriter> {
        let file = File::options().read(true).write(true).open(path).map_err(Error::write(path))?;
        let (mut file, tables, n_tests, end) = Pack::scan(path, file)?.into_parts();
        file.set_len(end).map_err(Error::write(path))?;
        file.seek(SeekFrom::Start(end)).map_err(Error::write(path))?;
        let mut writer = PackWriter::new(path, file, tables, n_tests);
        if end == 0 {
            writer.waiting.extend_from_slice(&HEADER);
            writer.flush()?;
        }
        Ok(writer)
    }

    /// The same, with only the first `n_tests` tests.
    pub fn reopen_with(path: &Path, n_tests: u64) -> Result<PackWriter> {
        let pack = Pack::open(path)?;
        if pack.len() < n_tests {
            let what = format!("only {} of {n_tests} tests are left in it", pack.len());
            return Err(Error::format(path, what));
        }
        let file = File::options().write(true).open(path).map_err(Error::write(path))?;
        file.set_len(pack.end_of(n_tests)).map_err(Error::write(path))?;
        PackWriter::reopen(path)
    }

    fn new(path: &Path, file: File, tables: Tables, n_tests: u64) -> PackWriter {
        let numbered = |schema: &Schema, number| (schema.shape.clone(), number);
        PackWriter {
            path: path.into(),
            file,
            waiting: Vec::with_capacity(BUFFER + 4096),
            body: Vec::new(),
            schema_numbers: std::iter::zip(&tables.schemas, 0..)
                .map(|(schema, number)| numbered(schema, number))
                .collect(),
            schemas: tables.schemas,
            outcome_numbers: std::iter::zip(tables.outcomes, 0..).collect(),
            last_schema: 0,
            n_tests,
            failed: false,
        }
    }

    /// Adds a test and returns its number, counted from 1.
    pub fn append(&mut self, test: &TestCase) -> Result<u64> {
        let outcome_number = self.outcome_number(&test.outcome);
        let schema_number = self.schema_number(test);
        self.body.clear();
        let schema = (schema_number, &self.schemas[schema_number]);
        put_test(&mut self.body, test, schema, outcome_number);
        self.end_test()
    }

    /// Appends a test of another pack without decoding it; nothing if that pack does not say what it
    /// refers to. `numbers` has the numbers here of the other pack's schemas and outcomes.
    pub(super) fn append_parts(
        &mut self,
        parts: &Parts<'_>,
        tables: &Tables,
        numbers: &mut Numbers,
    ) -> Result<Option<u64>> {
        while numbers.schemas.len() <= parts.schema {
            let theirs = tables.schemas.get(numbers.schemas.len());
            numbers.schemas.push(theirs.map(|schema| self.number_of(schema)));
        }
        while numbers.outcomes.len() <= parts.outcome {
            let theirs = tables.outcomes.get(numbers.outcomes.len()).cloned();
            numbers.outcomes.push(theirs.map(|outcome| self.outcome_number(&outcome)));
        }
        let (Some(schema), Some(outcome)) =
            (numbers.schemas[parts.schema], numbers.outcomes[parts.outcome])
        else {
            return Ok(None);
        };
        self.body.clear();
        let theirs = &tables.schemas[parts.schema].sizes;
        let sizes = (self.schemas[schema].sizes != *theirs).then_some(&theirs[..]);
        parts.put(&mut self.body, (schema, outcome), self.n_tests, sizes);
        self.end_test().map(Some)
    }

    fn end_test(&mut self) -> Result<u64> {
        put_frame(&mut self.waiting, &self.body);
        self.n_tests += 1;
        if self.waiting.len() >= BUFFER {
            self.flush()?;
        }
        Ok(self.n_tests)
    }

    fn schema_number(&mut self, test: &TestCase) -> usize {
        if self.schemas.get(self.last_schema).is_some_and(|schema| schema.shape.fits(test)) {
            return self.last_schema;
        }
        self.last_schema = self.number_of(&Schema::of(test));
        self.last_schema
    }

    /// The number of the schema with this shape.
    fn number_of(&mut self, schema: &Schema) -> usize {
        let known = self.schema_numbers.get(&schema.shape).copied();
        known.unwrap_or_else(|| {
            self.body.clear();
            schema.put(&mut self.body);
            put_frame(&mut self.waiting, &self.body);
            self.schema_numbers.insert(schema.shape.clone(), self.schemas.len());
            self.schemas.push(schema.clone());
            self.schemas.len() - 1
        })
    }

    fn outcome_number(&mut self, outcome: &Outcome) -> usize {
        if let Some(&number) = self.outcome_numbers.get(outcome) {
            return number;
        }
        let number = self.outcome_numbers.len();
        self.body.clear();
        put_outcome(&mut self.body, outcome);
        put_frame(&mut self.waiting, &self.body);
        self.outcome_numbers.insert(outcome.clone(), number);
        number
    }

    /// Hands everything appended to the operating system.
    ///
    /// After a failure the file ends with a record cut short, and every later call fails.
    pub fn flush(&mut self) -> Result<()> {
        let written = match self.failed {
            true => Err(io::Error::other("an earlier write to it failed")),
            false => self.file.write_all(&self.waiting),
        };
        self.failed = written.is_err();
        self.waiting.clear();
        written.map_err(Error::write(&self.path))
    }

    /// Flushes, and waits until the disk has it.
    pub fn sync(&mut self) -> Result<()> {
        self.flush()?;
        match self.file.sync_data() {
            // Not every kind of file can be synced; its bytes are where they belong all the same.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            synced => synced.map_err(Error::write(&self.path)),
        }
    }

    /// Tests appended, those of an earlier process included.
    pub fn len(&self) -> u64 {
        self.n_tests
    }

    pub fn is_empty(&self) -> bool {
        self.n_tests == 0
    }
}

/// The numbers here of another pack's definitions; none where it has no such definition.
#[derive(Default)]
pub(super) struct Numbers {
    schemas: Vec<Option<usize>>,
    outcomes: Vec<Option<usize>>,
}

impl Drop for PackWriter {
    fn drop(&mut self) {
        if !self.failed {
            let _ = self.flush();
        }
    }
}
