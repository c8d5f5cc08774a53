//! Files that must not outlive us: the temporary directory and half-made outputs.

use std::env;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::Error;

/// A private directory, removed with all it holds when dropped.
pub(crate) struct TempDir(PathBuf);

impl TempDir {
    pub fn new() -> Result<TempDir, Error> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        loop {
            let n = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = env::temp_dir().join(format!("fathom-cc-{}-{n}", process::id()));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(TempDir(path)),
                // A leftover of a killed process that had our id.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(Error::io(&path, error)),
            }
        }
    }

    pub fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// An output that is removed again unless it is [kept](Unfinished::keep), so that a failed or
/// interrupted compile never leaves an object without its bitcode behind.
pub(crate) struct Unfinished<'a>(Option<&'a Path>);

impl<'a> Unfinished<'a> {
    pub fn new(path: &'a Path) -> Unfinished<'a> {
        Unfinished(Some(path))
    }

    pub fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        // Never remove a device: `-o /dev/null` is common.
        if let Some(path) = self.0.filter(|path| path.is_file()) {
            let _ = fs::remove_file(path);
        }
    }
}
