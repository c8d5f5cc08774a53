//! Runs the tests and benchmarks that are data: programs, real packages, random programs.

mod bench;
mod cli;
mod csmith;
mod directives;
mod pool;
mod process;
mod programs;
mod real;
mod report;
mod tree;

use std::process::ExitCode;

use tree::Tree;

const USAGE: &str = "usage: fathom-testsuite COMMAND
  programs [FILTER] [--bless]  tests/programs and the command line's error cases
  real-quick [FILTER]          real programs whose builds are quick
  csmith-quick                 20 random programs
  long real [FILTER]           all real programs
  long csmith                  300 random programs
  bench concrete               speed and memory against native -O0";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let bless = words.contains(&"--bless");
    let words: Vec<&str> = words.into_iter().filter(|word| *word != "--bless").collect();
    let tree = match Tree::find() {
        Ok(tree) => tree,
        Err(message) => return fail(&message),
    };
    let result = match words.as_slice() {
        ["programs"] => programs::run(&tree, "", bless),
        ["programs", filter] => programs::run(&tree, filter, bless),
        ["real-quick"] => real::run(&tree, "", true),
        ["real-quick", filter] => real::run(&tree, filter, true),
        ["long", "real"] => real::run(&tree, "", false),
        ["long", "real", filter] => real::run(&tree, filter, false),
        ["csmith-quick"] => csmith::run(&tree, 20),
        ["long", "csmith"] => csmith::run(&tree, 300),
        ["bench", "concrete"] => bench::run(&tree),
        _ => Err(USAGE.to_string()),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => fail(&message),
    }
}

fn fail(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::from(2)
}
