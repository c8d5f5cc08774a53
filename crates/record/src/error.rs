//! Why a recording cannot be used.

use std::fmt;
use std::path::PathBuf;

#[derive(Debug)]
pub enum Error {
    /// A file could not be read or made.
    Io { path: PathBuf, error: std::io::Error },
    /// The file is of another kind.
    NotARecording(PathBuf),
    /// The process ended, or had no room, before its start was written down.
    Incomplete(PathBuf),
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io { path, error } => write!(out, "{}: {error}", path.display()),
            Error::NotARecording(path) => write!(out, "{}: not a recording", path.display()),
            Error::Incomplete(path) => {
                write!(out, "{}: the recording ends before the program's start", path.display())
            }
        }
    }
}

impl std::error::Error for Error {}

/// Says which file an error is about.
pub(crate) fn at(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Error {
    move |error| Error::Io { path: path.into(), error }
}
