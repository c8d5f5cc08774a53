//! The requirements, each met or not, and the programs that lose.

use std::fmt::Write;

use super::plan::{Config, Mode, Start, Strategy};
use super::subjects::Subject;
use super::summary::Results;
use super::tables::gain;

/// Covered instructions of pending to those of eager under random-path.
const RANDOM_PATH_GAIN: f64 = 1.25;

/// Seconds for infeasible queries below which there is nothing to save.
const NOTHING: f64 = 0.1;

/// Why a program loses, found by comparing the functions that either mode covers.
const REASONS: [(&str, Strategy, Start, &str); 8] = [
    (
        "bc",
        Strategy::Dfs,
        Start::Unseeded,
        "eager turns the last bytes through more of the grammar (`yyparse`, `yylex`: 620 instructions) and \
         comes to subtraction (`_bc_do_sub`: 233); pending comes to addition (`_bc_do_add`: 184) and prints",
    ),
    (
        "datamash",
        Strategy::Dfs,
        Start::Unseeded,
        "the first input is a number, and turning the last branch first stays among its digits in `strtold`",
    ),
    (
        "datamash",
        Strategy::Dfs,
        Start::Seed(1),
        "eager comes upon long options (`process_long_option`: 169 instructions); pending covers more of \
         the operations",
    ),
    (
        "m4",
        Strategy::Dfs,
        Start::Unseeded,
        "macros are looked up by a hash of their name, which only the SMT solver can invert: pending puts it \
         off, and turning the last branch first stays at the end of the input",
    ),
    (
        "m4",
        Strategy::RandomPath,
        Start::Unseeded,
        "eager inverts the hash of the name `dnl` and expands that macro (`expand_macro`, \
         `collect_arguments`, `push_string_init`: 780 instructions, asked of the SMT solver); pending puts such \
         questions off and runs to the ends of the program instead (`close_stdout`, `_obstack_free`, \
         `error_tail`: 766)",
    ),
    (
        "m4",
        Strategy::DepthBiased,
        Start::Unseeded,
        "as under random-path: eager inverts the hash of the name `dnl` and expands that macro \
         (`expand_macro`, `collect_arguments`, `push_string_init`, `m4_dnl`: all of the difference)",
    ),
    ("sqlite3", Strategy::Dfs, Start::Seed(1), DOT_COMMANDS),
    ("sqlite3", Strategy::Dfs, Start::Seed(2), DOT_COMMANDS),
];

const DOT_COMMANDS: &str = "eager leaves the seed at its first byte and comes, by empty lines, to commands of the shell such as \
     `.lint`, which ask the database about itself; pending turns the last branches of the seed's statement first";

fn reason(subject: &Subject, strategy: Strategy, start: Start) -> &'static str {
    let known = REASONS.iter().find(|(name, its_strategy, its_start, _)| {
        (*name, *its_strategy, *its_start) == (subject.name, strategy, start)
    });
    known.map_or("not looked into", |(.., reason)| reason)
}

/// Lines of the requirements, and whether all are met.
struct Checks {
    out: String,
    met: bool,
}

impl Checks {
    fn require(&mut self, text: &str, holds: bool) {
        let verdict = if holds { "met" } else { "NOT met" };
        let _ = writeln!(self.out, "* {text}: {verdict}");
        self.met &= holds;
    }
}

pub fn render(results: &Results, subjects: &[&Subject]) -> (String, bool) {
    let mut checks = Checks { out: "## Requirements\n\n".to_string(), met: true };
    for start in Start::ALL {
        for strategy in Strategy::ALL {
            coverage(&mut checks, results, subjects, strategy, start);
        }
    }
    relaxed(&mut checks, results, subjects);
    infeasible(&mut checks, results, subjects);
    (checks.out, checks.met)
}

fn coverage(
    checks: &mut Checks,
    results: &Results,
    subjects: &[&Subject],
    strategy: Strategy,
    start: Start,
) {
    let (eager, pending) = results.sums(subjects, (Mode::Eager, Mode::Pending), strategy, start);
    if eager == 0.0 {
        return;
    }
    let least = if strategy == Strategy::RandomPath { RANDOM_PATH_GAIN } else { 1.0 };
    let text = format!(
        "{}, {}: pending covers {pending:.0} instructions, eager {eager:.0}, {}; required {}",
        strategy.name(),
        start.name(),
        gain((eager, pending)),
        if least > 1.0 { format!("{:+.0} %", 100.0 * (least - 1.0)) } else { "more".to_string() },
    );
    let holds = if least > 1.0 { pending >= least * eager } else { pending > eager };
    checks.require(&text, holds);
    for subject in subjects {
        let covered = |mode| results.covered(subject, Config { mode, strategy, start });
        if let (Some(eager), Some(pending)) = (covered(Mode::Eager), covered(Mode::Pending))
            && pending.mean < eager.mean
        {
            let (eager, pending) = (eager.mean, pending.mean);
            let (name, reason) = (subject.name, reason(subject, strategy, start));
            let _ = writeln!(checks.out, "  * {name} loses: {pending:.0} to {eager:.0}: {reason}");
        }
    }
}

/// Relaxed checks cover more than checked pending on at least half of the programs, unseeded and
/// seeded together.
fn relaxed(checks: &mut Checks, results: &Results, subjects: &[&Subject]) {
    let summed = |subject: &Subject, mode| -> Option<f64> {
        let strategy = Strategy::RandomPath;
        let covered = |start| results.covered(subject, Config { mode, strategy, start });
        Start::ALL.into_iter().map(|start| covered(start).map(|range| range.mean)).sum()
    };
    let pairs = subjects.iter().filter_map(|subject| {
        Some((summed(subject, Mode::Pending)?, summed(subject, Mode::Relaxed)?))
    });
    let pairs: Vec<(f64, f64)> = pairs.collect();
    if pairs.is_empty() {
        return;
    }
    let ahead = pairs.iter().filter(|(pending, relaxed)| relaxed > pending).count();
    let n = pairs.len();
    let text =
        format!("relaxed checks cover more than checked on {ahead} of {n} programs, required half");
    checks.require(&text, 2 * ahead >= n);
}

/// Time for infeasible queries: lower than eager on all programs, its share on all but one.
/// Programs that hardly have any in either mode are no loss.
fn infeasible(checks: &mut Checks, results: &Results, subjects: &[&Subject]) {
    let config = |mode, start| Config { mode, strategy: Strategy::RandomPath, start };
    let summed = |subject: &Subject, mode| -> Option<(f64, f64)> {
        let mut sums = (0.0, 0.0);
        for start in Start::ALL {
            let config = config(mode, start);
            sums.0 += results.mean(subject, config, |run| run.infeasible_seconds)?;
            sums.1 += results.mean(subject, config, |run| Some(run.solver_seconds))?;
        }
        Some(sums)
    };
    let share = |(infeasible, solver): (f64, f64)| infeasible / solver.max(1e-9);
    let (mut more_time, mut more_share) = (Vec::new(), Vec::new());
    let mut measured = 0;
    for subject in subjects {
        let (Some(eager), Some(pending)) =
            (summed(subject, Mode::Eager), summed(subject, Mode::Pending))
        else {
            continue;
        };
        measured += 1;
        if pending.0.max(eager.0) < NOTHING {
            continue;
        }
        if pending.0 >= eager.0 {
            more_time.push(subject.name);
        }
        if share(pending) >= share(eager) {
            more_share.push(subject.name);
        }
    }
    if measured == 0 {
        checks.require("time for infeasible queries: not measured", false);
        return;
    }
    let but = |names: &[&str]| match names {
        [] => String::new(),
        names => format!(" but {}", names.join(", ")),
    };
    let text =
        format!("less time for infeasible queries than eager on all programs{}", but(&more_time));
    checks.require(&text, more_time.is_empty());
    let text = format!(
        "a smaller share of solver time for infeasible queries on all programs{}, required on all but one",
        but(&more_share)
    );
    checks.require(&text, more_share.len() <= 1);
}
