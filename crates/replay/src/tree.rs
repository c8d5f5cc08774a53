//! Copies of a directory tree, and files put into one without leaving it.

use std::collections::VecDeque;
use std::ffi::{CString, OsString};
use std::fs::{self, File, FileTimes, Metadata, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, lchown, symlink};
use std::path::{Component, Path, PathBuf};

use crate::Error;
use crate::world::with_start;

const MAX_LINKS: u32 = 40;

/// Copies a tree with its links, modes, times and, where permitted, owners. Devices and sockets are
/// left out.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    let metadata = from.symlink_metadata().map_err(Error::io(from))?;
    copy_entry(from, to, &metadata).map_err(Error::io(from))
}

fn copy_entry(from: &Path, to: &Path, metadata: &Metadata) -> io::Result<()> {
    let kind = metadata.file_type();
    if kind.is_symlink() {
        symlink(fs::read_link(from)?, to)?;
    } else if kind.is_dir() {
        fs::create_dir(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy_entry(&entry.path(), &to.join(entry.file_name()), &entry.metadata()?)?;
        }
        // It has to be removed again.
        fs::set_permissions(to, Permissions::from_mode(metadata.mode() | 0o700))?;
        keep_times(to, metadata)?;
    } else if kind.is_file() {
        fs::copy(from, to)?;
        keep_times(to, metadata)?;
    } else if kind.is_fifo() {
        let path = CString::new(to.as_os_str().as_bytes()).expect("a path has no NUL");
        // SAFETY: a C string.
        if unsafe { libc::mkfifo(path.as_ptr(), metadata.mode() & 0o7777) } != 0 {
            return Err(io::Error::last_os_error());
        }
    } else {
        return Ok(());
    }
    // Only root may give files away.
    let _ = lchown(to, Some(metadata.uid()), Some(metadata.gid()));
    Ok(())
}

fn keep_times(path: &Path, metadata: &Metadata) -> io::Result<()> {
    let times = FileTimes::new().set_accessed(metadata.accessed()?);
    let times = times.set_modified(metadata.modified()?);
    match File::open(path) {
        Ok(file) => file.set_times(times),
        // The owner cannot read it: then the program hardly can.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        Err(error) => Err(error),
    }
}

/// Gives the file at `path`, absolute in the tree, another beginning; what is behind, its mode and
/// its times stay. A new file gets its directories.
pub(crate) fn put(root: &Path, path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let full = resolve(root, path)?;
    let write = || {
        let before = full.symlink_metadata().ok();
        let old = match &before {
            Some(before) if before.is_file() => fs::read(&full)?,
            _ => Vec::new(),
        };
        match &before {
            Some(_) => fs::remove_file(&full)?,
            None => fs::create_dir_all(full.parent().unwrap_or(root))?,
        }
        fs::write(&full, with_start(bytes, &old))?;
        let Some(before) = before else { return Ok(()) };
        keep_times(&full, &before)?;
        let _ = lchown(&full, Some(before.uid()), Some(before.gid()));
        fs::set_permissions(&full, before.permissions())
    };
    write().map_err(Error::io(&full))
}

/// Where a path of the tree is on the machine; links lead to places in the tree.
pub(crate) fn resolve(root: &Path, path: &Path) -> Result<PathBuf, Error> {
    let mut found = root.to_owned();
    let mut rest: VecDeque<OsString> = parts(path);
    let mut n_links = 0;
    while let Some(name) = rest.pop_front() {
        if name == ".." {
            if found != root {
                found.pop();
            }
            continue;
        }
        let next = found.join(&name);
        let Ok(target) = fs::read_link(&next) else {
            found = next;
            continue;
        };
        n_links += 1;
        if n_links > MAX_LINKS {
            return Err(Error::Outside(path.to_owned()));
        }
        if target.is_absolute() {
            found = root.to_owned();
        }
        let mut inner = parts(&target);
        inner.append(&mut rest);
        rest = inner;
    }
    Ok(found)
}

fn parts(path: &Path) -> VecDeque<OsString> {
    let part = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
    };
    path.components().filter_map(part).collect()
}
