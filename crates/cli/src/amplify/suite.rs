//! Running somebody's test suite so that its programs record themselves.

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};

/// Tells programs beside it to record themselves although the environment does not say so.
const MARKER: &str = ".fathom-record";
/// Where a recording has the programs it is about, and which is which.
const PROGRAMS: &str = "programs";
/// Directories looked through for programs, at most.
const MAX_DIRECTORIES: usize = 20_000;

/// Marker files, removed at the end.
struct Markers(Vec<PathBuf>);

impl Markers {
    /// Beside every program below `top` that can record itself.
    fn put(top: &Path, recording: &Path) -> Self {
        let mut markers = Vec::new();
        let mut open = vec![top.to_owned()];
        let mut n_seen = 0;
        while let Some(directory) = open.pop() {
            n_seen += 1;
            if n_seen > MAX_DIRECTORIES {
                break;
            }
            let Ok(entries) = fs::read_dir(&directory) else { continue };
            let mut has_program = false;
            for entry in entries.flatten() {
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() && entry.file_name() != ".git" {
                    open.push(entry.path());
                } else if kind.is_file() && !has_program {
                    has_program = is_recordable(&entry.path());
                }
            }
            if has_program {
                let marker = directory.join(MARKER);
                let text = format!("{} {}\n", std::process::id(), recording.display());
                if fs::write(&marker, text).is_ok() {
                    markers.push(marker);
                }
            }
        }
        Self(markers)
    }
}

impl Drop for Markers {
    fn drop(&mut self) {
        for marker in &self.0 {
            let _ = fs::remove_file(marker);
        }
    }
}

/// Whether the file is a program that fathom-cc has made.
fn is_recordable(path: &Path) -> bool {
    let is_executable =
        fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0);
    is_executable && is_elf(path) && fathom_cc::has_bitcode(path)
}

fn is_elf(path: &Path) -> bool {
    let mut magic = [0; 4];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    read.is_ok() && magic == *b"\x7fELF"
}

/// Runs the command with its programs recording themselves in `recording`, an absolute path.
pub fn record(
    command: &[OsString],
    recording: &Path,
    interrupt: &AtomicBool,
) -> Result<ExitStatus> {
    let cwd = std::env::current_dir().context("the working directory")?;
    let _markers = Markers::put(&cwd, recording);
    let mut child = Command::new(&command[0])
        .args(&command[1..])
        .env("FATHOM_RECORD", recording)
        .spawn()
        .with_context(|| format!("{}: cannot be run", command[0].to_string_lossy()))?;
    loop {
        if let Some(status) = child.try_wait().context("waiting for the test suite")? {
            return Ok(status);
        }
        if interrupt.load(Ordering::Relaxed) {
            // The terminal has told it, too; what it recorded so far is kept.
            return child.wait().context("waiting for the test suite");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The copies of programs that a recording has, so that it can be analysed elsewhere and later.
pub struct Programs {
    directory: PathBuf,
    /// Where a program was, and what its copy is called.
    index: Vec<(PathBuf, String)>,
}

impl Programs {
    pub fn of(recording: &Path) -> Self {
        let directory = recording.join(PROGRAMS);
        let text = fs::read(directory.join("index.json")).unwrap_or_default();
        let index = serde_json::from_slice(&text).unwrap_or_default();
        Self { directory, index }
    }

    /// Copies those that are not there yet.
    pub fn keep(mut self, programs: &[PathBuf]) -> Result<()> {
        fs::create_dir_all(&self.directory)
            .with_context(|| self.directory.display().to_string())?;
        for program in programs {
            if self.index.iter().any(|(path, _)| path == program) {
                continue;
            }
            let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let copy = format!("{:03}-{name}", self.index.len());
            if fs::copy(program, self.directory.join(&copy)).is_ok() {
                self.index.push((program.clone(), copy));
            }
        }
        let text = serde_json::to_string_pretty(&self.index).context("the list of programs")?;
        let path = self.directory.join("index.json");
        fs::write(&path, text).with_context(|| path.display().to_string())
    }

    /// The file to analyse for a program: the copy, or the program itself.
    pub fn file(&self, program: &Path) -> PathBuf {
        let copy = self.index.iter().find(|(path, _)| path == program);
        copy.map_or_else(|| program.to_owned(), |(_, copy)| self.directory.join(copy))
    }
}
