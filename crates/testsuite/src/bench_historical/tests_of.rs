//! A tool's own tests, and how many of them pass.

use std::fs;
use std::path::PathBuf;

use super::bugs::Bug;
use crate::process::Run;
use crate::real::Built;

const TIMEOUT: u64 = 600;

/// Results of tests by name, as automake's summary has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub pass: u64,
    pub fail: u64,
    pub skip: u64,
    pub error: u64,
}

impl Counts {
    /// Of the last time that tests were run.
    pub fn read(built: &Built) -> Result<Self, String> {
        let path = log(built);
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Self::parse(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let count = |name: &str| -> Result<u64, String> {
            let line = text.lines().find_map(|line| line.strip_prefix(&format!("# {name}:")));
            let number = line.and_then(|line| line.trim().parse().ok());
            number.ok_or_else(|| format!("has no number of {name}"))
        };
        Ok(Self {
            pass: count("PASS")?,
            fail: count("FAIL")?,
            skip: count("SKIP")?,
            error: count("ERROR")?,
        })
    }

    /// PASS, FAIL and SKIP; errors, where there are any.
    pub fn text(&self) -> String {
        let Self { pass, fail, skip, error } = self;
        let errors = if *error > 0 { format!(", {error} errors") } else { String::new() };
        format!("{pass} / {fail} / {skip}{errors}")
    }
}

/// The command that runs the tests of a tool, in the tree that was built.
pub fn command(bug: &Bug) -> Vec<String> {
    let tests: Vec<String> = bug.tests.iter().map(|test| format!("tests/{test}")).collect();
    let words = ["make", "check", "SUBDIRS=.", "MAKEINFO=true", "VERBOSE=no"];
    let tests = format!("TESTS={}", tests.join(" "));
    words.iter().map(|word| word.to_string()).chain([tests]).collect()
}

/// Runs the tests of a tool by themselves.
pub fn run(built: &Built, bug: &Bug) -> Result<Counts, String> {
    forget(built);
    let command = command(bug);
    let (make, words) = command.split_first().expect("a command");
    let ended = Run::new(make, &built.source).args(words).timeout(TIMEOUT).run()?;
    Counts::read(built).map_err(|error| format!("{error}\n{}", ended.said()))
}

/// Removes the summary of the last time, so that it cannot be taken for that of the next.
pub fn forget(built: &Built) {
    let _ = fs::remove_file(log(built));
}

fn log(built: &Built) -> PathBuf {
    built.source.join("tests/test-suite.log")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "   GNU coreutils 9.1: ./tests/test-suite.log\n\n# TOTAL: 37\n# PASS:  27\n\
                       # SKIP:  10\n# XFAIL: 0\n# FAIL:  1\n# XPASS: 0\n# ERROR: 0\n";

    #[test]
    fn summary_of_automake() {
        let counts = Counts::parse(LOG).expect("complete");
        assert_eq!(counts, Counts { pass: 27, fail: 1, skip: 10, error: 0 });
        assert_eq!(counts.text(), "27 / 1 / 10");
        assert_eq!(Counts::parse("# PASS: 2\n"), Err("has no number of FAIL".to_string()));
    }
}
