//! Appending to `tree.bin`: buffered, in frames of whole records.
//!
//! A frame ends when it has some size, and not when somebody wants it on disk: the file is the same
//! whenever that is. A process that is killed loses the frame that it had begun.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::TreeEnd;
use super::log::{HEADER, Log, Record, put};
use crate::pack::frame::put_frame;
use crate::{Error, Result};

/// Bytes of records in a frame.
const FRAME: usize = 1 << 10;
/// Flushed by itself when this much waits.
const BUFFER: usize = 1 << 16;

/// Writes down what happens to states. A failed write is told by the next
/// [`flush`](TreeWriter::flush).
pub struct TreeWriter {
    path: PathBuf,
    file: File,
    /// Whole frames not yet written.
    waiting: Vec<u8>,
    /// The records of the next frame.
    body: Vec<u8>,
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
        Ok(TreeWriter::new(path, file))
    }

    /// Goes on with the first `len` bytes of the `tree.bin` in `dir`. What a killed process wrote
    /// after them is cut off.
    pub fn reopen(dir: &Path, len: u64) -> Result<TreeWriter> {
        let path = dir.join("tree.bin");
        let file = File::options().append(true).open(&path).map_err(Error::write(&path))?;
        if file.metadata().map_err(Error::read(&path))?.len() < len {
            return Err(Error::format(&path, "its end is missing"));
        }
        file.set_len(len).map_err(Error::write(&path))?;
        let mut log = Log::open(&path)?;
        let mut writer = TreeWriter::new(path.clone(), file);
        while let Some(record) = log.next()? {
            match record {
                Record::Text(text) => {
                    let number = writer.texts.len() as u32;
                    writer.texts.insert(text, number);
                }
                Record::Site { function, file, line } => {
                    let number = writer.sites.len() as u32;
                    writer.sites.insert((function, file, line), number);
                }
                Record::Fork { .. } | Record::Bug { .. } | Record::End { .. } => {}
            }
        }
        if log.end() < len {
            let what = format!("the frame at byte {} is damaged", log.end());
            return Err(Error::format(&path, what));
        }
        Ok(writer)
    }

    fn new(path: PathBuf, file: File) -> TreeWriter {
        TreeWriter {
            path,
            file,
            waiting: Vec::with_capacity(BUFFER + 2 * FRAME),
            body: Vec::with_capacity(2 * FRAME),
            texts: HashMap::new(),
            sites: HashMap::new(),
            failed: None,
        }
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
        put(&mut self.body, record);
        if self.body.len() >= FRAME {
            self.end_frame();
        }
        if self.waiting.len() >= BUFFER {
            self.write();
        }
    }

    fn end_frame(&mut self) {
        if !self.body.is_empty() {
            put_frame(&mut self.waiting, &self.body);
            self.body.clear();
        }
    }

    /// Hands whole frames to the operating system.
    fn write(&mut self) {
        if self.failed.is_none() {
            self.failed = self.file.write_all(&self.waiting).err();
        }
        self.waiting.clear();
    }

    /// All but the last records survive the death of this process once this has returned.
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

    /// Everything appended is in the file when this returns: the tree is complete. Returns the
    /// file's length.
    pub fn finish(&mut self) -> Result<u64> {
        self.end_frame();
        self.flush()?;
        let metadata = self.file.metadata().map_err(Error::read(&self.path))?;
        Ok(metadata.len())
    }
}

impl Drop for TreeWriter {
    fn drop(&mut self) {
        self.end_frame();
        self.write();
    }
}
