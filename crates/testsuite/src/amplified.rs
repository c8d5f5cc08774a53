//! What `fathom amplify` writes into `suite.json`, as far as it is looked at here.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub struct Amplified {
    /// The suite itself, while its programs recorded themselves.
    pub suite: Option<Suite>,
    pub runs: u64,
    pub same_input: u64,
    pub same_path: u64,
    /// Runs that were not followed to their end.
    pub failed: u64,
    /// Runs that go otherwise in the engine than they went natively.
    pub departures: u64,
    /// All tests were analysed up to this distance.
    pub complete: Option<u32>,
    pub seconds: f64,
    pub phases: Vec<Phase>,
    pub checks: u64,
    pub checked_lines: u64,
    pub checks_left_out: u64,
    pub overhead: Option<Overhead>,
    pub bugs: Vec<Bug>,
}

#[derive(Serialize, Deserialize)]
pub struct Suite {
    pub seconds: f64,
}

/// All tests at one distance.
#[derive(Serialize, Deserialize)]
pub struct Phase {
    pub distance: u32,
    pub tests: u64,
    pub cut_short: u64,
    pub excursions: u64,
    pub seconds: f64,
}

/// Distance 0 over plain interpretation.
#[derive(Serialize, Deserialize)]
pub struct Overhead {
    pub tests: u64,
    pub quantile_10: f64,
    pub median: f64,
    pub quantile_90: f64,
    pub most: f64,
    pub solver_share: f64,
}

#[derive(Serialize, Deserialize)]
pub struct Bug {
    pub kind: String,
    pub file: String,
    pub line: u32,
    pub function: String,
    pub message: String,
    pub program: String,
    /// After the beginning of the analysis.
    pub seconds: f64,
    pub distance: u32,
    pub depth: u32,
    /// The command line of the nearest test.
    pub command: String,
    pub changes: Vec<Change>,
    pub replay: Option<Replay>,
    /// By test: the distance at which it exposes the bug.
    pub exposed: BTreeMap<String, u32>,
}

/// What is changed in an argument or a file of the nearest test.
#[derive(Serialize, Deserialize)]
pub struct Change {
    pub what: String,
    pub pieces: Vec<Piece>,
}

#[derive(Serialize, Deserialize)]
pub struct Piece {
    pub offset: u64,
    pub before: Vec<u8>,
    pub after: Vec<u8>,
}

/// What the native program did with the input.
#[derive(Serialize, Deserialize)]
pub struct Replay {
    pub verdict: String,
    pub detail: String,
}

impl Amplified {
    /// The results in `dir`; paths are told as they are below `source`.
    pub fn read(dir: &Path, source: &Path) -> Result<Self, String> {
        let path = dir.join("suite.json");
        let failed = |error: String| format!("{}: {error}", path.display());
        let text = fs::read_to_string(&path).map_err(|error| failed(error.to_string()))?;
        let text = text.replace(&format!("{}/", source.display()), "");
        serde_json::from_str(&text).map_err(|error| failed(error.to_string()))
    }

    /// The greatest distance begun.
    pub fn farthest(&self) -> Option<u32> {
        self.phases.iter().map(|phase| phase.distance).max()
    }
}

impl Bug {
    pub fn verdict(&self) -> &str {
        self.replay.as_ref().map_or("not run", |replay| &replay.verdict)
    }

    /// The command line of the nearest test, in a cell of a table.
    pub fn command_cell(&self) -> String {
        format!("`{}`", self.command.replace('|', "\\|").replace('\n', " "))
    }
}
