//! Runs the tests and benchmarks that are data: programs, real packages, random programs.

mod amplified;
mod bench;
mod bench_amplify;
mod bench_figure;
mod bench_historical;
mod bench_jobs;
mod bench_paths;
mod bench_pending;
mod bench_solver;
mod bench_symbolic;
mod cli;
mod cross_check;
mod csmith;
mod directives;
mod json;
mod pool;
mod process;
mod programs;
mod real;
mod report;
mod results;
mod svg;
mod symbolic;
mod tree;
mod verdicts;

use std::process::ExitCode;

use tree::Tree;

const USAGE: &str = "usage: fathom-testsuite SUITE [FILTER] ...
  programs [FILTER] [--bless]  tests/programs and the command line's error cases
  real-quick [FILTER]          real programs whose builds are quick
  csmith-quick                 20 random programs
  long real [FILTER]           all real programs
  long csmith                  300 random programs
  long cross-check             100,000 queries put to a second solver too
  bench concrete               speed and memory against native -O0
  bench paths                  symbolic micro-programs against the reference
  bench symbolic [PROGRAM ...] real programs with symbolic input beside the reference
  bench pending [PROGRAM ...] [--cpu SECONDS] [--finished] [--go-on] [--long]
                               pending constraints against eager forking on real programs
  bench faults [PROGRAM ...] [--cpu SECONDS] [--finished]
                               which coverage predicts how many injected faults are found
  bench amplify [--seconds N] [SUITE ...]
                               test suites of real packages, amplified
  bench historical [TOOL ...]  bugs in kind of coreutils 6.10's, found by amplifying its tests
  bench seed-path              when sqlite3's seed is followed to its end, and what comes after
  bench figure                 how soon pending and eager find the figure program's bug
  bench jobs                   paths per second of two processes against one
  bench solver DIR             the solver on the .smt2 files in DIR";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let bless = args.iter().any(|arg| arg == "--bless");
    let words: Vec<&str> =
        args.iter().map(String::as_str).filter(|word| *word != "--bless").collect();
    match Tree::find().and_then(|tree| run_suites(&tree, &words, bless)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Runs the suites named one after the other, each to its end.
fn run_suites(tree: &Tree, words: &[&str], bless: bool) -> Result<bool, String> {
    const NAMES: [&str; 5] = ["programs", "real-quick", "csmith-quick", "long", "bench"];
    let mut all_passed = true;
    let mut rest = words;
    if rest.is_empty() {
        return Err(USAGE.to_string());
    }
    while let Some((suite, after)) = rest.split_first() {
        let taken = after.iter().take_while(|word| !NAMES.contains(word)).count();
        let (options, next) = after.split_at(taken);
        rest = next;
        all_passed &= match (*suite, options) {
            ("programs", []) => programs::run(tree, "", bless)?,
            ("programs", [filter]) => programs::run(tree, filter, bless)?,
            ("real-quick", []) => real::run(tree, "", true)?,
            ("real-quick", [filter]) => real::run(tree, filter, true)?,
            ("long", ["real"]) => real::run(tree, "", false)?,
            ("long", ["real", filter]) => real::run(tree, filter, false)?,
            ("csmith-quick", []) => csmith::run(tree, 20)?,
            ("long", ["csmith"]) => csmith::run(tree, 300)?,
            ("long", ["cross-check"]) => cross_check::run(tree)?,
            ("bench", ["concrete"]) => bench::run(tree)?,
            ("bench", ["paths"]) => bench_paths::run(tree)?,
            ("bench", ["symbolic", programs @ ..]) => bench_symbolic::run(tree, programs)?,
            ("bench", ["pending", options @ ..]) => bench_pending::run(tree, options)?,
            ("bench", ["faults", options @ ..]) => bench_pending::faults::run(tree, options)?,
            ("bench", ["amplify", words @ ..]) => bench_amplify::run(tree, words)?,
            ("bench", ["historical", tools @ ..]) => bench_historical::run(tree, tools)?,
            ("bench", ["seed-path"]) => bench_pending::seed_path::run(tree)?,
            ("bench", ["figure"]) => bench_figure::run(tree)?,
            ("bench", ["jobs"]) => bench_jobs::run(tree)?,
            ("bench", ["solver", dir]) => bench_solver::run(tree, dir)?,
            _ => return Err(USAGE.to_string()),
        };
    }
    Ok(all_passed)
}
