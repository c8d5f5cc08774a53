//! A run's results: made by running `fathom`, or found where the same was run before.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fathom_report::FaultCounts;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::cover::Cover;
use super::kept::{Cause, Store, hash_of};
use super::plan::{Plan, Start};
use super::subjects::Subject;
use super::test_cover::{self, TestCover};
use crate::json;
use crate::process::Run;
use crate::real::Packages;
use crate::tree::{Scratch, Tree};

/// Two runs share the machine.
const MAX_MEMORY_MIB: u32 = 6000;
/// Those of half an hour have more: terms are kept to the end of a run.
const MAX_MEMORY_MIB_LONG: u32 = 9000;
const LONG: u32 = 600;
/// So many points at most are kept of what was covered over time.
const POINTS: usize = 200;

/// What the tables and plots are made of.
#[derive(Clone, Serialize, Deserialize)]
pub struct Outcome {
    #[serde(skip)]
    pub cover: Cover,
    /// What fathom was built from.
    pub commit: String,
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
#[derive(Clone, Default, Serialize, Deserialize)]
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
    store: Store,
    commit: String,
    /// The binaries, and hashes of their contents.
    fathom_stamp: String,
    programs: HashMap<&'static str, (PathBuf, String)>,
}

impl<'a> Runner<'a> {
    pub fn new(
        tree: &'a Tree,
        subjects: &[&'static Subject],
        store: Store,
    ) -> Result<Self, String> {
        let packages = Packages::load(tree)?;
        let mut programs = HashMap::new();
        for subject in subjects {
            let built = packages.build(tree, packages.named(subject.package)?, "")?;
            let program = built.program(subject.name)?;
            let stamp = stamp(&program)?;
            programs.insert(subject.name, (program, stamp));
        }
        let (commit, fathom_stamp) = (commit(tree), stamp(&tree.fathom)?);
        Ok(Self { tree, store, commit, fathom_stamp, programs })
    }

    /// The outcome of a plan that was run before, by this build of fathom or by any.
    pub fn finished(&self, plan: &Plan, any_build: bool) -> Result<Option<Outcome>, String> {
        let (words, seed) = self.words(plan)?;
        self.store.find(plan, &self.cause(plan, &words, seed.as_deref())?, any_build)
    }

    /// Runs a plan and keeps what comes of it.
    pub fn run(&self, plan: &Plan) -> Result<Outcome, String> {
        let (words, seed) = self.words(plan)?;
        let scratch = Scratch::new()?;
        let (program, _) = &self.programs[plan.subject.name];
        let out = scratch.path().join("out");
        let max_memory = if plan.cpu_seconds > LONG { MAX_MEMORY_MIB_LONG } else { MAX_MEMORY_MIB };
        let mut run = Run::new(&self.tree.fathom, &scratch.fresh_work()?)
            .args(["run", "--no-replay", "--max-memory", &max_memory.to_string(), "--out"])
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
        let mut outcome = read(&out)?;
        outcome.commit = self.commit.clone();
        outcome.cpu_seconds = ended.cpu_seconds;
        outcome.peak_mb = ended.peak_kib as f64 / 1024.0;
        if plan.faults {
            outcome.tests = Some(test_cover::measure(self.tree, plan, program, &scratch)?);
        }
        self.store.keep(plan, self.cause(plan, &words, seed.as_deref())?, &outcome)?;
        Ok(outcome)
    }

    /// The words after the program, and the seed's directory.
    fn words(&self, plan: &Plan) -> Result<(Vec<String>, Option<PathBuf>), String> {
        let subject = plan.subject;
        match plan.config.start {
            Start::Unseeded => Ok((subject.symbolic(subject.size), None)),
            Start::Seed(number) => {
                let seed = subject.seed(self.tree, number, &self.tree.cache.join("seeds"))?;
                Ok((subject.symbolic(seed.size), Some(seed.dir)))
            }
        }
    }

    fn cause(&self, plan: &Plan, words: &[String], seed: Option<&Path>) -> Result<Cause, String> {
        let mut stamps = Vec::new();
        for name in ["argv", "stdin", "files/A"] {
            let path = seed.map(|seed| seed.join(name)).filter(|path| path.exists());
            stamps.push(path.map(|path| stamp(&path)).transpose()?);
        }
        let (_, program) = &self.programs[plan.subject.name];
        let build = hash_of(&(&self.fathom_stamp, program));
        Ok(Cause { build, given: hash_of(&(plan.options(), words, stamps)) })
    }
}

/// What a run's directory says.
fn read(dir: &Path) -> Result<Outcome, String> {
    let summary: Value = json::object(&dir.join("summary.json"))?;
    let samples: Vec<Value> = json::lines(&dir.join("stats.jsonl"))?;
    let timings: Vec<Value> = json::lines(&dir.join("timings.jsonl"))?;
    let total = timings.iter().rfind(|line| line["what"] == "total").cloned().unwrap_or_default();
    Ok(Outcome {
        cover: Cover::read(&dir.join("covered.jsonl"))?,
        commit: String::new(),
        stopped: summary["stopped"].as_str().unwrap_or_default().to_string(),
        complete_paths: summary["complete_paths"].as_u64().unwrap_or(0),
        instructions: summary["instructions"].as_u64().unwrap_or(0),
        bugs: summary["bugs"].as_array().map_or(0, Vec::len),
        peak_mb: 0.0,
        cpu_seconds: 0.0,
        solver_seconds: total["solver_seconds"].as_f64().unwrap_or(0.0),
        infeasible_seconds: total["infeasible_seconds"].as_f64(),
        unsat_seconds: total["unsat_seconds"].as_f64().unwrap_or(0.0),
        in_use_bytes: total["in_use_bytes"].as_u64().unwrap_or(0),
        pending: serde_json::from_value(summary["pending"].clone()).ok(),
        over_time: thinned(over_time(&samples, &timings)),
        faults: serde_json::from_value(summary["faults"].clone()).ok(),
        tests: None,
    })
}

/// An even choice of the points, the last one among them.
fn thinned(points: Vec<(f64, u64)>) -> Vec<(f64, u64)> {
    let step = points.len().div_ceil(POINTS).max(1);
    let mut chosen: Vec<_> = points.iter().rev().step_by(step).copied().collect();
    chosen.reverse();
    chosen
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

fn stamp(path: &Path) -> Result<String, String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(hash_of(&bytes))
}

/// What is checked out, and whether it was changed since.
fn commit(tree: &Tree) -> String {
    let git = |words: &[&str]| {
        let output = Command::new("git").arg("-C").arg(&tree.repo).args(words).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    let Some(commit) = git(&["rev-parse", "--short=10", "HEAD"]) else {
        return "an unknown commit".to_string();
    };
    match git(&["status", "--porcelain", "crates", "runtime", "setup"]) {
        Some(changes) if changes.is_empty() => commit,
        _ => format!("{commit} with changes"),
    }
}
