//! What can go wrong around the compiler, one clear line each.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub enum Error {
    /// The file does not exist.
    NotFound(PathBuf),
    /// The file may not be read.
    NoPermission(PathBuf),
    /// The file is something else than an ELF file; the second field says what it looks like.
    NotElf(PathBuf, &'static str),
    /// The file is a 32-bit ELF file.
    Is32Bit(PathBuf),
    /// The ELF file ends before what its headers promise.
    Truncated(PathBuf),
    /// A sound 64-bit ELF file without attached bitcode, and why.
    NoBitcode(PathBuf, &'static str),
    /// The attached bitcode is not what was attached.
    Damaged(PathBuf),
    /// The attached bitcode has no checksum: a version of ours from before it had made it.
    Unsealed(PathBuf),
    /// A section of ours is there but does not read as what it should be.
    BadSection(PathBuf, String),
    /// Any other failure of the operating system on this file.
    Io(PathBuf, io::Error),
    /// `./x setup` did not run: the sysroot lacks this file.
    NoSysroot(PathBuf),
    /// An LLVM tool is not installed.
    NoTool(String),
    /// The request is understood and not supported.
    Refused(String),
    /// Native code was made but its bitcode was not.
    Bitcode(String),
    /// A tool ended with this status and has printed why.
    Status(i32),
    /// A signal arrived.
    Interrupted(i32),
}

impl Error {
    /// Wraps an I/O error on `path`, keeping the two common cases apart.
    pub(crate) fn io(path: &Path, error: io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::NotFound => Error::NotFound(path.into()),
            io::ErrorKind::PermissionDenied => Error::NoPermission(path.into()),
            _ => Error::Io(path.into(), error),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotFound(path) => write!(f, "{}: no such file", path.display()),
            Error::NoPermission(path) => write!(f, "{}: permission denied", path.display()),
            Error::NotElf(path, looks) => {
                write!(f, "{}: not an ELF executable ({looks})", path.display())
            }
            Error::Is32Bit(path) => {
                write!(f, "{} is a 32-bit object; only x86-64 is supported", path.display())
            }
            Error::Truncated(path) => write!(f, "{}: truncated ELF file", path.display()),
            Error::NoBitcode(path, reason) => {
                write!(
                    f,
                    "{}: no bitcode attached: {reason}; rebuild it with fathom-cc",
                    path.display()
                )
            }
            Error::Damaged(path) => write!(
                f,
                "{}: truncated or corrupt: the attached bitcode does not match its checksum",
                path.display()
            ),
            Error::Unsealed(path) => write!(
                f,
                "{}: made by an older fathom-cc; rebuild it with this one",
                path.display()
            ),
            Error::BadSection(path, what) => write!(f, "{}: {what}", path.display()),
            Error::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Error::NoSysroot(path) => {
                write!(
                    f,
                    "the C library is not set up ({} is missing); run ./x setup",
                    path.display()
                )
            }
            Error::NoTool(name) => write!(f, "{name} was not found; run ./x setup"),
            Error::Refused(what) | Error::Bitcode(what) => f.write_str(what),
            Error::Status(status) => write!(f, "the compiler ended with status {status}"),
            Error::Interrupted(signal) => write!(f, "interrupted by signal {signal}"),
        }
    }
}

impl std::error::Error for Error {}
