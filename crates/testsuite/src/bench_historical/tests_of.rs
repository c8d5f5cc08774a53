//! A tool's own tests, by themselves and amplified.

use std::path::Path;

use super::SECONDS;
use super::bugs::Bug;
use crate::process::{Ended, Run};
use crate::real::Built;
use crate::tree::Tree;
use crate::verdicts::Verdicts;

const TIMEOUT: u64 = 600;

/// The command that runs the tests of a tool, in the tree that was built.
fn command(bug: &Bug) -> Vec<String> {
    let tests: Vec<String> = bug.tests.iter().map(|test| format!("tests/{test}")).collect();
    let words = ["make", "check", "SUBDIRS=.", "MAKEINFO=true"];
    let tests = format!("TESTS={}", tests.join(" "));
    words.iter().map(|word| word.to_string()).chain([tests]).collect()
}

/// Runs the tests of a tool by themselves.
pub fn run(built: &Built, bug: &Bug) -> Result<Verdicts, String> {
    let command = command(bug);
    let (make, words) = command.split_first().expect("a command");
    verdicts(&Run::new(make, &built.source).args(words).timeout(TIMEOUT).run()?)
}

/// Amplifies them, with the results in `out`.
pub fn amplify(tree: &Tree, built: &Built, bug: &Bug, out: &Path) -> Result<Verdicts, String> {
    let ended = Run::new(&tree.fathom, &built.source)
        .args(["amplify", "--program", bug.tool, "--jobs", "1"])
        .args(["--budget", &format!("{SECONDS}s"), "--out"])
        .arg(out)
        .arg("--")
        .args(command(bug))
        .timeout(TIMEOUT + 3 * SECONDS)
        .run()?;
    match ended.status {
        0 | 1 => verdicts(&ended),
        _ => Err(ended.said()),
    }
}

fn verdicts(ended: &Ended) -> Result<Verdicts, String> {
    let verdicts = Verdicts::parse(&ended.stdout);
    if verdicts.is_empty() { Err(ended.said()) } else { Ok(verdicts) }
}
