//! A directory with a program in it, and runs of that program.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// However loaded the machine is, nothing here takes longer.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A directory with `prog.c`, removed at the end.
pub struct Workplace(PathBuf);

impl Workplace {
    pub fn new(name: &str, source: &str) -> Self {
        let path = std::env::temp_dir().join(format!("fathom-runs-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("prog.c"), source).unwrap();
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// `fathom ARGS`, to be started in the directory.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
        command.args(args).current_dir(&self.0).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// `fathom ARGS` to its end.
    pub fn fathom(&self, args: &[&str]) -> Output {
        ended(self.command(args).spawn().unwrap())
    }

    /// `fathom run --out OUT ARGS`, which must not fail, and its results.
    pub fn run(&self, out: &str, args: &[&str]) -> Results {
        let output = self.fathom(&[&["run", "--out", out], args].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}: {stderr}", output.status);
        self.results(out)
    }

    pub fn results(&self, out: &str) -> Results {
        Results(self.0.join(out))
    }

    /// `fathom tests list OUT`: a line per test.
    pub fn listed(&self, out: &str) -> Vec<String> {
        let output = self.fathom(&["tests", "list", out]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{stderr}");
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The directory of a run.
pub struct Results(PathBuf);

impl Results {
    pub fn summary(&self) -> Value {
        serde_json::from_str(&self.text("summary.json")).unwrap()
    }

    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// The lines of `ledger.jsonl` as they are.
    pub fn ledger(&self) -> String {
        self.text("ledger.jsonl")
    }

    /// The last line of `timings.jsonl`.
    pub fn timing(&self) -> Value {
        serde_json::from_str(self.text("timings.jsonl").lines().last().unwrap()).unwrap()
    }

    /// Names in a directory of it; none if it is not there yet.
    pub fn names(&self, dir: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.join(dir)).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().into_string().unwrap());
        names.filter(|name| !name.starts_with('.')).collect()
    }

    /// All files by name.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut dirs = vec![self.0.clone()];
        while let Some(dir) = dirs.pop() {
            for entry in fs::read_dir(&dir).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    dirs.push(path);
                } else {
                    let name = path.strip_prefix(&self.0).unwrap().display().to_string();
                    files.insert(name, fs::read(&path).unwrap());
                }
            }
        }
        files
    }
}

/// Waits for a process to end, and fails if it does not.
pub fn ended(mut child: Child) -> Output {
    let readers =
        [reader(child.stdout.take().expect("piped")), reader(child.stderr.take().expect("piped"))];
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("still running after {PATIENCE:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let [stdout, stderr] = readers.map(|reader| reader.join().unwrap());
    Output { status, stdout, stderr }
}

fn reader(mut stream: impl std::io::Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        bytes
    })
}

/// Waits until something has happened.
pub fn wait_until(what: &str, mut happened: impl FnMut() -> bool) {
    let started = Instant::now();
    while !happened() {
        assert!(started.elapsed() < PATIENCE, "no {what} after {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
