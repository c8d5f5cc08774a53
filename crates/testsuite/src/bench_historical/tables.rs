//! The section of the results: a row per bug, and the requirements.

use std::fmt::Write;

use super::bugs::BUGS;
use super::{Outcome, SECONDS, plain};
use crate::amplified::Bug;

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
         for {SECONDS} seconds a tool with one job, and beside it `fathom run` on the tool as long, with `{}`. Seconds are \
         those of the analysis until the bug was found.\n\n\
         | tool | bug | runs | distance | depth | nearest test | tests | replay | seconds | `fathom run` |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
        plain::INPUT.join(" "),
    );
    for outcome in outcomes {
        let amplified = &outcome.amplified;
        let found = outcome.found().map_or_else(|| not_found(outcome), found);
        let plainly = if outcome.found_plainly { "found" } else { "not found" };
        let (tool, what, runs) = (outcome.bug.tool, outcome.bug.what, amplified.runs);
        let _ = writeln!(out, "| {tool} | {what} | {runs} | {found} | {plainly} |");
    }
    out += "\nResults of the suites, PASS / FAIL / SKIP:\n\n\
            | tool | by itself | while recording | bugs found in all |\n|---|---|---|---|\n";
    for outcome in outcomes {
        let (without, with) = (outcome.without.text(), outcome.with.text());
        let n_bugs = outcome.amplified.bugs.len();
        let _ = writeln!(out, "| {} | {without} | {with} | {n_bugs} |", outcome.bug.tool);
    }
    let (requirements, met) = requirements(outcomes);
    (format!("{out}\n{requirements}"), met)
}

/// The columns from the distance on.
fn found(bug: &Bug) -> String {
    let Bug { distance, depth, seconds, exposed, .. } = bug;
    let (command, n_tests, verdict) = (bug.command_cell(), exposed.len(), bug.verdict());
    format!("{distance} | {depth} | {command} | {n_tests} | {verdict} | {seconds:.0}")
}

fn not_found(outcome: &Outcome) -> String {
    match outcome.amplified.farthest() {
        Some(distance) => format!("not found up to {distance} | | | | |"),
        None => "not found | | | | |".to_string(),
    }
}

fn requirements(outcomes: &[Outcome]) -> (String, bool) {
    let found: Vec<&Bug> = outcomes.iter().filter_map(Outcome::found).collect();
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
            |found: &&&Bug| found.distance == distance || is_last && found.distance > distance;
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
    use serde_json::json;

    use super::*;
    use crate::verdicts::Verdicts;

    fn outcome(number: usize, distance: Option<u32>, found_plainly: bool) -> Outcome {
        let bug = &BUGS[number];
        let row = |file: &str, distance| {
            json!({
                "kind": bug.kind, "file": file, "line": 123, "function": bug.functions[0],
                "message": "", "program": bug.tool, "seconds": 9.6, "distance": distance,
                "depth": 12, "command": "a | b", "changes": [],
                "replay": {"verdict": "confirmed", "mode": "end", "detail": ""},
                "exposed": {"7": 1, "9": 3},
            })
        };
        // The same elsewhere is another bug, and of two tests the nearer one counts.
        let mut rows = vec![row("/x/src/other.c", 0)];
        for distance in distance.iter().flat_map(|&distance| [distance + 1, distance]) {
            rows.push(row(&format!("/x/{}", bug.file), distance));
        }
        let amplified = json!({
            "suite": {"seconds": 3.5}, "runs": 30, "same_input": 1, "same_path": 2, "failed": 0,
            "departures": 0, "complete": 4, "seconds": 20.0, "checks": 10, "checked_lines": 5,
            "checks_left_out": 0, "overhead": null, "bugs": rows,
            "phases": [
                {"distance": 5, "tests": 27, "cut_short": 1, "excursions": 9, "seconds": 3.0}
            ],
        });
        let verdicts = Verdicts::parse(b"PASS: a\nPASS: b\n");
        Outcome {
            bug,
            without: verdicts.clone(),
            with: verdicts,
            amplified: serde_json::from_value(amplified).expect("complete"),
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
        worse.with = Verdicts::parse(b"PASS: a\nFAIL: b\n");
        let (section, met) = render(&[worse]);
        assert!(!met);
        assert!(section.contains("* at least 7 of 8 bugs found: 1 of 1: NOT met"));
        assert!(section.contains("same while recording: cut not: NOT met"));
    }
}
