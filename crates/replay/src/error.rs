//! What can go wrong around a native run.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub enum Error {
    /// The program could not be started.
    Start(PathBuf, io::Error),
    /// A file or system call of ours failed.
    Io(PathBuf, io::Error),
    /// A file of the test would lie outside the scratch directory.
    Outside(PathBuf),
    /// An argument or variable has a NUL inside.
    Nul(Vec<u8>),
    /// The flag went up before the program ended.
    Interrupted,
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
        |error| Error::Io(path.into(), error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Start(path, error) => write!(f, "cannot run {}: {error}", path.display()),
            Error::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Error::Outside(path) => write!(
                f,
                "the test's file {} lies outside the working directory; it is not written",
                path.display()
            ),
            Error::Interrupted => f.write_str("the program was not left to run to its end"),
            Error::Nul(text) => {
                write!(f, "{:?} cannot be passed to a program", String::from_utf8_lossy(text))
            }
        }
    }
}

impl std::error::Error for Error {}
