//! The execution tree: its leaves are the states there are, its inner nodes where they parted.

use std::collections::HashMap;

use crate::state::StateId;

/// What can be done with a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It can run.
    Feasible,
    /// Nobody knows yet whether it is possible.
    Pending,
    /// The same, and the cheap layers of the solver could not tell.
    Hard,
    /// The same, and the first steps of the SMT solver did not suffice either.
    Hardest,
    /// It could run, but has done much and come to nothing new: others go first.
    Resting,
}

impl Kind {
    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Which node. The root's parent is `NONE`.
type At = u32;
const NONE: At = u32::MAX;

struct Node {
    parent: At,
    /// Of an inner node; `NONE` twice in a leaf.
    children: [At; 2],
    /// The kinds of states at or below it.
    kinds: u8,
    /// Of a leaf.
    state: StateId,
}

/// A binary tree in which every inner node has two children: where a state ends, its sibling takes
/// its parent's place.
#[derive(Default)]
pub struct Tree {
    nodes: Vec<Node>,
    free: Vec<At>,
    leaves: HashMap<StateId, At>,
    root: Option<At>,
}

impl Tree {
    /// The states a run begins with: none is nearer to the root than another.
    pub(crate) fn plant(&mut self, states: &[(StateId, Kind)]) {
        self.root = self.grow(NONE, states);
    }

    fn grow(&mut self, parent: At, states: &[(StateId, Kind)]) -> Option<At> {
        match *states {
            [] => None,
            [(state, kind)] => Some(self.leaf(parent, state, kind)),
            _ => {
                let at =
                    self.node(Node { parent, children: [NONE; 2], kinds: 0, state: StateId(0) });
                let (left, right) = states.split_at(states.len() / 2);
                let children = [left, right].map(|half| self.grow(at, half).unwrap_or(NONE));
                let kinds = children.iter().map(|&child| self.nodes[child as usize].kinds);
                self.nodes[at as usize].kinds = kinds.fold(0, |all, kinds| all | kinds);
                self.nodes[at as usize].children = children;
                Some(at)
            }
        }
    }

    /// `child` has parted from `parent`, which stays.
    pub(crate) fn fork(&mut self, parent: StateId, child: StateId, kind: Kind) {
        let Some(&at) = self.leaves.get(&parent) else { return };
        let above = self.nodes[at as usize].parent;
        let kinds = self.nodes[at as usize].kinds;
        let inner = Node { parent: above, children: [NONE; 2], kinds, state: StateId(0) };
        let inner = self.node(inner);
        let leaf = self.leaf(inner, child, kind);
        self.nodes[inner as usize].children = [at, leaf];
        self.nodes[at as usize].parent = inner;
        self.replace(above, at, inner);
        self.spread(inner, kind.bit());
    }

    /// A state that has parted from none of these: it is put next to any of them.
    pub(crate) fn graft(
        &mut self,
        state: StateId,
        kind: Kind,
        mut below: impl FnMut(usize) -> usize,
    ) {
        match self.walk_to(|_| true, |_| below(2)) {
            Some(neighbour) => self.fork(neighbour, state, kind),
            None => self.plant(&[(state, kind)]),
        }
    }

    /// The state's kind has changed.
    pub(crate) fn set_kind(&mut self, state: StateId, kind: Kind) {
        let Some(&at) = self.leaves.get(&state) else { return };
        let above = self.nodes[at as usize].parent;
        self.nodes[at as usize].kinds = kind.bit();
        self.spread(above, kind.bit());
        self.shrink(above);
    }

    /// The state is no more.
    pub(crate) fn remove(&mut self, state: StateId) {
        let Some(leaf) = self.leaves.remove(&state) else { return };
        let parent = self.nodes[leaf as usize].parent;
        self.free.push(leaf);
        if parent == NONE {
            self.root = None;
            return;
        }
        let Node { parent: above, children, .. } = self.nodes[parent as usize];
        let sibling = if children[0] == leaf { children[1] } else { children[0] };
        self.nodes[sibling as usize].parent = above;
        self.replace(above, parent, sibling);
        self.free.push(parent);
        self.shrink(above);
    }

    /// A leaf of this kind: where both sides of a fork have one, `below(2)` says which to take.
    pub(crate) fn walk(
        &self,
        kind: Kind,
        mut below: impl FnMut(usize) -> usize,
    ) -> Option<StateId> {
        self.walk_to(|node| node.kinds & kind.bit() != 0, |_| below(2))
    }

    /// The same, but a side that is a leaf where the other is not is taken only once in `rarely`
    /// times: a walk through a tree that has lost most of its leaves, others every time.
    pub(crate) fn walk_past_leaves(
        &self,
        kind: Kind,
        rarely: usize,
        mut below: impl FnMut(usize) -> usize,
    ) -> Option<StateId> {
        let side = |are_leaves: [bool; 2]| match are_leaves {
            [true, false] => usize::from(below(rarely) != 0),
            [false, true] => usize::from(below(rarely) == 0),
            _ => below(2),
        };
        self.walk_to(|node| node.kinds & kind.bit() != 0, side)
    }

    /// Where both sides of a fork are wanted, `side` says which to take, knowing which are leaves.
    fn walk_to(
        &self,
        wanted: impl Fn(&Node) -> bool,
        mut side: impl FnMut([bool; 2]) -> usize,
    ) -> Option<StateId> {
        let has = |at: At| wanted(&self.nodes[at as usize]);
        let is_leaf = |at: At| self.nodes[at as usize].children[0] == NONE;
        let mut at = self.root.filter(|&root| has(root))?;
        loop {
            let node = &self.nodes[at as usize];
            if is_leaf(at) {
                return Some(node.state);
            }
            let [left, right] = node.children;
            at = match (has(left), has(right)) {
                (true, true) => node.children[side([left, right].map(is_leaf))],
                (true, false) => left,
                _ => right,
            };
        }
    }

    fn node(&mut self, node: Node) -> At {
        match self.free.pop() {
            Some(at) => {
                self.nodes[at as usize] = node;
                at
            }
            None => {
                self.nodes.push(node);
                (self.nodes.len() - 1) as At
            }
        }
    }

    fn leaf(&mut self, parent: At, state: StateId, kind: Kind) -> At {
        let at = self.node(Node { parent, children: [NONE; 2], kinds: kind.bit(), state });
        self.leaves.insert(state, at);
        at
    }

    /// Makes whatever led to `old` lead to `new`.
    fn replace(&mut self, above: At, old: At, new: At) {
        if above == NONE {
            self.root = Some(new);
            return;
        }
        let children = &mut self.nodes[above as usize].children;
        let child = children.iter_mut().find(|child| **child == old);
        *child.expect("a node is its parent's child") = new;
    }

    /// A state of this kind is now below `at`.
    fn spread(&mut self, mut at: At, bit: u8) {
        while at != NONE && self.nodes[at as usize].kinds & bit == 0 {
            self.nodes[at as usize].kinds |= bit;
            at = self.nodes[at as usize].parent;
        }
    }

    /// Something below `at` has gone: what its children have is what it has.
    fn shrink(&mut self, mut at: At) {
        while at != NONE {
            let [left, right] = self.nodes[at as usize].children;
            let kinds = self.nodes[left as usize].kinds | self.nodes[right as usize].kinds;
            if self.nodes[at as usize].kinds == kinds {
                return;
            }
            self.nodes[at as usize].kinds = kinds;
            at = self.nodes[at as usize].parent;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All leaves of a kind that a walk can reach, by trying both sides everywhere.
    fn reachable(tree: &Tree, kind: Kind) -> Vec<u32> {
        let mut found: Vec<u32> = (0..256u32)
            .filter_map(|coins| {
                let mut tossed = 0;
                tree.walk(kind, |_| {
                    tossed += 1;
                    (coins >> (tossed - 1) & 1) as usize
                })
            })
            .map(|state| state.0)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    #[test]
    fn walks_reach_every_state_of_a_kind_and_no_other() {
        let mut tree = Tree::default();
        let [a, b, c, d, e] = [1, 2, 3, 4, 5].map(StateId);
        tree.plant(&[(a, Kind::Feasible), (b, Kind::Feasible)]);
        tree.fork(a, c, Kind::Pending);
        tree.fork(a, d, Kind::Pending);
        tree.fork(b, e, Kind::Feasible);
        assert_eq!(reachable(&tree, Kind::Feasible), [1, 2, 5]);
        assert_eq!(reachable(&tree, Kind::Pending), [3, 4]);
        tree.remove(a);
        tree.set_kind(d, Kind::Feasible);
        tree.remove(b);
        assert_eq!(reachable(&tree, Kind::Feasible), [4, 5]);
        assert_eq!(reachable(&tree, Kind::Pending), [3]);
        for state in [c, d, e] {
            tree.remove(state);
        }
        assert_eq!(reachable(&tree, Kind::Feasible), []);
        assert_eq!(reachable(&tree, Kind::Pending), []);
    }

    #[test]
    fn walks_past_leaves_end_deeper() {
        let mut tree = Tree::default();
        let trunk = StateId(0);
        tree.plant(&[(trunk, Kind::Pending)]);
        (1..100).for_each(|n| tree.fork(trunk, StateId(n), Kind::Pending));
        let mut random = super::super::Random::new(1);
        let mut depths: Vec<u32> = (0..1001)
            .filter_map(|_| tree.walk_past_leaves(Kind::Pending, 16, |n| random.below(n)))
            .map(|state| state.0)
            .collect();
        depths.sort_unstable();
        // Half of the walks pass eleven leaves, since (15 / 16) ^ 11 is a half.
        assert!((8..=14).contains(&depths[500]), "{}", depths[500]);
    }
}
