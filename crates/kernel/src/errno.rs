//! How a system call ends early.

use std::io;

use fathom_engine::outcome::{Fault, FaultKind};
use fathom_engine::system::Reply;

/// An error number of Linux.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Errno(pub i32);

impl Errno {
    /// That of the host's last call.
    pub fn last() -> Self {
        Self(io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO))
    }
}

impl From<io::Error> for Errno {
    fn from(error: io::Error) -> Self {
        Self(error.raw_os_error().unwrap_or(libc::EIO))
    }
}

/// Why a system call does not simply return a value.
#[derive(Debug)]
pub(crate) enum Early {
    Errno(i32),
    /// A pointer of the program leads nowhere.
    Fault(Fault),
    /// The program ends.
    Reply(Reply),
}

impl From<Errno> for Early {
    fn from(errno: Errno) -> Self {
        Self::Errno(errno.0)
    }
}

impl From<Fault> for Early {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Whether the engine settles what is symbolic and makes the call again.
pub(crate) fn is_repeated(fault: &Fault) -> bool {
    matches!(fault.kind, FaultKind::Symbolic | FaultKind::SymbolicSize)
}

/// What memory gives, if it does: for calls that do without.
pub(crate) fn if_there<T>(result: Result<T, Fault>) -> Result<Option<T>, Early> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(fault) if is_repeated(&fault) => Err(fault.into()),
        Err(_) => Ok(None),
    }
}

/// The result of a system call's function.
pub(crate) type Called = Result<i64, Early>;

/// The value of a host call that answers -1 on failure.
pub(crate) fn host(result: i64) -> Result<i64, Errno> {
    if result < 0 { Err(Errno::last()) } else { Ok(result) }
}
