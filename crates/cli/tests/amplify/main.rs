//! `fathom amplify` as a user calls it: suites of shell scripts over programs built by fathom-cc.

mod bad_cases;
mod distances;
mod interrupts;
mod outputs;
mod programs;
mod recipes;
mod streams;
mod suite;
mod system;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../symbolic_runs/workplace.rs"]
mod workplace;
