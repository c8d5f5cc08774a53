//! A directory for one test, and the program that is recorded in it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, OnceLock};

use fathom_record::{Fact, Recording, read_all};

/// Compiles a program once per test run.
pub fn program(name: &str) -> PathBuf {
    static LOCK: Mutex<()> = Mutex::new(());
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    let _lock = LOCK.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let dir = DIR.get_or_init(|| scratch("programs"));
    let output = dir.join(name);
    if !output.exists() {
        let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
        let source = programs.join(format!("{name}.c"));
        let args: Vec<OsString> =
            vec!["-w".into(), source.into(), "-o".into(), output.clone().into()];
        assert_eq!(fathom_cc::main(args), 0, "{name}.c does not compile");
    }
    output
}

fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    dir.canonicalize().unwrap()
}

/// `work` is where the program runs, `records` where its recordings go.
pub struct Lab {
    pub dir: PathBuf,
    pub work: PathBuf,
    pub records: PathBuf,
    pub probe: PathBuf,
}

impl Lab {
    pub fn new(name: &str) -> Lab {
        let dir = scratch(name);
        let (work, records) = (dir.join("work"), dir.join("records"));
        std::fs::create_dir(&work).unwrap();
        Lab { dir, work, records, probe: program("probe") }
    }

    pub fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.work.join(name);
        std::fs::write(&path, contents).unwrap();
        path
    }

    /// The probe, recorded, with nothing on its standard input.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.probe);
        command.args(args).current_dir(&self.work).stdin(Stdio::null());
        command.env_clear().env("FATHOM_RECORD", &self.records).env("VARIABLE", "value");
        command
    }

    /// A shell whose `$0` is the probe, for limits and redirections.
    pub fn shell(&self, script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]).arg(&self.probe).current_dir(&self.work);
        command.stdin(Stdio::null()).env("FATHOM_RECORD", &self.records);
        command
    }

    pub fn all(&self) -> Vec<Recording> {
        read_all(&self.records).into_iter().map(Result::unwrap).collect()
    }

    pub fn only(&self) -> Recording {
        let mut all = self.all();
        assert_eq!(all.len(), 1, "recordings: {all:#?}");
        all.remove(0)
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.dir);
        }
    }
}

/// Runs a command that must exit with this status; its output.
pub fn exits(command: &mut Command, status: i32) -> Output {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(status), "{output:?}");
    output
}

pub fn fact<'a>(recording: &'a Recording, path: &Path) -> &'a Fact {
    let fact = recording.facts.iter().find(|fact| fact.path == path);
    fact.unwrap_or_else(|| panic!("no fact about {}: {:#?}", path.display(), recording.facts))
}
