//! Running somebody's test suite so that its programs record themselves.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use fathom_record::Recording;
use serde::{Deserialize, Serialize};

use crate::run::say;

/// Where the environment does not say so.
const MARKER: &str = ".fathom-record";
/// Where a recording has the programs it is about, and which is which.
const PROGRAMS: &str = "programs";
/// How long a suite that is interrupted may go on before it is told to end.
const GRACE: Duration = Duration::from_secs(1);

/// A file that tells programs at or below its place to record themselves; removed at the end.
struct Marker(PathBuf);

impl Marker {
    fn put(directory: &Path, recording: &Path) -> Option<Self> {
        let path = directory.join(MARKER);
        let text = format!("{} {}\n", std::process::id(), recording.display());
        fs::write(&path, text).is_ok().then_some(Self(path))
    }
}

impl Drop for Marker {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Runs the command with its programs recording themselves in `recording`, an absolute path.
pub fn record(
    command: &[OsString],
    recording: &Path,
    interrupt: &AtomicBool,
) -> Result<ExitStatus> {
    let cwd = std::env::current_dir().context("the working directory")?;
    let marker = Marker::put(&cwd, recording);
    if marker.is_none() {
        say(
            "fathom: the working directory cannot be written to: programs that are started with an empty environment are not recorded\n",
        );
    }
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
            return stop(&mut child);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits for a suite that is to end; what it recorded so far is kept. A terminal has told it, too:
/// whoever else told us has not.
fn stop(child: &mut Child) -> Result<ExitStatus> {
    let begun = Instant::now();
    while begun.elapsed() < GRACE {
        if let Some(status) = child.try_wait().context("waiting for the test suite")? {
            return Ok(status);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    // SAFETY: our own child, not waited for yet.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGTERM) };
    child.wait().context("waiting for the test suite")
}

/// The copies of programs that a recording has, so that it can be analysed elsewhere and later.
pub struct Programs {
    directory: PathBuf,
    index: Vec<Copy>,
}

#[derive(Serialize, Deserialize)]
struct Copy {
    /// Where the program was.
    program: PathBuf,
    /// What the copies are called that it made of itself, which are all the same.
    images: Vec<String>,
    /// What this one is called.
    copy: String,
}

impl Programs {
    pub fn of(recording: &Path) -> Self {
        let directory = recording.join(PROGRAMS);
        let text = fs::read(directory.join("index.json")).unwrap_or_default();
        let index = serde_json::from_slice(&text).unwrap_or_default();
        Self { directory, index }
    }

    /// Copies those that are not there yet; which of them cannot be.
    pub fn keep(mut self, programs: &BTreeSet<(PathBuf, Option<PathBuf>)>) -> Result<Vec<String>> {
        fs::create_dir_all(&self.directory)
            .with_context(|| self.directory.display().to_string())?;
        let mut failures = Vec::new();
        for (program, image) in programs {
            if let Err(error) = self.keep_one(program, image.as_deref()) {
                failures.push(format!("{}: no copy of the program: {error}", program.display()));
            }
        }
        let text = serde_json::to_string_pretty(&self.index).context("the list of programs")?;
        let path = self.directory.join("index.json");
        fs::write(&path, text).with_context(|| path.display().to_string())?;
        Ok(failures)
    }

    fn keep_one(&mut self, program: &Path, image: Option<&Path>) -> std::io::Result<()> {
        let image_name = image.and_then(name_of);
        let original = image.unwrap_or(program);
        for copy in self.index.iter_mut().filter(|copy| copy.program == program) {
            if image_name.as_ref().is_none_or(|name| copy.images.contains(name)) {
                return Ok(());
            }
            if fs::read(original)? == fs::read(self.directory.join(&copy.copy))? {
                copy.images.extend(image_name);
                return Ok(());
            }
        }
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        let copy = format!("{:03}-{name}", self.index.len());
        fs::copy(original, self.directory.join(&copy))?;
        let images = image_name.into_iter().collect();
        self.index.push(Copy { program: program.to_owned(), images, copy });
        Ok(())
    }

    /// The file to analyse for a run: the copy, or the program itself.
    pub fn file(&self, run: &Recording) -> PathBuf {
        let image = run.image.as_deref().and_then(name_of);
        let is_it = |copy: &&Copy| {
            copy.program == run.program
                && image.as_ref().is_none_or(|image| copy.images.contains(image))
        };
        let copy = self.index.iter().find(is_it).map(|copy| self.directory.join(&copy.copy));
        copy.unwrap_or_else(|| run.program.clone())
    }
}

fn name_of(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_string_lossy().into_owned())
}
