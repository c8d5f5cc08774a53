//! The section of the results: a row per bug, and the requirements.

use std::fmt::Write;

use super::bugs::BUGS;
use super::suite::Found;
use super::{Outcome, SECONDS, plain};

const TITLE: &str = "# Historical bugs";
/// Bugs that amplifying must find, and that plain exploration must not.
const FOUND: usize = 7;
const MISSED: usize = BUGS.len() / 2;
/// Distances at which there must be one; the last stands for all that are farther, too.
const DISTANCES: [u32; 4] = [0, 1, 2, 3];

/// The section, and whether the requirements are met.
pub fn render(outcomes: &[Outcome]) -> (String, bool) {
    let mut out = format!(
        "{TITLE}\n\n\
         Written by `./x bench historical`. Bugs in kind of those that ZESTI found in coreutils 6.10, put into \
         today's sources by `bench/historical/*.patch`, with coreutils' own tests of each tool: `fathom amplify` \
         for {SECONDS} seconds a tool with one job, then `fathom run` on the tool as long, with `{}`. Seconds are \
         those until the distance was done at which the bug was found.\n\n\
         | tool | bug | runs | distance | depth | nearest test | tests | replay | seconds | `fathom run` |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
        plain::INPUT.join(" "),
    );
    for outcome in outcomes {
        let amplified = &outcome.amplified;
        let found = amplified.found.as_ref().map_or_else(|| not_found(outcome), found);
        let plainly = if outcome.found_plainly { "found" } else { "not found" };
        let (tool, what, runs) = (outcome.bug.tool, outcome.bug.what, amplified.runs);
        let _ = writeln!(out, "| {tool} | {what} | {runs} | {found} | {plainly} |");
    }
    out += "\nResults of the suites, PASS / FAIL / SKIP:\n\n\
            | tool | by itself | while recording | bugs found in all |\n|---|---|---|---|\n";
    for outcome in outcomes {
        let (without, with) = (outcome.without.text(), outcome.with.text());
        let n_bugs = outcome.amplified.n_bugs;
        let _ = writeln!(out, "| {} | {without} | {with} | {n_bugs} |", outcome.bug.tool);
    }
    let (requirements, met) = requirements(outcomes);
    (format!("{out}\n{requirements}"), met)
}

/// The columns from the distance on.
fn found(found: &Found) -> String {
    let Found { distance, depth, command, n_tests, replay, seconds } = found;
    let command = command.replace('|', "\\|").replace('\n', " ");
    format!("{distance} | {depth} | `{command}` | {n_tests} | {replay} | {seconds:.0}")
}

fn not_found(outcome: &Outcome) -> String {
    match outcome.amplified.farthest {
        Some(distance) => format!("not found up to {distance} | | | | |"),
        None => "not found | | | | |".to_string(),
    }
}

fn requirements(outcomes: &[Outcome]) -> (String, bool) {
    let found: Vec<&Found> = outcomes.iter().filter_map(|it| it.amplified.found.as_ref()).collect();
    let missed = outcomes.iter().filter(|it| !it.found_plainly).count();
    let changed: Vec<&str> =
        outcomes.iter().filter(|it| it.with != it.without).map(|it| it.bug.tool).collect();
    let mut out = "Requirements:\n\n".to_string();
    let mut met = true;
    let mut require = |text: &str, holds: bool| {
        met &= holds;
        let verdict = if holds { "met" } else { "NOT met" };
        let _ = writeln!(out, "* {text}: {verdict}");
    };
    let all = outcomes.len();
    require(
        &format!("at least {FOUND} of {} bugs found: {} of {all}", BUGS.len(), found.len()),
        found.len() >= FOUND,
    );
    for distance in DISTANCES {
        let is_last = Some(&distance) == DISTANCES.last();
        let is_there =
            |found: &&&Found| found.distance == distance || is_last && found.distance > distance;
        let count = found.iter().filter(is_there).count();
        let farther = if is_last { " or more" } else { "" };
        require(&format!("at least one at distance {distance}{farther}: {count}"), count > 0);
    }
    require(
        &format!("at least {MISSED} not found by `fathom run`: {missed} of {all}"),
        missed >= MISSED,
    );
    let changes = if changed.is_empty() { "all".to_string() } else { changed.join(", ") + " not" };
    require(
        &format!("the suites' results are the same while recording: {changes}"),
        changed.is_empty(),
    );
    (out, met)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench_historical::suite::Amplified;
    use crate::bench_historical::tests_of::Counts;

    fn outcome(number: usize, distance: Option<u32>, found_plainly: bool) -> Outcome {
        let found = distance.map(|distance| Found {
            distance,
            depth: 12,
            command: "a | b".to_string(),
            n_tests: 2,
            replay: "confirmed".to_string(),
            seconds: 9.6,
        });
        let counts = Counts { pass: 2, ..Counts::default() };
        Outcome {
            bug: &BUGS[number],
            without: counts.clone(),
            with: counts,
            amplified: Amplified { runs: 30, n_bugs: 1, farthest: Some(5), found },
            found_plainly,
        }
    }

    #[test]
    fn all_requirements_met() {
        let distances = [Some(0), Some(1), Some(1), Some(2), None, Some(2), Some(1), Some(4)];
        let outcomes: Vec<Outcome> = distances
            .iter()
            .enumerate()
            .map(|(number, distance)| outcome(number, *distance, number % 2 == 0))
            .collect();
        let (section, met) = render(&outcomes);
        assert!(met, "{section}");
        assert!(section.contains("| 30 | 0 | 12 | `a \\| b` | 2 | confirmed | 10 | found |"));
        assert!(section.contains("| 30 | not found up to 5 | | | | | | found |"));
        assert!(section.contains("* at least one at distance 3 or more: 1: met"));
    }

    #[test]
    fn what_is_not_met() {
        let mut worse = outcome(0, Some(0), true);
        worse.with.fail = 1;
        let (section, met) = render(&[worse]);
        assert!(!met);
        assert!(section.contains("* at least 7 of 8 bugs found: 1 of 1: NOT met"));
        assert!(section.contains("same while recording: cut not: NOT met"));
    }
}
