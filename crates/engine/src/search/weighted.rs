//! Random choice in which some states have better chances than others.

use std::collections::HashMap;

use super::{Outlook, Random, Searcher};
use crate::state::{State, StateId};

/// How good a state's chances are.
pub trait Weigh {
    /// What has to be known of a state.
    type Note;
    /// Called where a state is new, and after it has run on, by `ran` instructions.
    fn note(&mut self, state: &State, ran: u64, outlook: Outlook<'_>) -> Self::Note;
    /// More than 0. While a state waits its weight never rises.
    fn weight(&mut self, note: &Self::Note, outlook: Outlook<'_>) -> f64;
}

/// Chooses each state with a chance proportional to its weight.
pub struct Weighted<W: Weigh> {
    weigh: W,
    random: Random,
    /// By place; 0 where a place is free.
    weights: Sums,
    states: Vec<Option<Noted<W::Note>>>,
    free: Vec<usize>,
    places: HashMap<StateId, usize>,
}

struct Noted<N> {
    state: StateId,
    instructions: u64,
    note: N,
}

impl<W: Weigh> Weighted<W> {
    pub fn new(weigh: W, seed: u64) -> Self {
        Self {
            weigh,
            random: Random::new(seed),
            weights: Sums::default(),
            states: Vec::new(),
            free: Vec::new(),
            places: HashMap::new(),
        }
    }

    fn put(&mut self, place: usize, state: &State, outlook: Outlook<'_>) {
        let instructions = state.instructions;
        let before = self.states[place].as_ref().map_or(instructions, |it| it.instructions);
        let note = self.weigh.note(state, instructions - before, outlook);
        self.weights.set(place, self.weigh.weight(&note, outlook));
        self.states[place] = Some(Noted { state: state.id, instructions, note });
    }
}

impl<W: Weigh> Searcher for Weighted<W> {
    fn add(&mut self, state: &State, outlook: Outlook<'_>) {
        let place = self.free.pop().unwrap_or_else(|| {
            self.states.push(None);
            self.states.len() - 1
        });
        self.places.insert(state.id, place);
        self.put(place, state, outlook);
    }

    fn update(&mut self, state: &State, outlook: Outlook<'_>) {
        if let Some(&place) = self.places.get(&state.id) {
            self.put(place, state, outlook);
        }
    }

    fn remove(&mut self, state: StateId) {
        if let Some(place) = self.places.remove(&state) {
            self.weights.set(place, 0.0);
            self.states[place] = None;
            self.free.push(place);
        }
    }

    fn next(&mut self, outlook: Outlook<'_>) -> Option<StateId> {
        if self.places.is_empty() {
            return None;
        }
        loop {
            let place = self.weights.find(self.random.unit() * self.weights.total());
            let it = self.states[place].as_ref().expect("a place with a weight");
            // Its weight may have fallen since it was noted: then it is taken that less often.
            let (noted, weight) = (self.weights.get(place), self.weigh.weight(&it.note, outlook));
            if self.random.unit() * noted <= weight {
                return Some(it.state);
            }
            self.weights.set(place, weight);
        }
    }
}

/// Numbers with their sums, as a complete binary tree: the children of node `i` are `2i`, `2i + 1`.
#[derive(Default)]
struct Sums {
    nodes: Vec<f64>,
}

impl Sums {
    fn n_leaves(&self) -> usize {
        self.nodes.len() / 2
    }

    fn total(&self) -> f64 {
        self.nodes.get(1).copied().unwrap_or(0.0)
    }

    fn get(&self, place: usize) -> f64 {
        self.nodes[self.n_leaves() + place]
    }

    fn set(&mut self, place: usize, value: f64) {
        if place >= self.n_leaves() {
            let leaves: Vec<f64> = self.nodes[self.n_leaves()..].to_vec();
            let n = (place + 1).next_power_of_two().max(64);
            self.nodes = vec![0.0; 2 * n];
            self.nodes[n..n + leaves.len()].copy_from_slice(&leaves);
            for at in (1..n).rev() {
                self.nodes[at] = self.nodes[2 * at] + self.nodes[2 * at + 1];
            }
        }
        let mut at = self.n_leaves() + place;
        self.nodes[at] = value;
        while at > 1 {
            at /= 2;
            self.nodes[at] = self.nodes[2 * at] + self.nodes[2 * at + 1];
        }
    }

    /// The place at which the sum of all before it and it exceeds `target`; never one that holds 0.
    fn find(&self, mut target: f64) -> usize {
        let mut at = 1;
        while at < self.n_leaves() {
            let left = self.nodes[2 * at];
            let goes_left = target < left || self.nodes[2 * at + 1] == 0.0;
            at = 2 * at + usize::from(!goes_left);
            if !goes_left {
                target -= left;
            }
        }
        at - self.n_leaves()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_by_their_share() {
        let mut sums = Sums::default();
        for (place, value) in [(0, 1.0), (3, 2.0), (70, 5.0)] {
            sums.set(place, value);
        }
        assert_eq!([0.5, 1.5, 2.9, 3.1, 7.9].map(|at| sums.find(at)), [0, 3, 3, 70, 70]);
        sums.set(3, 0.0);
        assert_eq!([0.5, 1.5, 8.0].map(|at| sums.find(at)), [0, 70, 70]);
    }
}
