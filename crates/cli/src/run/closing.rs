//! What the user reads at the end of a run.

use fathom_engine::Engine;
use fathom_report::{Cover, Summary, Timing};
use fathom_solver::LayerKind;

pub fn closing(summary: &Summary, cover: &Cover, dropped: u64, total: &Timing) -> String {
    let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    let how = match (summary.exhaustive, summary.stopped.as_str()) {
        (true, _) => "exhaustive: every path was followed to its end".to_owned(),
        (false, "done") => "not exhaustive: see the ledger".to_owned(),
        (false, reason) => format!("not exhaustive: stopped by {reason}"),
    };
    let dropped = if dropped > 0 {
        format!(", {dropped} dropped or ending in a known bug")
    } else {
        String::new()
    };
    let faults = summary.faults.map_or(String::new(), |faults| {
        format!("faults        {} of {} injected ones found\n", faults.found, faults.injected)
    });
    format!(
        "paths         {} complete, {} partial{dropped}\n\
         verdict       {how}\n\
         bugs          {}\n{faults}\
         tests         {} in tests.pack, {} of them in tests/ (new code)\n\
         covered       {:.1} % of {} instructions, {:.1} % of {} lines\n\
         instructions  {} in {:.2} s, {:.0} % of it in the solver; {} MiB\n",
        summary.complete_paths,
        summary.partial_paths,
        summary.bugs.len(),
        summary.tests,
        summary.plain_tests,
        share(cover.instructions, cover.instructions_total),
        cover.instructions_total,
        share(cover.lines, cover.lines_total),
        cover.lines_total,
        super::grouped(summary.instructions),
        total.seconds,
        100.0 * total.solver_seconds / total.seconds.max(1e-9),
        total.peak_bytes >> 20,
    )
}

pub fn solver_table(engine: &Engine<'_>) -> String {
    let stats = &engine.solver.stats;
    let mut text = format!(
        "solver        {} queries, {} sat, {} unsat, {} failures, {} wrong models\n",
        stats.queries, stats.sat, stats.unsat, stats.failures, stats.wrong_models
    );
    text += &format!(
        "solver time   {:.3} s on possible, {:.3} s on impossible ({:.3} s of it about paths), {:.3} s on undecided queries\n",
        stats.sat_time.as_secs_f64(),
        stats.unsat_time.as_secs_f64(),
        engine.stats.infeasible_time.as_secs_f64(),
        stats.undecided_time.as_secs_f64()
    );
    if stats.cross_checked > 0 {
        text += &format!(
            "cross-check   {} queries compared with the second solver, {} not, {} mismatches\n",
            stats.cross_checked, stats.not_compared, stats.mismatches
        );
    }
    for layer in LayerKind::ALL {
        let row = &stats[layer];
        text += &format!(
            "  {:<12}{:>12} asked{:>12} answered{:>10.3} s, {:.3} s at most\n",
            layer.name(),
            row.asked,
            row.answered,
            row.time.as_secs_f64(),
            row.longest.as_secs_f64()
        );
    }
    text
}
