//! What a run counts, so that parts of it, earlier ones or those of other processes, add up.

use std::collections::BTreeSet;

use fathom_engine::{Engine, Stats};
use fathom_report::{LedgerEntry, SolverCounts, Timing};
use fathom_solver::LayerKind;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    pub complete: u64,
    pub partial: u64,
    /// Paths that were dropped, or ended in a bug that was known.
    pub dropped: u64,
    pub instructions: u64,
    /// Those of them that were executed before, to come to a state again.
    pub repeated: u64,
    pub forks: u64,
    pub revived: u64,
    pub infeasible: u64,
    pub undecided: u64,
    pub dropped_pending: u64,
    pub solver: SolverCounts,
    /// Queries that reached the SMT solver.
    #[serde(default)]
    pub solver_queries: u64,
    /// Objects of seeds that the program has made symbolic.
    #[serde(default)]
    pub seed_objects: BTreeSet<String>,
    pub ledger: Vec<LedgerEntry>,
    /// What became of seeds.
    pub remarks: Vec<LedgerEntry>,
    /// Native runs of tests that show something new.
    pub confirmed: u64,
    pub not_observable: u64,
    pub mismatches: u64,
    pub times: Times,
}

/// What depends on the machine. Time passes for all processes at once, and processor time of others is
/// that of the main one, too: the first two are its own.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Times {
    pub seconds: f64,
    pub cpu_seconds: f64,
    pub solver_seconds: f64,
    pub infeasible_seconds: f64,
    pub unsat_seconds: f64,
}

impl Times {
    fn add(&mut self, other: Times) {
        self.seconds += other.seconds;
        self.cpu_seconds += other.cpu_seconds;
        self.solver_seconds += other.solver_seconds;
        self.infeasible_seconds += other.infeasible_seconds;
        self.unsat_seconds += other.unsat_seconds;
    }
}

impl From<Timing> for Times {
    fn from(timing: Timing) -> Self {
        let Timing {
            seconds, cpu_seconds, solver_seconds, infeasible_seconds, unsat_seconds, ..
        } = timing;
        Self { seconds, cpu_seconds, solver_seconds, infeasible_seconds, unsat_seconds }
    }
}

impl Tally {
    /// With what the engine has done.
    pub fn with(&self, engine: &Engine<'_>) -> Tally {
        let Stats {
            instructions, repeated, forks, revived, infeasible, undecided, dropped, ..
        } = engine.stats;
        let stats = &engine.solver.stats;
        let mut sum = self.clone();
        sum.add(&Tally {
            instructions,
            repeated,
            forks,
            revived,
            infeasible,
            undecided,
            dropped_pending: dropped,
            solver: solver_counts(engine),
            solver_queries: stats[LayerKind::Backend].asked,
            seed_objects: engine.seed_objects().map(str::to_owned).collect(),
            times: Times {
                solver_seconds: solver_seconds(engine),
                infeasible_seconds: engine.stats.infeasible_time.as_secs_f64(),
                unsat_seconds: stats.unsat_time.as_secs_f64(),
                ..Times::default()
            },
            ..Tally::default()
        });
        sum
    }

    pub fn add(&mut self, other: &Tally) {
        let counts = [
            (&mut self.complete, other.complete),
            (&mut self.partial, other.partial),
            (&mut self.dropped, other.dropped),
            (&mut self.instructions, other.instructions),
            (&mut self.repeated, other.repeated),
            (&mut self.forks, other.forks),
            (&mut self.revived, other.revived),
            (&mut self.infeasible, other.infeasible),
            (&mut self.undecided, other.undecided),
            (&mut self.dropped_pending, other.dropped_pending),
            (&mut self.solver_queries, other.solver_queries),
            (&mut self.confirmed, other.confirmed),
            (&mut self.not_observable, other.not_observable),
            (&mut self.mismatches, other.mismatches),
        ];
        for (mine, theirs) in counts {
            *mine += theirs;
        }
        self.times.add(other.times);
        self.seed_objects.extend(other.seed_objects.iter().cloned());
        add_solver(&mut self.solver, &other.solver);
        add_ledger(&mut self.ledger, &other.ledger);
        add_ledger(&mut self.remarks, &other.remarks);
    }

    /// Paths that have ended.
    pub fn paths(&self) -> u64 {
        self.complete + self.partial
    }
}

/// The same thing at the same place is counted.
pub fn add_ledger(rows: &mut Vec<LedgerEntry>, more: &[LedgerEntry]) {
    for entry in more {
        let count = entry.count;
        let same = |row: &&mut LedgerEntry| LedgerEntry { count, ..(**row).clone() } == *entry;
        match rows.iter_mut().find(same) {
            Some(row) => row.count += count,
            None => rows.push(entry.clone()),
        }
    }
}

fn add_solver(sum: &mut SolverCounts, more: &SolverCounts) {
    sum.queries += more.queries;
    sum.sat += more.sat;
    sum.unsat += more.unsat;
    sum.failures += more.failures;
    sum.wrong_models += more.wrong_models;
    sum.cross_checked += more.cross_checked;
    sum.not_compared += more.not_compared;
    sum.mismatches += more.mismatches;
    for (layer, count) in &more.layers {
        match sum.layers.iter_mut().find(|(name, _)| name == layer) {
            Some((_, known)) => *known += count,
            None => sum.layers.push((layer.clone(), *count)),
        }
    }
}

/// Whatever came of the queries.
pub fn solver_seconds(engine: &Engine<'_>) -> f64 {
    let stats = &engine.solver.stats;
    (stats.sat_time + stats.unsat_time + stats.undecided_time).as_secs_f64()
}

fn solver_counts(engine: &Engine<'_>) -> SolverCounts {
    let stats = &engine.solver.stats;
    SolverCounts {
        queries: stats.queries,
        sat: stats.sat,
        unsat: stats.unsat,
        failures: stats.failures,
        wrong_models: stats.wrong_models,
        cross_checked: stats.cross_checked,
        not_compared: stats.not_compared,
        mismatches: stats.mismatches,
        layers: LayerKind::ALL
            .iter()
            .map(|&layer| (layer.name().to_owned(), stats[layer].answered))
            .collect(),
    }
}
