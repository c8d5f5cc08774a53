//! Decision diagrams over bytes: hash-consed functions from input bytes to values.
//!
//! A node tests one byte; its edges are runs of byte values with the same child. Along every path
//! bytes come in the order of their levels, no node has all edges alike, and equal functions are
//! one node: so a function is constant exactly if it is a leaf.

use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// A function: a leaf (a value) or an inner node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Ref(u32);

impl Ref {
    pub const FALSE: Self = Self(LEAF);
    pub const TRUE: Self = Self(LEAF | 1);
}

const LEAF: u32 = 1 << 31;

/// Byte values from where the run before ends up to `last`, and the function for them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Run {
    pub last: u8,
    pub child: Ref,
}

/// The steps are used up.
#[derive(Debug)]
pub(super) struct OutOfSteps;

/// The functions, and the steps that may still be taken to make more.
pub(super) struct Nodes {
    values: Vec<u64>,
    /// Leaves of values below 256, and of the others.
    by_small_value: [Option<Ref>; 256],
    by_value: FxHashMap<u64, Ref>,
    nodes: Vec<Node>,
    runs: Vec<Run>,
    /// The newest node with a hash; `Node::same_hash` leads to older ones.
    by_hash: FxHashMap<u64, u32>,
    memo: Memo,
    /// Runs of the nodes under construction.
    scratch: Vec<Run>,
    steps_left: u32,
}

struct Node {
    level: u16,
    first_run: u32,
    n_runs: u32,
    same_hash: Option<u32>,
}

impl Nodes {
    pub fn new() -> Self {
        let mut nodes = Self {
            values: Vec::new(),
            by_small_value: [None; 256],
            by_value: FxHashMap::default(),
            nodes: Vec::new(),
            runs: Vec::new(),
            by_hash: FxHashMap::default(),
            memo: Memo::new(),
            scratch: Vec::new(),
            steps_left: 0,
        };
        nodes.reset();
        nodes
    }

    /// Forgets all functions.
    pub fn reset(&mut self) {
        self.values.clear();
        self.by_small_value = [None; 256];
        forget(&mut self.by_value);
        self.nodes.clear();
        self.runs.clear();
        forget(&mut self.by_hash);
        let (no, yes) = (self.leaf(0), self.leaf(1));
        debug_assert_eq!((no, yes), (Ref::FALSE, Ref::TRUE));
    }

    /// Allows `steps` from now on. To be called before the first operation and after one that failed.
    pub fn allow(&mut self, steps: u32) {
        self.scratch.clear();
        self.steps_left = steps;
    }

    pub fn steps_left(&self) -> u32 {
        self.steps_left
    }

    /// The edges of all nodes.
    pub fn n_runs(&self) -> usize {
        self.runs.len()
    }

    pub fn leaf(&mut self, value: u64) -> Ref {
        let next = Ref(LEAF | self.values.len() as u32);
        let leaf = match self.by_small_value.get_mut(value as usize) {
            Some(small) => *small.get_or_insert(next),
            None => *self.by_value.entry(value).or_insert(next),
        };
        if leaf == next {
            self.values.push(value);
        }
        leaf
    }

    /// The value of a constant function.
    pub fn value(&self, function: Ref) -> Option<u64> {
        (function.0 & LEAF != 0).then(|| self.values[(function.0 & !LEAF) as usize])
    }

    /// The level of the byte that a function tests first; beyond all levels for a leaf.
    pub fn level(&self, function: Ref) -> u16 {
        if function.0 & LEAF != 0 { u16::MAX } else { self.nodes[function.0 as usize].level }
    }

    /// The edges of an inner node.
    pub fn runs(&self, function: Ref) -> &[Run] {
        let node = &self.nodes[function.0 as usize];
        &self.runs[node.first_run as usize..][..node.n_runs as usize]
    }

    /// The function of the byte at `level` with these edges.
    pub fn node(
        &mut self,
        level: u16,
        edges: impl IntoIterator<Item = Run>,
    ) -> Result<Ref, OutOfSteps> {
        let start = self.scratch.len();
        for run in edges {
            self.push_run(start, run)?;
        }
        Ok(self.intern(level, start))
    }

    /// `function` with every value replaced.
    pub fn map(&mut self, function: Ref, op: &dyn Fn(u64) -> u64) -> Result<Ref, OutOfSteps> {
        self.memo.begin();
        self.map_inner(function, op)
    }

    /// The function whose values are `op` of the values of `a` and `b`; `shortcut` may know the
    /// result without looking further.
    pub fn apply<Op, Shortcut>(
        &mut self,
        a: Ref,
        b: Ref,
        op: &Op,
        shortcut: &Shortcut,
    ) -> Result<Ref, OutOfSteps>
    where
        Op: Fn(u64, u64) -> u64,
        Shortcut: Fn(Ref, Ref) -> Option<Ref>,
    {
        self.memo.begin();
        self.apply_inner(a, b, op, shortcut)
    }

    /// `then` where `condition` is true, otherwise `other`.
    pub fn ite(&mut self, condition: Ref, then: Ref, other: Ref) -> Result<Ref, OutOfSteps> {
        self.memo.begin();
        self.ite_inner(condition, then, other)
    }

    fn map_inner(&mut self, function: Ref, op: &dyn Fn(u64) -> u64) -> Result<Ref, OutOfSteps> {
        if let Some(value) = self.value(function) {
            return Ok(self.leaf(op(value)));
        }
        let key = (function, Ref::FALSE, Ref::FALSE);
        if let Some(known) = self.memo.get(key) {
            return Ok(known);
        }
        let start = self.scratch.len();
        for run_idx in 0..self.runs(function).len() {
            let Run { last, child } = self.runs(function)[run_idx];
            let child = self.map_inner(child, op)?;
            self.push_run(start, Run { last, child })?;
        }
        let result = self.intern(self.level(function), start);
        self.memo.put(key, result);
        Ok(result)
    }

    fn apply_inner<Op, Shortcut>(
        &mut self,
        a: Ref,
        b: Ref,
        op: &Op,
        shortcut: &Shortcut,
    ) -> Result<Ref, OutOfSteps>
    where
        Op: Fn(u64, u64) -> u64,
        Shortcut: Fn(Ref, Ref) -> Option<Ref>,
    {
        if let Some(result) = shortcut(a, b) {
            return Ok(result);
        }
        if let (Some(a), Some(b)) = (self.value(a), self.value(b)) {
            return Ok(self.leaf(op(a, b)));
        }
        let key = (a, b, Ref::FALSE);
        if let Some(known) = self.memo.get(key) {
            return Ok(known);
        }
        let level = self.level(a).min(self.level(b));
        let start = self.scratch.len();
        let mut edges = [Edges::of(self, a, level), Edges::of(self, b, level)];
        loop {
            let [a, b] = edges.each_ref().map(|edges| edges.run);
            let last = a.last.min(b.last);
            let child = match (self.value(a.child), self.value(b.child)) {
                (Some(a), Some(b)) => self.leaf(op(a, b)),
                _ => self.apply_inner(a.child, b.child, op, shortcut)?,
            };
            self.push_run(start, Run { last, child })?;
            if last == 255 {
                break;
            }
            edges.iter_mut().for_each(|edges| edges.skip(self, last));
        }
        let result = self.intern(level, start);
        self.memo.put(key, result);
        Ok(result)
    }

    fn ite_inner(&mut self, condition: Ref, then: Ref, other: Ref) -> Result<Ref, OutOfSteps> {
        if condition == Ref::TRUE || then == other {
            return Ok(then);
        }
        if condition == Ref::FALSE {
            return Ok(other);
        }
        if then == Ref::TRUE && other == Ref::FALSE {
            return Ok(condition);
        }
        let key = (condition, then, other);
        if let Some(known) = self.memo.get(key) {
            return Ok(known);
        }
        let level = self.level(condition).min(self.level(then)).min(self.level(other));
        let start = self.scratch.len();
        let mut edges = [condition, then, other].map(|function| Edges::of(self, function, level));
        loop {
            let [condition, then, other] = edges.each_ref().map(|edges| edges.run);
            let last = condition.last.min(then.last).min(other.last);
            let child = self.ite_inner(condition.child, then.child, other.child)?;
            self.push_run(start, Run { last, child })?;
            if last == 255 {
                break;
            }
            edges.iter_mut().for_each(|edges| edges.skip(self, last));
        }
        let result = self.intern(level, start);
        self.memo.put(key, result);
        Ok(result)
    }

    /// Adds an edge to the node whose edges begin at `start` of the scratch space.
    fn push_run(&mut self, start: usize, run: Run) -> Result<(), OutOfSteps> {
        self.steps_left = self.steps_left.checked_sub(1).ok_or(OutOfSteps)?;
        match self.scratch[start..].last_mut() {
            Some(previous) if previous.child == run.child => previous.last = run.last,
            _ => self.scratch.push(run),
        }
        Ok(())
    }

    /// The node with the edges from `start` of the scratch space on, which are taken off it.
    fn intern(&mut self, level: u16, start: usize) -> Ref {
        let edges = &self.scratch[start..];
        if let [only] = edges {
            let child = only.child;
            self.scratch.truncate(start);
            return child;
        }
        let mut hasher = FxHasher::default();
        (level, edges).hash(&mut hasher);
        let hash = hasher.finish();
        let newest = self.by_hash.get(&hash).copied();
        let mut next = newest;
        while let Some(idx) = next {
            let node = &self.nodes[idx as usize];
            if node.level == level && self.runs(Ref(idx)) == edges {
                self.scratch.truncate(start);
                return Ref(idx);
            }
            next = node.same_hash;
        }
        let idx = self.nodes.len() as u32;
        let (first_run, n_runs) = (self.runs.len() as u32, edges.len() as u32);
        self.nodes.push(Node { level, first_run, n_runs, same_hash: newest });
        self.runs.extend(self.scratch.drain(start..));
        self.by_hash.insert(hash, idx);
        Ref(idx)
    }
}

/// A walk along the edges of a function at a level, which it may not test.
struct Edges {
    /// The present one.
    run: Run,
    /// Where the next one is, if the function tests the level.
    next: u32,
}

impl Edges {
    fn of(nodes: &Nodes, function: Ref, level: u16) -> Self {
        if nodes.level(function) != level {
            return Self { run: Run { last: 255, child: function }, next: u32::MAX };
        }
        let first = nodes.nodes[function.0 as usize].first_run;
        Self { run: nodes.runs[first as usize], next: first + 1 }
    }

    /// Moves on if the present run ends at `last`, which is not the end of all.
    fn skip(&mut self, nodes: &Nodes, last: u8) {
        if self.run.last == last {
            self.run = nodes.runs[self.next as usize];
            self.next += 1;
        }
    }
}

/// Results of the operation under way. A full slot is overwritten: what is lost is computed again.
struct Memo {
    slots: Box<[MemoSlot]>,
    operation: u32,
}

type MemoKey = (Ref, Ref, Ref);

#[derive(Clone, Copy)]
struct MemoSlot {
    operation: u32,
    key: MemoKey,
    result: Ref,
}

impl Memo {
    const BITS: u32 = 13;

    fn new() -> Self {
        let empty = MemoSlot {
            operation: 0,
            key: (Ref::FALSE, Ref::FALSE, Ref::FALSE),
            result: Ref::FALSE,
        };
        Self { slots: vec![empty; 1 << Self::BITS].into(), operation: 0 }
    }

    fn begin(&mut self) {
        if self.operation == u32::MAX {
            *self = Self::new();
        }
        self.operation += 1;
    }

    fn slot(&mut self, key: MemoKey) -> &mut MemoSlot {
        let mut hasher = FxHasher::default();
        key.hash(&mut hasher);
        &mut self.slots[(hasher.finish() >> (64 - Self::BITS)) as usize]
    }

    fn get(&mut self, key: MemoKey) -> Option<Ref> {
        let operation = self.operation;
        let slot = self.slot(key);
        (slot.operation == operation && slot.key == key).then_some(slot.result)
    }

    fn put(&mut self, key: MemoKey, result: Ref) {
        let operation = self.operation;
        *self.slot(key) = MemoSlot { operation, key, result };
    }
}

/// Empties a map, without keeping so much room that emptying gets slow.
pub(super) fn forget<K, V>(map: &mut FxHashMap<K, V>) {
    if map.capacity() > 1 << 12 {
        *map = FxHashMap::default();
    } else {
        map.clear();
    }
}
