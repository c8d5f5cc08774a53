//! What an analysed test tells the process that asked for it, as lines of JSON.

use std::path::PathBuf;

use fathom_report::{Finding, LedgerEntry};
use serde::{Deserialize, Serialize};

use super::change::Change;
use super::job::BugKey;

/// Told as it happens.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum News {
    Bug(Box<Found>),
    Done(Box<Done>),
}

/// A bug that a test came upon.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Found {
    pub finding: Finding,
    /// The test case as plain files.
    pub case: PathBuf,
    /// How it looks on the terminal.
    pub text: String,
    /// Branches on the test's path before it was left, or before the bug.
    pub depth: u32,
    /// What has to be changed about the test.
    pub changes: Vec<Change>,
    pub key: BugKey,
}

/// A pass over a test has ended.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Done {
    /// How the test's own path ended.
    pub end: String,
    /// Why that path was not followed to its end.
    pub failure: Option<String>,
    /// How it differs from the native run, which is a defect of fathom's.
    pub departure: Option<String>,
    /// What it does depends on where its memory lies: there is nothing to compare.
    pub is_unrepeatable: bool,
    /// Branches on the path at which an input could leave it.
    pub branches: u32,
    /// For each number of branches so far, `1` where there is a sensitive operation.
    pub sensitive: String,
    /// For each address on it that is a large term, `1` where it was too hard to reason about.
    pub hard: String,
    /// Of all decisions on the path: tests with the same one need no second look.
    pub path: u64,
    pub checks: Vec<Place>,
    pub left_out: Vec<Place>,
    pub excursions: u32,
    pub cut_short: u32,
    /// States off the path that used up their forks.
    pub suspended: u64,
    /// Waiting to be asked about when time was up.
    pub left: u64,
    pub instructions: u64,
    /// Of the processor, and of the clock.
    pub seconds: f64,
    pub wall_seconds: f64,
    pub solver_seconds: f64,
    pub check_seconds: f64,
    /// The same run without symbolic input.
    pub plain_seconds: f64,
    /// A limit ended it.
    pub stopped: bool,
    pub ledger: Vec<LedgerEntry>,
}

/// Something counted at a place of the source.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub count: u64,
}
