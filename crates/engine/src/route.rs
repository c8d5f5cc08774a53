//! Routes: how to come to a state again without asking the solver.
//!
//! A path is repeated by following a model of its path condition from one of the first states: at
//! every decision the model says which side was taken, and values that were chosen on the way are
//! in the path condition, so the model has them too. That is also how states get from one process
//! to another, and from one run to the next.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use fathom_expr::Model;
use fathom_ir::inst::Inst;

use crate::state::{State, StateId};
use crate::step;

/// A decision on a path: after so many LLVM instructions, and which of those made there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub instructions: u64,
    pub nth: u32,
}

/// How to come to a state, or to several that parted from one path.
#[derive(Clone)]
pub struct Route {
    /// Which of the first states it starts from.
    pub root: u32,
    /// What to follow.
    pub model: Model,
    /// Further models the state has.
    pub seeds: Vec<Model>,
    pub to: To,
}

impl Route {
    /// States that it leads to.
    pub fn n_states(&self) -> usize {
        self.to.n_states()
    }
}

#[derive(Clone)]
pub enum To {
    /// A state that can run on.
    State {
        id: StateId,
        depth: u32,
        /// Its last decision; it has made no other since.
        decided: Option<Position>,
        /// What is not the case at its next one.
        refused: Option<Box<Refused>>,
        /// It came first to code that nobody had executed before.
        covered_new: bool,
    },
    /// States that parted here and wait, in order. The path itself is of no interest.
    Forks(VecDeque<Fork>),
}

impl To {
    fn n_states(&self) -> usize {
        match self {
            To::State { .. } => 1,
            To::Forks(forks) => forks.len(),
        }
    }
}

/// A state that parted from a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fork {
    pub at: Position,
    pub id: StateId,
    pub depth: u32,
    /// Cases that the path itself had parted from there.
    pub refused: Vec<u64>,
}

/// Cases of a decision that other states go on with: values, or objects that a pointer leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub at: Position,
    pub cases: Vec<u64>,
}

/// Counts the decisions of a path.
#[derive(Clone, Copy)]
pub(crate) struct Counter {
    instructions: u64,
    /// The instruction that makes them.
    ip: *const Inst,
    /// The first one it made, and the next.
    first: u32,
    next: u32,
}

impl Default for Counter {
    fn default() -> Self {
        Self { instructions: 0, ip: std::ptr::null(), first: 0, next: 0 }
    }
}

/// Where a state comes from.
#[derive(Clone, Copy)]
pub(crate) struct Origin {
    /// Which of the first states.
    pub root: u32,
    /// The state it parted from, and where; `None` for the first states and those that came
    /// otherwise.
    pub parted: Option<(StateId, Position)>,
    /// Its sister states at the same place differ in the values chosen, so it takes its own model
    /// to come to it again.
    pub by_value: bool,
}

/// What a state that repeats a path has to do.
#[derive(Clone)]
pub(crate) struct Guide {
    to: To,
    /// The instructions that its first state had executed.
    start: u64,
    /// Constraints of that first state, if it should be replaced by one that stands before the
    /// first decision: all routes are the same until there.
    scout: Option<usize>,
}

/// What the guide says at a decision.
pub(crate) enum Advice {
    /// Go where the model goes.
    Follow,
    /// The same, and let this state wait for the other side.
    Fork(Fork),
    /// So many states were to part before this and did not: the path is another one.
    Lost(u64),
}

impl Guide {
    pub fn at(&mut self, at: Position) -> Advice {
        match &mut self.to {
            To::State { decided, .. } if *decided >= Some(at) => Advice::Follow,
            To::State { .. } => Advice::Lost(1),
            To::Forks(forks) => match forks.front() {
                Some(fork) if fork.at == at => {
                    Advice::Fork(forks.pop_front().expect("just looked at"))
                }
                Some(fork) if fork.at > at => Advice::Follow,
                _ => {
                    let before = forks.len();
                    forks.retain(|fork| fork.at > at);
                    Advice::Lost((before - forks.len()) as u64)
                }
            },
        }
    }

    /// Whether there is nothing to do after the decision at `at`.
    pub fn is_done(&self, at: Option<Position>) -> bool {
        match &self.to {
            To::State { decided, .. } => at >= *decided,
            To::Forks(forks) => forks.is_empty(),
        }
    }

    /// The path is only followed for what parts from it.
    pub fn is_for_forks(&self) -> bool {
        matches!(self.to, To::Forks(_))
    }

    /// The last decision of the state to come to.
    fn target(&self) -> Option<Position> {
        match self.to {
            To::State { decided, .. } => decided,
            To::Forks(_) => None,
        }
    }

    /// Instructions executed again, by a state that has executed `instructions`.
    pub fn repeated(&self, instructions: u64) -> u64 {
        instructions - self.start
    }

    /// States that have not been come to.
    pub fn n_left(&self) -> u64 {
        self.to.n_states() as u64
    }
}

/// What a turn changes that has to be as it was if the turn is to be made again.
pub(crate) struct Before {
    decided: Option<Position>,
    seeds: Rc<Vec<Model>>,
}

impl Before {
    pub fn of(state: &State) -> Self {
        let target = match &state.guide {
            Some(guide) => guide.target(),
            None => None,
        };
        Self { decided: state.decided.max(target), seeds: state.seeds.clone() }
    }

    /// The state makes the turn again when somebody comes to it again.
    pub fn restore(self, state: &mut State) {
        (state.decided, state.seeds) = (self.decided, self.seeds);
    }
}

impl State {
    pub(crate) fn is_guided(&self) -> bool {
        self.guide.is_some()
    }

    /// The state only repeats a path for what parts from it.
    pub(crate) fn is_for_forks(&self) -> bool {
        self.guide.as_ref().is_some_and(|guide| guide.is_for_forks())
    }

    /// The same, and all of that is there.
    pub(crate) fn has_no_more_forks(&self) -> bool {
        self.guide.as_ref().is_some_and(|guide| guide.is_for_forks() && guide.n_left() == 0)
    }

    /// Where the next decision is, which is being made.
    pub(crate) fn next_decision(&mut self) -> Position {
        let (instructions, ip) = (self.instructions, self.ip);
        let counter = &mut self.counter;
        if counter.instructions != instructions {
            *counter = Counter { instructions, ip, first: 0, next: 0 };
        } else if counter.ip != ip {
            (counter.ip, counter.first) = (ip, counter.next);
        }
        let at = Position { instructions, nth: counter.next };
        counter.next += 1;
        self.decided = Some(at);
        at
    }

    /// The state will execute its instruction again, as if it had not.
    pub(crate) fn rewind(&mut self) {
        // SAFETY: a state that forks stands at an instruction.
        self.instructions -= step::counted(unsafe { &*self.ip });
        self.counter.next = self.counter.first;
    }

    /// The state goes on at `ip`, after the instruction that `rewind` wanted to execute again.
    pub(crate) fn leave_for(&mut self, ip: *const Inst) {
        self.instructions = self.counter.instructions;
        self.ip = ip;
    }

    /// `self` parted from `parent`, which has made all decisions of the instruction since: they
    /// are made for both.
    pub(crate) fn has_decided_with(&mut self, parent: &State) {
        (self.counter, self.decided) = (parent.counter, parent.decided);
    }

    /// The copy of a first state that is to follow `route`.
    pub(crate) fn set_out(&mut self, route: Route, scout: bool) {
        self.model = route.model;
        self.seeds = route.seeds.into();
        self.awaited = None;
        if let To::State { depth, refused, covered_new, .. } = &route.to {
            (self.depth, self.covered_new) = (*depth, *covered_new);
            self.refused = refused.clone();
        }
        let scout = scout.then(|| self.path.len());
        let guide = Guide { to: route.to, start: self.instructions, scout };
        self.guide = (!guide.is_done(None)).then(|| Box::new(guide));
    }

    /// Whether the state is about to make the first decision of all, with nothing known that the
    /// first state did not know; asked once.
    pub(crate) fn is_waypoint(&mut self) -> bool {
        let scout = self.guide.as_mut().and_then(|guide| guide.scout.take());
        self.decided.is_none() && scout == Some(self.path.len())
    }

    /// How to come to this state, which is not pending, or to where it is going.
    pub(crate) fn route(&self) -> Route {
        let to = match &self.guide {
            Some(guide) => guide.to.clone(),
            None => To::State {
                id: self.id,
                depth: self.depth,
                decided: self.decided,
                refused: self.refused.clone(),
                covered_new: self.covered_new,
            },
        };
        let seeds = self.seeds.to_vec();
        Route { root: self.origin.root, model: self.model.clone(), seeds, to }
    }
}

/// Makes routes to states, one for all pending ones that parted from one path.
#[derive(Default)]
pub(crate) struct Router {
    routes: Vec<Route>,
    parted: Vec<Parted>,
}

/// A pending state that parted from another.
struct Parted {
    from: StateId,
    fork: Fork,
    root: u32,
    model: Model,
}

impl Router {
    pub fn add(&mut self, state: &State) {
        if state.has_no_more_forks() {
            return;
        }
        let Some(awaited) = &state.awaited else {
            self.routes.push(state.route());
            return;
        };
        let (from, at) = match state.origin.parted {
            Some(parted) if !state.origin.by_value => parted,
            _ => {
                let mut route = state.route();
                if let Some(changes) = &awaited.model {
                    route.model.update(changes);
                }
                self.routes.push(route);
                return;
            }
        };
        let refused = match &state.refused {
            Some(refused) => refused.cases[..refused.cases.len() - 1].to_vec(),
            None => Vec::new(),
        };
        let fork = Fork { at, id: state.id, depth: state.depth, refused };
        let (root, model) = (state.origin.root, state.model.clone());
        self.parted.push(Parted { from, fork, root, model });
    }

    /// In an order that depends on nothing but the states.
    pub fn finish(mut self) -> Vec<Route> {
        self.routes.sort_by_key(|route| match &route.to {
            To::State { id, .. } => Some(*id),
            To::Forks(forks) => forks.front().map(|fork| fork.id),
        });
        // Sorted, not looked up state by state: there may be a million, all over memory.
        self.parted.sort_unstable_by(|a, b| (a.from, &a.fork).cmp(&(b.from, &b.fork)));
        let lens: Vec<usize> =
            self.parted.chunk_by(|a, b| a.from == b.from).map(<[_]>::len).collect();
        self.routes.reserve_exact(lens.len());
        let mut parted = self.parted.into_iter();
        for len in lens {
            let mut forks = VecDeque::with_capacity(len);
            let mut last = None;
            for Parted { fork, root, model, .. } in parted.by_ref().take(len) {
                forks.push_back(fork);
                last = Some((root, model));
            }
            // The path as it was at the last of the forks is good for all.
            let (root, model) = last.expect("a chunk is not empty");
            self.routes.push(Route { root, model, seeds: Vec::new(), to: To::Forks(forks) });
        }
        self.routes
    }
}

/// States that are not kept because they can do little, by the paths they parted from.
#[derive(Default)]
pub(crate) struct Doubts(BTreeMap<StateId, Path>);

/// What parted from one state.
struct Path {
    root: u32,
    /// As it was at the last of the forks, so that it is good for all.
    model: Model,
    forks: Vec<Fork>,
}

impl Path {
    fn route(mut self) -> Route {
        self.forks.sort_unstable();
        self.forks.shrink_to_fit();
        let to = To::Forks(self.forks.into());
        Route { root: self.root, model: self.model, seeds: Vec::new(), to }
    }
}

impl Doubts {
    /// States part from the path of `parent`, the last ones where it stands.
    pub fn add(&mut self, parent: &State, forks: &mut Vec<Fork>) {
        if forks.is_empty() {
            return;
        }
        let path = self.0.entry(parent.id).or_insert_with(|| {
            let (root, model) = (parent.origin.root, Model::new());
            Path { root, model, forks: Vec::new() }
        });
        path.model = parent.model.clone();
        path.forks.append(forks);
    }

    /// Takes the route to what parted from the oldest path.
    pub fn take_first(&mut self) -> Option<Route> {
        self.0.pop_first().map(|(_, path)| path.route())
    }

    /// What parted from the newer half of the paths is left out; how many states that were.
    pub fn forget_half(&mut self) -> usize {
        let Some(&middle) = self.0.keys().nth(self.0.len() / 2) else { return 0 };
        let gone = self.0.split_off(&middle);
        gone.values().map(|path| path.forks.len()).sum()
    }

    pub fn into_routes(self) -> impl Iterator<Item = Route> {
        self.0.into_values().map(Path::route)
    }
}
