//! The rows and objects of the JSON files of a run directory.

use serde::{Deserialize, Serialize};

use crate::Finding;

/// `summary.json`: the run at its end. No times in it; those are in `timings.jsonl`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// fathom's version.
    pub version: String,
    /// The program as it was named.
    pub program: String,
    /// The options of `fathom run` before the program, but for the one that names the directory.
    #[serde(default)]
    pub options: Vec<String>,
    /// The program and what follows it.
    pub command: Vec<String>,
    /// SHA-256 of the bitcode, in hexadecimal.
    pub bitcode: String,
    /// Stack the program had, in MiB.
    #[serde(default)]
    pub max_stack: u64,
    /// Files of the working directory that the program opened.
    #[serde(default)]
    pub host_files: Vec<String>,
    /// Every path was followed to its end and the ledger is empty.
    pub exhaustive: bool,
    /// Why the run ended: `done`, `max-time`, `max-instructions`, `max-memory`, `interrupted`, …
    pub stopped: String,
    /// Paths that ended by themselves: exits, signals, bugs.
    pub complete_paths: u64,
    /// Paths cut short: limits, unsupported constructs.
    pub partial_paths: u64,
    /// States left unexplored at the end.
    pub states_left: u64,
    /// LLVM instructions executed on all paths.
    pub instructions: u64,
    /// Those of them that came to a state again: of a resumed run, or for another process.
    #[serde(default)]
    pub repeated_instructions: u64,
    /// Branches at which both sides were kept.
    pub forks: u64,
    /// Test cases in `tests.pack`.
    pub tests: u64,
    /// Those of them also under `tests/`.
    pub plain_tests: u64,
    pub bugs: Vec<Finding>,
    pub coverage: Cover,
    pub solver: SolverCounts,
    #[serde(default)]
    pub pending: PendingCounts,
    /// With `--inject-faults`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub faults: Option<FaultCounts>,
    /// Entries in `ledger.jsonl`, counts added up.
    pub ledger: u64,
}

/// What became of pending paths: those nobody had asked about when they parted from another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingCounts {
    /// Asked about, and possible.
    pub revived: u64,
    /// Not possible.
    pub infeasible: u64,
    /// The solver did not decide.
    pub undecided: u64,
    /// Put to sleep when memory was short: only how to come to them again was kept.
    pub dropped: u64,
    /// Left at the end.
    pub left: u64,
}

/// Faults that were put into the program on purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultCounts {
    pub injected: u64,
    pub found: u64,
}

/// What was executed of the program's own code.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cover {
    pub instructions: u64,
    pub instructions_total: u64,
    pub lines: u64,
    pub lines_total: u64,
    pub functions: u64,
    pub functions_total: u64,
    /// By source file, in the order of their paths.
    #[serde(default)]
    pub files: Vec<FileCover>,
}

/// What was executed of the functions of one source file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FileCover {
    pub path: String,
    /// LLVM instructions in it, and those of them executed.
    pub instructions: u64,
    pub covered: u64,
}

/// A line of `covered.jsonl`: a function of the program's own code, block by block.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionCover {
    pub function: String,
    pub file: String,
    pub line: u32,
    /// LLVM instructions of each basic block.
    pub instructions: Vec<u32>,
    /// For each basic block 1 where it was executed, else 0.
    pub covered: Vec<u8>,
}

/// What was asked of the solver chain.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolverCounts {
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    /// Time-outs and unknowns.
    pub failures: u64,
    /// Models that did not satisfy their query: defects of ours.
    pub wrong_models: u64,
    /// Different queries that a second solver decided too.
    pub cross_checked: u64,
    /// Those that it could not decide in its time.
    pub not_compared: u64,
    /// Those where it disagreed; the first are under `disputed/`.
    pub mismatches: u64,
    /// Answers by layer, in the order of the chain.
    pub layers: Vec<(String, u64)>,
}

/// A line of `stats.jsonl`: the counters when `instructions` had been executed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    pub instructions: u64,
    /// Paths that have ended.
    pub paths: u64,
    /// States in memory, and those of them that wait for a condition.
    pub states: u64,
    pub pending: u64,
    pub forks: u64,
    pub tests: u64,
    pub bugs: u64,
    /// Instructions of the program's own code executed at least once.
    pub covered: u64,
    pub queries: u64,
    /// Queries that reached the SMT solver.
    pub solver_queries: u64,
    pub ledger: u64,
}

/// A line of `timings.jsonl`: what depends on the machine, when `instructions` had been executed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// What the line is about: `sample`, `load`, `replay`, `total`, …
    pub what: String,
    pub instructions: u64,
    /// Since the start of the run.
    pub seconds: f64,
    pub cpu_seconds: f64,
    pub solver_seconds: f64,
    /// The part of it that went into asking about paths that turned out to be impossible, and
    /// into all queries that no input satisfies: checks that found no bug, too.
    #[serde(default)]
    pub infeasible_seconds: f64,
    #[serde(default)]
    pub unsat_seconds: f64,
    pub peak_bytes: u64,
    /// Memory that held something at the end; of the `total` line only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_use_bytes: Option<u64>,
}

/// A line of `ledger.jsonl`: something that was not done exactly or completely.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerEntry {
    /// What was done instead.
    pub what: String,
    /// How often, at this place.
    pub count: u64,
    pub file: String,
    /// 0 where unknown.
    pub line: u32,
    pub function: String,
}
