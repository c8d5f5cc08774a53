//! The directory of a run: `fathom-out/<n>/`, or the one the user named.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::html::read_lines;
use crate::pack::{self, PackWriter, Taken};
use crate::tree::{self, StateNumbers, TreePart, TreeWriter};
use crate::write::{self, JsonLines};
use crate::{
    Coverage, Error, Finding, FunctionCover, LedgerEntry, Replay, Result, Sample, Summary,
    TestCase, Timing,
};
use crate::{html, plain, sarif};

/// Where a run's directory is to be.
#[derive(Clone, Debug)]
pub enum Place {
    /// The next number in this directory (`fathom-out`), with the link `last` to it.
    Next(PathBuf),
    /// This directory, which must be empty or not exist.
    Exactly(PathBuf),
}

/// The directory of a run in progress.
///
/// The first write that fails is returned as an [`Error`] with the path and what to do; a run ends
/// there. What was written before stays readable.
pub struct RunDir {
    path: PathBuf,
    part: u32,
    pack: PackWriter,
    tree: TreeWriter,
    stats: JsonLines,
    timings: JsonLines,
    findings: Vec<Finding>,
    /// The directory of each.
    bug_dirs: Vec<PathBuf>,
    /// Directories under `bugs/`, by what their names start with.
    bug_stems: HashMap<String, u32>,
    n_plain: u64,
}

/// The times of the run in `dir` up to where it last ended in order.
pub fn total_timing(dir: &Path) -> Result<Option<Timing>> {
    let mut timings: Vec<Timing> = read_lines(&dir.join("timings.jsonl"))?;
    timings.retain(|timing| timing.what == "total");
    Ok(timings.pop())
}

impl RunDir {
    pub fn create(place: &Place) -> Result<RunDir> {
        let path = create_at(place)?;
        write::create_dir(&path.join("tests"))?;
        write::create_dir(&path.join("bugs"))?;
        Ok(RunDir {
            pack: PackWriter::create(&path.join("tests.pack"))?,
            tree: TreeWriter::create(&path)?,
            stats: JsonLines::create(path.join("stats.jsonl"))?,
            timings: JsonLines::create(path.join("timings.jsonl"))?,
            findings: Vec::new(),
            bug_dirs: Vec::new(),
            bug_stems: HashMap::new(),
            n_plain: 0,
            part: 1,
            path,
        })
    }

    /// Goes on with the run at `path` after its part number `part`, of which the first `n_tests`
    /// tests, `findings` and the first `tree_len` bytes of the tree count. What came after them is
    /// removed.
    pub fn reopen(
        path: &Path,
        part: u32,
        n_tests: u64,
        tree_len: u64,
        findings: Vec<Finding>,
    ) -> Result<RunDir> {
        settle_tree(path, part)?;
        remove_merged(path, part + 1)?;
        let n_plain = keep(&path.join("tests"), |name| {
            name.parse::<u64>().is_ok_and(|number| number <= n_tests)
        })?;
        let mut bug_stems = HashMap::new();
        let bug_dirs: Vec<PathBuf> =
            findings.iter().map(|finding| bug_dir(path, finding, &mut bug_stems)).collect();
        keep(&path.join("bugs"), |name| bug_dirs.iter().any(|dir| dir.ends_with(name)))?;
        Ok(RunDir {
            pack: PackWriter::reopen_with(&path.join("tests.pack"), n_tests)?,
            tree: TreeWriter::reopen(path, tree_len)?,
            stats: JsonLines::reopen(path.join("stats.jsonl"))?,
            timings: JsonLines::reopen(path.join("timings.jsonl"))?,
            findings,
            bug_dirs,
            bug_stems,
            n_plain,
            part: part + 1,
            path: path.into(),
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Which part of the run this is, counted from 1: it is stopped and resumed in between.
    pub fn part(&self) -> u32 {
        self.part
    }

    /// Adds a test to the pack, and under `tests/` where it covers new code or shows a bug.
    /// Returns its number. It may be reported to the user after [`flush`](RunDir::flush), or at
    /// once if it went under `tests/`.
    pub fn test(&mut self, test: &TestCase) -> Result<u64> {
        let number = self.pack.append(test)?;
        if test.new_coverage || test.outcome.is_bug() {
            self.pack.flush()?;
            self.plain_test(number, test)?;
        }
        Ok(number)
    }

    fn plain_test(&mut self, number: u64, test: &TestCase) -> Result<()> {
        let dir = self.path.join(format!("tests/{number:06}"));
        write::replace_dir(&dir, |dir| plain::write_plain(dir, number, test))?;
        self.n_plain += 1;
        Ok(())
    }

    /// Adds the tests of another pack, but for those that show bugs. Returns their numbers, in
    /// order, 0 for what was left out.
    pub fn take_over(&mut self, pack: &Path) -> Result<Vec<u64>> {
        let (mut numbers, mut special) = (Vec::new(), Vec::new());
        pack::take_over(&mut self.pack, pack, |taken, writer| {
            numbers.push(match taken {
                Taken::Number(number) => number,
                Taken::Special(test) if test.outcome.is_bug() => 0,
                Taken::Special(mut test) => {
                    test.path = writer.len();
                    let number = writer.append(&test)?;
                    special.push((number, test));
                    number
                }
            });
            Ok(())
        })?;
        self.pack.flush()?;
        for (number, test) in special {
            self.plain_test(number, &test)?;
        }
        Ok(numbers)
    }

    /// Writes a finding's directory, with the input of `test`, which has number `finding.test`.
    pub fn bug(&mut self, finding: &Finding, test: &TestCase) -> Result<PathBuf> {
        self.pack.flush()?;
        let dir = bug_dir(&self.path, finding, &mut self.bug_stems);
        write::replace_dir(&dir, |dir| {
            plain::write_plain(dir, finding.test, test)?;
            finding.write(dir)
        })?;
        self.findings.push(finding.clone());
        self.bug_dirs.push(dir.clone());
        Ok(dir)
    }

    /// Adds what a native run of finding `index` (of [`findings`](RunDir::findings)) showed.
    pub fn replayed(&mut self, index: usize, replay: Replay) -> Result<()> {
        self.findings[index].replay = Some(replay);
        self.findings[index].write(&self.bug_dirs[index])
    }

    /// Every test added so far is on disk when this returns, and all but the end of the tree.
    pub fn flush(&mut self) -> Result<()> {
        self.pack.flush()?;
        self.tree.flush()
    }

    /// `tree.bin`, to be added to.
    pub fn tree(&mut self) -> &mut TreeWriter {
        &mut self.tree
    }

    /// Makes one tree of this one and those of other processes, which are in the order of the
    /// states they made. States are numbered anew, from 1 on; returns the new numbers. It is
    /// `tree.bin` after [`settle_tree`](RunDir::settle_tree).
    pub fn merge_trees(&mut self, others: Vec<TreePart>) -> Result<StateNumbers> {
        self.tree.finish()?;
        let path = self.path.join("tree.bin");
        let own = TreePart { path, first_state: 0, tests: None };
        let dir = merged_dir(&self.path, self.part);
        write::create_dir(&dir)?;
        let (tree, numbers) = tree::merge(&dir, [own].into_iter().chain(others).collect())?;
        self.tree = tree;
        Ok(numbers)
    }

    /// Puts the merged tree, if there is one, in the place of `tree.bin`. If this process is killed
    /// before, and this part of the run counts, [`reopen`](RunDir::reopen) does it.
    pub fn settle_tree(&self) -> Result<()> {
        settle_tree(&self.path, self.part)
    }

    /// Every record is on disk when this returns; for a directory that is read by another process
    /// and not finished.
    pub fn close(&mut self) -> Result<()> {
        self.pack.flush()?;
        self.tree.finish()?;
        Ok(())
    }

    /// Adds a line to `stats.jsonl`.
    pub fn sample(&mut self, sample: &Sample) -> Result<()> {
        self.stats.append(sample)
    }

    /// Adds a line to `timings.jsonl`.
    pub fn timing(&mut self, timing: &Timing) -> Result<()> {
        self.timings.append(timing)
    }

    /// Writes the scripts of queries that two solvers answer differently under `disputed/`.
    pub fn disputed(&self, scripts: &[String]) -> Result<()> {
        for (number, script) in (1..).zip(scripts) {
            let dir = self.path.join("disputed");
            write::create_dir(&dir)?;
            write::replace_file(&dir.join(format!("{number:06}.smt2")), script)?;
        }
        Ok(())
    }

    /// Writes `covered.jsonl`: the blocks executed, by function.
    pub fn covered(&self, functions: &[FunctionCover]) -> Result<()> {
        write::replace_file(&self.path.join("covered.jsonl"), write::json_lines(functions))
    }

    /// Test cases in the pack.
    pub fn n_tests(&self) -> u64 {
        self.pack.len()
    }

    /// Test cases under `tests/`.
    pub fn n_plain(&self) -> u64 {
        self.n_plain
    }

    /// What [`bug`](RunDir::bug) was given, in order.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Writes what is only known at the end. `summary.tests`, `plain_tests`, `bugs` and `ledger`
    /// are filled in here.
    pub fn finish(
        mut self,
        summary: Summary,
        ledger: &[LedgerEntry],
        coverage: Option<&Coverage>,
    ) -> Result<Summary> {
        self.pack.sync()?;
        self.tree.finish()?;
        write::replace_file(&self.path.join("ledger.jsonl"), write::json_lines(ledger))?;
        if let Some(coverage) = coverage {
            write::replace_file(&self.path.join("coverage.lcov"), coverage.to_lcov())?;
        }
        write::replace_file(&self.path.join("findings.sarif"), sarif::sarif(&self.findings))?;
        let summary = Summary {
            tests: self.pack.len(),
            plain_tests: self.n_plain,
            bugs: self.findings,
            ledger: ledger.iter().map(|entry| entry.count).sum(),
            ..summary
        };
        html::write_at_end(&self.path, &summary)?;
        write::replace_file(&self.path.join("summary.json"), write::pretty(&summary))?;
        Ok(summary)
    }
}

/// Makes a directory for results.
pub(crate) fn create_at(place: &Place) -> Result<PathBuf> {
    match place {
        Place::Next(base) => create_next(base),
        Place::Exactly(path) => create_exactly(path),
    }
}

/// Where the tree that part `part` of a run has merged waits.
fn merged_dir(run: &Path, part: u32) -> PathBuf {
    run.join(format!(".tree-{part}"))
}

fn settle_tree(run: &Path, part: u32) -> Result<()> {
    let merged = merged_dir(run, part).join("tree.bin");
    if merged.exists() {
        let path = run.join("tree.bin");
        fs::rename(&merged, &path).map_err(Error::write(&path))?;
    }
    remove_merged(run, part)
}

fn remove_merged(run: &Path, part: u32) -> Result<()> {
    let dir = merged_dir(run, part);
    match fs::remove_dir_all(&dir) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::write(&dir)(error)),
        _ => Ok(()),
    }
}

/// The directory of the next finding of its stem.
pub(crate) fn bug_dir(run: &Path, finding: &Finding, stems: &mut HashMap<String, u32>) -> PathBuf {
    let stem = finding.dir_stem();
    let n = stems.entry(stem.clone()).or_insert(0);
    *n += 1;
    run.join(format!("bugs/{stem}-{n}"))
}

/// Removes the directories below `path` that are not to be kept, and counts the others.
fn keep(path: &Path, is_kept: impl Fn(&str) -> bool) -> Result<u64> {
    let mut n_kept = 0;
    for entry in fs::read_dir(path).map_err(Error::read(path))? {
        let entry = entry.map_err(Error::read(path))?;
        if entry.file_name().to_str().is_some_and(&is_kept) {
            n_kept += 1;
        } else {
            fs::remove_dir_all(entry.path()).map_err(Error::write(&entry.path()))?;
        }
    }
    Ok(n_kept)
}

fn create_exactly(path: &Path) -> Result<PathBuf> {
    match fs::read_dir(path) {
        Ok(mut entries) => match entries.next() {
            Some(_) => Err(Error::InUse { path: path.into() }),
            None => Ok(path.into()),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            write::create_dir(path)?;
            Ok(path.into())
        }
        Err(error) => Err(Error::write(path)(error)),
    }
}

/// Makes the directory after the last numbered one, and lets `last` point to it.
fn create_next(base: &Path) -> Result<PathBuf> {
    write::create_dir(base)?;
    let mut number = last_number(base)? + 1;
    loop {
        let path = base.join(number.to_string());
        match fs::create_dir(&path) {
            Ok(()) => {
                link_last(base, number)?;
                return Ok(path);
            }
            // Another run was quicker.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(Error::write(&path)(error)),
        }
    }
}

fn last_number(base: &Path) -> Result<u64> {
    let entries = fs::read_dir(base).map_err(Error::read(base))?;
    let number = |entry: io::Result<fs::DirEntry>| entry.ok()?.file_name().to_str()?.parse().ok();
    Ok(entries.filter_map(number).max().unwrap_or(0))
}

/// Replaces the link in one step: there is always a `last`.
fn link_last(base: &Path, number: u64) -> Result<()> {
    let last = base.join("last");
    let partial = base.join(format!(".last-{number}"));
    symlink(number.to_string(), &partial).and_then(|()| fs::rename(&partial, &last)).map_err(
        |source| {
            let _ = fs::remove_file(&partial);
            Error::Write { path: last, source }
        },
    )
}
