//! Finding tests by what a user names: a run, a pack, a directory, a `.ktest`, `RUN#NUMBER`.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::{Error, KTest, Pack, Result, TestCase, from_ktest, read_plain};

/// Where runs are kept unless the user says otherwise.
const BASE: &str = "fathom-out";

/// A test and the name by which it can be loaded again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedTest {
    pub name: String,
    pub test: TestCase,
}

/// What is at the place of a run.
pub struct RunPlace {
    /// By which it can be found again: its directory, or the pack where that was named.
    pub name: PathBuf,
    /// Where `summary.json` and the rest are.
    pub dir: PathBuf,
    pub pack: PathBuf,
}

/// The run that `path` names: its directory, its pack, or `last`.
pub fn find_run(path: &Path) -> Result<RunPlace> {
    let last = Path::new(BASE).join("last");
    let dir = match is_last(path) {
        true if !last.exists() => {
            return Err(Error::format(&last, "there is no last run in this directory"));
        }
        true => last,
        false => path.into(),
    };
    if dir.is_file() {
        let parent = dir.parent().unwrap_or(Path::new("")).into();
        return Ok(RunPlace { name: dir.clone(), dir: parent, pack: dir });
    }
    let pack = dir.join("tests.pack");
    match pack.exists() {
        true => Ok(RunPlace { name: dir.clone(), dir, pack }),
        false if dir.exists() => Err(Error::format(&dir, "not a run: it has no tests.pack")),
        false => Err(Error::format(&dir, "there is no such run")),
    }
}

/// The newest run is meant, and not a file of that name.
fn is_last(path: &Path) -> bool {
    path.as_os_str() == "last" && !path.exists()
}

/// One test: the directory of a test or bug, a `.ktest` file, or `RUN#NUMBER` where RUN is a run's
/// directory, its pack, or `last`.
pub fn load_test(path: &Path) -> Result<TestCase> {
    if let Some((run, number)) = numbered(path) {
        return Pack::open(&find_run(&run)?.pack)?.get(number);
    }
    if path.is_dir() {
        if path.join("tests.pack").exists() {
            let what = format!("a whole run; name one of its tests with {}#NUMBER", path.display());
            return Err(Error::format(path, what));
        }
        return read_plain(path);
    }
    match starts_as_ktest(path)? {
        true => Ok(from_ktest(&KTest::read(path)?)),
        false => Err(Error::format(
            path,
            "not a test: neither a test's directory, nor a .ktest file, nor RUN#NUMBER",
        )),
    }
}

/// Splits `RUN#NUMBER`, unless there is a file of that very name.
fn numbered(path: &Path) -> Option<(PathBuf, u64)> {
    let text = path.to_str()?;
    let (run, number) = text.rsplit_once('#')?;
    let number = number.parse().ok()?;
    (!path.exists()).then(|| (run.into(), number))
}

fn starts_as_ktest(path: &Path) -> Result<bool> {
    let mut start = Vec::new();
    let file = fs::File::open(path).map_err(Error::read(path))?;
    file.take(5).read_to_end(&mut start).map_err(Error::read(path))?;
    Ok(KTest::is_ktest(&start))
}

/// Tests that are read one by one.
pub struct Tests {
    tests: Box<dyn Iterator<Item = Result<NamedTest>>>,
    /// Bytes at the end of a pack that are not a whole record.
    torn: u64,
}

impl Tests {
    fn whole(tests: impl Iterator<Item = Result<NamedTest>> + 'static) -> Self {
        Self { tests: Box::new(tests), torn: 0 }
    }

    /// What to tell of a pack that ends within a record.
    pub fn torn_end(&self) -> Option<String> {
        let torn = self.torn;
        (torn > 0).then(|| {
            format!("the last {torn} bytes are half a test: the run was killed or still writes")
        })
    }
}

impl Iterator for Tests {
    type Item = Result<NamedTest>;

    fn next(&mut self) -> Option<Self::Item> {
        self.tests.next()
    }
}

/// All tests at a place: of a run or a pack, of a directory of test directories or `.ktest` files,
/// or the one that [`load_test`] finds.
pub fn open_tests(path: &Path) -> Result<Tests> {
    if numbered(path).is_none() && is_run(path)? {
        return open_pack(&find_run(path)?);
    }
    let one = |path: &Path| NamedTest::load(path.into());
    if !path.is_dir() || is_test_dir(path) {
        return Ok(Tests::whole(std::iter::once(Ok(one(path)?))));
    }
    let mut paths = Vec::new();
    for entry in fs::read_dir(path).map_err(Error::read(path))? {
        let entry = entry.map_err(Error::read(path))?.path();
        let is_ktest = entry.extension().is_some_and(|extension| extension == "ktest");
        if is_ktest || is_test_dir(&entry) {
            paths.push(entry);
        }
    }
    if paths.is_empty() {
        return Err(Error::format(path, "there are no tests in it"));
    }
    paths.sort();
    Ok(Tests::whole(paths.into_iter().map(NamedTest::load)))
}

fn is_run(path: &Path) -> Result<bool> {
    let is_dir = is_last(path) || path.join("tests.pack").exists();
    Ok(is_dir || path.is_file() && !starts_as_ktest(path)?)
}

fn open_pack(run: &RunPlace) -> Result<Tests> {
    let pack = Pack::open(&run.pack)?;
    let (run, torn) = (run.name.display().to_string(), pack.torn());
    let tests = (1..=pack.len()).map(move |number| {
        Ok(NamedTest { name: format!("{run}#{number}"), test: pack.get(number)? })
    });
    Ok(Tests { torn, ..Tests::whole(tests) })
}

/// Whether `path` is the directory of one test or bug.
pub fn is_test_dir(path: &Path) -> bool {
    path.is_dir()
        && ["meta.json", "argv", "stdin", "files"].iter().any(|name| path.join(name).exists())
}

impl NamedTest {
    fn load(path: PathBuf) -> Result<NamedTest> {
        Ok(NamedTest { test: load_test(&path)?, name: path.display().to_string() })
    }
}
