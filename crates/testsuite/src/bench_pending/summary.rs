//! The outcomes of all runs, and the numbers that are compared: means, extremes, unions.

use std::collections::{BTreeMap, HashMap};

use super::outcome::Outcome;
use super::plan::{Config, Mode, Plan, Start, Strategy};
use super::subjects::Subject;

#[derive(Default)]
pub struct Results {
    /// By program and configuration, with the random seed.
    outcomes: HashMap<(&'static str, Config), Vec<(u64, Outcome)>>,
}

/// Of the repetitions of one configuration.
#[derive(Clone, Copy)]
pub struct Range {
    pub mean: f64,
    pub least: u64,
    pub most: u64,
}

impl Range {
    fn of(values: &[u64]) -> Option<Self> {
        let (least, most) = (*values.iter().min()?, *values.iter().max()?);
        let mean = values.iter().sum::<u64>() as f64 / values.len() as f64;
        Some(Self { mean, least, most })
    }
}

impl Results {
    pub fn add(&mut self, plan: Plan, outcome: Outcome) {
        let runs = self.outcomes.entry((plan.subject.name, plan.config)).or_default();
        runs.push((plan.rng_seed, outcome));
        runs.sort_by_key(|(rng_seed, _)| *rng_seed);
    }

    pub fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    pub fn n_runs(&self) -> usize {
        self.outcomes.values().map(Vec::len).sum()
    }

    /// What fathom was built from, with the number of runs it made.
    pub fn commits(&self) -> String {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, run) in self.outcomes.values().flatten() {
            *counts.entry(&run.commit).or_default() += 1;
        }
        let commits: Vec<String> =
            counts.iter().map(|(commit, count)| format!("{commit} ({count})")).collect();
        commits.join(", ")
    }

    /// The repetitions of one configuration, in the order of their random seeds.
    pub fn runs(&self, subject: &Subject, config: Config) -> impl Iterator<Item = &Outcome> {
        let runs = self.outcomes.get(&(subject.name, config));
        runs.into_iter().flatten().map(|(_, outcome)| outcome)
    }

    /// Any outcome of the program, for what does not depend on the configuration.
    pub fn any(&self, subject: &Subject) -> Option<&Outcome> {
        let mut entries = self.outcomes.iter();
        entries.find(|((name, _), _)| *name == subject.name)?.1.first().map(|(_, run)| run)
    }

    pub fn covered(&self, subject: &Subject, config: Config) -> Option<Range> {
        let counts: Vec<u64> = self.runs(subject, config).map(|run| run.cover.count()).collect();
        Range::of(&counts)
    }

    /// What eager and pending cover together, run by run.
    pub fn union(&self, subject: &Subject, strategy: Strategy, start: Start) -> Option<Range> {
        let runs = |mode| self.runs(subject, Config { mode, strategy, start });
        let pairs = runs(Mode::Eager).zip(runs(Mode::Pending));
        let counts: Vec<u64> =
            pairs.map(|(eager, pending)| eager.cover.union(&pending.cover).count()).collect();
        Range::of(&counts)
    }

    /// The mean of a number over the repetitions, where all of them have it.
    pub fn mean(
        &self,
        subject: &Subject,
        config: Config,
        number: impl Fn(&Outcome) -> Option<f64>,
    ) -> Option<f64> {
        let values: Vec<f64> = self.runs(subject, config).map(number).collect::<Option<_>>()?;
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    /// Covered instructions in two modes, summed over the programs that were run in both.
    pub fn sums(
        &self,
        subjects: &[&Subject],
        (one, two): (Mode, Mode),
        strategy: Strategy,
        start: Start,
    ) -> (f64, f64) {
        let mut sums = (0.0, 0.0);
        for subject in subjects {
            let covered = |mode| self.covered(subject, Config { mode, strategy, start });
            if let (Some(one), Some(two)) = (covered(one), covered(two)) {
                sums = (sums.0 + one.mean, sums.1 + two.mean);
            }
        }
        sums
    }
}
