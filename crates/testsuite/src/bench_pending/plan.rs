//! What is run: program × mode × strategy × start, and which of it first.

use super::subjects::{SUBJECTS, Subject};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    Eager,
    Pending,
    /// Pending, with checks deferred too.
    Relaxed,
}

impl Mode {
    pub const ALL: [Mode; 3] = [Mode::Eager, Mode::Pending, Mode::Relaxed];

    pub fn name(self) -> &'static str {
        match self {
            Mode::Eager => "eager",
            Mode::Pending => "pending",
            Mode::Relaxed => "relaxed",
        }
    }

    fn options(self) -> &'static [&'static str] {
        match self {
            Mode::Eager => &["--fork", "eager"],
            Mode::Pending => &["--fork", "pending"],
            Mode::Relaxed => &["--fork", "pending", "--relaxed-checks"],
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    RandomPath,
    Dfs,
    DepthBiased,
}

impl Strategy {
    pub const ALL: [Strategy; 3] = [Strategy::RandomPath, Strategy::Dfs, Strategy::DepthBiased];

    pub fn name(self) -> &'static str {
        match self {
            Strategy::RandomPath => "random-path",
            Strategy::Dfs => "dfs",
            Strategy::DepthBiased => "depth-biased",
        }
    }
}

/// From which input a run starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Start {
    Unseeded,
    Seed(u8),
}

impl Start {
    pub const ALL: [Start; 3] = [Start::Unseeded, Start::Seed(1), Start::Seed(2)];

    pub fn name(self) -> &'static str {
        match self {
            Start::Unseeded => "unseeded",
            Start::Seed(1) => "seed 1",
            Start::Seed(_) => "seed 2",
        }
    }
}

/// One configuration, run once for each of its random seeds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Config {
    pub mode: Mode,
    pub strategy: Strategy,
    pub start: Start,
}

impl Config {
    pub fn name(self) -> String {
        format!("{} {} {}", self.mode.name(), self.strategy.name(), self.start.name())
    }
}

/// One run.
#[derive(Clone, Copy)]
pub struct Plan {
    pub subject: &'static Subject,
    pub config: Config,
    pub rng_seed: u64,
    pub cpu_seconds: u32,
    /// With a fault in every block.
    pub faults: bool,
}

impl Plan {
    pub fn name(&self) -> String {
        let faults = if self.faults { " faults" } else { "" };
        format!("{} {}{faults} #{}", self.subject.name, self.config.name(), self.rng_seed)
    }

    /// Options of `fathom run` for its configuration.
    pub fn options(&self) -> Vec<String> {
        let strategy = self.config.strategy.name();
        let mut words: Vec<String> =
            self.config.mode.options().iter().map(|word| word.to_string()).collect();
        words.extend(["--search", strategy].map(str::to_string));
        if self.config.mode != Mode::Eager {
            words.extend(["--pending-search", strategy].map(str::to_string));
        }
        if self.faults {
            words.push("--inject-faults".to_string());
        }
        words.extend(["--rng-seed".to_string(), self.rng_seed.to_string()]);
        words.extend(["--max-cpu".to_string(), self.cpu_seconds.to_string()]);
        words
    }
}

/// The programs named, or all.
pub fn subjects(names: &[&str]) -> Result<Vec<&'static Subject>, String> {
    if let Some(name) = names.iter().find(|name| !SUBJECTS.iter().any(|it| it.name == **name)) {
        return Err(format!("no program {name} in this benchmark"));
    }
    let is_chosen = |subject: &&Subject| names.is_empty() || names.contains(&subject.name);
    Ok(SUBJECTS.iter().filter(is_chosen).collect())
}

/// All runs; what most requirements compare, random-path, comes first, so that a part of it is of use
/// already. Pending and relaxed runs of a program are close to each other: so are their results, and
/// machines are faster at one time than at another.
pub fn all(subjects: &[&'static Subject], cpu_seconds: u32) -> Vec<Plan> {
    let (rp, others) = (&[Strategy::RandomPath][..], &[Strategy::Dfs, Strategy::DepthBiased][..]);
    let rounds = [
        (rp, 1, &[Mode::Pending, Mode::Relaxed][..]),
        (rp, 1, &[Mode::Eager]),
        (rp, 2, &Mode::ALL),
        (rp, 3, &Mode::ALL),
        (others, 1, &[Mode::Eager, Mode::Pending]),
    ];
    let mut plans = Vec::new();
    for (strategies, rng_seed, modes) in rounds {
        for (start, &strategy) in
            Start::ALL.iter().flat_map(|&it| strategies.iter().map(move |s| (it, s)))
        {
            for &subject in subjects {
                plans.extend(modes.iter().map(|&mode| {
                    let config = Config { mode, strategy, start };
                    Plan { subject, config, rng_seed, cpu_seconds, faults: false }
                }));
            }
        }
    }
    plans
}

/// Long runs: pending in all configurations, then eager random-path beside it.
pub fn long(subjects: &[&'static Subject], cpu_seconds: u32) -> Vec<Plan> {
    let mut plans = Vec::new();
    for (mode, strategies) in
        [(Mode::Pending, &Strategy::ALL[..]), (Mode::Eager, &[Strategy::RandomPath])]
    {
        for start in Start::ALL {
            for &strategy in strategies {
                let config = Config { mode, strategy, start };
                let plan =
                    |&subject| Plan { subject, config, rng_seed: 1, cpu_seconds, faults: false };
                plans.extend(subjects.iter().map(plan));
            }
        }
    }
    plans
}

/// Runs with faults: random-path, unseeded, in all modes.
pub fn faults(subjects: &[&'static Subject], cpu_seconds: u32) -> Vec<Plan> {
    let (strategy, start) = (Strategy::RandomPath, Start::Unseeded);
    let configs = Mode::ALL.map(|mode| Config { mode, strategy, start });
    let plan = |&subject, config| Plan { subject, config, rng_seed: 1, cpu_seconds, faults: true };
    subjects.iter().flat_map(|subject| configs.map(|config| plan(subject, config))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_of_runs() {
        let chosen = subjects(&[]).expect("all");
        // Random-path in three modes three times, the others in two modes once.
        assert_eq!(all(&chosen, 60).len(), 7 * 3 * (3 * 3 + 2 * 2));
        assert_eq!(long(&chosen[..2], 60).len(), 2 * (9 + 3));
        assert_eq!(faults(&chosen, 60).len(), 7 * 3);
    }
}
