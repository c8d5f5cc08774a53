//! Which files of the host the program may see.

use std::path::{Path, PathBuf};

/// What the program may do with a path of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    /// Read it and everything under it.
    Full,
    /// Walk through it: it leads to something that may be read.
    Ancestor,
    Hidden,
}

/// The readable parts of the host's tree.
#[derive(Clone, Debug)]
pub(crate) struct Sandbox {
    /// What the user gave: working directory, named files, `--allow-read`.
    given: Vec<PathBuf>,
    /// What every program may read besides.
    system: &'static [&'static str],
    /// Whether writes below `given` reach the host.
    host_writes: bool,
}

/// Data of the system, readable by every program.
const SYSTEM: &[&str] = &[
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/bin",
    "/sbin",
    "/etc",
    "/proc",
    "/sys",
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/tty",
    "/dev/random",
    "/dev/urandom",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/fd",
];

/// Directories for temporary files: what the host has in them does not exist for the program.
const PRIVATE: &[&str] = &["/tmp", "/var/tmp", "/dev/shm"];

/// Parts of `SYSTEM` that concern other processes or hold secrets of the machine.
const SECRET: &[&str] = &["/etc/shadow", "/etc/gshadow", "/etc/ssl/private", "/proc/kcore"];

impl Sandbox {
    /// Paths are made absolute and followed to where they really are; a name whose file does
    /// not exist yet stands for its directory entry.
    pub fn new(given: impl IntoIterator<Item = PathBuf>, host_writes: bool) -> Self {
        let mut real = Vec::new();
        for path in given {
            let Ok(path) = std::path::absolute(path) else { continue };
            if let Ok(resolved) = path.canonicalize() {
                real.push(resolved);
            }
            let parent = path.parent().and_then(|parent| parent.canonicalize().ok());
            if let (Some(parent), Some(name)) = (parent, path.file_name()) {
                real.push(parent.join(name));
            }
        }
        Self { given: real, system: SYSTEM, host_writes }
    }

    /// All below `root`, and nothing else.
    pub fn only(root: PathBuf) -> Self {
        Self { given: vec![root], system: &[], host_writes: false }
    }

    pub fn sight(&self, path: &Path) -> Sight {
        let system = || self.system.iter().map(Path::new);
        let given = || self.given.iter().map(PathBuf::as_path);
        if given().any(|root| path.starts_with(root)) {
            return Sight::Full;
        }
        if SECRET.iter().any(|secret| path.starts_with(secret)) || is_other_process(path) {
            return Sight::Hidden;
        }
        if system().any(|root| path.starts_with(root)) {
            Sight::Full
        } else if is_private(path) || given().chain(system()).any(|root| root.starts_with(path)) {
            Sight::Ancestor
        } else {
            Sight::Hidden
        }
    }

    /// Whether changes at `path` are made on the host.
    pub fn writes_through(&self, path: &Path) -> bool {
        self.host_writes && self.given.iter().any(|root| path.starts_with(root))
    }
}

/// Whether `path` is a directory whose hidden entries do not exist rather than being refused.
pub(crate) fn is_private(path: &Path) -> bool {
    PRIVATE.iter().any(|private| path == Path::new(private))
}

/// Whether `path` belongs to a process of the host, of which the program sees none.
pub(crate) fn is_other_process(path: &Path) -> bool {
    let Ok(rest) = path.strip_prefix("/proc") else { return false };
    let first = rest.iter().next().and_then(|name| name.to_str()).unwrap_or("");
    first.starts_with(|c: char| c.is_ascii_digit())
}
