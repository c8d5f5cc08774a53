//! `bench historical`: bugs of coreutils 6.10 in kind, put into today's sources by patches of ours,
//! looked for by amplifying coreutils' own tests and by plain exploration in the same time.

mod bugs;
mod plain;
mod tables;
mod tests_of;

use std::path::PathBuf;
use std::thread;

use crate::amplified::{self, Amplified};
use crate::real::{Built, Packages};
use crate::results::write_section;
use crate::tree::{Scratch, Tree};
use crate::verdicts::Verdicts;
use bugs::{BUGS, Bug};

/// Seconds for the analysis of one tool by one process: both ways get the same.
const SECONDS: u64 = 180;

/// What became of one bug.
struct Outcome {
    bug: &'static Bug,
    /// The suite's results by itself and while the tool recorded itself.
    without: Verdicts,
    with: Verdicts,
    amplified: Amplified,
    found_plainly: bool,
}

impl Outcome {
    /// The finding that is the bug, at the least distance.
    fn found(&self) -> Option<&amplified::Bug> {
        let is_it = |row: &&amplified::Bug| self.bug.is(&row.kind, &row.file, &row.function);
        self.amplified.bugs.iter().filter(is_it).min_by_key(|row| row.distance)
    }
}

pub fn run(tree: &Tree, tools: &[&str]) -> Result<bool, String> {
    let bugs = chosen(tools)?;
    let packages = Packages::load(tree)?;
    let patches = tree.repo.join("bench/historical");
    let built =
        packages.build_patched(tree, packages.named("coreutils")?, "historical", &patches)?;
    let mut outcomes = Vec::new();
    for bug in bugs {
        eprintln!("{}", bug.tool);
        let outcome = measure(tree, &built, bug);
        outcomes.push(outcome.map_err(|message| format!("{}: {message}", bug.tool))?);
    }
    let (section, met) = tables::render(&outcomes);
    print!("{section}");
    // A part is only shown: what is written down is about all tools.
    if tools.is_empty() {
        write_section(tree, &section)?;
    }
    Ok(met)
}

fn chosen(tools: &[&str]) -> Result<Vec<&'static Bug>, String> {
    if tools.is_empty() {
        return Ok(BUGS.iter().collect());
    }
    let named = |tool: &&str| {
        let bug = BUGS.iter().find(|bug| bug.tool == *tool);
        bug.ok_or_else(|| format!("no patch for `{tool}`"))
    };
    tools.iter().map(named).collect()
}

fn measure(tree: &Tree, built: &Built, bug: &'static Bug) -> Result<Outcome, String> {
    let scratch = Scratch::new()?;
    let program: PathBuf = built.program(bug.tool)?;
    let without = tests_of::run(built, bug)?;
    let out = scratch.path().join("amplified");
    // Each has one process, and the machine two cores.
    let (with, found_plainly) = thread::scope(|scope| {
        let plainly = scope.spawn(|| plain::finds(tree, &program, bug, &scratch));
        let with = tests_of::amplify(tree, built, bug, &out);
        (with, plainly.join().expect("exploration reports its errors"))
    });
    let (with, found_plainly) = (with?, found_plainly?);
    let amplified = Amplified::read(&out, &built.source)?;
    Ok(Outcome { bug, without, with, amplified, found_plainly })
}
