//! Which state runs next.

use std::collections::HashMap;

use crate::state::{State, StateId};

/// Chooses which state runs next. The engine asks whenever the running state has stopped, forked
/// or used up its turn. It keeps the states; a searcher knows them by their ids.
pub trait Searcher {
    /// A new state; `parent` is the state it parted from.
    fn add(&mut self, state: &State, parent: Option<StateId>);
    /// The state has ended.
    fn remove(&mut self, state: StateId);
    /// The state to run now, or `None` when none is left. It stays among the states.
    fn next(&mut self) -> Option<StateId>;
}

/// Depth first: the newest state runs to its end.
#[derive(Default)]
pub struct Dfs {
    states: Vec<StateId>,
}

impl Searcher for Dfs {
    fn add(&mut self, state: &State, _: Option<StateId>) {
        self.states.push(state.id);
    }

    fn remove(&mut self, state: StateId) {
        if let Some(at) = self.states.iter().rposition(|&id| id == state) {
            self.states.remove(at);
        }
    }

    fn next(&mut self) -> Option<StateId> {
        self.states.last().copied()
    }
}

/// Breadth first: the oldest state runs until it forks.
#[derive(Default)]
pub struct Bfs {
    states: std::collections::VecDeque<StateId>,
}

impl Searcher for Bfs {
    fn add(&mut self, state: &State, parent: Option<StateId>) {
        // The parent has had its turn.
        if parent.is_some() && self.states.front() == parent.as_ref() {
            self.states.rotate_left(1);
        }
        self.states.push_back(state.id);
    }

    fn remove(&mut self, state: StateId) {
        if let Some(at) = self.states.iter().position(|&id| id == state) {
            self.states.remove(at);
        }
    }

    fn next(&mut self) -> Option<StateId> {
        self.states.front().copied()
    }
}

/// Follows the state that another searcher chooses to its end, then asks again: paths are finished
/// as in depth first, and begun all over the tree.
pub struct ToTheEnd<S> {
    choice: S,
    followed: Option<StateId>,
}

impl<S: Searcher> ToTheEnd<S> {
    pub fn new(choice: S) -> Self {
        Self { choice, followed: None }
    }
}

impl<S: Searcher> Searcher for ToTheEnd<S> {
    fn add(&mut self, state: &State, parent: Option<StateId>) {
        self.choice.add(state, parent);
    }

    fn remove(&mut self, state: StateId) {
        if self.followed == Some(state) {
            self.followed = None;
        }
        self.choice.remove(state);
    }

    fn next(&mut self) -> Option<StateId> {
        if self.followed.is_none() {
            self.followed = self.choice.next();
        }
        self.followed
    }
}

/// A small random generator, the same everywhere (xorshift64*).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        ((high * n as u64) >> 32) as usize
    }
}

/// A node of the execution tree.
struct Node {
    parent: Option<usize>,
    children: [Option<usize>; 2],
    state: Option<StateId>,
}

/// Walks from the root of the execution tree, tossing a coin at each fork: every subtree has the
/// same chance, however many states it has grown.
pub struct RandomPath {
    nodes: Vec<Node>,
    free: Vec<usize>,
    leaves: HashMap<StateId, usize>,
    root: Option<usize>,
    random: Random,
}

impl RandomPath {
    pub fn new(seed: u64) -> Self {
        Self {
            nodes: Vec::new(),
            free: Vec::new(),
            leaves: HashMap::new(),
            root: None,
            random: Random::new(seed),
        }
    }

    fn node(&mut self, parent: Option<usize>, state: Option<StateId>) -> usize {
        let node = Node { parent, children: [None; 2], state };
        let at = match self.free.pop() {
            Some(at) => {
                self.nodes[at] = node;
                at
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        };
        if let Some(state) = state {
            self.leaves.insert(state, at);
        }
        at
    }

    /// Puts an inner node with `at` and a new leaf where `at` was.
    fn split(&mut self, at: usize, state: StateId) {
        let above = self.nodes[at].parent;
        let inner = self.node(above, None);
        let leaf = self.node(Some(inner), Some(state));
        self.nodes[inner].children = [Some(at), Some(leaf)];
        self.nodes[at].parent = Some(inner);
        self.replace(above, at, Some(inner));
    }

    /// Makes whatever led to `old` lead to `new`.
    fn replace(&mut self, above: Option<usize>, old: usize, new: Option<usize>) {
        match above {
            None => self.root = new,
            Some(above) => {
                let children = &mut self.nodes[above].children;
                let child = children.iter_mut().find(|child| **child == Some(old));
                *child.expect("a node is its parent's child") = new;
            }
        }
    }
}

impl Searcher for RandomPath {
    fn add(&mut self, state: &State, parent: Option<StateId>) {
        let leaf = parent.and_then(|parent| self.leaves.get(&parent).copied()).or(self.root);
        match leaf {
            Some(leaf) => self.split(leaf, state.id),
            None => self.root = Some(self.node(None, Some(state.id))),
        }
    }

    fn remove(&mut self, state: StateId) {
        let Some(leaf) = self.leaves.remove(&state) else { return };
        let parent = self.nodes[leaf].parent;
        self.free.push(leaf);
        let Some(parent) = parent else {
            self.root = None;
            return;
        };
        // The sibling takes the parent's place.
        let sibling = self.nodes[parent].children.into_iter().flatten().find(|&at| at != leaf);
        let above = self.nodes[parent].parent;
        if let Some(sibling) = sibling {
            self.nodes[sibling].parent = above;
        }
        self.replace(above, parent, sibling);
        self.free.push(parent);
    }

    fn next(&mut self) -> Option<StateId> {
        let mut at = self.root?;
        loop {
            if let Some(state) = self.nodes[at].state {
                return Some(state);
            }
            let side = self.random.below(2);
            let children = self.nodes[at].children;
            at = children[side].or(children[1 - side])?;
        }
    }
}
