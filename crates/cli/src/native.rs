//! Native halves: the program a C file makes, and replay of tests as they are found.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, bail};
use fathom_kernel::HostFiles;
use fathom_replay::{
    Checked, Error, NativeInput, Object, Options, Predicted, Program, Verdict, World, check,
    unreproducible, unreproducible_in,
};
use fathom_report::{Replay, TestCase};

/// A C file's program, removed at the end.
pub struct Compiled {
    dir: PathBuf,
    pub path: PathBuf,
}

impl Drop for Compiled {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// The program that a C file makes; `None` for an executable.
pub fn compiled(program: &Path) -> Result<Option<Compiled>> {
    let extension = program.extension().unwrap_or_default();
    if extension == "bc" || extension == "ll" {
        bail!("{}: bitcode has no native half; name the executable", program.display());
    }
    if extension != "c" && extension != "i" {
        return Ok(None);
    }
    let dir = std::env::temp_dir().join(format!("fathom-replay-cc-{}", std::process::id()));
    fs::create_dir(&dir).with_context(|| dir.display().to_string())?;
    let own = Compiled { path: dir.join("program"), dir };
    let words: [OsString; 4] = ["-g".into(), program.into(), "-o".into(), own.path.clone().into()];
    match fathom_cc::main(words.into()) {
        0 => Ok(Some(own)),
        _ => bail!("{} does not compile", program.display()),
    }
}

/// The build of `program` with sanitizers: the one that was named, or `program.asan` beside it.
pub fn sanitized(program: &Path, named: Option<&Path>) -> Result<Option<Program>> {
    if let Some(named) = named {
        return Ok(Some(Program::open(named)?));
    }
    let mut beside = program.as_os_str().to_owned();
    beside.push(".asan");
    let beside = PathBuf::from(beside);
    Ok(if beside.is_file() { Some(Program::open(&beside)?) } else { None })
}

/// Gives a native run copies of `files`, which are relative to `directory`, as far as the test does
/// not bring them itself.
pub fn add_files(input: &mut NativeInput, directory: &Path, files: &[PathBuf]) {
    for file in files {
        if input.files.iter().any(|(path, _)| path == file) {
            continue;
        }
        if let Ok(bytes) = fs::read(directory.join(file)) {
            input.files.push((file.clone(), bytes));
        }
    }
}

/// Runs tests natively while a run goes on.
pub struct Replayer {
    program: Program,
    sanitized: Option<Program>,
    options: Options,
    /// Where the program's files are, and which of them it has opened so far.
    directory: PathBuf,
    host_files: HostFiles,
    _compiled: Option<Compiled>,
}

impl Replayer {
    /// `None` if there is no native half. `asan` names a build with sanitizers.
    pub fn open(
        program: &Path,
        asan: Option<&Path>,
        host_files: HostFiles,
        options: Options,
    ) -> Result<Option<Self>> {
        let directory = std::env::current_dir().context("the working directory")?;
        let sanitized = sanitized(program, asan)?;
        let Ok(compiled) = compiled(program) else { return Ok(None) };
        let path = compiled.as_ref().map_or(program, |own| &own.path);
        let Ok(program) = Program::open(path) else { return Ok(None) };
        let _compiled = compiled;
        Ok(Some(Self { program, sanitized, options, directory, host_files, _compiled }))
    }

    /// What the native program does with the test. `object` describes what a memory error
    /// concerns. `None` if the run has to end.
    pub fn replay(&self, test: &TestCase, object: Option<&str>) -> Option<Replay> {
        if self.options.interrupt.load(Ordering::Relaxed) {
            return None;
        }
        let bytes = |(name, value): (OsString, OsString)| (name.into_vec(), value.into_vec());
        let mut input = NativeInput::of_test(test, std::env::vars_os().map(bytes));
        input.files.retain(|(path, _)| path.is_relative());
        add_files(&mut input, &self.directory, &self.host_files.below(&self.directory));
        let predicted = predicted(test, object);
        let checked =
            check(&self.program, self.sanitized.as_ref(), &input, &predicted, &self.options);
        judged(checked, unreproducible(test))
    }
}

/// What the native program does with the test in a recorded world; `None` if the run has to end.
pub fn replay_in(
    program: &Program,
    world: Arc<World>,
    test: &TestCase,
    object: Option<&str>,
    options: &Options,
) -> Option<Replay> {
    if options.interrupt.load(Ordering::Relaxed) {
        return None;
    }
    let reason = unreproducible_in(test, &world);
    let input = NativeInput::of_test_in(test, world);
    judged(check(program, None, &input, &predicted(test, object), options), reason)
}

fn predicted(test: &TestCase, object: Option<&str>) -> Predicted {
    Predicted::of_test(test, object.map_or(Object::Unknown, Object::of_description))
}

/// The verdict for the report. `unreproducible` says why the run may differ for no fault of ours.
fn judged(
    checked: std::result::Result<Checked, Error>,
    unreproducible: Option<String>,
) -> Option<Replay> {
    let checked = match checked {
        Ok(checked) => checked,
        Err(Error::Interrupted) => return None,
        Err(error) => {
            let (verdict, detail) = ("failed".into(), error.to_string());
            return Some(Replay { verdict, detail, ..Replay::default() });
        }
    };
    let Checked { verdict, guard, .. } = checked;
    let (verdict, detail) = match (verdict, unreproducible) {
        (Verdict::Confirmed, _) => ("confirmed", String::new()),
        (Verdict::NotObservable(reason), _) => ("not observable natively", reason),
        (Verdict::Mismatch(_), Some(reason)) => ("not observable natively", reason),
        (Verdict::Mismatch(reason), None) => ("mismatch", reason),
    };
    let mode = format!("{guard:?}").to_lowercase();
    Some(Replay { verdict: verdict.into(), mode, detail })
}
