//! What can give a state better chances: depth, nearness to uncovered code, rarity, cheapness.

use std::collections::HashMap;

use fathom_ir::inst::Inst;

use super::distance::{Distances, Place};
use super::stacks::{StackId, Stacks};
use super::{Outlook, Weigh};
use crate::state::State;

/// The deeper, the better.
pub struct ByDepth;

impl Weigh for ByDepth {
    type Note = u32;

    fn note(&mut self, state: &State, _: u64, _: Outlook<'_>) -> u32 {
        state.depth
    }

    fn weight(&mut self, depth: &u32, _: Outlook<'_>) -> f64 {
        f64::from(depth + 1)
    }
}

/// The nearer to uncovered code, the better.
pub struct ByDistance(pub Distances);

impl Weigh for ByDistance {
    type Note = Place;

    fn note(&mut self, state: &State, _: u64, outlook: Outlook<'_>) -> Place {
        self.0.place(state, outlook)
    }

    fn weight(&mut self, place: &Place, outlook: Outlook<'_>) -> f64 {
        nearness(self.0.distance(*place, outlook))
    }
}

/// The same, and the fewer instructions since the state last covered new code, the better.
pub struct ByNewCode(pub Distances);

/// So many instructions without new code do no harm.
const GRACE: u64 = 1000;

impl Weigh for ByNewCode {
    type Note = (Place, u64);

    fn note(&mut self, state: &State, _: u64, outlook: Outlook<'_>) -> (Place, u64) {
        (self.0.place(state, outlook), state.instructions - state.covered_at)
    }

    fn weight(&mut self, (place, idle): &(Place, u64), outlook: Outlook<'_>) -> f64 {
        let freshness = inverse(idle.saturating_sub(GRACE));
        nearness(self.0.distance(*place, outlook)) + freshness * freshness
    }
}

/// The less often states have come to the same instruction, the better.
#[derive(Default)]
pub struct ByVisits {
    visits: HashMap<*const Inst, u64>,
}

impl Weigh for ByVisits {
    type Note = *const Inst;

    fn note(&mut self, state: &State, _: u64, _: Outlook<'_>) -> *const Inst {
        *self.visits.entry(state.ip).or_default() += 1;
        state.ip
    }

    fn weight(&mut self, ip: &*const Inst, _: Outlook<'_>) -> f64 {
        let rarity = inverse(self.visits[ip]);
        rarity * rarity
    }
}

/// The fewer instructions were executed with the same functions being called, the better.
#[derive(Default)]
pub struct ByCallPath {
    stacks: Stacks,
    instructions: HashMap<StackId, u64>,
}

impl Weigh for ByCallPath {
    type Note = StackId;

    fn note(&mut self, state: &State, ran: u64, _: Outlook<'_>) -> StackId {
        let stack = self.stacks.stack_of(state);
        *self.instructions.entry(stack).or_default() += ran.max(1);
        stack
    }

    fn weight(&mut self, stack: &StackId, _: Outlook<'_>) -> f64 {
        inverse(self.instructions[stack])
    }
}

/// The fewer questions a state has asked the solver, the better.
pub struct ByQueries;

impl Weigh for ByQueries {
    type Note = u32;

    fn note(&mut self, state: &State, _: u64, _: Outlook<'_>) -> u32 {
        state.queries
    }

    fn weight(&mut self, queries: &u32, _: Outlook<'_>) -> f64 {
        inverse(u64::from(*queries))
    }
}

fn nearness(distance: u32) -> f64 {
    let inverse = inverse(u64::from(distance) + 1);
    inverse * inverse
}

fn inverse(n: u64) -> f64 {
    1.0 / n.max(1) as f64
}
