//! What can go wrong with files, each with the path and what to do about it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A failure of the world around us; its text is one sentence with the path in it.
#[derive(Debug)]
pub enum Error {
    /// A file or directory could not be written.
    Write { path: PathBuf, source: io::Error },
    /// A file or directory could not be read.
    Read { path: PathBuf, source: io::Error },
    /// The output directory of a run is already in use.
    InUse { path: PathBuf },
    /// A file was read but is not what it should be.
    Format { path: PathBuf, what: String },
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
        move |source| Error::Write { path: path.into(), source }
    }

    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
        move |source| Error::Read { path: path.into(), source }
    }

    pub(crate) fn format(path: &Path, what: impl Into<String>) -> Error {
        Error::Format { path: path.into(), what: what.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Write { path, source } => {
                write!(f, "cannot write {}: {source}; {}", path.display(), write_advice(source))
            }
            Error::Read { path, source } => write!(f, "cannot read {}: {source}", path.display()),
            Error::InUse { path } => {
                write!(
                    f,
                    "the output directory {} exists and is not empty; name another with --out DIR, \
                     or remove it",
                    path.display()
                )
            }
            Error::Format { path, what } => write!(f, "{}: {what}", path.display()),
        }
    }
}

/// What the user can do about a failed write.
fn write_advice(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space, or write elsewhere with --out DIR"
        }
        io::ErrorKind::FileTooLarge => {
            "raise the file size limit (`ulimit -f`), or write elsewhere with --out DIR"
        }
        _ => "name a writable place with --out DIR",
    }
}

// The cause is part of the text, so there is no `source` that a caller would print again.
impl std::error::Error for Error {}
