//! What the analysis of a suite finds, as it is found and at the end.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, ExitStatus};
use std::time::Instant;

use anyhow::{Context, Result};
use fathom_report::{LedgerEntry, Place as Where, SuiteDir};

use super::findings::Merged;
use super::job::WORLD;
use super::outcome::{Done, Found, Place};
use super::plan::Outcome;
use super::subject::{Subject, Subjects};
use super::summary::Summary;
use super::{Args, baseline, change, junit};
use crate::run::{StatusLine, say};

/// Results so far, on disk as soon as they are there.
pub struct Results {
    dir: SuiteDir,
    pub findings: Vec<Merged>,
    /// The directory of each finding.
    places: Vec<PathBuf>,
    /// By test and distance.
    pub done: BTreeMap<(usize, u32), Done>,
    /// How often each thing was not done exactly or completely.
    ledger: BTreeMap<(String, String, u32, String), u64>,
    pub suite: Option<(ExitStatus, f64)>,
    status: StatusLine,
    /// Where the worlds of tests are made.
    worlds: Option<Worlds>,
}

/// A directory that goes with this.
struct Worlds(PathBuf);

impl Drop for Worlds {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Results {
    pub fn create(out: Option<&Path>) -> Result<Self> {
        let place = match out {
            Some(path) => Where::Exactly(path.to_owned()),
            None => Where::Next(PathBuf::from("fathom-out")),
        };
        Ok(Self {
            dir: SuiteDir::create(&place)?,
            findings: Vec::new(),
            places: Vec::new(),
            done: BTreeMap::new(),
            ledger: BTreeMap::new(),
            suite: None,
            status: StatusLine::new(),
            worlds: fathom_replay::make_directory().ok().map(Worlds),
        })
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// The suite itself has ended.
    pub fn suite(&mut self, status: ExitStatus, seconds: f64) {
        self.suite = Some((status, seconds));
    }

    /// The directory of one pass.
    pub fn scratch(&self, number: usize, distance: u32) -> PathBuf {
        self.path().join("work").join(format!("{number}-{distance}"))
    }

    /// Where a pass can make the world of its test, best first.
    pub fn worlds(&self, number: usize, distance: u32) -> Vec<PathBuf> {
        let own = self.scratch(number, distance).join("root");
        let best = self.worlds.as_ref().map(|worlds| worlds.0.join(format!("{number}-{distance}")));
        best.into_iter().chain([own]).collect()
    }

    /// The pass has ended.
    pub fn clean(&self, number: usize, distance: u32) {
        for world in self.worlds(number, distance) {
            let _ = fs::remove_dir_all(world);
        }
        let _ = fs::remove_dir_all(self.scratch(number, distance));
    }

    pub fn note(&mut self, what: &str, count: u64) {
        *self.ledger.entry((what.to_owned(), String::new(), 0, String::new())).or_default() +=
            count;
    }

    /// A test has come upon a bug.
    pub fn bug(
        &mut self,
        found: Found,
        subject: &Subject,
        (number, distance): (usize, u32),
        seconds: f64,
    ) -> Result<()> {
        let mut case = fathom_report::read_plain(&found.case)?;
        let world = case.world.replace(PathBuf::from(WORLD));
        let text = found.text.clone();
        let known = self.findings.iter().position(|known| known.is(&found.finding.site));
        let Some(at) = known else {
            let mut merged = Merged::new(found, subject.program(), number, distance, seconds);
            merged.describe(subject);
            let place = self.dir.bug(&merged.finding, &case)?;
            keep_world(world.as_deref(), &place)?;
            self.announce(&merged, &text, &place, subject);
            self.findings.push(merged);
            self.places.push(place);
            return Ok(());
        };
        if self.findings[at].add(found, number, distance) {
            self.findings[at].describe(subject);
            self.dir.bug_again(&self.places[at], &self.findings[at].finding, &case)?;
            keep_world(world.as_deref(), &self.places[at])?;
        }
        Ok(())
    }

    fn announce(&mut self, merged: &Merged, text: &str, place: &Path, subject: &Subject) {
        self.status.clear();
        let nearest = &merged.nearest;
        let mut text = text.to_owned();
        text += &format!("  test      {}\n", subject.command());
        text += &format!("  distance  {}, depth {}\n", nearest.distance, nearest.depth);
        match nearest.changes.is_empty() {
            true => text += "  change    none: the test itself shows it\n",
            false => text += &format!("  change\n{}", change::render(&nearest.changes)),
        }
        text += &format!("  input     {}\n", place.display());
        if let Some(replay) = &merged.finding.replay {
            let colon = if replay.detail.is_empty() { "" } else { ": " };
            text += &format!("  replay    {}{colon}{}\n", replay.verdict, replay.detail);
        }
        say(&text);
    }

    pub fn done(&mut self, number: usize, distance: u32, done: Done) {
        for entry in &done.ledger {
            let LedgerEntry { what, file, line, function, count } = entry.clone();
            *self.ledger.entry((what, file, line, function)).or_default() += count;
        }
        for Place { file, line, count } in &done.left_out {
            let what =
                "a check was left out: too hard, or its place had used up its time".to_owned();
            *self.ledger.entry((what, file.clone(), *line, String::new())).or_default() += count;
        }
        if let Some(failure) = &done.failure {
            self.note(failure, 1);
        }
        if done.is_unrepeatable {
            self.note("not compared with the native run: it depends on where memory lies", 1);
        }
        if let Some(departure) = &done.departure {
            self.note(&format!("departs from the native run: {departure}"), 1);
        }
        self.done.insert((number, distance), done);
    }

    /// Which path a test takes.
    pub fn path_of(&self, number: usize) -> Option<u64> {
        let done = self.done.get(&(number, 0))?;
        Some(done.path).filter(|_| done.failure.is_none())
    }

    pub fn show(&mut self, distance: u32, n_done: usize, n_due: usize, deadline: Instant) {
        if self.status.is_due() {
            let left = deadline.saturating_duration_since(Instant::now()).as_secs();
            let (minutes, seconds) = (left / 60, left % 60);
            let bugs = self.findings.len();
            self.status.show(&format!(
                "fathom: distance {distance}: {n_done} of {n_due} tests, {bugs} bugs, {minutes}:{seconds:02} left"
            ));
        }
    }

    /// Writes what is only known at the end; the exit status says whether bugs are new.
    pub fn finish(
        mut self,
        args: &Args,
        subjects: &Subjects,
        outcome: Outcome<'_>,
        known: &BTreeSet<String>,
    ) -> Result<ExitCode> {
        self.status.clear();
        let _ = fs::remove_dir_all(self.path().join("work"));
        for unreadable in &subjects.unreadable {
            self.note(unreadable, 1);
        }
        for subject in &subjects.all {
            for note in &subject.notes {
                self.note(note, 1);
            }
        }
        let findings: Vec<_> = self.findings.iter().map(|it| it.finding.clone()).collect();
        let is_new = |it: &Merged| !known.contains(&baseline::key(&it.finding));
        let n_new = self.findings.iter().filter(|it| is_new(it)).count();
        self.dir.sarif(&findings)?;
        let junit = junit::render(&self.findings, is_new, subjects, outcome.seconds);
        self.dir.file("junit.xml", junit)?;
        let entry =
            |((what, file, line, function), count): (&(String, String, u32, String), &u64)| {
                LedgerEntry {
                    what: what.clone(),
                    count: *count,
                    file: file.clone(),
                    line: *line,
                    function: function.clone(),
                }
            };
        let ledger: Vec<LedgerEntry> = self.ledger.iter().map(entry).collect();
        let summary = Summary::of(&self, subjects, &outcome, &ledger, n_new);
        self.dir.file("ledger.jsonl", json_lines(&ledger))?;
        self.dir.file("tests.jsonl", json_lines(&summary.tests))?;
        self.dir.file("report.html", summary.page())?;
        self.dir.file("suite.json", serde_json::to_string_pretty(&summary).expect("plain data"))?;
        if let Some(path) = &args.write_baseline {
            baseline::write(path, &findings)?;
        }
        say(&summary.text(self.path()));
        Ok(ExitCode::from(u8::from(n_new > 0)))
    }

    /// Where a finding's directory is, relative to the results.
    pub fn place_of(&self, finding: usize) -> String {
        let place = &self.places[finding];
        place.strip_prefix(self.path()).unwrap_or(place).display().to_string()
    }
}

/// Moves the world of a test to the directory of its bug.
fn keep_world(world: Option<&Path>, place: &Path) -> Result<()> {
    let Some(world) = world else { return Ok(()) };
    fs::rename(world, place.join(WORLD)).with_context(|| world.display().to_string())
}

fn json_lines<T: serde::Serialize>(values: &[T]) -> String {
    let line = |value: &T| serde_json::to_string(value).expect("plain data") + "\n";
    values.iter().map(line).collect()
}
