//! Running somebody's test suite so that its programs record themselves.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io};

use anyhow::{Context, Result};
use fathom_record::Recording;
use serde::{Deserialize, Serialize};

use crate::run::say;

/// Tells programs beside and below it to record themselves where the environment does not.
const MARKER: &str = ".fathom-record";
/// Where a recording has the programs it is about, and which is which.
const PROGRAMS: &str = "programs";
const INDEX: &str = "index.json";
/// How long a suite that is interrupted may go on before it is told to end.
const GRACE: Duration = Duration::from_secs(1);

/// That file, removed at the end.
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

/// Where programs were, each with a copy that it made of itself as it started.
pub type Images = BTreeSet<(PathBuf, Option<PathBuf>)>;

/// The copies of programs that a recording has, so that it can be analysed elsewhere and later.
pub struct Programs {
    directory: PathBuf,
    index: Vec<Kept>,
    /// Blobs that it does without once it is written down.
    spare: Vec<PathBuf>,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    /// Where the program was, the first time.
    program: PathBuf,
    /// What the copies were called that it made of itself as it started, which were all the same.
    images: Vec<String>,
    /// What this one is called.
    copy: String,
}

impl Programs {
    pub fn of(recording: &Path) -> Result<Self> {
        let directory = recording.join(PROGRAMS);
        let path = directory.join(INDEX);
        let index = match fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text)
                .with_context(|| format!("{}: not a list of programs", path.display()))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error).with_context(|| path.display().to_string()),
        };
        Ok(Self { directory, index, spare: Vec::new() })
    }

    /// Keeps those that are not there yet; which of them cannot be.
    pub fn keep(mut self, programs: &Images) -> Result<Vec<String>> {
        fs::create_dir_all(&self.directory)
            .with_context(|| self.directory.display().to_string())?;
        let mut failures = Vec::new();
        for (program, image) in programs {
            let kept = match image {
                Some(image) => self.keep_image(program, image),
                None => self.keep_program(program),
            };
            if let Err(error) = kept {
                failures.push(format!("{}: no copy of the program: {error}", program.display()));
            }
        }
        let text = serde_json::to_string_pretty(&self.index).context("the list of programs")?;
        fathom_report::replace_file(&self.directory.join(INDEX), text)?;
        for blob in &self.spare {
            let _ = fs::remove_file(blob);
        }
        Ok(failures)
    }

    /// Gives a copy that a program made of itself its place among the others.
    fn keep_image(&mut self, program: &Path, image: &Path) -> io::Result<()> {
        let name = name_of(image);
        if self.index.iter().any(|kept| kept.images.contains(&name)) {
            return Ok(());
        }
        for kept in &mut self.index {
            if is_same(image, &self.directory.join(&kept.copy))? {
                kept.images.push(name);
                self.spare.push(image.to_owned());
                return Ok(());
            }
        }
        let copy = self.next_name(program);
        let place = self.directory.join(&copy);
        fs::hard_link(image, &place).or_else(|_| fs::copy(image, &place).map(drop))?;
        self.spare.push(image.to_owned());
        self.index.push(Kept { program: program.to_owned(), images: vec![name], copy });
        Ok(())
    }

    /// For one that could not copy itself.
    fn keep_program(&mut self, program: &Path) -> io::Result<()> {
        if self.index.iter().any(|kept| kept.program == program) {
            return Ok(());
        }
        let copy = self.next_name(program);
        fs::copy(program, self.directory.join(&copy))?;
        self.index.push(Kept { program: program.to_owned(), images: Vec::new(), copy });
        Ok(())
    }

    fn next_name(&self, program: &Path) -> String {
        format!("{:03}-{}", self.index.len(), name_of(program))
    }

    /// The file to analyse for a run: the copy, or the program itself.
    pub fn file(&self, run: &Recording) -> PathBuf {
        let image = run.image.as_deref().map(name_of);
        let is_image = |kept: &&Kept| image.as_ref().is_some_and(|it| kept.images.contains(it));
        let is_program = |kept: &&Kept| kept.program == run.program;
        let path_of = |kept: &Kept| self.directory.join(&kept.copy);
        let kept = self.index.iter().find(is_image).map(path_of);
        // Nobody has put its copy in its place: fathom was killed with the suite.
        let left = || run.image.clone().filter(|image| image.exists());
        let kept = kept.or_else(left).or_else(|| self.index.iter().find(is_program).map(path_of));
        kept.unwrap_or_else(|| run.program.clone())
    }
}

fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    Ok(one.metadata()?.len() == other.metadata()?.len() && fs::read(one)? == fs::read(other)?)
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
