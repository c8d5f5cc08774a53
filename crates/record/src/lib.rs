//! Reads what native programs recorded of themselves.
//!
//! A program linked by `fathom-cc` and started with `FATHOM_RECORD=DIR` writes one file per process
//! into DIR (`runtime/native/record.c`); `docs/FORMATS.md` describes it.

mod error;
mod frames;
mod materialise;
mod read;
mod stat;

use std::path::PathBuf;
use std::time::Duration;

pub use error::Error;
pub use read::{files, read_all};
pub use stat::{Stat, Time};

/// What one process was given, what it learned, and what it said.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The name of its file without `.rec`.
    pub id: String,
    /// The executable, and a copy of it as it was.
    pub program: PathBuf,
    pub image: Option<PathBuf>,
    pub argv: Vec<Vec<u8>>,
    /// As the program saw it, each `NAME=value`.
    pub env: Vec<Vec<u8>>,
    pub cwd: PathBuf,
    pub umask: u32,
    /// Which of the first 31 signals were ignored, the lowest bit for number 1.
    pub ignored: u32,
    pub pid: u32,
    pub parent: u32,
    pub user: User,
    /// When it started, since 1970.
    pub start: Duration,
    /// Soft and hard limits, by the numbers of `RLIMIT_*`.
    pub limits: Vec<(u64, u64)>,
    /// What was open at the start, by number.
    pub descriptors: Vec<Descriptor>,
    /// What the program found at paths, each once and as it was before the program changed it, in
    /// the order of the first looks.
    pub facts: Vec<Fact>,
    /// Every opening of what is no regular file and no directory, and every pipe that it made, with
    /// the bytes read from it.
    pub streams: Vec<Stream>,
    /// In order.
    pub answers: Vec<Answer>,
    /// The processes that it made and that are known, in order.
    pub children: Vec<u32>,
    /// What was written to standard output and standard error.
    pub output: [Output; 2],
    pub end: End,
    /// Other programs that it tried to become, as it named them. Where it has no end of its own, the
    /// last one may have become of it.
    pub executed: Vec<Vec<u8>>,
    /// What is missing or worth knowing, in sentences.
    pub notes: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct User {
    pub uid: u32,
    pub euid: u32,
    pub gid: u32,
    pub egid: u32,
}

/// A descriptor that was open at the start.
#[derive(Clone, Debug)]
pub struct Descriptor {
    pub fd: i32,
    /// Those of `F_GETFL`.
    pub flags: i32,
    pub cloexec: bool,
    /// The kernel's name for it, such as `/dev/pts/0` or `pipe:[4711]`.
    pub path: Vec<u8>,
    pub stat: Stat,
    pub source: Source,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A regular file: a copy of its contents at the start, and where reading began.
    File { contents: PathBuf, offset: u64 },
    /// All that the program read from it, and after how many bytes a read ended that had room for
    /// more. Descriptors of one pipe have the same bytes.
    Stream { bytes: Vec<u8>, ends: Vec<u64> },
    /// Nothing can be read from it, or nothing but what every machine gives.
    Nothing,
}

/// What stood at an absolute path when the program first asked.
#[derive(Clone, Debug)]
pub struct Fact {
    pub path: PathBuf,
    /// Without following a link, or the error's number.
    pub found: Result<Found, i32>,
}

#[derive(Clone, Debug)]
pub struct Found {
    pub stat: Stat,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A regular file: a copy, of its first 16 MiB if it is longer.
    Contents(PathBuf),
    /// What the program read from it: all openings of a pipe or terminal, the first of any other
    /// file.
    Stream(Vec<u8>),
    /// Names and types (`DT_*`) in a directory, without `.` and `..`, as far as they were read.
    Entries(Vec<(Vec<u8>, u8)>),
    /// Where a symbolic link leads.
    Target(Vec<u8>),
    /// The program did not ask.
    Unknown,
}

impl Recording {
    /// What was read from random devices, in the order in which they were opened.
    pub fn random(&self) -> Vec<u8> {
        let random = self.streams.iter().filter(|stream| stream.is_random());
        random.flat_map(|stream| &stream.bytes).copied().collect()
    }

    /// What was read from each pipe that the program made, in order.
    pub fn pipes(&self) -> impl Iterator<Item = &[u8]> {
        let own = self.streams.iter().filter(|stream| stream.path == b"pipe");
        own.map(|stream| stream.bytes.as_slice())
    }
}

/// One opening of a stream. Sockets have the path `socket`, pipes of the program's own `pipe`.
#[derive(Clone, Debug)]
pub struct Stream {
    pub path: Vec<u8>,
    pub bytes: Vec<u8>,
    /// After how many bytes a read ended that had room for more.
    pub ends: Vec<u64>,
}

impl Stream {
    pub fn is_random(&self) -> bool {
        matches!(&self.path[..], b"/dev/random" | b"/dev/urandom")
    }
}

/// A system call whose answer depends on the moment or the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub number: u64,
    pub args: [u64; 3],
    pub result: i64,
    /// What the kernel put into the caller's memory.
    pub bytes: Vec<u8>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Output {
    /// The first of them, up to 1 MiB; none of what the kernel copied from file to file.
    pub bytes: Vec<u8>,
    pub total: u64,
    /// After these bytes, the program was told that nobody reads any more.
    pub is_broken: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    Exit(i32),
    /// It was killed, executed another program, or still runs.
    None,
}
