//! The states of a run: which there are, of what kind, and what the searchers know of them.

use std::collections::HashMap;

use crate::coverage::Coverage;
use crate::patience::Shares;
use crate::pressure::shuffle;
use crate::route::{Doubts, Fork, Route, Router, To};
use crate::search::{Kind, Outlook, Random, Searchers, Tree};
use crate::state::{State, StateId};

/// All states that have not ended.
pub(crate) struct Frontier<'s> {
    searchers: &'s mut Searchers,
    tree: Tree,
    states: HashMap<StateId, Box<State>>,
    /// The state that has the machine, while nobody runs it.
    running: Option<Box<State>>,
    n_feasible: usize,
    n_resting: usize,
    /// Pending ones that are easy to ask about, as far as is known, and others.
    n_easy: usize,
    n_hard: usize,
    n_hardest: usize,
    pub shares: Shares,
    /// When one that is hard is due among the pending states, and one of the hardest among those.
    hard: Turns,
    hardest: Turns,
    /// The only feasible state, once a searcher has named it.
    only: Option<StateId>,
    /// The states that routes start from: the first ones, or those they became before their first
    /// decision.
    roots: Vec<Root>,
    /// States that nobody has come to again yet.
    asleep: Vec<Route>,
    /// The same, of those that can do no more than fail: they come after all others.
    doubted: Doubts,
    /// How many all of them are.
    n_asleep: usize,
    /// Some are asleep because memory was short.
    crowded: bool,
    dice: Random,
}

struct Root {
    state: Box<State>,
    is_first: bool,
}

/// After so many states somebody looks whether the run is over.
const LOOK: usize = 1 << 10;
/// While there are fewer states than this, sleeping ones are woken even where memory was short.
const FEW: usize = 64;
/// Of so many times that a state is chosen, a sleeping one is woken once.
const WAKE: usize = 8;

/// Whose turn it is between states that are easy to ask about and others.
struct Turns {
    /// Easy ones since the last other.
    easy: u32,
    /// How many there have to be, and at least.
    wait: u32,
    soon: u32,
}

/// The longest wait for being in vain.
const LATE: u32 = 1 << 12;
/// For so many easy ones that wait, one has to have been possible first.
const MANY: usize = 64;

impl Turns {
    fn after(soon: u32) -> Self {
        Self { easy: 0, wait: soon, soon }
    }

    /// Whether it is an other one's turn while so many easy ones wait.
    fn is_others(&self, n_easy: usize) -> bool {
        self.easy >= self.wait && self.easy as usize >= n_easy / MANY
    }

    /// The next other one comes the later the more of them were in vain.
    fn adapt(&mut self, was_possible: bool) {
        self.wait = if was_possible { self.soon } else { (2 * self.wait).min(LATE) };
    }
}

fn kind(state: &State) -> Kind {
    match &state.awaited {
        Some(awaited) => awaited.kind,
        None if state.patience.is_resting => Kind::Resting,
        None => Kind::Feasible,
    }
}

fn can_run(kind: Kind) -> bool {
    matches!(kind, Kind::Feasible | Kind::Resting)
}

impl<'s> Frontier<'s> {
    pub fn new(searchers: &'s mut Searchers) -> Self {
        let tree = Tree::default();
        Self {
            searchers,
            tree,
            states: HashMap::new(),
            running: None,
            n_feasible: 0,
            n_resting: 0,
            n_easy: 0,
            n_hard: 0,
            n_hardest: 0,
            shares: Shares::default(),
            hard: Turns::after(32),
            hardest: Turns::after(256),
            only: None,
            roots: Vec::new(),
            asleep: Vec::new(),
            doubted: Doubts::default(),
            n_asleep: 0,
            crowded: false,
            dice: Random::new(0),
        }
    }

    pub fn n_states(&self) -> usize {
        self.states.len() + usize::from(self.running.is_some())
    }

    pub fn n_pending(&self) -> usize {
        self.n_easy + self.n_hard + self.n_hardest
    }

    /// One of the states a run begins with; routes start from it.
    pub fn root(&mut self, mut state: Box<State>) {
        state.origin.root = self.roots.len() as u32;
        self.roots.push(Root { state, is_first: true });
    }

    /// Routes start here from now on.
    pub fn advance_root(&mut self, waypoint: Box<State>) {
        let root = &mut self.roots[waypoint.origin.root as usize];
        *root = Root { state: waypoint, is_first: false };
    }

    /// All first states are there, and are to be run.
    pub fn begin(&mut self, coverage: &Coverage) {
        for Root { state: root, .. } in &mut self.roots {
            let mut state = Box::new(root.copy(root.id));
            state.seeds = root.seeds.clone();
            state.follows_seed = root.follows_seed;
            state.awaited = root.awaited.clone();
            self.states.insert(state.id, state);
        }
        self.plant(coverage);
    }

    /// States to come to again, some time.
    pub fn sleep(&mut self, routes: Vec<Route>) {
        self.n_asleep += routes.iter().map(Route::n_states).sum::<usize>();
        self.asleep.extend(routes);
    }

    /// States that are not kept, but how to come to them again: once few others are left. No more of
    /// them once the run `is_over`; returns how many went.
    pub fn put_to_sleep(
        &mut self,
        states: &[(StateId, Kind)],
        is_over: impl Fn() -> bool,
    ) -> usize {
        let mut router = Router::default();
        let mut n_gone = 0;
        for &(id, kind) in states {
            if n_gone % LOOK == 0 && is_over() {
                break;
            }
            router.add(&self.take(id));
            self.end(id, kind);
            n_gone += 1;
        }
        self.sleep(router.finish());
        self.crowded = true;
        n_gone
    }

    /// States that part from the path of `parent` and are not kept.
    pub fn doubt(&mut self, parent: &State, forks: &mut Vec<Fork>) {
        self.n_asleep += forks.len();
        self.doubted.add(parent, forks);
    }

    /// Half of those that are asleep, by chance, will not be come to; how many that are.
    pub fn forget_half(&mut self) -> usize {
        let before = self.n_asleep;
        shuffle(&mut self.asleep);
        let gone = self.asleep.split_off(self.asleep.len() / 2);
        self.n_asleep -= gone.iter().map(Route::n_states).sum::<usize>();
        self.n_asleep -= self.doubted.forget_half();
        self.asleep.shrink_to_fit();
        before - self.n_asleep
    }

    pub fn n_asleep(&self) -> usize {
        self.n_asleep
    }

    /// Those of them that could run.
    pub fn n_feasible_asleep(&self) -> usize {
        self.asleep.iter().filter(|route| matches!(route.to, To::State { .. })).count()
    }

    /// A route to set out on now, where it is time for one. However few states there are, they have
    /// turns, too: a part of a run that is stopped soon comes to the ends of some paths, not only to
    /// where others were before.
    pub fn wake(&mut self) -> Option<Route> {
        if self.n_asleep == 0 {
            return None;
        }
        let is_few = self.n_states() < FEW;
        let may_be_turn = !self.crowded && self.n_feasible == 0;
        let one_in = if self.n_states() == 0 { 1 } else { WAKE };
        let is_turn = (is_few || may_be_turn) && self.dice.below(one_in) == 0;
        let route = if is_turn && !self.asleep.is_empty() {
            self.asleep.swap_remove(self.dice.below(self.asleep.len()))
        } else if is_turn && is_few || may_be_turn && self.is_turn_of_hardest() {
            self.doubted.take_first()?
        } else {
            return None;
        };
        self.n_asleep -= route.n_states();
        Some(route)
    }

    /// Whether one of the hardest questions is due, and there is none.
    fn is_turn_of_hardest(&self) -> bool {
        self.n_hardest == 0 && self.hard.is_others(self.n_easy) && self.hardest.is_others(0)
    }

    /// A state with this number sets out.
    pub fn set_out(&mut self, id: StateId, route: Route, coverage: &Coverage) {
        let root = &mut self.roots[route.root as usize];
        let mut state = Box::new(root.state.copy(id));
        state.set_out(route, root.is_first);
        self.tree.graft(id, Kind::Feasible, |n| self.dice.below(n));
        self.add(state, coverage);
    }

    /// Takes states that somebody else may explore: at most half of what there is, those nearest
    /// to the start first, for the most is left to do there. To come to them takes about so many
    /// instructions.
    pub fn give(&mut self, instructions: u64) -> Vec<Route> {
        let mut routes = self.asleep.split_off(self.asleep.len().div_ceil(2));
        self.n_asleep -= routes.iter().map(Route::n_states).sum::<usize>();
        let running = self.running.as_ref().map(|state| state.id);
        let idle = self.states.values().filter(|state| Some(state.id) != running);
        let mut idle: Vec<_> =
            idle.map(|state| (state.depth, state.id, state.instructions, kind(state))).collect();
        idle.sort_unstable_by_key(|(depth, id, ..)| (*depth, *id));
        let mut router = Router::default();
        let mut left = instructions;
        for (_, id, executed, kind) in idle.into_iter().skip(1).step_by(2) {
            let root = &self.roots[self.states[&id].origin.root as usize].state;
            match left.checked_sub(executed.saturating_sub(root.instructions)) {
                Some(rest) => left = rest,
                None => break,
            }
            router.add(&self.take(id));
            self.end(id, kind);
        }
        routes.extend(router.finish());
        routes
    }

    /// How to come to all states again; those that are asleep leave.
    pub fn routes(&mut self) -> Vec<Route> {
        let mut router = Router::default();
        self.running.iter().chain(self.states.values()).for_each(|state| router.add(state));
        let mut routes = router.finish();
        routes.append(&mut self.asleep);
        routes.extend(std::mem::take(&mut self.doubted).into_routes());
        routes
    }

    fn plant(&mut self, coverage: &Coverage) {
        let mut first: Vec<_> = self.states.values().map(|state| (state.id, kind(state))).collect();
        first.sort_by_key(|(id, _)| *id);
        self.tree.plant(&first);
        for (id, _) in first {
            let state = self.states.remove(&id).expect("it was just there");
            self.add(state, coverage);
        }
    }

    /// `child` has parted from `parent`.
    pub fn fork(&mut self, parent: StateId, child: Box<State>, coverage: &Coverage) {
        self.tree.fork(parent, child.id, kind(&child));
        self.add(child, coverage);
    }

    /// A pending state that somebody has taken is of another kind now.
    pub fn changed(&mut self, state: Box<State>, before: Kind, coverage: &Coverage) {
        self.learn(before, kind(&state) == Kind::Feasible);
        self.change(state, before, coverage);
    }

    fn change(&mut self, state: Box<State>, before: Kind, coverage: &Coverage) {
        self.forget(state.id, before);
        self.tree.set_kind(state.id, kind(&state));
        self.add(state, coverage);
    }

    /// What came of asking about a pending state of this kind.
    pub fn learn(&mut self, kind: Kind, was_possible: bool) {
        match kind {
            Kind::Hard => self.hard.adapt(was_possible),
            Kind::Hardest => self.hardest.adapt(was_possible),
            _ => self.hard.easy += u32::from(was_possible),
        }
    }

    fn add(&mut self, state: Box<State>, coverage: &Coverage) {
        let kind = kind(&state);
        self.searchers.of(kind).add(&state, Outlook { tree: &self.tree, coverage });
        *self.count_of(kind) += 1;
        if kind == Kind::Feasible {
            self.only = Some(state.id).filter(|_| self.n_feasible == 1);
        }
        self.states.insert(state.id, state);
    }

    fn forget(&mut self, state: StateId, kind: Kind) {
        self.searchers.of(kind).remove(state);
        *self.count_of(kind) -= 1;
        if kind == Kind::Feasible {
            self.only = None;
        }
    }

    fn count_of(&mut self, kind: Kind) -> &mut usize {
        match kind {
            Kind::Feasible => &mut self.n_feasible,
            Kind::Resting => &mut self.n_resting,
            Kind::Pending => &mut self.n_easy,
            Kind::Hard => &mut self.n_hard,
            Kind::Hardest => &mut self.n_hardest,
        }
    }

    /// The state has had its turn and keeps the machine.
    pub fn put_back(&mut self, state: Box<State>, coverage: &Coverage) {
        self.searchers.feasible.update(&state, Outlook { tree: &self.tree, coverage });
        self.running = Some(state);
    }

    pub fn n_resting(&self) -> usize {
        self.n_resting
    }

    /// The state, which has given the machine away, lets others go first.
    pub fn rest(&mut self, state: Box<State>, coverage: &Coverage) {
        self.change(state, Kind::Feasible, coverage);
    }

    /// One that has rested goes on, if there is one.
    pub fn rouse(&mut self, coverage: &Coverage) -> bool {
        let outlook = Outlook { tree: &self.tree, coverage };
        let Some(next) = self.searchers.resting.next(outlook) else { return false };
        let mut state = self.take(next);
        state.patience.is_resting = false;
        self.change(state, Kind::Resting, coverage);
        true
    }

    /// The state, which somebody has taken, has ended.
    pub fn end(&mut self, state: StateId, kind: Kind) {
        self.forget(state, kind);
        self.tree.remove(state);
    }

    /// The feasible state to run now.
    pub fn next_feasible(&mut self, coverage: &Coverage) -> Option<StateId> {
        if self.n_feasible == 0 {
            return None;
        }
        if self.n_feasible > 1 || self.only.is_none() {
            let outlook = Outlook { tree: &self.tree, coverage };
            let next = self.searchers.feasible.next(outlook);
            self.only = next.filter(|_| self.n_feasible == 1);
            return next;
        }
        self.only
    }

    /// Takes the pending state to ask about now, and says of which kind it is.
    pub fn next_pending(&mut self, coverage: &Coverage) -> Option<(Box<State>, Kind)> {
        let outlook = Outlook { tree: &self.tree, coverage };
        let order = match (self.hard.is_others(self.n_easy), self.hardest.is_others(0)) {
            (false, _) => [Kind::Pending, Kind::Hard, Kind::Hardest],
            (true, false) => [Kind::Hard, Kind::Pending, Kind::Hardest],
            (true, true) => [Kind::Hardest, Kind::Hard, Kind::Pending],
        };
        for kind in order {
            let next = self.searchers.of(kind).next(outlook);
            match kind {
                // Where it is their turn and there is none, the hardest come nearer all the same.
                Kind::Hard if next.is_some() || order[0] == Kind::Hard => {
                    (self.hard.easy, self.hardest.easy) = (0, self.hardest.easy + 1);
                }
                Kind::Hardest if next.is_some() => (self.hard.easy, self.hardest.easy) = (0, 0),
                _ => {}
            }
            if let Some(next) = next {
                return Some((self.take(next), kind));
            }
        }
        None
    }

    /// States that could run but for the one that has the machine.
    pub fn n_idle_feasible(&self) -> usize {
        self.n_feasible + self.n_resting - usize::from(self.running.is_some())
    }

    /// The same, in the order they came into being.
    pub fn idle_feasible(&self) -> Vec<(StateId, Kind)> {
        self.idle(can_run)
    }

    /// The pending states, in the order they came into being.
    pub fn pending(&self) -> Vec<(StateId, Kind)> {
        self.idle(|kind| !can_run(kind))
    }

    fn idle(&self, is_meant: impl Fn(Kind) -> bool) -> Vec<(StateId, Kind)> {
        let all = self.states.values().map(|state| (state.id, kind(state)));
        let mut states: Vec<_> = all.filter(|(_, kind)| is_meant(*kind)).collect();
        states.sort_unstable_by_key(|(id, _)| *id);
        states
    }

    pub fn take(&mut self, id: StateId) -> Box<State> {
        let running = self.running.take_if(|state| state.id == id);
        running
            .or_else(|| self.states.remove(&id))
            .expect("searchers return states they were given")
    }

    /// Takes the state that has the machine, if it is another than this.
    pub fn take_running_but(&mut self, id: StateId) -> Option<Box<State>> {
        self.running.take_if(|state| state.id != id)
    }

    /// A state that somebody has taken is back, without the machine.
    pub fn keep(&mut self, state: Box<State>) {
        self.states.insert(state.id, state);
    }

    /// The feasible states, in the order they came into being. The pending ones are left where they
    /// are: the process is about to end, and giving back the memory of every object takes long.
    #[expect(clippy::vec_box, reason = "states change hands often and are not small")]
    pub fn into_feasible(mut self) -> Vec<Box<State>> {
        let mut feasible: Vec<_> =
            self.running.take().into_iter().map(|state| (state.id, state)).collect();
        if self.n_feasible + self.n_resting > feasible.len() {
            let states = std::mem::take(&mut self.states).into_iter();
            let (more, pending): (Vec<_>, Vec<_>) =
                states.partition(|(_, state)| can_run(kind(state)));
            feasible.extend(more);
            std::mem::forget(pending);
        }
        feasible.sort_unstable_by_key(|(id, _)| *id);
        std::mem::forget(self);
        feasible.into_iter().map(|(_, state)| state).collect()
    }
}
