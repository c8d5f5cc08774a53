//! A test program with symbolic input: what the run found must be what the comments say, and every
//! test case it wrote must end natively as it was predicted.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use fathom_report::{Finding, LedgerEntry, NamedTest, Outcome, Summary, open_tests};
use serde::Deserialize;

use crate::directives::{Directives, Expected, Native};
use crate::process::{self, Ended};
use crate::tree::{Scratch, Tree};

/// The run's directory in the scratch directory.
pub const RUN_DIR: &str = "run";

/// A run that has ended.
pub struct Run<'a> {
    /// The source, from the repository's root.
    pub name: &'a str,
    pub test: &'a Directives,
    pub dir: &'a Path,
    pub ended: &'a Ended,
}

impl Run<'_> {
    pub fn check(&self, tree: &Tree, scratch: &Scratch) -> Result<(), String> {
        let text = fs::read_to_string(self.dir.join("summary.json"));
        let text = text.map_err(|error| format!("no summary: {error}\n{}", self.stderr()))?;
        let summary: Summary =
            serde_json::from_str(&text).map_err(|error| format!("bad summary: {error}"))?;
        let ledger = self.ledger()?;
        self.check_bugs(&summary.bugs)?;
        self.check_ledger(&ledger, &summary)?;
        let tests = open_tests(self.dir).map_err(|error| error.to_string())?;
        let tests: Result<Vec<NamedTest>, _> = tests.collect();
        let tests = tests.map_err(|error| error.to_string())?;
        self.check_counts(&summary, &tests)?;
        self.check_inputs(&summary.bugs, &tests)?;
        let status = i32::from(!summary.bugs.is_empty());
        if self.ended.status != status {
            return Err(format!("exit status {}, not {status}", self.ended.status));
        }
        if self.test.native == Native::Skip {
            return Ok(());
        }
        self.replay(tree, scratch)
    }

    /// Findings against expectations, both ways.
    fn check_bugs(&self, bugs: &[Finding]) -> Result<(), String> {
        let expected = self.test.expected.iter().map(|expectation| match &expectation.what {
            Expected::Bug(kind) => Ok((expectation.line, kind.as_str())),
            Expected::Unsupported(_) => Err("in a symbolic run, say `ledger unsupported: …`"),
        });
        let expected: BTreeSet<(u32, &str)> = expected.collect::<Result<_, _>>()?;
        let found: BTreeSet<(u32, &str)> =
            bugs.iter().map(|bug| (self.line_of(bug), bug.site.kind.as_str())).collect();
        let list = |of: Vec<&(u32, &str)>| -> String {
            of.iter().map(|(line, kind)| format!("\n  line {line}: {kind}")).collect()
        };
        let unmet = list(expected.difference(&found).collect());
        let surplus = list(found.difference(&expected).collect());
        match (unmet.as_str(), surplus.as_str()) {
            ("", "") => Ok(()),
            _ => Err(format!(
                "expected, but not found:{unmet}\nfound, but not expected:{surplus}\n{}",
                self.stderr()
            )),
        }
    }

    /// The line of the test where a bug is: for one inside the C library, the call.
    fn line_of(&self, bug: &Finding) -> u32 {
        let base = |path: &str| path.rsplit('/').next().unwrap_or(path).to_string();
        let wanted = base(self.name);
        let own = (&bug.site.file, bug.site.line);
        let mut sites =
            std::iter::once(own).chain(bug.stack.iter().map(|frame| (&frame.file, frame.line)));
        sites.find(|(file, _)| base(file) == wanted).map_or(0, |(_, line)| line)
    }

    fn ledger(&self) -> Result<Vec<LedgerEntry>, String> {
        let text = fs::read_to_string(self.dir.join("ledger.jsonl"));
        let text = text.map_err(|error| format!("no ledger: {error}"))?;
        let lines: Result<_, _> = text.lines().map(serde_json::from_str).collect();
        lines.map_err(|error| format!("bad ledger: {error}"))
    }

    fn check_ledger(&self, ledger: &[LedgerEntry], summary: &Summary) -> Result<(), String> {
        for text in &self.test.ledger {
            if !ledger.iter().any(|entry| entry.what.contains(text)) {
                return Err(format!("the ledger does not say `{text}`:\n{}", shown(ledger)));
            }
        }
        match (self.test.explored.not_exhaustive, summary.exhaustive) {
            (false, false) => {
                let stopped = &summary.stopped;
                Err(format!("not exhaustive ({stopped}):\n{}", shown(ledger)))
            }
            (true, true) => Err("exhaustive, though it is said not to be".to_string()),
            _ => Ok(()),
        }
    }

    fn check_counts(&self, summary: &Summary, tests: &[NamedTest]) -> Result<(), String> {
        let expected = &self.test.explored;
        let exits: BTreeSet<i32> = tests
            .iter()
            .filter_map(|named| match named.test.outcome {
                Outcome::Exit { status } => Some(status),
                _ => None,
            })
            .collect();
        if let Some(expected) = expected.exits.as_ref().filter(|expected| **expected != exits) {
            return Err(format!("exits {exits:?}, expected {expected:?}"));
        }
        let counts = [
            ("paths", summary.complete_paths, expected.paths),
            ("tests", tests.len() as u64, expected.tests),
            ("tests", tests.len() as u64, Some(summary.tests)),
        ];
        for (what, count, expected) in counts {
            if let Some(expected) = expected.filter(|expected| *expected != count) {
                return Err(format!("{count} {what}, expected {expected}"));
            }
        }
        let coverage = &summary.coverage;
        if expected.covered && coverage.lines < coverage.lines_total {
            let uncovered = uncovered(self.dir)?;
            return Err(format!("lines not covered: {uncovered}"));
        }
        Ok(())
    }

    fn check_inputs(&self, bugs: &[Finding], tests: &[NamedTest]) -> Result<(), String> {
        let of_bugs = || {
            let tests = bugs.iter().filter_map(|bug| tests.get(bug.test as usize - 1));
            tests.flat_map(|named| &named.test.inputs)
        };
        for (name, value) in &self.test.explored.inputs {
            let of_name = || of_bugs().filter(|input| input.name == *name);
            if !of_name().any(|input| value.is(&input.bytes)) {
                let found: Vec<_> = of_name().map(|input| input.bytes.escape_ascii()).collect();
                let found: Vec<_> = found.iter().map(|bytes| format!("\"{bytes}\"")).collect();
                let found = found.join(", ");
                return Err(format!("no bug has {name}={value:?}; they have {found}"));
            }
        }
        Ok(())
    }

    /// Runs every test natively; none may end otherwise than predicted.
    fn replay(&self, tree: &Tree, scratch: &Scratch) -> Result<(), String> {
        let ended = process::Run::new(&tree.fathom, scratch.path())
            .args(["replay", "--json", "prog", RUN_DIR])
            .plain_env(&self.test.env)
            .run()?;
        let rows = String::from_utf8_lossy(&ended.stdout);
        let rows: Result<Vec<Row>, _> = rows.lines().map(serde_json::from_str).collect();
        let rows = rows.map_err(|error| format!("bad row of replay: {error}"))?;
        let wrong: String =
            rows.iter().filter(|row| row.verdict == "mismatch").map(Row::line).collect();
        if ended.status == 0 && wrong.is_empty() {
            return Ok(());
        }
        let stderr = String::from_utf8_lossy(&ended.stderr);
        Err(format!("replay (status {}):\n{wrong}{stderr}", ended.status))
    }

    fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.ended.stderr).into_owned()
    }
}

/// A line of `fathom replay --json`.
#[derive(Deserialize)]
struct Row {
    test: String,
    predicted: String,
    native: String,
    verdict: String,
    reason: String,
}

impl Row {
    fn line(&self) -> String {
        let Self { test, predicted, native, reason, .. } = self;
        format!("{test}: predicted {predicted}, natively {native}: {reason}\n")
    }
}

fn shown(ledger: &[LedgerEntry]) -> String {
    let entry = |entry: &LedgerEntry| {
        format!("  {} ({} times, {}:{})\n", entry.what, entry.count, entry.file, entry.line)
    };
    ledger.iter().map(entry).collect()
}

/// Lines that no path executed, as `coverage.lcov` has them.
fn uncovered(dir: &Path) -> Result<String, String> {
    let text = fs::read_to_string(dir.join("coverage.lcov")).map_err(|error| error.to_string())?;
    let zero = |line: &str| Some(line.strip_prefix("DA:")?.strip_suffix(",0")?.to_string());
    Ok(text.lines().filter_map(zero).collect::<Vec<_>>().join(" "))
}
