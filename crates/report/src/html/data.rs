//! What a page is made of: the files of a run directory, read back.

use std::fs;
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::{Coverage, Error, Finding, LedgerEntry, Pack, Result, Sample, Summary, Timing, Tree};

/// Forks of which the tree is drawn; more take too much memory.
const MAX_FORKS: u64 = 1_000_000;

/// A run directory, of a run that ended or of one that was killed.
pub struct RunData {
    /// `None` where the run did not end in order.
    pub summary: Option<Summary>,
    /// The name of each directory under `bugs/`, and what is in it; in the order of their tests.
    pub bugs: Vec<(String, Finding)>,
    pub ledger: Vec<LedgerEntry>,
    pub coverage: Coverage,
    pub samples: Vec<Sample>,
    /// Empty where the page is to be the same on every machine.
    pub timings: Vec<Timing>,
    pub tree: Tree,
    pub pack: Pack,
    /// The tests that cover new code or show a bug.
    pub plain_tests: Vec<u64>,
}

impl RunData {
    /// Reads what is there, but for the timings.
    pub fn read(dir: &Path) -> Result<RunData> {
        let summary = read_text(&dir.join("summary.json"))?;
        let tree = dir.join("tree.bin");
        Ok(RunData {
            summary: summary.map(|text| parse(&dir.join("summary.json"), &text)).transpose()?,
            bugs: read_bugs(&dir.join("bugs"))?,
            ledger: read_lines(&dir.join("ledger.jsonl"))?,
            coverage: Coverage::from_lcov(
                &read_text(&dir.join("coverage.lcov"))?.unwrap_or_default(),
            ),
            samples: read_lines(&dir.join("stats.jsonl"))?,
            timings: Vec::new(),
            tree: if tree.exists() { Tree::read(&tree, MAX_FORKS)? } else { Tree::default() },
            pack: Pack::open(&dir.join("tests.pack"))?,
            plain_tests: numbers_in(&dir.join("tests"))?,
        })
    }

    pub fn read_timings(&mut self, dir: &Path) -> Result<()> {
        self.timings = read_lines(&dir.join("timings.jsonl"))?;
        Ok(())
    }

    /// The files of the program itself.
    pub fn is_own(&self, file: &str) -> bool {
        self.coverage.files.iter().any(|own| own.path == file)
    }
}

fn read_text(path: &Path) -> Result<Option<String>> {
    match path.exists() {
        true => fs::read_to_string(path).map(Some).map_err(Error::read(path)),
        false => Ok(None),
    }
}

fn parse<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| Error::format(path, error.to_string()))
}

/// One value per line; a last line that a killed run left unfinished is left out.
pub(crate) fn read_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let text = read_text(path)?.unwrap_or_default();
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    whole.lines().map(|line| parse(path, line)).collect()
}

fn read_bugs(dir: &Path) -> Result<Vec<(String, Finding)>> {
    let mut bugs = Vec::new();
    for name in names_in(dir)? {
        let path = dir.join(&name).join("bug.json");
        if let Some(text) = read_text(&path)? {
            bugs.push((name, parse::<Finding>(&path, &text)?));
        }
    }
    bugs.sort_by(|(name, bug), (other_name, other)| {
        (bug.test, name).cmp(&(other.test, other_name))
    });
    Ok(bugs)
}

fn numbers_in(dir: &Path) -> Result<Vec<u64>> {
    let mut numbers: Vec<u64> =
        names_in(dir)?.iter().filter_map(|name| name.parse().ok()).collect();
    numbers.sort();
    Ok(numbers)
}

fn names_in(dir: &Path) -> Result<Vec<String>> {
    if !dir.exists() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(dir).map_err(Error::read(dir))?;
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(Error::read(dir))?.file_name().to_string_lossy().into_owned();
        // What starts with a dot is being written.
        if !name.starts_with('.') {
            names.push(name);
        }
    }
    Ok(names)
}
