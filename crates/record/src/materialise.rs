//! The tree of files that a program saw.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::{File, FileTimes, Permissions};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::error::at;
use crate::{Error, Found, Recording, Stat, Time, What};

const MAX_LINKS: usize = 40;
/// What a copy has at most.
const MAX_CONTENTS: i64 = 16 << 20;
/// Larger files are not made, not even as holes.
const MAX_SIZE: i64 = 1 << 40;
/// No file in the tree can give its user rights.
const MODE: u32 = 0o1777;
/// `DT_DIR` and `DT_LNK`
const DIRECTORY: u8 = 4;
const LINK: u8 = 10;

impl Recording {
    /// Makes below `root` the files that the program saw, as they were before it changed them: what
    /// stood at the absolute path P is at root/P.
    ///
    /// Links have the targets they had, absolute ones too, and are not followed in making the tree.
    /// Files whose contents the program did not read have the right size and zeros. Named
    /// pipes, terminals and files of `/proc` are regular files with what was read from them. What
    /// was merely listed in a directory is empty. Other devices and sockets are left out, as are
    /// set-user-id bits.
    pub fn materialise(&self, root: &Path) -> Result<(), Error> {
        Tree::new(self, root).make()
    }
}

struct Tree<'a> {
    recording: &'a Recording,
    root: &'a Path,
    links: HashMap<&'a Path, &'a [u8]>,
    absent: HashSet<&'a Path>,
    /// What was made with a known status, to be given its times and mode at the end.
    made: Vec<(PathBuf, Stat)>,
}

impl<'a> Tree<'a> {
    fn new(recording: &'a Recording, root: &'a Path) -> Self {
        let (mut links, mut absent) = (HashMap::new(), HashSet::new());
        for fact in &recording.facts {
            match &fact.found {
                Ok(Found { what: What::Target(target), .. }) => {
                    links.insert(fact.path.as_path(), target.as_slice());
                }
                Ok(_) => {}
                Err(_) => {
                    absent.insert(fact.path.as_path());
                }
            }
        }
        Tree { recording, root, links, absent, made: Vec::new() }
    }

    fn make(mut self) -> Result<(), Error> {
        std::fs::create_dir_all(self.root).map_err(at(self.root))?;
        if let Some(cwd) = self.place(&self.recording.cwd.join("x")) {
            self.make_parent(&cwd)?;
        }
        for fact in &self.recording.facts {
            if let (Ok(found), Some(place)) = (&fact.found, self.place(&fact.path)) {
                self.make_found(place, found)?;
            }
        }
        for fact in &self.recording.facts {
            if let Ok(Found { what: What::Entries(entries), .. }) = &fact.found {
                self.make_placeholders(&fact.path, entries)?;
            }
        }
        // Deepest first: the times of a directory change with what is made in it.
        self.made.sort_by_key(|(path, _)| std::cmp::Reverse(path.components().count()));
        self.made.iter().try_for_each(|(path, stat)| set_status(path, stat).map_err(at(path)))
    }

    /// Where in the tree a path stands: directories that are links are followed. `None` below what
    /// was absent, and where links lead in circles.
    fn place(&self, path: &Path) -> Option<PathBuf> {
        let mut rest: Vec<OsString> = parts(path);
        let mut at = PathBuf::from("/");
        let mut n_links = 0;
        while let Some(part) = rest.pop() {
            if part == ".." {
                at.pop();
                continue;
            }
            at.push(part);
            if self.absent.contains(at.as_path()) {
                return None;
            }
            let target = self.links.get(at.as_path()).filter(|_| !rest.is_empty());
            if let Some(target) = target {
                n_links += 1;
                if n_links > MAX_LINKS {
                    return None;
                }
                let target = Path::new(OsStr::from_bytes(target));
                at.pop();
                if target.is_absolute() {
                    at = PathBuf::from("/");
                }
                rest.extend(parts(target));
            }
        }
        Some(self.root.join(at.strip_prefix("/").ok()?))
    }

    fn make_parent(&self, place: &Path) -> Result<bool, Error> {
        let parent = place.parent().unwrap_or(place);
        match std::fs::create_dir_all(parent) {
            // Another fact says that there is no directory: the world changed meanwhile.
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => Ok(false),
            result => result.map(|()| true).map_err(at(parent)),
        }
    }

    fn make_found(&mut self, place: PathBuf, found: &Found) -> Result<(), Error> {
        let is_there = place.symlink_metadata().is_ok();
        let Found { stat, what } = found;
        if (is_there && !stat.is_directory()) || !self.make_parent(&place)? {
            return Ok(());
        }
        match what {
            What::Target(target) => {
                return symlink(OsStr::from_bytes(target), &place).map_err(at(&place));
            }
            _ if stat.is_directory() && is_there => {}
            _ if stat.is_directory() => std::fs::create_dir(&place).map_err(at(&place))?,
            What::Contents(blob) => make_file(&place, Some(blob), stat).map_err(at(&place))?,
            What::Stream(bytes) if stat.is_regular() || stat.is_stream() => {
                std::fs::write(&place, bytes).map_err(at(&place))?;
            }
            _ if stat.is_regular() => make_file(&place, None, stat).map_err(at(&place))?,
            _ if stat.is_stream() => File::create(&place).map(drop).map_err(at(&place))?,
            _ => return Ok(()),
        }
        self.made.push((place, *stat));
        Ok(())
    }

    fn make_placeholders(&self, dir: &Path, entries: &[(Vec<u8>, u8)]) -> Result<(), Error> {
        for (name, kind) in entries {
            let is_name = !name.is_empty() && !name.contains(&b'/') && name != b"..";
            let Some(place) = self.place(&dir.join(OsStr::from_bytes(name))) else { continue };
            if !is_name || place.symlink_metadata().is_ok() || !self.make_parent(&place)? {
                continue;
            }
            match *kind {
                DIRECTORY => std::fs::create_dir(&place),
                LINK => symlink("unknown", &place),
                _ => File::create(&place).map(drop),
            }
            .map_err(at(&place))?;
        }
        Ok(())
    }
}

/// The components of a path, the first one last.
fn parts(path: &Path) -> Vec<OsString> {
    let part = |component: Component<'_>| match component {
        Component::Normal(_) | Component::ParentDir => Some(component.as_os_str().to_owned()),
        _ => None,
    };
    path.components().rev().filter_map(part).collect()
}

fn make_file(place: &Path, blob: Option<&Path>, stat: &Stat) -> std::io::Result<()> {
    let mut file = File::create(place)?;
    if let Some(blob) = blob {
        std::io::copy(&mut File::open(blob)?, &mut file)?;
        file.flush()?;
    }
    let is_whole = blob.is_some() && stat.size <= MAX_CONTENTS;
    if !is_whole && stat.size > 0 && stat.size <= MAX_SIZE {
        file.set_len(stat.size as u64)?;
    }
    Ok(())
}

fn set_status(path: &Path, stat: &Stat) -> std::io::Result<()> {
    let times = FileTimes::new();
    let times = match (system_time(stat.atime), system_time(stat.mtime)) {
        (Some(accessed), Some(modified)) => times.set_accessed(accessed).set_modified(modified),
        _ => times,
    };
    File::open(path)?.set_times(times)?;
    // What is in a directory has to be reached, and removed again.
    let ours = if stat.is_directory() { 0o700 } else { 0 };
    std::fs::set_permissions(path, Permissions::from_mode(stat.mode & MODE | ours))
}

fn system_time(time: Time) -> Option<SystemTime> {
    let seconds = Duration::from_secs(time.seconds.unsigned_abs());
    let whole = match time.seconds {
        0.. => SystemTime::UNIX_EPOCH.checked_add(seconds),
        _ => SystemTime::UNIX_EPOCH.checked_sub(seconds),
    };
    whole?.checked_add(Duration::from_nanos(time.nanoseconds.clamp(0, 999_999_999) as u64))
}
