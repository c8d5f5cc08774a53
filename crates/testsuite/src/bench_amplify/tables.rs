//! The section of the results: suites, distances, bugs, and the requirements.

use std::fmt::Write;

use super::Figures;
use crate::amplified::{Amplified, Bug, Change, Piece};
use crate::results::grouped;

const TITLE: &str = "# Amplified suites";
/// Most that distance 0 may take of plain interpretation, in the median, and recording of the
/// suite's own wall time.
const MOST_OVERHEAD: f64 = 3.0;
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
    out += &bugs(suites);
    let (requirements, met) = requirements(suites);
    (format!("{out}\n{requirements}"), met)
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
        if let Some(overhead) = &figures.amplified.overhead {
            require(
                format!(
                    "median overhead at distance 0 {:.1} over {} tests, at most {MOST_OVERHEAD}",
                    overhead.median, overhead.tests,
                ),
                overhead.median <= MOST_OVERHEAD,
            );
        }
        let unsure = figures.amplified.bugs.iter().filter(|bug| bug.verdict() == "mismatch");
        require(
            format!("{} replays that end otherwise than predicted", unsure.clone().count()),
            unsure.count() == 0,
        );
    }
    (out, met)
}
