//! `bench faults`: which coverage predicts how many injected faults are found?

use std::fmt::Write;

use super::correlation::{agreeing, spearman};
use super::outcome::{Outcome, Runner};
use super::plan::{self, Config, Mode, Start, Strategy};
use super::subjects::Subject;
use super::summary::Results;
use super::{Options, measure};
use crate::results::{grouped, share, write_section};
use crate::tree::Tree;

const TITLE: &str = "# Injected faults";

pub fn run(tree: &Tree, words: &[&str]) -> Result<bool, String> {
    let options = Options::parse(words)?;
    if options.long {
        return Err("bench faults has no --long".to_string());
    }
    let subjects = plan::subjects(&options.programs)?;
    let cpu_seconds = options.cpu_seconds.unwrap_or(60);
    let plans = plan::faults(&subjects, cpu_seconds);
    let runner = Runner::new(tree, &subjects, options.store(tree))?;
    let (results, all_ran) = measure(&runner, &plans, options.which)?;
    let rows = rows(&results, &subjects);
    let section = render(&rows, cpu_seconds, &results.commits());
    print!("{section}");
    if options.programs.is_empty() {
        write_section(tree, &section)?;
    }
    Ok(all_ran)
}

/// One program in one mode.
struct Row<'a> {
    program: &'static str,
    mode: Mode,
    run: &'a Outcome,
}

impl Row<'_> {
    /// Percent of the injected faults.
    fn found(&self) -> f64 {
        self.run.faults.map_or(0.0, |faults| share(faults.found, faults.injected))
    }

    /// Percent of the program's own instructions executed in the engine.
    fn internal(&self) -> f64 {
        share(self.run.cover.count(), self.run.cover.total())
    }

    /// Percent of them that the tests execute.
    fn tests(&self) -> f64 {
        let covered = self.run.tests.as_ref().map_or(0, |tests| tests.covered);
        share(covered, self.run.cover.total())
    }
}

/// A number in percent.
type Share = fn(&Row) -> f64;

fn rows<'a>(results: &'a Results, subjects: &[&Subject]) -> Vec<Row<'a>> {
    let (strategy, start) = (Strategy::RandomPath, Start::Unseeded);
    let mut rows = Vec::new();
    for subject in subjects {
        for mode in Mode::ALL {
            let runs = results.runs(subject, Config { mode, strategy, start });
            rows.extend(runs.map(|run| Row { program: subject.name, mode, run }));
        }
    }
    rows
}

fn render(rows: &[Row], cpu_seconds: u32, commits: &str) -> String {
    let mut out = format!(
        "{TITLE}\n\n\
         Written by `./x bench faults`: `--inject-faults`, random-path, unseeded, {cpu_seconds} CPU s a run, two at \
         a time, by fathom at {commits}. Every basic block of the program's own code that has an integer gets a division by zero \
         with a value of its own; each is found once. Internal: instructions executed in the engine. Tests: \
         instructions that the tests of complete paths execute (exits, signals and the program's own bugs; \
         not the tests of paths that the end of the run cut short, nor those of the faults), followed \
         to their ends by a second run with `--only-seeds`, of more than 1,000 tests those that were the first \
         to cover something and an even choice of the others.\n\n\
         | program | mode | injected | found | % | internal | % | complete tests | run | covered by tests | % |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n"
    );
    for row in rows {
        let _ = writeln!(out, "| {} | {} | {} |", row.program, row.mode.name(), cells(row));
    }
    out + &prediction(rows)
}

fn cells(row: &Row) -> String {
    let count = |number: Option<u64>| number.map_or(String::new(), grouped);
    let (faults, tests) = (row.run.faults.as_ref(), row.run.tests.as_ref());
    let cells = [
        count(faults.map(|faults| faults.injected)),
        count(faults.map(|faults| faults.found)),
        format!("{:.1}", row.found()),
        grouped(row.run.cover.count()),
        format!("{:.1}", row.internal()),
        count(tests.map(|tests| tests.complete as u64)),
        count(tests.map(|tests| tests.run as u64)),
        count(tests.map(|tests| tests.covered)),
        format!("{:.1}", row.tests()),
    ];
    cells.join(" | ")
}

/// How faults go with either coverage: over all rows, and among the modes of each program.
fn prediction(rows: &[Row]) -> String {
    let mut out = "\n| coverage | rank correlation with faults found, all runs | the same of shares | pairs of modes of a program in the same order |\n\
         |---|---|---|---|\n"
        .to_string();
    let coverages: [(&str, Share); 2] =
        [("internal", |row| row.internal()), ("of the tests", |row| row.tests())];
    for (name, coverage) in coverages {
        let pairs = |rows: &[Row]| -> Vec<(f64, f64)> {
            rows.iter().map(|row| (row.found(), coverage(row))).collect()
        };
        let counts = rows.iter().map(|row| {
            let (faults, size) = (row.run.faults.unwrap_or_default(), row.run.cover.total());
            (faults.found as f64, coverage(row) * size as f64)
        });
        let [counts, shares] = [counts.collect(), pairs(rows)].map(|pairs: Vec<_>| {
            spearman(&pairs).map_or("none".to_string(), |number| format!("{number:.2}"))
        });
        let groups = rows.chunk_by(|one, two| one.program == two.program);
        let (same, all) = groups
            .map(|group| agreeing(&pairs(group)))
            .fold((0, 0), |sums, counts| (sums.0 + counts.0, sums.1 + counts.1));
        let _ = writeln!(out, "| {name} | {counts} | {shares} | {same} of {all} |");
    }
    out + "\nSpearman's, of numbers of faults and instructions; of shares: in percent of the program's.\n"
}
