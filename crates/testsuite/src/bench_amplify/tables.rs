//! The section of the results: suites, distances, bugs, and the requirements.

use std::fmt::Write;

use super::Figures;
use super::overhead::{ENDS, MOST, Overheads};
use crate::amplified::{Amplified, Bug, Change, Piece};
use crate::results::grouped;

const TITLE: &str = "# Amplified suites";
/// Most that recording may take of the suite's own wall time.
const MOST_RECORDING: f64 = 2.0;
/// Longer changes are cut off.
const MOST_BYTES: usize = 24;

/// The section, and whether the requirements are met.
pub fn render(suites: &[(String, Figures)]) -> (String, bool) {
    let mut out = format!(
        "{TITLE}\n\n\
         Written by `./x bench amplify`, suite by suite: the figures of each are those of its own last run \
         (`bench/suites/*.json`). The suites run as they are, with programs that `fathom-cc` has built; wall time \
         by itself is the better of a run before and one after.\n\n\
         | suite | PASS / FAIL / SKIP by itself | while recording | seconds | while recording | ratio |\n\
         |---|---|---|---|---|---|\n"
    );
    for (name, figures) in suites {
        let Figures { without, with, native_seconds, .. } = figures;
        let _ = writeln!(
            out,
            "| {name} | {without} | {with} | {native_seconds:.1} | {} | {} |",
            recording_seconds(figures).map_or(String::new(), |seconds| format!("{seconds:.1}")),
            recording_ratio(figures).map_or(String::new(), |ratio| format!("{ratio:.2}")),
        );
    }
    out += "\nThe analysis. Paths: runs without those whose input or path is another's. Complete: the distance up \
            to which every test was analysed, in brackets the greatest begun. Overhead: processor time at distance \
            0 over plain interpretation, tenth, median and ninetieth of the hundredths; solver: its share of that. \
            Departures: runs whose output or end in the engine is not the native one, each a defect of ours.\n\n\
            | suite | seconds × jobs | runs | paths | not followed to the end | departures | checks | lines checked \
            | complete | overhead | solver | bugs |\n\
            |---|---|---|---|---|---|---|---|---|---|---|---|\n";
    for (name, figures) in suites {
        let _ = writeln!(out, "| {name} | {} |", analysis(figures));
    }
    out += "\nTests at each distance: analysed, of these cut short by a limit, excursions from their paths.\n\n\
            | suite | distance | tests | cut short | excursions | seconds |\n|---|---|---|---|---|---|\n";
    for (name, figures) in suites {
        for phase in &figures.amplified.phases {
            let _ = writeln!(
                out,
                "| {name} | {} | {} | {} | {} | {:.0} |",
                phase.distance,
                grouped(phase.tests),
                grouped(phase.cut_short),
                grouped(phase.excursions),
                phase.seconds,
            );
        }
    }
    out += &overheads(suites);
    out += &bugs(suites);
    let (requirements, met) = requirements(suites);
    (format!("{out}\n{requirements}"), met)
}

fn overheads(suites: &[(String, Figures)]) -> String {
    let ends: String = ENDS.iter().map(|end| format!(" up to {end} |")).collect();
    let mut out = format!(
        "\nOverhead at distance 0: tests that were followed to their end by processor time over that of plain \
         interpretation.\n\n| suite | tests |{ends} more |\n|---|---|{}---|\n",
        "---|".repeat(ENDS.len()),
    );
    let all = ("all".to_string(), pooled(suites));
    let each = suites.iter().map(|(name, figures)| (name.clone(), figures.overheads));
    for (name, overheads) in each.chain([all]) {
        let counts: String =
            overheads.counts().iter().map(|&count| format!(" {} |", grouped(count))).collect();
        let _ = writeln!(out, "| {name} | {} |{counts}", grouped(overheads.n_tests()));
    }
    out
}

fn pooled(suites: &[(String, Figures)]) -> Overheads {
    let mut all = Overheads::default();
    suites.iter().for_each(|(_, figures)| all.add(&figures.overheads));
    all
}

fn recording_seconds(figures: &Figures) -> Option<f64> {
    figures.amplified.suite.as_ref().map(|suite| suite.seconds)
}

fn recording_ratio(figures: &Figures) -> Option<f64> {
    recording_seconds(figures).map(|seconds| seconds / figures.native_seconds.max(1e-9))
}

/// The columns of the analysis.
fn analysis(figures: &Figures) -> String {
    let Amplified { runs, same_input, same_path, failed, departures, .. } = figures.amplified;
    let amplified = &figures.amplified;
    let distance = |it: Option<u32>| it.map_or("none".to_string(), |it| it.to_string());
    let (overhead, solver) = match &amplified.overhead {
        Some(it) => (
            format!("{:.1} / {:.1} / {:.1}", it.quantile_10, it.median, it.quantile_90),
            format!("{:.0} %", 100.0 * it.solver_share),
        ),
        None => Default::default(),
    };
    [
        format!("{} × {}", grouped(figures.seconds), figures.jobs),
        grouped(runs),
        grouped(runs.saturating_sub(same_input + same_path)),
        grouped(failed),
        grouped(departures),
        grouped(amplified.checks),
        grouped(amplified.checked_lines),
        format!("{} ({})", distance(amplified.complete), distance(amplified.farthest())),
        overhead,
        solver,
        amplified.bugs.len().to_string(),
    ]
    .join(" | ")
}

fn bugs(suites: &[(String, Figures)]) -> String {
    let mut out = String::new();
    for (name, figures) in suites {
        for bug in &figures.amplified.bugs {
            let _ = writeln!(
                out,
                "| {name} | {} at {}:{} in `{}` | {} | {} | {} | {} | {} |",
                bug.kind,
                bug.file,
                bug.line,
                bug.function,
                bug.distance,
                bug.exposed.len(),
                bug.command_cell(),
                change(bug),
                replay(bug),
            );
        }
    }
    if out.is_empty() {
        return "\nNo bug was found.\n".to_string();
    }
    format!(
        "\nBugs, each with the nearest test and the smallest change to its input:\n\n\
         | suite | bug | distance | tests | nearest test | change | replay |\n\
         |---|---|---|---|---|---|---|\n{out}"
    )
}

fn change(bug: &Bug) -> String {
    let pieces = bug.changes.iter().flat_map(|change| {
        change.pieces.iter().map(move |piece| {
            let Piece { offset, before, after } = piece;
            format!("{} at {offset}: `{}` to `{}`", name(change), shown(before), shown(after))
        })
    });
    let pieces: Vec<String> = pieces.collect();
    if pieces.is_empty() { "none".to_string() } else { pieces.join("; ") }
}

fn name(change: &Change) -> &str {
    change.what.rsplit('/').next().unwrap_or_default()
}

fn shown(bytes: &[u8]) -> String {
    let shown = bytes[..bytes.len().min(MOST_BYTES)].escape_ascii().to_string();
    let more = if bytes.len() > MOST_BYTES { "…" } else { "" };
    shown.replace('|', "\\x7c").replace('`', "\\x60") + more
}

fn replay(bug: &Bug) -> String {
    match &bug.replay {
        Some(replay) if replay.detail.is_empty() => replay.verdict.clone(),
        Some(replay) => format!("{}: {}", replay.verdict, replay.detail.replace('|', "\\|")),
        None => "not run".to_string(),
    }
}

fn requirements(suites: &[(String, Figures)]) -> (String, bool) {
    let mut out = "Requirements:\n\n".to_string();
    let mut met = true;
    for (name, figures) in suites {
        let mut require = |text: String, holds: bool| {
            met &= holds;
            let verdict = if holds { "met" } else { "NOT met" };
            let _ = writeln!(out, "* {name}: {text}: {verdict}");
        };
        let differences = match figures.differences.as_slice() {
            [] => "every test ends the same while recording".to_string(),
            tests => format!("tests that end otherwise while recording: {}", tests.join(", ")),
        };
        require(differences, figures.differences.is_empty());
        if let Some(ratio) = recording_ratio(figures) {
            require(
                format!("wall time while recording {ratio:.2} times, at most {MOST_RECORDING}"),
                ratio <= MOST_RECORDING,
            );
        }
        let unsure = figures.amplified.bugs.iter().filter(|bug| bug.verdict() == "mismatch");
        require(
            format!("{} replays that end otherwise than predicted", unsure.clone().count()),
            unsure.count() == 0,
        );
    }
    let all = pooled(suites);
    let (within, n_tests) = (all.within(), all.n_tests());
    let holds = 2 * within >= n_tests;
    let _ = writeln!(
        out,
        "* median overhead at distance 0 at most {MOST}: {} of {} tests are: {}",
        grouped(within),
        grouped(n_tests),
        if holds { "met" } else { "NOT met" },
    );
    (out, met && holds)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn figures(verdict: &str) -> Figures {
        let bug = json!({
            "kind": "out-of-bounds-read", "file": "lib/a.c", "line": 7, "function": "f",
            "message": "", "program": "p", "seconds": 1.0, "distance": 1, "depth": 3,
            "command": "p -x | q", "exposed": {"4": 1, "6": 2},
            "changes": [{"what": "/x/in.txt", "is_argument": false,
                         "pieces": [{"offset": 9, "before": [97], "after": [0, 124]}]}],
            "replay": {"verdict": verdict, "mode": "end", "detail": "killed by signal 11"},
        });
        let amplified = json!({
            "suite": {"seconds": 15.0}, "runs": 1200, "same_input": 150, "same_path": 50,
            "failed": 2, "departures": 1, "complete": 0, "seconds": 20.0, "checks": 5000,
            "checked_lines": 40, "checks_left_out": 0, "bugs": [bug],
            "overhead": {"tests": 3, "quantile_10": 1.04, "median": 2.0, "quantile_90": 7.3,
                         "most": 9.0, "solver_share": 0.25},
            "phases": [
                {"distance": 0, "tests": 1000, "cut_short": 0, "excursions": 0, "seconds": 3.0},
                {"distance": 1, "tests": 900, "cut_short": 8, "excursions": 77, "seconds": 4.6},
            ],
        });
        let figures = json!({
            "seconds": 600, "jobs": 2, "without": "3 / 0 / 1", "with": "3 / 0 / 1",
            "differences": [], "native_seconds": 10.0, "overheads": [1, 1, 0, 0, 1, 0, 0],
            "amplified": amplified,
        });
        serde_json::from_value(figures).expect("complete")
    }

    #[test]
    fn all_is_told() {
        let (section, met) = render(&[("p".to_string(), figures("confirmed"))]);
        assert!(met, "{section}");
        for line in [
            "| p | 3 / 0 / 1 | 3 / 0 / 1 | 10.0 | 15.0 | 1.50 |",
            "| p | 600 × 2 | 1,200 | 1,000 | 2 | 1 | 5,000 | 40 | 0 (1) | 1.0 / 2.0 / 7.3 | 25 % | 1 |",
            "| p | 1 | 900 | 8 | 77 | 5 |",
            "| all | 3 | 1 | 1 | 0 | 0 | 1 | 0 | 0 |",
            "| p | out-of-bounds-read at lib/a.c:7 in `f` | 1 | 2 | `p -x \\| q` | in.txt at 9: `a` to `\\x00\\x7c` | \
             confirmed: killed by signal 11 |",
            "* median overhead at distance 0 at most 3: 2 of 3 tests are: met",
        ] {
            assert!(section.contains(line), "{line} is not in\n{section}");
        }
    }

    #[test]
    fn what_is_not_met() {
        let mut slow = figures("mismatch");
        slow.native_seconds = 7.0;
        slow.differences = vec!["b".to_string()];
        let (section, met) = render(&[("p".to_string(), slow)]);
        assert!(!met);
        assert!(section.contains("* p: tests that end otherwise while recording: b: NOT met"));
        assert!(section.contains("2.14 times, at most 2: NOT met"));
        assert!(section.contains("* p: 1 replays that end otherwise than predicted: NOT met"));
    }
}
