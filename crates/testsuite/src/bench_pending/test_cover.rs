//! What the tests of a run cover by themselves, as gcov would show it.

use std::fs;
use std::path::Path;

use fathom_report::{NamedTest, Outcome, open_tests, write_plain};
use serde::{Deserialize, Serialize};

use super::cover::Cover;
use super::plan::Plan;
use crate::process::Run;
use crate::tree::{Scratch, Tree};

/// Of more tests than this, those that were the first to cover something and an even choice of the
/// others are run.
const MAX_TESTS: usize = 1000;

#[derive(Clone, Serialize, Deserialize)]
pub struct TestCover {
    /// Tests of paths that ended by themselves, and those of them that were run.
    pub complete: usize,
    pub run: usize,
    /// LLVM instructions of the program's own code that these execute.
    pub covered: u64,
}

/// Runs the tests in `out` of `scratch` to their ends, without exploring anything.
pub fn measure(
    tree: &Tree,
    plan: &Plan,
    program: &Path,
    scratch: &Scratch,
) -> Result<TestCover, String> {
    let tests = open_tests(&scratch.path().join("out")).map_err(|error| error.to_string())?;
    let tests: Result<Vec<NamedTest>, _> = tests.collect();
    let mut tests = tests.map_err(|error| error.to_string())?;
    tests.retain(|named| is_complete(&named.test.outcome));
    let complete = tests.len();
    let chosen = choose(tests);
    let run = chosen.len();
    if run == 0 {
        return Ok(TestCover { complete, run, covered: 0 });
    }
    let seeds = scratch.path().join("seeds");
    for (number, named) in (1..).zip(&chosen) {
        let dir = seeds.join(number.to_string());
        fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
        write_plain(&dir, number, &named.test).map_err(|error| error.to_string())?;
    }
    let out = scratch.path().join("covered");
    let ended = Run::new(&tree.fathom, &scratch.fresh_work()?)
        .args(["run", "--no-replay", "--only-seeds", "--relaxed-checks", "--out"])
        .arg(&out)
        .arg("--seed")
        .arg(&seeds)
        .args(["--max-cpu".to_string(), (4 * plan.cpu_seconds).to_string()])
        .arg(program)
        .args(plan.subject.symbolic(plan.subject.size))
        .plain_env(&[])
        .timeout(u64::from(plan.cpu_seconds) * 40 + 60)
        .run()?;
    if !matches!(ended.status, 0 | 1) {
        return Err(ended.said());
    }
    Ok(TestCover { complete, run, covered: Cover::read(&out.join("covered.jsonl"))?.count() })
}

/// Of a path that ended by itself; an injected fault is no such end.
fn is_complete(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Exit { .. } | Outcome::Signal { .. } => true,
        Outcome::Bug(site) => !site.kind.starts_with("injected-"),
        _ => false,
    }
}

fn choose(tests: Vec<NamedTest>) -> Vec<NamedTest> {
    let (mut chosen, others): (Vec<_>, Vec<_>) =
        tests.into_iter().partition(|named| named.test.new_coverage);
    let room = MAX_TESTS.saturating_sub(chosen.len());
    let step = others.len().div_ceil(room.max(1)).max(1);
    chosen.extend(others.into_iter().step_by(step).take(room));
    chosen
}
