//! Writing files so that a failure names the file, and readers never see half of one.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::{Error, Result};

pub fn create_dir(path: &Path) -> Result<()> {
    fs::create_dir_all(path).map_err(Error::write(path))
}

pub fn write_file(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    fs::write(path, bytes).map_err(Error::write(path))
}

/// Writes beside `path` and renames, so that `path` is always whole.
pub fn replace_file(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    replace(path, bytes.as_ref(), 0o666)
}

/// The same for what nobody but its owner may read.
pub fn replace_private_file(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    replace(path, bytes.as_ref(), 0o600)
}

fn replace(path: &Path, bytes: &[u8], mode: u32) -> Result<()> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    // One that an earlier process left may have another mode.
    let _ = fs::remove_file(&partial);
    let file = OpenOptions::new().write(true).create(true).truncate(true).mode(mode).open(&partial);
    let written =
        file.and_then(|mut file| file.write_all(bytes)).and_then(|()| fs::rename(&partial, path));
    written.map_err(|source| {
        let _ = fs::remove_file(&partial);
        Error::Write { path: path.into(), source }
    })
}

/// Fills a directory under another name and renames it, so that `path` is always whole.
pub fn replace_dir(path: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let name = path.file_name().expect("a directory of ours has a name").to_string_lossy();
    let partial = path.with_file_name(format!(".{name}.partial"));
    create_dir(&partial)?;
    let filled =
        fill(&partial).and_then(|()| fs::rename(&partial, path).map_err(Error::write(path)));
    if filled.is_err() {
        let _ = fs::remove_dir_all(&partial);
    }
    filled
}

pub fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("plain data") + "\n"
}

/// One JSON object per line.
pub fn json_lines<T: Serialize>(values: &[T]) -> String {
    let line = |value| serde_json::to_string(value).expect("plain data") + "\n";
    values.iter().map(line).collect()
}

/// A file of one JSON object per line.
pub struct JsonLines {
    path: PathBuf,
    file: File,
}

impl JsonLines {
    pub fn create(path: PathBuf) -> Result<Self> {
        let file = File::create(&path).map_err(Error::write(&path))?;
        Ok(Self { path, file })
    }

    /// Goes on with one that exists.
    pub fn reopen(path: PathBuf) -> Result<Self> {
        let file = File::options().append(true).create(true).open(&path);
        let file = file.map_err(Error::write(&path))?;
        Ok(Self { path, file })
    }

    /// Appends a line; it is on disk when this returns.
    pub fn append(&mut self, value: &impl Serialize) -> Result<()> {
        let line = serde_json::to_string(value).expect("plain data") + "\n";
        self.file.write_all(line.as_bytes()).map_err(Error::write(&self.path))
    }
}
