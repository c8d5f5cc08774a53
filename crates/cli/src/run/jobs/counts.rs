//! What all processes of a run have done together, in memory that they share: limits are on that.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, RawFd};
use std::sync::atomic::AtomicU64;

use anyhow::{Context, Result};

/// The number of that memory's file in a worker.
pub const SHARED: RawFd = 4;

/// Counts from 0, in every part of a run.
pub struct Counts {
    pub all: &'static All,
    /// Workers get it.
    pub(super) file: Option<File>,
}

#[derive(Debug, Default)]
#[repr(C)]
pub struct All {
    pub instructions: AtomicU64,
    pub tests: AtomicU64,
}

impl Counts {
    /// Those of a run without workers.
    pub fn own() -> Counts {
        Counts { all: Box::leak(Box::default()), file: None }
    }

    /// Those of a run with workers, which begins.
    pub fn shared() -> Result<Counts> {
        // SAFETY: a name that ends in a NUL is all it takes.
        let fd = unsafe { libc::memfd_create(c"fathom".as_ptr(), libc::MFD_CLOEXEC) };
        let create = || {
            if fd < 0 {
                return Err(io::Error::last_os_error());
            }
            // SAFETY: nobody else has the new descriptor.
            let file = unsafe { File::from_raw_fd(fd) };
            file.set_len(size_of::<All>() as u64)?;
            Ok(Counts { all: map(&file)?, file: Some(file) })
        };
        create().context("memory that processes share")
    }

    /// Those of the run that this process is a worker of.
    pub fn of_crew() -> Result<Counts> {
        // SAFETY: whoever starts a worker gives it a file with this number.
        let file = unsafe { File::from_raw_fd(SHARED) };
        let all = map(&file).context("memory that processes share")?;
        Ok(Counts { all, file: None })
    }
}

fn map(file: &File) -> io::Result<&'static All> {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let (size, fd) = (size_of::<All>(), file.as_raw_fd());
    // SAFETY: a new mapping of a file; it is checked before it is used.
    let at = unsafe { libc::mmap(std::ptr::null_mut(), size, access, libc::MAP_SHARED, fd, 0) };
    if at == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: it is as large as `All`, holds numbers, and is never unmapped.
    Ok(unsafe { &*at.cast::<All>() })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn whoever_has_the_file_sees_the_counts() {
        let counts = Counts::shared().unwrap();
        let other = map(counts.file.as_ref().unwrap()).unwrap();
        counts.all.tests.fetch_add(2, Ordering::Relaxed);
        other.tests.fetch_add(3, Ordering::Relaxed);
        let all = [&counts.all.tests, &counts.all.instructions, &other.tests];
        assert_eq!(all.map(|count| count.load(Ordering::Relaxed)), [5, 0, 5]);
    }
}
