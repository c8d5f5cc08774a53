//! Appending to `tree.bin`: buffered, in frames of whole records.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::TreeEnd;
use super::log::{HEADER, Record, put};
use crate::pack::frame::put_frame;
use crate::{Error, Result};

/// Flushed by itself when this much waits.
const BUFFER: usize = 1 << 16;

/// Writes down what happens to states. A failed write is told by the next
/// [`flush`](TreeWriter::flush).
pub struct TreeWriter {
    path: PathBuf,
    file: File,
    /// Records not yet written.
    waiting: Vec<u8>,
    texts: HashMap<String, u32>,
    sites: HashMap<(u32, u32, u32), u32>,
    failed: Option<io::Error>,
}

impl TreeWriter {
    /// Starts `tree.bin` in `dir`.
    pub fn create(dir: &Path) -> Result<TreeWriter> {
        let path = dir.join("tree.bin");
        let mut file = File::create_new(&path).map_err(Error::write(&path))?;
        file.write_all(&HEADER).map_err(Error::write(&path))?;
        Ok(TreeWriter {
            path,
            file,
            waiting: Vec::with_capacity(BUFFER + 4096),
            texts: HashMap::new(),
            sites: HashMap::new(),
            failed: None,
        })
    }

    /// The number of a place, for [`fork`](TreeWriter::fork).
    pub fn site(&mut self, function: &str, file: &str, line: u32) -> u32 {
        let function = self.text(function);
        let file = self.text(file);
        let next = self.sites.len() as u32;
        let number = *self.sites.entry((function, file, line)).or_insert(next);
        if number == next {
            self.append(&Record::Site { function, file, line });
        }
        number
    }

    fn text(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.texts.get(text) {
            return number;
        }
        let number = self.texts.len() as u32;
        self.texts.insert(text.to_owned(), number);
        self.append(&Record::Text(text.to_owned()));
        number
    }

    /// `child` came into being as a copy of `parent`, at `site`.
    pub fn fork(&mut self, parent: u32, child: u32, site: u32) {
        self.append(&Record::Fork { parent, child, site });
    }

    /// A bug was found on the way of a state that goes on; `test` shows it.
    pub fn bug(&mut self, state: u32, test: u64) {
        self.append(&Record::Bug { state, test });
    }

    /// A state ended; `test` is its test case, 0 for none.
    pub fn end(&mut self, state: u32, how: TreeEnd, test: u64) {
        self.append(&Record::End { state, how, test });
    }

    fn append(&mut self, record: &Record) {
        put(&mut self.waiting, record);
        if self.waiting.len() >= BUFFER {
            self.write();
        }
    }

    /// Hands what waits to the operating system, as one frame.
    fn write(&mut self) {
        if self.waiting.is_empty() || self.failed.is_some() {
            return;
        }
        let mut frame = Vec::with_capacity(self.waiting.len() + 16);
        put_frame(&mut frame, &self.waiting);
        self.waiting.clear();
        self.failed = self.file.write_all(&frame).err();
    }

    /// Everything appended so far survives the death of this process once this has returned.
    pub fn flush(&mut self) -> Result<()> {
        self.write();
        match self.failed.take() {
            Some(error) => {
                self.failed = Some(io::Error::other("an earlier write to it failed"));
                Err(Error::write(&self.path)(error))
            }
            None => Ok(()),
        }
    }
}

impl Drop for TreeWriter {
    fn drop(&mut self) {
        self.write();
    }
}
