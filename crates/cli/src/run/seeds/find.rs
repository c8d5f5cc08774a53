//! Finds seeds by what a user names: a test, a run, a file, a line of arguments, a directory.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use fathom_report::{KTest, from_ktest, is_test_dir, open_tests};

use super::fit::Fitter;
use super::words;

/// What may stand after `--seed`, for messages.
const FORMS: &str = "a seed is a file, a directory, RUN#NUMBER, NAME=PATH or argv:'ARGS'";

/// Gives all seeds at `path` to `fitter`.
pub fn find(path: &Path, fitter: &mut Fitter<'_>) -> Result<()> {
    let text = path.as_os_str().as_bytes();
    if let Some(list) = text.strip_prefix(b"argv:@") {
        let list = Path::new(OsStr::from_bytes(list));
        refuse_pipe(path, list)?;
        return argument_lines(list, fitter);
    }
    if let Some(line) = text.strip_prefix(b"argv:") {
        return arguments(path, line, fitter);
    }
    if path.exists() {
        refuse_pipe(path, path)?;
        return place(path, fitter);
    }
    let equals = text.iter().position(|&byte| byte == b'=');
    if let Some((name, rest)) = equals.map(|at| (&text[..at], &text[at + 1..])) {
        return named(path, &String::from_utf8_lossy(name), rest, fitter);
    }
    if is_run_name(text) {
        return tests(path, fitter).map(drop);
    }
    // A broken link, a directory that may not be entered, or simply nothing.
    let error = fs::metadata(path).err().map_or(String::new(), |error| error.to_string());
    bail!("--seed {}: {error}; {FORMS}", path.display())
}

/// Nobody may be about to write into a named pipe. One that is open already, standard input or what the
/// shell makes of `<(command)`, has a writer.
fn refuse_pipe(whole: &Path, path: &Path) -> Result<()> {
    let is_pipe = fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo());
    if is_pipe && !path.starts_with("/dev") && !path.starts_with("/proc") {
        bail!(
            "--seed {}: a named pipe; write what comes out of it to a file, and name that",
            whole.display()
        );
    }
    Ok(())
}

/// `last`, or RUN#NUMBER.
fn is_run_name(text: &[u8]) -> bool {
    let number = text.rsplit(|&byte| byte == b'#').next().unwrap_or_default();
    let is_number = !number.is_empty() && number.iter().all(u8::is_ascii_digit);
    text == b"last" || text.len() > number.len() && is_number
}

/// NAME=PATH: files for the input of this name.
fn named(whole: &Path, name: &str, rest: &[u8], fitter: &mut Fitter<'_>) -> Result<()> {
    let Some(slot) = fitter.slot(name) else {
        let names = fitter.names().join(", ");
        let names = if names.is_empty() { "none".into() } else { names };
        bail!(
            "--seed {}: there is no such file, and no symbolic input is called {name} (there are: \
             {names})",
            whole.display()
        );
    };
    let path = Path::new(OsStr::from_bytes(rest));
    let metadata = fs::metadata(path).with_context(|| format!("--seed {}", whole.display()))?;
    refuse_pipe(whole, path)?;
    if !metadata.is_dir() {
        return bytes(path.to_owned(), slot, fitter);
    }
    let files = files_below(path)?;
    if files.is_empty() {
        bail!("--seed {}: there are no files in that directory", whole.display());
    }
    for path in files {
        let found = bytes(path.clone(), slot, fitter);
        use_or_skip(found, &path, fitter);
    }
    Ok(())
}

/// Of several seeds, one that cannot be used is skipped: there are others.
fn use_or_skip<T: Default>(found: Result<T>, path: &Path, fitter: &mut Fitter<'_>) -> T {
    found.unwrap_or_else(|error| {
        let (text, name) = (format!("{error:#}"), path.display().to_string());
        let why = text.trim_start_matches("--seed").trim_start_matches([':', ' ']);
        let why = why.strip_prefix(&name).and_then(|why| why.strip_prefix(": ")).unwrap_or(why);
        fitter.skip(why, &name);
        T::default()
    })
}

/// A file or directory that is there.
fn place(path: &Path, fitter: &mut Fitter<'_>) -> Result<()> {
    if !path.is_dir() {
        return file(path.to_owned(), fitter);
    }
    if directory(path, fitter)? == 0 {
        bail!("--seed {}: there are no seeds in this directory", path.display());
    }
    Ok(())
}

/// All tests of a run, or the one test that `path` names.
fn tests(path: &Path, fitter: &mut Fitter<'_>) -> Result<usize> {
    let found = open_tests(path).with_context(|| format!("--seed {}", path.display()))?;
    let (torn_end, mut n_tests) = (found.torn_end(), 0);
    for named in found {
        let named = named?;
        fitter.add_test(named.name, named.test);
        n_tests += 1;
    }
    match torn_end {
        Some(what) if n_tests == 0 => bail!("--seed {}: no test in it, {what}", path.display()),
        Some(what) => fitter.skip(&what, &format!("behind test {n_tests} of {}", path.display())),
        None => {}
    }
    Ok(n_tests)
}

/// Everything in a directory; how much that was.
fn directory(path: &Path, fitter: &mut Fitter<'_>) -> Result<usize> {
    if path.join("tests.pack").exists() || is_test_dir(path) {
        return tests(path, fitter);
    }
    if is_fuzzer(path) {
        return fuzzer(path, fitter);
    }
    let Listing { files, directories } = list(path)?;
    let mut n_seeds = files.len();
    for path in files {
        let found = file(path.clone(), fitter);
        use_or_skip(found, &path, fitter);
    }
    for path in directories {
        let found = directory(&path, fitter);
        n_seeds += usize::from(found.is_err());
        n_seeds += use_or_skip(found, &path, fitter);
    }
    Ok(n_seeds)
}

/// What one fuzzer of AFL++ has found.
fn fuzzer(path: &Path, fitter: &mut Fitter<'_>) -> Result<usize> {
    let slot = fitter.plain_slot(&path.display().to_string())?;
    let what = format!("found by AFL++, taken as {}", fitter.names()[slot]);
    let found = fuzzer_files(path)?;
    let n_files = found.len();
    for path in found {
        fitter.note(&what);
        let found = bytes(path.clone(), slot, fitter);
        use_or_skip(found, &path, fitter);
    }
    Ok(n_files)
}

/// A file that says itself what it is.
fn file(path: PathBuf, fitter: &mut Fitter<'_>) -> Result<()> {
    if has_extension(&path, "argv") {
        return argument_lines(&path, fitter);
    }
    if path.file_name().is_some_and(|name| name == "tests.pack") {
        return tests(&path, fitter).map(drop);
    }
    if has_extension(&path, "ktest") {
        let ktest = KTest::read(&path).context("--seed")?;
        fitter.add_test(path.display().to_string(), from_ktest(&ktest));
        return Ok(());
    }
    let slot = fitter.plain_slot(&path.display().to_string())?;
    if fitter.has_choice() {
        fitter.note("plain files taken as stdin (NAME=PATH for another input)");
    }
    bytes(path, slot, fitter)
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|found| found == wanted)
}

/// A file's bytes, whatever they are, for an input. No more is read than it holds.
fn bytes(path: PathBuf, slot: usize, fitter: &mut Fitter<'_>) -> Result<()> {
    let read = || -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let limit = u64::from(fitter.size(slot)) + 1;
        File::open(&path)?.take(limit).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let read = read().with_context(|| format!("--seed: cannot read {}", path.display()))?;
    fitter.add_bytes(path.display().to_string(), slot, read);
    Ok(())
}

/// A file with a line of arguments for each seed.
fn argument_lines(path: &Path, fitter: &mut Fitter<'_>) -> Result<()> {
    let text = fs::read(path).with_context(|| format!("--seed: cannot read {}", path.display()))?;
    let lines = words::lines(&text).map_err(|what| anyhow::anyhow!("{}: {what}", path.display()));
    let lines = lines.context("--seed")?;
    if lines.is_empty() {
        bail!("--seed: there are no arguments in {}; each line is one seed", path.display());
    }
    check_args(path, fitter)?;
    for (at, words) in lines.iter().enumerate() {
        fitter.add_args(format!("{} ({})", path.display(), at + 1), words);
    }
    Ok(())
}

/// `argv:` and a line of arguments.
fn arguments(whole: &Path, line: &[u8], fitter: &mut Fitter<'_>) -> Result<()> {
    let what = || format!("--seed {}", whole.display());
    let mut lines = words::lines(line).map_err(anyhow::Error::msg).with_context(what)?;
    check_args(whole, fitter)?;
    if lines.is_empty() {
        lines.push(Vec::new());
    }
    for words in &lines {
        fitter.add_args(whole.display().to_string(), words);
    }
    Ok(())
}

fn check_args(source: &Path, fitter: &Fitter<'_>) -> Result<()> {
    if !fitter.has_args() {
        bail!(
            "--seed {}: no argument of the program is symbolic; add --sym-arg N or --sym-args MIN \
             MAX N",
            source.display()
        );
    }
    Ok(())
}

/// What is in a directory, sorted by name. Hidden files and links to directories are left out,
/// and so is what AFL++ and KLEE write besides inputs.
struct Listing {
    files: Vec<PathBuf>,
    directories: Vec<PathBuf>,
}

fn list(path: &Path) -> Result<Listing> {
    let context = || format!("--seed: cannot read {}", path.display());
    let mut listing = Listing { files: Vec::new(), directories: Vec::new() };
    for entry in fs::read_dir(path).with_context(context)? {
        let entry = entry.with_context(context)?;
        let name = entry.file_name();
        if name.as_bytes().starts_with(b".") {
            continue;
        }
        let kind = entry.file_type().with_context(context)?;
        if kind.is_dir() {
            listing.directories.push(entry.path());
        } else if kind.is_file() || kind.is_symlink() && entry.path().is_file() {
            listing.files.push(entry.path());
        }
    }
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().as_bytes().to_vec();
    if listing.files.iter().any(|path| name(path).starts_with(b"id:")) {
        listing.files.retain(|path| name(path) != b"README.txt");
    }
    if listing.files.iter().any(|path| name(path) == b"messages.txt")
        && listing.files.iter().any(|path| has_extension(path, "ktest"))
    {
        listing.files.retain(|path| has_extension(path, "ktest"));
    }
    listing.files.sort();
    listing.directories.sort();
    Ok(listing)
}

/// Whether `path` is where one fuzzer of AFL++ keeps what it has found.
fn is_fuzzer(path: &Path) -> bool {
    path.join("queue").is_dir()
}

/// The queue of a fuzzer, and what crashed. What hung is left out: it would hang here, too.
fn fuzzer_files(path: &Path) -> Result<Vec<PathBuf>> {
    let mut found = list(&path.join("queue"))?.files;
    let crashes = path.join("crashes");
    if crashes.is_dir() {
        found.extend(list(&crashes)?.files);
    }
    Ok(found)
}

/// All files of a directory and those in it, for one input; of what AFL++ wrote, the inputs only.
fn files_below(path: &Path) -> Result<Vec<PathBuf>> {
    if is_fuzzer(path) {
        return fuzzer_files(path);
    }
    let Listing { mut files, directories } = list(path)?;
    for directory in directories {
        files.extend(files_below(&directory)?);
    }
    Ok(files)
}
