//! Where things are: the repository, the `fathom` binary under test, the cache, scratch directories.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

pub struct Tree {
    pub repo: PathBuf,
    pub fathom: PathBuf,
    pub cache: PathBuf,
}

impl Tree {
    pub fn find() -> Result<Self, String> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let repo = manifest.ancestors().nth(2).expect("the crate lies in crates/").to_path_buf();
        let own = std::env::current_exe().map_err(|error| format!("own executable: {error}"))?;
        let fathom = own.with_file_name("fathom");
        if !fathom.exists() {
            return Err(format!("{} is missing: run ./x build", fathom.display()));
        }
        Ok(Self { repo, fathom, cache: cache_dir()? })
    }

    /// A directory in which `fathom-cc` is the binary under test, to be put in `PATH` or `CC`.
    pub fn compiler_link(&self, dir: &Path) -> Result<PathBuf, String> {
        let link = dir.join("fathom-cc");
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(&self.fathom, &link)
            .map_err(|error| format!("{}: {error}", link.display()))?;
        Ok(link)
    }
}

fn cache_dir() -> Result<PathBuf, String> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(dir) = variable("FATHOM_CACHE") {
        return Ok(PathBuf::from(dir));
    }
    if let Some(dir) = variable("XDG_CACHE_HOME") {
        return Ok(PathBuf::from(dir).join("fathom"));
    }
    let home = variable("HOME").ok_or("neither FATHOM_CACHE, XDG_CACHE_HOME nor HOME is set")?;
    Ok(PathBuf::from(home).join(".cache/fathom"))
}

/// A directory of our own that goes away with the value.
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    pub fn new() -> Result<Self, String> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name =
            format!("fathom-test-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self { path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The working directory of a run, always at the same path, empty again each time.
    pub fn fresh_work(&self) -> Result<PathBuf, String> {
        let work = self.path.join("work");
        let failed = |error| format!("{}: {error}", work.display());
        if work.exists() {
            fs::remove_dir_all(&work).map_err(failed)?;
        }
        fs::create_dir(&work).map_err(failed)?;
        Ok(work)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}
