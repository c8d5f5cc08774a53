//! The analysis of a suite in numbers, for people and machines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use fathom_report::LedgerEntry;
use fathom_zesti::probability_of_finding;
use serde::Serialize;

use super::change::Change;
use super::plan::Outcome;
use super::results::Results;
use super::subject::Subjects;

/// Shares of a suite for which the chance of finding a bug is told.
const SAMPLES: [u64; 10] = [1, 2, 5, 10, 20, 30, 40, 50, 70, 90];

#[derive(Serialize)]
pub struct Summary {
    pub version: &'static str,
    /// How the suite ended, and how long it took.
    pub suite: Option<SuiteRow>,
    pub recording: PathBuf,
    pub programs: BTreeSet<String>,
    pub runs: usize,
    /// Runs with the same input as an earlier one, and those on the same path.
    pub same_input: usize,
    pub same_path: usize,
    /// Runs that could not be followed to their end.
    pub failed: usize,
    /// Runs whose output or end in the engine is not that of the native run.
    pub departures: usize,
    /// All tests were analysed up to this distance.
    pub complete: Option<u32>,
    pub interrupted: bool,
    pub seconds: f64,
    pub phases: Vec<Phase>,
    /// Checks made by the solver, and lines that had one.
    pub checks: u64,
    pub checked_lines: usize,
    pub checks_left_out: u64,
    /// Distance 0 over plain interpretation: quantiles over the tests.
    pub overhead: Option<Overhead>,
    pub bugs: Vec<BugRow>,
    pub new_bugs: usize,
    pub ledger: u64,
    #[serde(skip)]
    pub tests: Vec<TestRow>,
    #[serde(skip)]
    pub entries: Vec<LedgerEntry>,
}

#[derive(Serialize)]
pub struct SuiteRow {
    pub status: String,
    pub seconds: f64,
}

/// All passes at one distance.
#[derive(Serialize, Default, Clone)]
pub struct Phase {
    pub distance: u32,
    pub tests: usize,
    pub cut_short: usize,
    pub excursions: u64,
    pub seconds: f64,
    pub solver_seconds: f64,
    pub bugs: usize,
}

#[derive(Serialize)]
pub struct Overhead {
    pub tests: usize,
    pub quantile_10: f64,
    pub median: f64,
    pub quantile_90: f64,
    pub most: f64,
    /// Of the time of distance 0.
    pub solver_share: f64,
}

#[derive(Serialize)]
pub struct BugRow {
    pub kind: String,
    pub file: String,
    pub line: u32,
    pub function: String,
    pub message: String,
    pub program: String,
    pub directory: String,
    /// After the start of the analysis, when it was first found.
    pub seconds: f64,
    pub distance: u32,
    pub depth: u32,
    /// The nearest test, by its number.
    pub test: usize,
    pub command: String,
    pub changes: Vec<Change>,
    pub replay: Option<fathom_report::Replay>,
    /// By test number: the distance at which it exposes the bug.
    pub exposed: BTreeMap<usize, u32>,
    /// For shares of the suite in percent: the chance that such a sample finds the bug, at the
    /// least distance.
    pub chances: Vec<(u64, f64)>,
}

#[derive(Serialize)]
pub struct TestRow {
    pub test: usize,
    pub id: String,
    pub program: String,
    pub command: String,
    pub directory: String,
    pub symbolic_bytes: usize,
    pub same_input_as: Option<usize>,
    pub same_path_as: Option<usize>,
    pub end: String,
    pub failure: Option<String>,
    pub departure: Option<String>,
    pub branches: u32,
    pub instructions: u64,
    pub plain_seconds: f64,
    pub seconds: f64,
    pub wall_seconds: f64,
    pub solver_seconds: f64,
    /// The distances analysed, and whether no limit cut that short.
    pub reached: Vec<(u32, bool)>,
}

impl Summary {
    pub fn of(
        results: &Results,
        subjects: &Subjects,
        outcome: &Outcome<'_>,
        ledger: &[LedgerEntry],
        new_bugs: usize,
    ) -> Self {
        let tests: Vec<TestRow> = (0..subjects.all.len())
            .map(|number| test_row(number, results, subjects, outcome))
            .collect();
        let mut lines = BTreeSet::new();
        let mut checks = 0;
        for place in results.done.values().flat_map(|done| &done.checks) {
            lines.insert((&place.file, place.line));
            checks += place.count;
        }
        let left_out = results.done.values().flat_map(|done| &done.left_out);
        Self {
            version: env!("CARGO_PKG_VERSION"),
            suite: results
                .suite
                .map(|(status, seconds)| SuiteRow { status: status.to_string(), seconds }),
            recording: subjects.recording.clone(),
            programs: subjects.programs(),
            runs: tests.len(),
            same_input: tests.iter().filter(|test| test.same_input_as.is_some()).count(),
            same_path: tests.iter().filter(|test| test.same_path_as.is_some()).count(),
            failed: tests.iter().filter(|test| test.failure.is_some()).count(),
            departures: tests.iter().filter(|test| test.departure.is_some()).count(),
            complete: outcome.complete,
            interrupted: outcome.is_interrupted,
            seconds: outcome.seconds,
            phases: phases(results),
            checks,
            checked_lines: lines.len(),
            checks_left_out: left_out.map(|place| place.count).sum(),
            overhead: overhead(&tests),
            bugs: bug_rows(results, subjects, &tests),
            new_bugs,
            ledger: ledger.iter().map(|entry| entry.count).sum(),
            entries: ledger.to_vec(),
            tests,
        }
    }

    /// For the terminal.
    pub fn text(&self, path: &Path) -> String {
        let mut text = String::new();
        let mut row = |name: &str, value: String| text += &format!("{name:<11}{value}\n");
        let mut tests = format!("{} runs of {} programs", self.runs, self.programs.len());
        for (count, what) in [
            (self.same_input, "the same as earlier ones"),
            (self.same_path, "on the path of another"),
            (self.failed, "not followed to their end"),
        ] {
            if count > 0 {
                tests += &format!(", {count} {what}");
            }
        }
        row("tests", tests);
        for phase in &self.phases {
            let mut value = format!("{}: {} tests", phase.distance, phase.tests);
            if phase.cut_short > 0 {
                value += &format!(", {} cut short", phase.cut_short);
            }
            if phase.excursions > 0 {
                value += &format!(", {} excursions", phase.excursions);
            }
            value += &format!(", {:.1} s", phase.seconds);
            if phase.bugs > 0 {
                value += &format!(", {} bugs", phase.bugs);
            }
            row("distance", value);
        }
        let mut checks = format!("{} at {} lines", self.checks, self.checked_lines);
        if self.checks_left_out > 0 {
            checks += &format!(", {} left out", self.checks_left_out);
        }
        row("checks", checks);
        if let Some(overhead) = &self.overhead {
            row(
                "overhead",
                format!(
                    "{:.1} times plain interpretation in the median, {:.1} for one test in ten; {:.0} % of it in the solver",
                    overhead.median,
                    overhead.quantile_90,
                    100.0 * overhead.solver_share
                ),
            );
        }
        if self.departures > 0 {
            row("departures", format!("{}: a defect of fathom's, see the ledger", self.departures));
        }
        row("bugs", format!("{}, {} of them not in the baseline", self.bugs.len(), self.new_bugs));
        if self.ledger > 0 {
            row("ledger", format!("{} entries, see ledger.jsonl", self.ledger));
        }
        row("results", path.display().to_string());
        if self.interrupted {
            row("go on with", format!("fathom amplify --from {}", self.recording.display()));
        }
        text
    }
}

fn test_row(
    number: usize,
    results: &Results,
    subjects: &Subjects,
    outcome: &Outcome<'_>,
) -> TestRow {
    let (subject, progress) = (&subjects.all[number], &outcome.tests[number]);
    let first = results.done.get(&(number, 0)).cloned().unwrap_or_default();
    TestRow {
        test: number,
        id: subject.id.clone(),
        program: subject.program(),
        command: subject.command(),
        directory: subject.directory.display().to_string(),
        symbolic_bytes: subject.symbolic_bytes,
        same_input_as: subject.same_as,
        same_path_as: progress.same_path_as,
        end: first.end,
        failure: progress.failure.clone(),
        departure: first.departure,
        branches: first.branches,
        instructions: first.instructions,
        plain_seconds: first.plain_seconds,
        seconds: first.seconds,
        wall_seconds: first.wall_seconds,
        solver_seconds: first.solver_seconds,
        reached: progress.reached.clone(),
    }
}

fn phases(results: &Results) -> Vec<Phase> {
    let mut phases: BTreeMap<u32, Phase> = BTreeMap::new();
    for (&(_, distance), done) in &results.done {
        let phase = phases.entry(distance).or_default();
        phase.distance = distance;
        phase.tests += 1;
        phase.cut_short += usize::from(done.stopped);
        phase.excursions += u64::from(done.excursions);
        phase.seconds += done.seconds;
        phase.solver_seconds += done.solver_seconds;
    }
    for found in &results.findings {
        phases.entry(found.nearest.distance).or_default().bugs += 1;
    }
    phases.into_values().collect()
}

fn overhead(tests: &[TestRow]) -> Option<Overhead> {
    let passing: Vec<&TestRow> = tests
        .iter()
        .filter(|test| test.failure.is_none() && test.plain_seconds > 0.0 && test.seconds > 0.0)
        .collect();
    let mut ratios: Vec<f64> =
        passing.iter().map(|test| test.seconds / test.plain_seconds).collect();
    ratios.sort_by(f64::total_cmp);
    let at = |share: f64| ratios.get(((ratios.len() - 1) as f64 * share).round() as usize).copied();
    if ratios.is_empty() {
        return None;
    }
    let total: f64 = passing.iter().map(|test| test.wall_seconds).sum();
    Some(Overhead {
        tests: ratios.len(),
        quantile_10: at(0.1)?,
        median: at(0.5)?,
        quantile_90: at(0.9)?,
        most: at(1.0)?,
        solver_share: passing.iter().map(|test| test.solver_seconds).sum::<f64>() / total,
    })
}

fn bug_rows(results: &Results, subjects: &Subjects, tests: &[TestRow]) -> Vec<BugRow> {
    let row = |(at, found): (usize, &super::findings::Merged)| {
        let site = &found.finding.site;
        let is_of_it = |test: &&TestRow| test.program == found.program;
        let n = tests.iter().filter(is_of_it).count() as u64;
        let exposed = with_same(&found.exposed, tests);
        let is_nearest = |test: &&TestRow| exposed.get(&test.test) == Some(&found.nearest.distance);
        let m = tests.iter().filter(is_of_it).filter(is_nearest).count() as u64;
        let chance = |&share: &u64| {
            let k = (n * share).div_ceil(100);
            (share, probability_of_finding(n, m, k))
        };
        BugRow {
            kind: site.kind.clone(),
            file: site.file.clone(),
            line: site.line,
            function: site.function.clone(),
            message: found.finding.message.clone(),
            program: found.program.clone(),
            directory: results.place_of(at),
            seconds: found.seconds,
            distance: found.nearest.distance,
            depth: found.nearest.depth,
            test: found.nearest.test,
            command: subjects.all[found.nearest.test].command(),
            changes: found.nearest.changes.clone(),
            replay: found.finding.replay.clone(),
            exposed,
            chances: SAMPLES.iter().map(chance).collect(),
        }
    };
    results.findings.iter().enumerate().map(row).collect()
}

/// Tests that were not analysed because another one is the same expose what that one exposes.
fn with_same(exposed: &BTreeMap<usize, u32>, tests: &[TestRow]) -> BTreeMap<usize, u32> {
    let mut all = exposed.clone();
    for test in tests {
        let Some(other) = test.same_input_as.or(test.same_path_as) else { continue };
        if let Some(&distance) = all.get(&other) {
            all.entry(test.test).or_insert(distance);
        }
    }
    all
}
