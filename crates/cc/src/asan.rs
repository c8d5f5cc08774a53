//! `--asan`: the same project as programs of the machine's own C library, dynamically linked, with
//! AddressSanitizer and UndefinedBehaviorSanitizer. Replay uses them (`docs/REPLAY.md`).

use std::ffi::{OsStr, OsString};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use crate::args::{Args, Mode};
use crate::compile::{LAX_FLAGS, WARNINGS_STAY, is_probe};
use crate::error::Error;
use crate::options::any_matches;
use crate::process::{Run, exit_code};
use crate::sysroot::{cache_dir, tool};
use crate::temp::TempDir;

/// Unoptimised: what the optimiser removes, the sanitizers do not see.
const FLAGS: &[&str] = &[
    "-fsanitize=address,undefined",
    "-fno-omit-frame-pointer",
    "-O0",
    "-g",
    "-Wno-unused-command-line-argument",
];

/// Options of the user's that would undo ours, or cannot go with them.
const DROPPED: &[&str] = &[
    "-O*",
    "-static",
    "-static-pie",
    "-s",
    "-flto*",
    "-fsanitize*",
    "-fno-sanitize*",
    "-fomit-frame-pointer",
    "-D_FORTIFY_SOURCE*",
    "-Wp,-D_FORTIFY_SOURCE*",
];

macro_rules! runtime {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../runtime/", $path)))),*]
    };
}

/// What the intrinsics' native bodies are made of.
const RUNTIME: &[(&str, &str)] = runtime![
    "asan/start.c",
    "fathom/fathom.c",
    "fathom/inputs.c",
    "fathom/inputs.h",
    "fathom/klee.c",
    "fathom/verifier.c",
    "include/fathom.h",
    "include/klee/klee.h",
    "native/guard.h",
    "native/guard_report.c",
    "native/offline.c",
    "native/raw_sys_call.h",
    "native/start.h",
];

/// Always linked; the other sources make a library.
const START: &str = "asan/start.c";

/// clang as the machine's own compiler, with the sanitizers. `words` are without `--asan`.
pub(crate) fn run(words: &[OsString]) -> Result<i32, Error> {
    let clang = tool("clang")?;
    let temp = TempDir::new()?;
    let parsed = Args::parse(words);
    let support = Support::find(&clang, &temp)?;
    let mut args: Vec<OsString> = FLAGS.iter().map(OsString::from).collect();
    args.extend(["-isystem".into(), support.0.join("include").into()]);
    let is_lax = !parsed.sources().any(|source| is_probe(&source.path));
    if is_lax {
        args.extend(LAX_FLAGS.iter().map(OsString::from));
    }
    args.extend(words.iter().filter(|word| !is_dropped(word)).cloned());
    if is_lax {
        args.push(WARNINGS_STAY.into());
    }
    if parsed.mode == Mode::Link && !words.iter().any(|word| word == "-shared") {
        args.extend([support.start().into(), support.library().into()]);
    }
    Run { tool: &clang, args, stdin: None }.status(&temp)
}

fn is_dropped(word: &OsStr) -> bool {
    any_matches(DROPPED, &word.to_string_lossy())
}

/// A directory with the headers, the object that starts a program, and the intrinsics' bodies.
struct Support(PathBuf);

impl Support {
    /// It is made when it is first needed.
    fn find(clang: &Path, temp: &TempDir) -> Result<Self, Error> {
        let mut hasher = DefaultHasher::new();
        RUNTIME.hash(&mut hasher);
        let name = format!("asan-{:016x}", hasher.finish());
        let support = Self(cache_dir().join(&name));
        if support.library().exists() {
            return Ok(support);
        }
        let unfinished = Self(cache_dir().join(format!("{name}.{}", std::process::id())));
        unfinished.write()?;
        unfinished.build(clang, temp)?;
        if fs::rename(&unfinished.0, &support.0).is_err() {
            // Another process was faster.
            let _ = fs::remove_dir_all(&unfinished.0);
        }
        Ok(support)
    }

    fn start(&self) -> PathBuf {
        self.0.join(START).with_extension("o")
    }

    fn library(&self) -> PathBuf {
        self.0.join("libfathom.a")
    }

    fn write(&self) -> Result<(), Error> {
        for (path, text) in RUNTIME {
            let path = self.0.join(path);
            let parent = path.parent().expect("it is below the root");
            let written = fs::create_dir_all(parent).and_then(|()| fs::write(&path, text));
            written.map_err(|error| Error::io(&path, error))?;
        }
        Ok(())
    }

    fn build(&self, clang: &Path, temp: &TempDir) -> Result<(), Error> {
        let mut archive = vec!["rcsD".into(), self.library().into()];
        for (source, _) in RUNTIME.iter().filter(|(path, _)| path.ends_with(".c")) {
            let source_path = self.0.join(source);
            let object = source_path.with_extension("o");
            let mut args: Vec<OsString> =
                ["-c", "-O1", "-w", "-fsanitize=address", "-isystem"].map(OsString::from).to_vec();
            args.extend([self.0.join("include").into(), source_path.into()]);
            args.extend(["-o".into(), object.clone().into()]);
            make(Run { tool: clang, args, stdin: None }, temp)?;
            if *source != START {
                archive.push(object.into());
            }
        }
        make(Run { tool: &tool("llvm-ar")?, args: archive, stdin: None }, temp)
    }
}

fn make(run: Run<'_>, temp: &TempDir) -> Result<(), Error> {
    let output = run.output(temp)?;
    match exit_code(&output) {
        0 => Ok(()),
        _ => Err(Error::Refused(format!(
            "programs with sanitizers cannot be made here (packages libclang-rt-{}-dev and \
             libc6-dev):\n{}",
            crate::LLVM_VERSION,
            String::from_utf8_lossy(&output.stderr).trim_end()
        ))),
    }
}
