//! A run's results: made by running `fathom`, or found in the cache where the same was run before.

use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use fathom_report::FaultCounts;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::cover::Cover;
use super::plan::{Plan, Start};
use super::subjects::Subject;
use super::test_cover::{self, TestCover};
use crate::json;
use crate::process::Run;
use crate::real::Packages;
use crate::tree::{Scratch, Tree};

/// Two runs share the machine.
const MAX_MEMORY_MIB: &str = "6000";
/// Files of a run's directory that are kept.
const KEPT: [&str; 5] =
    ["summary.json", "covered.jsonl", "stats.jsonl", "timings.jsonl", "ledger.jsonl"];
/// What the tests of a run with faults cover.
const TESTS: &str = "tests.json";
/// What the process itself took; written last.
const PROCESS: &str = "process.json";

#[derive(Serialize, Deserialize)]
struct Process {
    cpu_seconds: f64,
    peak_kib: i64,
}

/// What the tables and plots are made of.
pub struct Outcome {
    pub cover: Cover,
    pub stopped: String,
    pub complete_paths: u64,
    pub instructions: u64,
    pub bugs: usize,
    pub peak_mb: f64,
    pub cpu_seconds: f64,
    pub solver_seconds: f64,
    /// Of that, for asking about paths that are not possible; nothing where the run does not say it.
    pub infeasible_seconds: Option<f64>,
    /// The same of checks that found no bug, too.
    pub unsat_seconds: f64,
    pub pending: Option<Counts>,
    /// Memory that held something at the end.
    pub in_use_bytes: u64,
    /// CPU seconds and instructions covered by then.
    pub over_time: Vec<(f64, u64)>,
    /// Of runs with faults.
    pub faults: Option<FaultCounts>,
    pub tests: Option<TestCover>,
}

/// What became of the pending states.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Counts {
    pub revived: u64,
    pub infeasible: u64,
    pub dropped: u64,
    pub left: u64,
}

/// Runs plans with one `fathom` and the programs it has built.
pub struct Runner<'a> {
    tree: &'a Tree,
    store: PathBuf,
    /// The binaries, and hashes of their contents.
    fathom_stamp: u64,
    programs: HashMap<&'static str, (PathBuf, u64)>,
}

impl<'a> Runner<'a> {
    pub fn new(tree: &'a Tree, subjects: &[&'static Subject]) -> Result<Self, String> {
        let packages = Packages::load(tree)?;
        let mut programs = HashMap::new();
        for subject in subjects {
            let built = packages.build(tree, packages.named(subject.package)?, "")?;
            let program = built.program(subject.name)?;
            let stamp = stamp(&program)?;
            programs.insert(subject.name, (program, stamp));
        }
        let store = tree.cache.join("bench-pending");
        Ok(Self { tree, store, fathom_stamp: stamp(&tree.fathom)?, programs })
    }

    /// The outcome of a plan that was run before.
    pub fn finished(&self, plan: &Plan) -> Result<Option<Outcome>, String> {
        let (words, seed) = self.words(plan)?;
        let dir = self.place(plan, &words, seed.as_deref())?;
        if dir.join(PROCESS).exists() { read(&dir).map(Some) } else { Ok(None) }
    }

    /// Runs a plan unless it was run before.
    pub fn run(&self, plan: &Plan) -> Result<Outcome, String> {
        let (words, seed) = self.words(plan)?;
        let dir = self.place(plan, &words, seed.as_deref())?;
        if dir.join(PROCESS).exists() {
            return read(&dir);
        }
        let scratch = Scratch::new()?;
        let (program, _) = &self.programs[plan.subject.name];
        let out = scratch.path().join("out");
        let mut run = Run::new(&self.tree.fathom, &scratch.fresh_work()?)
            .args(["run", "--no-replay", "--max-memory", MAX_MEMORY_MIB, "--out"])
            .arg(&out)
            .args(plan.options());
        if let Some(seed) = &seed {
            run = run.arg("--seed").arg(seed);
        }
        let timeout = u64::from(plan.cpu_seconds) * 10 + 60;
        let ended = run.arg(program).args(&words).plain_env(&[]).timeout(timeout).run()?;
        if !matches!(ended.status, 0 | 1) || !out.join("summary.json").exists() {
            return Err(ended.said());
        }
        let failed = |error: std::io::Error| format!("{}: {error}", dir.display());
        fs::create_dir_all(&dir).map_err(failed)?;
        for name in KEPT {
            fs::copy(out.join(name), dir.join(name)).map_err(failed)?;
        }
        if plan.faults {
            let tests = test_cover::measure(self.tree, plan, program, &scratch)?;
            fs::write(dir.join(TESTS), json::text_of(&tests)).map_err(failed)?;
        }
        let process = Process { cpu_seconds: ended.cpu_seconds, peak_kib: ended.peak_kib };
        fs::write(dir.join(PROCESS), json::text_of(&process)).map_err(failed)?;
        read(&dir)
    }

    /// The words after the program, and the seed's directory.
    fn words(&self, plan: &Plan) -> Result<(Vec<String>, Option<PathBuf>), String> {
        let subject = plan.subject;
        match plan.config.start {
            Start::Unseeded => Ok((subject.symbolic(subject.size), None)),
            Start::Seed(number) => {
                let seed = subject.seed(self.tree, number, &self.store.join("seeds"))?;
                Ok((subject.symbolic(seed.size), Some(seed.dir)))
            }
        }
    }

    /// Where a plan's results are kept: named for all that they depend on.
    fn place(&self, plan: &Plan, words: &[String], seed: Option<&Path>) -> Result<PathBuf, String> {
        let mut hasher = DefaultHasher::new();
        let (_, program) = self.programs[plan.subject.name];
        (self.fathom_stamp, program, plan.options(), words).hash(&mut hasher);
        for name in ["argv", "stdin", "files/A"] {
            let path = seed.map(|seed| seed.join(name)).filter(|path| path.exists());
            path.map(|path| stamp(&path)).transpose()?.hash(&mut hasher);
        }
        let name = plan.name().replace([' ', '#'], "-");
        Ok(self.store.join(format!("{name}-{:016x}", hasher.finish())))
    }
}

fn read(dir: &Path) -> Result<Outcome, String> {
    let summary: Value = json::object(&dir.join("summary.json"))?;
    let process: Process = json::object(&dir.join(PROCESS))?;
    let samples: Vec<Value> = json::lines(&dir.join("stats.jsonl"))?;
    let timings: Vec<Value> = json::lines(&dir.join("timings.jsonl"))?;
    let total = timings.iter().rfind(|line| line["what"] == "total").cloned().unwrap_or_default();
    Ok(Outcome {
        cover: Cover::read(&dir.join("covered.jsonl"))?,
        stopped: summary["stopped"].as_str().unwrap_or_default().to_string(),
        complete_paths: summary["complete_paths"].as_u64().unwrap_or(0),
        instructions: summary["instructions"].as_u64().unwrap_or(0),
        bugs: summary["bugs"].as_array().map_or(0, Vec::len),
        peak_mb: process.peak_kib as f64 / 1024.0,
        cpu_seconds: process.cpu_seconds,
        solver_seconds: total["solver_seconds"].as_f64().unwrap_or(0.0),
        infeasible_seconds: total["infeasible_seconds"].as_f64(),
        unsat_seconds: total["unsat_seconds"].as_f64().unwrap_or(0.0),
        in_use_bytes: total["in_use_bytes"].as_u64().unwrap_or(0),
        pending: serde_json::from_value(summary["pending"].clone()).ok(),
        over_time: over_time(&samples, &timings),
        faults: serde_json::from_value(summary["faults"].clone()).ok(),
        tests: json::object(&dir.join(TESTS)).ok(),
    })
}

/// Every sample has a timing of the same number of instructions.
fn over_time(samples: &[Value], timings: &[Value]) -> Vec<(f64, u64)> {
    let of_samples = timings.iter().filter(|line| line["what"] == "sample");
    let seconds: HashMap<u64, f64> = of_samples
        .filter_map(|line| Some((line["instructions"].as_u64()?, line["cpu_seconds"].as_f64()?)))
        .collect();
    let point = |sample: &Value| {
        let seconds = *seconds.get(&sample["instructions"].as_u64()?)?;
        Some((seconds, sample["covered"].as_u64()?))
    };
    samples.iter().filter_map(point).collect()
}

fn stamp(path: &Path) -> Result<u64, String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    Ok(hasher.finish())
}
