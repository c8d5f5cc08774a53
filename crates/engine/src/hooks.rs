//! Where systems plug in: which state next, what to do at a branch and at a call, what to observe.

use fathom_ir::FuncId;

use crate::outcome::{Site, Stop};
use crate::state::State;

/// Chooses which state runs next. The engine asks whenever the running state has stopped, forked
/// or used up its turn.
pub trait Searcher {
    /// A new state; it is never offered twice without having been returned by `next` in between.
    fn add(&mut self, state: Box<State>);
    /// The state to run now, or `None` when none is left.
    fn next(&mut self) -> Option<Box<State>>;
}

/// Depth first: the newest state runs to its end.
#[derive(Default)]
pub struct Dfs {
    #[expect(clippy::vec_box, reason = "states change hands often and are not small")]
    states: Vec<Box<State>>,
}

impl Searcher for Dfs {
    fn add(&mut self, state: Box<State>) {
        self.states.push(state);
    }

    fn next(&mut self) -> Option<Box<State>> {
        self.states.pop()
    }
}

/// What to do at a branch whose condition is not decided by the state itself. Concrete states
/// decide every branch, so it is asked only once symbolic values exist.
pub trait BranchPolicy {
    /// Called when both sides of the branch at `site` may be possible.
    fn choose(&mut self, site: Site) -> BranchChoice;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchChoice {
    /// Ask the solver about both sides and fork.
    Check,
    /// Follow the side the state's own assignment satisfies; the other side waits.
    Defer,
    /// Follow that side and forget the other.
    Follow,
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
    /// A function with a body is entered; `args` are its parameter slots.
    fn call(&mut self, _callee: FuncId, _args: &[u64], _from: Site) {}
    /// The innermost function returns.
    fn returned(&mut self, _callee: FuncId) {}
    /// A path has ended.
    fn stop(&mut self, _stop: &Stop, _state: &State) {}
}

/// The plug-ins of one engine. Absent ones cost nothing.
#[derive(Default)]
pub struct Hooks {
    pub calls: Option<Box<dyn CallPolicy>>,
    pub branches: Option<Box<dyn BranchPolicy>>,
    pub observers: Vec<Box<dyn Observer>>,
}

impl Hooks {
    /// Whether calls have to be announced one by one.
    pub(crate) fn watch_calls(&self) -> bool {
        self.calls.is_some() || !self.observers.is_empty()
    }
}
