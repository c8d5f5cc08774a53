//! The searchers that a user can choose, by name.

use std::ffi::OsString;

use clap::ValueEnum;
use fathom_engine::hooks::{
    Bfs, ByCallPath, ByDepth, ByDistance, ByNewCode, ByQueries, ByVisits, Dfs, Distances,
    Interleaved, Kind, NewCodeFirst, RandomPath, RandomState, Searcher, Searchers, Weighted,
};
use fathom_ir::Program;

/// How branches fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Fork {
    /// Follow the path that is known to be possible; ask about the other sides when it has ended
    Pending,
    /// Ask the solver about the other side of every branch at once
    Eager,
}

/// Which pending path comes first, whatever the searcher would choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Revive {
    /// Those that stand before code of the program that was never executed; by turns, those that
    /// have come further in a call than others; where neither leads to new code for long, every
    /// other one that the searcher would choose gives way to one deep in the execution tree
    NewCode,
    /// None: --pending-search alone decides
    Search,
}

/// Which state is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Search {
    /// The newest first
    Dfs,
    /// The oldest first
    Bfs,
    /// One from the execution tree: each subtree has the same chance
    RandomPath,
    /// Each state has the same chance
    RandomState,
    /// The more forks lie on the way to a state, the better its chances
    DepthBiased,
    /// The nearer to uncovered code and the fresher its own new code, the better
    Covnew,
    /// The nearer to uncovered code, the better
    Md2u,
    /// The less often states have come to the same place, the better
    Icnt,
    /// The less was executed with the same call stack, the better
    Cpicnt,
    /// The fewer questions a path has asked the solver, the better
    Qc,
}

/// The page of `fathom help search`.
const PAGE: &str = include_str!("search.txt");

/// What to print where the arguments ask for the page on searchers.
pub fn help(argv: &[OsString]) -> Option<&'static str> {
    let words: Vec<_> = argv.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let asked = matches!(
        words[..],
        ["help" | "--help" | "-h", "search"]
            | ["help", "run", "search"]
            | ["run", "--help" | "-h", "search"]
    );
    asked.then_some(PAGE)
}

/// What searchers are made of.
struct Builder<'p> {
    program: &'p Program,
    /// Known once the first searcher needs them.
    distances: Option<Distances>,
    seed: u64,
}

impl Builder<'_> {
    fn distances(&mut self) -> Distances {
        self.distances.get_or_insert_with(|| Distances::new(self.program)).clone()
    }

    fn one(&mut self, name: Search, kind: Kind, seed: u64) -> Box<dyn Searcher> {
        match name {
            Search::Dfs => Box::new(Dfs::default()),
            Search::Bfs => Box::new(Bfs::default()),
            Search::RandomPath => Box::new(RandomPath::new(kind, seed)),
            Search::RandomState => Box::new(RandomState::new(seed)),
            Search::DepthBiased => Box::new(Weighted::new(ByDepth, seed)),
            Search::Covnew => Box::new(Weighted::new(ByNewCode(self.distances()), seed)),
            Search::Md2u => Box::new(Weighted::new(ByDistance(self.distances()), seed)),
            Search::Icnt => Box::new(Weighted::new(ByVisits::default(), seed)),
            Search::Cpicnt => Box::new(Weighted::new(ByCallPath::default(), seed)),
            Search::Qc => Box::new(Weighted::new(ByQueries, seed)),
        }
    }

    /// Several take turns, each with its own random choices.
    fn all(&mut self, names: &[Search], kind: Kind) -> Box<dyn Searcher> {
        let each = names
            .iter()
            .zip(0..)
            .map(|(&name, turn)| self.one(name, kind, self.seed.wrapping_add(turn)));
        let mut each: Vec<_> = each.collect();
        match each.len() {
            1 => each.remove(0),
            _ => Box::new(Interleaved::new(each)),
        }
    }
}

/// The searchers named, for runs of `program`.
pub fn searchers(
    program: &Program,
    feasible: &[Search],
    pending: &[Search],
    revive: Revive,
    seed: u64,
) -> Searchers {
    let mut build = Builder { program, distances: None, seed };
    let mut waiting = |kind| {
        let searcher = build.all(pending, kind);
        match revive {
            Revive::NewCode => Box::new(NewCodeFirst::new(program, searcher, kind, seed)),
            Revive::Search => searcher,
        }
    };
    let [pending, hard, hardest] = [Kind::Pending, Kind::Hard, Kind::Hardest].map(&mut waiting);
    let feasible = build.all(feasible, Kind::Feasible);
    Searchers { feasible, pending, hard, hardest, resting: Box::new(Bfs::default()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_a_paragraph_for_every_searcher() {
        for searcher in Search::value_variants() {
            let name = searcher.to_possible_value().expect("none is hidden").get_name().to_owned();
            let paragraph = PAGE.split("\n\n").find(|it| it.starts_with(&format!("{name}\n")));
            assert!(paragraph.is_some_and(|it| it.lines().count() > 2), "{name} is not described");
        }
    }

    #[test]
    fn lines_of_the_page_fit_a_terminal() {
        assert!(PAGE.lines().all(|line| line.chars().count() <= 80));
    }
}
