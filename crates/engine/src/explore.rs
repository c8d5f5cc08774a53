//! The loop of a run: which state next, and what becomes of it after its turn.

use std::ops::ControlFlow;

use crate::engine::Engine;
use crate::frontier::Frontier;
use crate::hooks::{Exchange, Kind, Searchers};
use crate::ledger::NOWHERE;
use crate::outcome::{Ended, Limit, Stop};
use crate::route::{Before, Route, To};
use crate::state::State;
use crate::symbolic::Revival;

/// What a run begins with.
pub struct Begin {
    pub first: Vec<Box<State>>,
    /// Where an earlier run, or another process, left off; the first states themselves where it
    /// is not said.
    pub routes: Option<Vec<Route>>,
}

impl From<Vec<Box<State>>> for Begin {
    fn from(first: Vec<Box<State>>) -> Self {
        Self { first, routes: None }
    }
}

/// What the end of a run leaves behind, in the ledger.
pub const NOT_ASKED: &str = "nobody asked whether a path is possible: the run was stopped";
pub const NOT_FINISHED: &str = "a path was not followed to its end: the run was stopped";
pub(crate) const NOT_REPEATED: &str = "a path could not be repeated";

impl Engine<'_> {
    /// Runs `first` and all states that part from it, as the searchers say. `ended` is told of every
    /// end and of every bug on the way; the run ends early once it returns `Break`.
    pub fn explore(
        &mut self,
        begin: Begin,
        searchers: &mut Searchers,
        exchange: &mut dyn Exchange,
        mut ended: impl FnMut(Ended, &mut Self) -> ControlFlow<()>,
    ) -> Vec<Route> {
        let mut frontier = Frontier::new(searchers);
        for mut state in begin.first {
            if state.is_running() {
                self.spare = Some(self.suspend(&mut state));
            }
            frontier.root(state);
        }
        match begin.routes {
            None => frontier.begin(&self.coverage),
            Some(routes) => frontier.sleep(routes),
        }
        let mut limit = Limit::Interrupted;
        while let Some(mut state) = self.choose_state(&mut frontier, exchange) {
            if !state.is_running() {
                self.refuted.forget();
                state.resume(self.spare.take().expect("one machine, and nobody has it"));
            }
            let before = Before::of(&state);
            let start = self.start_of_turn(&state);
            let stop = self.turn(&mut state);
            let cut_short = std::mem::take(&mut self.cut_short);
            if cut_short && !state.is_guided() {
                self.forked.clear();
                self.doubted.clear();
                before.restore(&mut state);
            }
            if let Some(waypoint) = self.waypoint.take() {
                frontier.advance_root(waypoint);
            }
            let parent = state.id;
            for child in std::mem::take(&mut self.forked) {
                frontier.fork(parent, child, &self.coverage);
            }
            frontier.doubt(&state, &mut self.doubted);
            let mut news = std::mem::take(&mut self.ended);
            let mut is_over = cut_short;
            let is_left = std::mem::take(&mut self.is_left) || !self.goes_on(&state);
            match stop {
                Ok(()) if is_left && !cut_short => {
                    self.stats.left += 1;
                    frontier.end(parent, Kind::Feasible);
                    self.spare = state.strip();
                }
                Err(stop) if !cut_short && !stop.is_end_of_run() => {
                    frontier.end(parent, Kind::Feasible);
                    if state.is_guided() {
                        self.note_lost(&state);
                    } else {
                        let end = self.end(&state, *stop);
                        news.append(&mut self.ended);
                        news.extend(end);
                    }
                    self.spare = state.strip();
                }
                Ok(()) if state.has_no_more_forks() => {
                    frontier.end(parent, Kind::Feasible);
                    self.spare = state.strip();
                }
                Ok(()) if !cut_short && self.is_tired(&mut state, &start, &mut frontier) => {
                    self.spare = Some(self.suspend(&mut state));
                    frontier.rest(state, &self.coverage);
                }
                stop => {
                    if let Err(stop) = stop
                        && stop.is_end_of_run()
                        && let Stop::Exhausted(reached) = *stop
                    {
                        (limit, is_over) = (reached, true);
                    }
                    frontier.put_back(state, &self.coverage);
                }
            }
            self.stats.count(&frontier);
            for news in news {
                for observer in &mut self.hooks.observers {
                    observer.stop(&news);
                }
                is_over |= ended(news, self).is_break();
            }
            if is_over {
                break;
            }
        }
        let feasible_asleep = frontier.n_feasible_asleep();
        let left = frontier.routes();
        self.drop_states(frontier, feasible_asleep, limit, ended);
        left
    }

    fn goes_on(&mut self, state: &State) -> bool {
        self.hooks.branches.as_mut().is_none_or(|policy| policy.goes_on(state))
    }

    /// States that were to be come to from here are not there.
    fn note_lost(&mut self, state: &State) {
        let site = self.own_site(state);
        let count = state.guide.as_ref().map_or(0, |guide| guide.n_left());
        self.ledger.record_many(site, NOT_REPEATED, count);
    }

    /// The state to run now: a feasible one, or else a pending one that turns out to be possible.
    fn choose_state(
        &mut self,
        frontier: &mut Frontier<'_>,
        exchange: &mut dyn Exchange,
    ) -> Option<Box<State>> {
        loop {
            if let Some(instructions) = exchange.wanted() {
                exchange.give(frontier.give(instructions), &self.pool);
            }
            if let Some(route) = frontier.wake() {
                let id = match route.to {
                    To::State { id, .. } => id,
                    To::Forks(_) => self.next_state_id(),
                };
                frontier.set_out(id, route, &self.coverage);
            }
            self.relieve(frontier);
            if let Some(state) = frontier.next_feasible(&self.coverage) {
                if let Some(mut idle) = frontier.take_running_but(state) {
                    self.spare = Some(self.suspend(&mut idle));
                    frontier.keep(idle);
                }
                return Some(frontier.take(state));
            }
            if self.is_interrupted() {
                return None;
            }
            if self.is_turn_of_resting(frontier) && frontier.rouse(&self.coverage) {
                continue;
            }
            let Some((mut state, kind)) = frontier.next_pending(&self.coverage) else {
                if frontier.rouse(&self.coverage) {
                    continue;
                }
                if frontier.n_asleep() == 0 {
                    let routes = exchange.more(&mut self.pool);
                    if routes.is_empty() {
                        return None;
                    }
                    frontier.sleep(routes);
                }
                continue;
            };
            let id = state.id;
            match self.revive(&mut state) {
                Revival::Interrupted => {
                    self.cut_short = false;
                    frontier.keep(state);
                    return None;
                }
                Revival::Feasible => {
                    self.stats.revived += 1;
                    frontier.changed(state, kind, &self.coverage);
                    continue;
                }
                Revival::Hard => {
                    frontier.changed(state, kind, &self.coverage);
                    continue;
                }
                Revival::Infeasible => {
                    self.stats.infeasible += 1;
                    for observer in &mut self.hooks.observers {
                        observer.impossible(id);
                    }
                }
                Revival::Undecided => self.stats.undecided += 1,
            }
            frontier.learn(kind, false);
            frontier.end(id, kind);
        }
    }

    /// Tells of the states that a limit left unfinished, for as long as `ended` wants to hear; so many
    /// more that could run are `asleep`.
    fn drop_states(
        &mut self,
        frontier: Frontier<'_>,
        asleep: usize,
        limit: Limit,
        mut ended: impl FnMut(Ended, &mut Self) -> ControlFlow<()>,
    ) {
        self.stats.count(&frontier);
        self.ledger.record_many(NOWHERE, NOT_ASKED, (self.stats.pending - asleep) as u64);
        let mut states = frontier.into_feasible();
        states.retain(|state| !state.is_for_forks());
        self.ledger.record_many(NOWHERE, NOT_FINISHED, (states.len() + asleep) as u64);
        for state in &states {
            let news = self.record(state, Stop::Exhausted(limit), None);
            if ended(news, self).is_break() {
                break;
            }
        }
        std::mem::forget(states);
    }
}
