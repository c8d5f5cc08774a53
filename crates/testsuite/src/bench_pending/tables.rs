//! The section of `bench/RESULTS.md`.

use std::fmt::Write;

use super::outcome::{Counts, Outcome};
use super::plan::{Config, Mode, Start, Strategy};
use super::subjects::Subject;
use super::summary::{Range, Results};
use crate::results::grouped;

const TITLE: &str = "# Pending constraints";

pub fn render(
    results: &Results,
    subjects: &[&Subject],
    cpu_seconds: u32,
    n_plans: usize,
    checks: &str,
) -> String {
    let mut out = format!(
        "{TITLE}\n\n\
         Written by `./x bench pending`. Seven programs built by `fathom-cc`, {cpu_seconds} CPU s a run, two \
         runs at a time, {} of {n_plans} runs, by fathom at {}. Covered: LLVM instructions of the program's own code (all \
         but the C library) executed in the engine. Random-path is run with three random seeds: the mean, \
         and the least and most. Union: what eager and pending cover together. Relaxed: pending with \
         `--relaxed-checks`. Seeded runs have symbolic input of the seed's size, in both modes. Pending \
         asks first about states that stand before code nobody has executed, and every other time about \
         one that has come further in a call than others; where neither brings new code, about some deep in \
         the tree (`--revive new-code`, the default), which has no \
         counterpart in eager.\n\n",
        results.n_runs(),
        results.commits(),
    );
    for start in Start::ALL {
        out += &coverage(results, subjects, start);
    }
    out += "Plots: [coverage](pending-coverage.svg), [unions of pairs of configurations](pending-unions.svg).\n\n";
    out += &queries(results, subjects);
    out += &states(results, subjects);
    out + checks
}

/// One table: programs by strategies and modes.
fn coverage(results: &Results, subjects: &[&Subject], start: Start) -> String {
    let mut out = format!("## Covered instructions, {}\n\n| program | own |", start.name());
    let mut columns = 2;
    for strategy in Strategy::ALL {
        let name = strategy.name();
        let _ = write!(out, " {name} eager | pending | union |");
        columns += 3;
        if strategy == Strategy::RandomPath {
            out += " relaxed |";
            columns += 1;
        }
    }
    let _ = writeln!(out, "\n|{}", "---|".repeat(columns));
    for subject in subjects {
        let total = results.any(subject).map_or(0, |run| run.cover.total());
        let _ = write!(out, "| {} | {} |", subject.name, grouped(total));
        for strategy in Strategy::ALL {
            let covered = |mode| results.covered(subject, Config { mode, strategy, start });
            let union = results.union(subject, strategy, start);
            for cell in [covered(Mode::Eager), covered(Mode::Pending), union] {
                let _ = write!(out, " {} |", range(cell));
            }
            if strategy == Strategy::RandomPath {
                let _ = write!(out, " {} |", range(covered(Mode::Relaxed)));
            }
        }
        out.push('\n');
    }
    out.push_str("| pending to eager, summed | |");
    for strategy in Strategy::ALL {
        let gain = |modes| gain(results.sums(subjects, modes, strategy, start));
        let _ = write!(out, " | {} | |", gain((Mode::Eager, Mode::Pending)));
        if strategy == Strategy::RandomPath {
            let _ = write!(out, " {} |", gain((Mode::Eager, Mode::Relaxed)));
        }
    }
    out + "\n\n"
}

/// Solver time, and what of it went to queries without a solution.
fn queries(results: &Results, subjects: &[&Subject]) -> String {
    let mut out = "## Infeasible queries, random-path\n\n\
         Seconds in the solver; those of them for asking about paths that are not possible, and \
         their share; those for all queries without a solution, checks that found no bug among them.\n\n\
         | program | start | eager solver | infeasible | share | unsat | pending solver | infeasible | share | unsat |\n\
         |---|---|---|---|---|---|---|---|---|---|\n"
        .to_string();
    for subject in subjects {
        for start in Start::ALL {
            let _ = write!(out, "| {} | {} |", subject.name, start.name());
            for mode in [Mode::Eager, Mode::Pending] {
                let config = Config { mode, strategy: Strategy::RandomPath, start };
                let solver = results.mean(subject, config, |run| Some(run.solver_seconds));
                let infeasible = results.mean(subject, config, |run| run.infeasible_seconds);
                let unsat = results.mean(subject, config, |run| Some(run.unsat_seconds));
                let _ = match (solver, infeasible, unsat) {
                    (Some(solver), Some(infeasible), Some(unsat)) => write!(
                        out,
                        " {solver:.1} | {infeasible:.2} | {:.0} % | {unsat:.1} |",
                        100.0 * infeasible / solver.max(1e-9)
                    ),
                    _ => write!(out, " | | | |"),
                };
            }
            out.push('\n');
        }
    }
    out + "\n"
}

/// Paths, and what became of the pending states.
fn states(results: &Results, subjects: &[&Subject]) -> String {
    let mut out = "## Paths and states, random-path, first random seed\n\n\
         | program | start | mode | complete paths | M instructions | revived | infeasible | dropped | left | \
         bytes a pending state | bugs | MB | CPU s | ended |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
        .to_string();
    for subject in subjects {
        for start in Start::ALL {
            for mode in Mode::ALL {
                let config = Config { mode, strategy: Strategy::RandomPath, start };
                if let Some(run) = results.runs(subject, config).next() {
                    let (name, start, mode) = (subject.name, start.name(), mode.name());
                    let _ = writeln!(out, "| {name} | {start} | {mode} | {} |", states_row(run));
                }
            }
        }
    }
    out + "\n"
}

fn states_row(run: &Outcome) -> String {
    let count = |number: fn(&Counts) -> u64| {
        run.pending.as_ref().map_or(String::new(), |counts| grouped(number(counts)))
    };
    let cells = [
        grouped(run.complete_paths),
        format!("{:.1}", run.instructions as f64 / 1e6),
        count(|counts| counts.revived),
        count(|counts| counts.infeasible),
        count(|counts| counts.dropped),
        count(|counts| counts.left),
        bytes_a_state(run),
        run.bugs.to_string(),
        format!("{:.0}", run.peak_mb),
        format!("{:.0}", run.cpu_seconds),
        run.stopped.clone(),
    ];
    cells.join(" | ")
}

/// From above: all memory in use, over the pending states that are left, where these are many.
fn bytes_a_state(run: &Outcome) -> String {
    const MANY: u64 = 10_000;
    let left = run.pending.as_ref().map_or(0, |counts| counts.left);
    if left < MANY { String::new() } else { grouped(run.in_use_bytes / left) }
}

fn range(range: Option<Range>) -> String {
    match range {
        None => String::new(),
        Some(Range { least, most, .. }) if least == most => grouped(least),
        Some(Range { mean, least, most }) => {
            format!("{} ({}–{})", grouped(mean.round() as u64), grouped(least), grouped(most))
        }
    }
}

/// By how much the second is more than the first.
pub fn gain((one, two): (f64, f64)) -> String {
    if one == 0.0 { String::new() } else { format!("{:+.1} %", 100.0 * (two / one - 1.0)) }
}
