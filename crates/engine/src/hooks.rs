//! Where systems plug in: which state next, what to do at a branch and at a call, what to observe.

use std::time::Duration;

use fathom_expr::Pool;
use fathom_ir::FuncId;

use crate::outcome::{Ended, Site};
use crate::route::Route;
use crate::state::{State, StateId};

pub use crate::search::{
    Bfs, ByCallPath, ByDepth, ByDistance, ByNewCode, ByQueries, ByVisits, Dfs, Distances,
    Interleaved, Kind, NewCodeFirst, Outlook, RandomPath, RandomState, Searcher, Searchers, Tree,
    Weigh, Weighted,
};

/// What to do at a branch whose condition is not decided by the state itself.
pub trait BranchPolicy {
    /// Called when both sides of the branch at `site` may be possible.
    fn choose(&mut self, state: &State, site: Site) -> BranchChoice;
    /// Whether there is to be a copy of `state` that waits for the other side. Called where the
    /// choice was to defer, and the path does not say already that that side is impossible.
    fn keeps(&mut self, _state: &State) -> bool {
        true
    }
    /// `child` came into being as a copy of `parent`.
    fn parted(&mut self, _parent: StateId, _child: StateId) {}
    /// Whether `state` may have another turn; where it may not, it ends without a word. Asked every
    /// million instructions or so.
    fn goes_on(&mut self, _state: &State) -> bool {
        true
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchChoice {
    /// Ask the solver about the other side, and fork if it is possible.
    Check,
    /// Fork, and ask about the other side when nothing else is left to do.
    Defer,
    /// Both sides are left: the state ends without a word.
    Leave,
}

/// Classical forking: both sides are known to be possible before they run.
pub struct Eager;

impl BranchPolicy for Eager {
    fn choose(&mut self, _: &State, _: Site) -> BranchChoice {
        BranchChoice::Check
    }
}

/// Pending constraints: a path that is known to be possible runs to its end, and the sides it
/// did not take wait.
pub struct Pending;

impl BranchPolicy for Pending {
    fn choose(&mut self, _: &State, _: Site) -> BranchChoice {
        BranchChoice::Defer
    }
}

/// The paths that seeds take, and nothing else.
pub struct OnlySeeds;

impl BranchPolicy for OnlySeeds {
    fn choose(&mut self, _: &State, _: Site) -> BranchChoice {
        BranchChoice::Defer
    }

    fn keeps(&mut self, _: &State) -> bool {
        false
    }
}

/// Which operations are checked for all inputs of a path. Without one, all are.
pub trait CheckPolicy {
    /// Called before the solver is asked whether the operation at `site` can go wrong. Where that is
    /// not wanted, it does not go wrong on this path from now on.
    fn wants(&mut self, state: &State, site: Site) -> bool;
    /// The solver has been asked; `decided` where it had an answer.
    fn made(&mut self, state: &State, site: Site, decided: bool, time: Duration);
    /// Whether terms are known to be too hard to reason about at `site`, where an address is a large
    /// one. If nothing is known, the cheap layers of the solver are asked.
    fn is_hard(&mut self, _: &State, _: Site) -> Option<bool> {
        None
    }
    /// They have been asked.
    fn found_hard(&mut self, _: &State, _: Site, _is_hard: bool) {}
    /// Whether large terms that a path is bound to are taken for their values. Where the path makes
    /// decisions hangs on what it knows then: it cannot be followed again by its decisions.
    fn takes_bound_values(&self) -> bool {
        false
    }
    /// An address is too hard to reason about, and not checked: the path goes on with one value of
    /// it. Other values are other paths.
    fn left_out(&mut self, _: &State, _: Site) {}
}

/// What to do at a call of a function that has a body.
pub trait CallPolicy {
    /// Called before the callee's frame is made; `args` are the argument slots.
    fn decide(&mut self, callee: FuncId, args: &[u64]) -> CallChoice;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallChoice {
    /// Execute the body.
    Enter,
    /// Do not execute it; these are the slots of its result.
    Stub(Vec<u64>),
}

/// Read-only events of a run. Every method has an empty default.
pub trait Observer {
    /// Whether `call` and `returned` are to be called, which makes calls slower; asked once.
    fn wants_calls(&self) -> bool {
        false
    }
    /// A function with a body is entered; `args` are its parameter slots.
    fn call(&mut self, _callee: FuncId, _args: &[u64], _from: Site) {}
    /// The innermost function returns.
    fn returned(&mut self, _callee: FuncId) {}
    /// `child` came into being as a copy of `parent`, at the innermost place of the program's own.
    fn fork(&mut self, _parent: StateId, _child: StateId, _site: Site) {}
    /// A state that waited turned out not to be possible: there never was such a path.
    fn impossible(&mut self, _state: StateId) {}
    /// A block is executed that somebody watches (`Engine::watch`), for the first time since the
    /// marks were set.
    fn block(&mut self, _state: &State) {}
    /// A path has ended.
    fn stop(&mut self, _ended: &Ended) {}
}

/// Others that work on the same run: states come and go as routes.
pub trait Exchange {
    /// Whether they would like to have states, and how many instructions it may take them to come
    /// to those. Asked all the time.
    fn wanted(&mut self) -> Option<u64>;
    /// Passes on what there was to give. Whoever explores it from now on, it is not this engine.
    fn give(&mut self, routes: Vec<Route>, pool: &Pool);
    /// There is nothing left here: what to go on with. Waits for the others; nothing ends the run.
    fn more(&mut self, pool: &mut Pool) -> Vec<Route>;
}

/// Nobody else.
pub struct Alone;

impl Exchange for Alone {
    fn wanted(&mut self) -> Option<u64> {
        None
    }

    fn give(&mut self, _: Vec<Route>, _: &Pool) {
        unreachable!("nobody wants any");
    }

    fn more(&mut self, _: &mut Pool) -> Vec<Route> {
        Vec::new()
    }
}

/// The plug-ins of one engine. Absent ones cost nothing.
#[derive(Default)]
pub struct Hooks {
    pub calls: Option<Box<dyn CallPolicy>>,
    pub branches: Option<Box<dyn BranchPolicy>>,
    pub checks: Option<Box<dyn CheckPolicy>>,
    pub observers: Vec<Box<dyn Observer>>,
}

impl Hooks {
    /// Whether calls have to be announced one by one.
    pub(crate) fn watch_calls(&self) -> bool {
        self.calls.is_some() || self.observers.iter().any(|observer| observer.wants_calls())
    }
}
