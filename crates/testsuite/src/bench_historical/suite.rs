//! Amplifying a tool's tests, and what the summary of that says about the bug.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::bugs::Bug;
use super::{SECONDS, tests_of};
use crate::json;
use crate::process::{Ended, Run};
use crate::real::Built;
use crate::tree::Tree;

/// More than the budget: the suite runs before it, native runs of bugs come with it.
const TIMEOUT: u64 = SECONDS * 3 + 600;

/// The part of `suite.json` that is looked at.
#[derive(Deserialize)]
struct Summary {
    bugs: Vec<Row>,
    runs: u64,
    phases: Vec<Phase>,
}

#[derive(Deserialize)]
struct Row {
    kind: String,
    file: String,
    function: String,
    distance: u32,
    depth: u32,
    command: String,
    replay: Option<Replay>,
    /// By test: the distance at which it exposes the bug.
    exposed: BTreeMap<String, u32>,
}

#[derive(Deserialize)]
struct Replay {
    verdict: String,
}

/// All tests at one distance.
#[derive(Deserialize)]
struct Phase {
    distance: u32,
    seconds: f64,
}

/// What amplifying a tool's tests came to.
pub struct Amplified {
    /// Runs of the tool that were recorded.
    pub runs: u64,
    /// Bugs, the one that was put in among them.
    pub n_bugs: usize,
    /// The greatest distance begun.
    pub farthest: Option<u32>,
    pub found: Option<Found>,
}

/// How the bug was found.
pub struct Found {
    pub distance: u32,
    pub depth: u32,
    /// The command line of the nearest test.
    pub command: String,
    /// Tests that expose it.
    pub n_tests: usize,
    /// What the native program did with the input.
    pub replay: String,
    /// The end of the distance at which it was found.
    pub seconds: f64,
}

pub fn amplify(tree: &Tree, built: &Built, bug: &Bug, out: &Path) -> Result<Ended, String> {
    tests_of::forget(built);
    let ended = Run::new(&tree.fathom, &built.source)
        .args(["amplify", "--program", bug.tool, "--jobs", "1"])
        .args(["--budget", &format!("{SECONDS}s"), "--out"])
        .arg(out)
        .arg("--")
        .args(tests_of::command(bug))
        .timeout(TIMEOUT)
        .run()?;
    match ended.status {
        0 | 1 => Ok(ended),
        _ => Err(ended.said()),
    }
}

pub fn read(out: &Path, bug: &Bug) -> Result<Amplified, String> {
    json::object(&out.join("suite.json")).map(|summary| summarise(summary, bug))
}

fn summarise(summary: Summary, bug: &Bug) -> Amplified {
    let found = summary
        .bugs
        .iter()
        .filter(|row| bug.is(&row.kind, &row.file, &row.function))
        .min_by_key(|row| row.distance)
        .map(|row| Found {
            distance: row.distance,
            depth: row.depth,
            command: row.command.clone(),
            n_tests: row.exposed.len(),
            replay: row.replay.as_ref().map_or("not run", |replay| &replay.verdict).to_string(),
            seconds: seconds_until(&summary.phases, row.distance),
        });
    Amplified {
        runs: summary.runs,
        n_bugs: summary.bugs.len(),
        farthest: summary.phases.iter().map(|phase| phase.distance).max(),
        found,
    }
}

fn seconds_until(phases: &[Phase], distance: u32) -> f64 {
    phases.iter().filter(|phase| phase.distance <= distance).map(|phase| phase.seconds).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench_historical::bugs::BUGS;

    const SUITE: &str = r#"{
        "version": "1", "runs": 300, "suite": {"status": "exit status: 0", "seconds": 3.5},
        "phases": [
            {"distance": 0, "tests": 90, "seconds": 2.5, "bugs": 1},
            {"distance": 1, "tests": 80, "seconds": 8.0, "bugs": 2}
        ],
        "bugs": [
            {"kind": "out-of-bounds-read", "file": "/x/src/cut.c", "line": 123,
             "function": "compare_eol_range", "program": "cut", "directory": "bugs/1", "distance": 1,
             "depth": 40, "test": 7, "command": "cut -c1-3,5- --output-d=:", "changes": [],
             "replay": {"verdict": "confirmed", "mode": "end", "detail": ""},
             "exposed": {"7": 1, "9": 3}},
            {"kind": "null-dereference", "file": "/x/src/cut.c", "line": 1, "function": "main",
             "program": "cut", "directory": "bugs/2", "distance": 0, "depth": 0, "test": 1,
             "command": "cut", "changes": [], "replay": null, "exposed": {"1": 0}}
        ]
    }"#;

    #[test]
    fn the_bug_among_others() {
        let summary = serde_json::from_str(SUITE).expect("well formed");
        let amplified = summarise(summary, &BUGS[0]);
        assert_eq!((amplified.runs, amplified.n_bugs, amplified.farthest), (300, 2, Some(1)));
        let found = amplified.found.expect("it is the first");
        assert_eq!((found.distance, found.depth, found.n_tests), (1, 40, 2));
        assert_eq!((found.replay.as_str(), found.seconds), ("confirmed", 10.5));
        let summary = serde_json::from_str(SUITE).expect("well formed");
        assert!(summarise(summary, &BUGS[1]).found.is_none(), "that is another tool's");
    }

    #[test]
    fn what_is_missing_is_named() {
        let without = SUITE.replace("\"depth\": 40,", "");
        let error = serde_json::from_str::<Summary>(&without).err().expect("no depth");
        assert!(error.to_string().contains("missing field `depth`"), "{error}");
    }
}
