//! The records of `tree.bin`.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use crate::codec::{Decoder, put_bytes, put_number};
use crate::pack::frame::Frames;
use crate::{Error, Outcome, Result};

/// What the file starts with: a name and the format's version.
pub const HEADER: [u8; 8] = *b"FTHTREE\x01";

/// How a path ended, as far as a picture of the tree needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TreeEnd {
    /// Exit status 0.
    Success,
    /// Another exit status.
    Failure,
    /// Killed by a signal.
    Killed,
    Bug,
    /// Something that is not supported.
    Unsupported,
    /// A limit of the run.
    Limit,
    /// An assumption that cannot hold, or a bug that was known before.
    Dropped,
    /// There is no such path: the condition that it waited for cannot hold.
    Impossible,
}

impl TreeEnd {
    pub const ALL: [Self; 8] = [
        Self::Success,
        Self::Failure,
        Self::Killed,
        Self::Bug,
        Self::Unsupported,
        Self::Limit,
        Self::Dropped,
        Self::Impossible,
    ];
}

impl From<&Outcome> for TreeEnd {
    fn from(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Exit { status: 0 } => Self::Success,
            Outcome::Exit { .. } => Self::Failure,
            Outcome::Signal { .. } => Self::Killed,
            Outcome::Bug(_) => Self::Bug,
            Outcome::Unsupported { .. } => Self::Unsupported,
            Outcome::Limit { .. } => Self::Limit,
            Outcome::Assumption { .. } | Outcome::Unknown => Self::Dropped,
        }
    }
}

/// One record. States, strings and sites are numbers; a test of 0 is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// The next string.
    Text(String),
    /// The next site: function and file are strings.
    Site {
        function: u32,
        file: u32,
        line: u32,
    },
    Fork {
        parent: u32,
        child: u32,
        site: u32,
    },
    /// A bug on a path that goes on where it does not happen.
    Bug {
        state: u32,
        test: u64,
    },
    End {
        state: u32,
        how: TreeEnd,
        test: u64,
    },
}

const TEXT: u8 = 0;
const SITE: u8 = 1;
const FORK: u8 = 2;
const BUG: u8 = 3;
/// The first of the ends.
const END: u8 = 4;

/// Appends `record`. A child is written as its distance from its parent: states are numbered in
/// order, so that is small where both are young.
pub fn put(out: &mut Vec<u8>, record: &Record) {
    match record {
        Record::Text(text) => {
            out.push(TEXT);
            put_bytes(out, text.as_bytes());
        }
        Record::Site { function, file, line } => {
            out.push(SITE);
            for number in [function, file, line] {
                put_number(out, u64::from(*number));
            }
        }
        Record::Fork { parent, child, site } => {
            out.push(FORK);
            put_number(out, u64::from(*parent));
            put_number(out, u64::from(child.wrapping_sub(*parent)));
            put_number(out, u64::from(*site));
        }
        Record::Bug { state, test } => {
            out.push(BUG);
            put_number(out, u64::from(*state));
            put_number(out, *test);
        }
        Record::End { state, how, test } => {
            out.push(END + *how as u8);
            put_number(out, u64::from(*state));
            put_number(out, *test);
        }
    }
}

/// Takes the next record; `None` where the bytes are not one.
fn take(from: &mut Decoder<'_>) -> Option<Record> {
    Some(match from.byte()? {
        TEXT => Record::Text(from.text()?),
        SITE => Record::Site { function: from.small()?, file: from.small()?, line: from.small()? },
        FORK => {
            let parent = from.small()?;
            Record::Fork { parent, child: parent.wrapping_add(from.small()?), site: from.small()? }
        }
        BUG => Record::Bug { state: from.small()?, test: from.number()? },
        end => {
            let how = *TreeEnd::ALL.get(usize::from(end - END))?;
            Record::End { state: from.small()?, how, test: from.number()? }
        }
    })
}

/// The records of a file, one by one, also of one that is still being written or was cut short.
pub struct Log {
    path: PathBuf,
    frames: Frames<BufReader<File>>,
    /// The frame that is being read: where it starts, and how far it has been read.
    start: u64,
    body: Vec<u8>,
    read: usize,
}

impl Log {
    pub fn open(path: &Path) -> Result<Log> {
        let mut file = File::open(path).map_err(Error::read(path))?;
        let len = file.metadata().map_err(Error::read(path))?.len();
        let mut header = Vec::new();
        let start = HEADER.len() as u64;
        file.by_ref().take(start).read_to_end(&mut header).map_err(Error::read(path))?;
        if !HEADER.starts_with(&header) {
            return Err(Error::format(path, "not an execution tree that this fathom can read"));
        }
        let frames = Frames::new(BufReader::with_capacity(1 << 18, file), start.min(len), len);
        Ok(Log { path: path.into(), frames, start: 0, body: Vec::new(), read: 0 })
    }

    pub fn next(&mut self) -> Result<Option<Record>> {
        if self.read == self.body.len() {
            let frame = self.frames.next().map_err(Error::read(&self.path))?;
            let Some((start, body)) = frame else { return Ok(None) };
            (self.start, self.read) = (start, 0);
            body.clone_into(&mut self.body);
        }
        let mut rest = Decoder(&self.body[self.read..]);
        let record = take(&mut rest);
        self.read = self.body.len() - rest.0.len();
        record.map(Some).ok_or_else(|| self.unknown())
    }

    /// There is something in this frame that cannot be.
    pub fn unknown(&self) -> Error {
        let what = format!("the frame at byte {} has a record that is none", self.start);
        Error::format(&self.path, what)
    }

    /// Where the last whole frame ends, once all were read.
    pub fn end(&self) -> u64 {
        self.frames.end
    }

    /// Bytes after it.
    pub fn torn(&self) -> u64 {
        self.frames.torn()
    }
}
