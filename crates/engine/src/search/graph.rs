//! The program as a graph: pieces of straight code, and the ways between them, calls included.

use std::collections::BTreeMap;

use fathom_index::Id;
use fathom_ir::inst::{Inst, Op};
use fathom_ir::{CallSiteId, FuncId, Function, Program};

/// A piece of straight code that only its last instruction leaves; or, after all of those, a place
/// that stands for all functions a pointer may lead to.
pub(super) type Node = u32;
const NONE: Node = Node::MAX;

/// From where, to where.
type Edge = (Node, Node);

/// This far, in instructions, is as far as what cannot be reached.
pub(super) const FAR: u32 = 10_000;

pub(super) struct Graph {
    /// By function, its first node; one more at the end.
    first: Vec<Node>,
    nodes: Vec<Piece>,
    /// By node, those that jump or fall into it, and those that end in a call of it.
    jumps: Incoming,
    calls: Incoming,
}

struct Piece {
    /// Index of its first instruction in its function.
    start: u32,
    /// Instructions.
    cost: u32,
    /// What its last instruction calls; execution goes on with the next node. Or `NONE`.
    callee: Node,
    returns: bool,
}

impl Graph {
    pub fn new(program: &Program) -> Self {
        let mut first = Vec::with_capacity(program.functions.len() + 1);
        let mut nodes = Vec::new();
        for function in program.functions.iter() {
            first.push(nodes.len() as Node);
            nodes.extend(pieces(function));
        }
        first.push(nodes.len() as Node);
        let mut graph =
            Self { first, nodes, jumps: Incoming::default(), calls: Incoming::default() };
        let (jumps, calls) = graph.edges(program);
        for &(from, to) in &calls {
            graph.nodes[from as usize].callee = to;
        }
        graph.jumps = Incoming::new(jumps, graph.nodes.len());
        graph.calls = Incoming::new(calls, graph.nodes.len());
        graph
    }

    /// Jumps and calls. Adds the nodes that stand for pointers.
    fn edges(&mut self, program: &Program) -> (Vec<Edge>, Vec<Edge>) {
        let (mut jumps, mut calls) = (Vec::new(), Vec::new());
        let mut pointers = Pointers::new(program);
        for (id, function) in program.functions.iter_enumerated() {
            for node in self.first[id.index()]..self.first[id.index() + 1] {
                let piece = &self.nodes[node as usize];
                let last = (piece.start + piece.cost - 1) as usize;
                match (&function.code[last], called(program, &function.code[last])) {
                    (_, Some(callee)) => calls.push((node, self.first[callee.index()])),
                    (call, None) if call.op == Op::CallIndirect => {
                        let site = program.call_sites.get(CallSiteId(call.imm as u32));
                        let n_args = site.map_or(0, |site| site.arg_slots);
                        calls.push((node, pointers.node(n_args, &mut self.nodes)));
                    }
                    _ => jumps.extend(
                        function.successors(last).iter().map(|&to| (node, self.node(id, to))),
                    ),
                }
            }
        }
        for (&n_args, &node) in &pointers.nodes {
            let callees = pointers.functions.get(&n_args).into_iter().flatten();
            jumps.extend(callees.map(|callee| (node, self.first[callee.index()])));
        }
        (jumps, calls)
    }

    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The node that instruction `index` of `function` is in.
    pub fn node(&self, function: FuncId, index: usize) -> Node {
        let (first, end) = (self.first[function.index()], self.first[function.index() + 1]);
        let nodes = &self.nodes[first as usize..end as usize];
        let after = nodes.partition_point(|piece| piece.start as usize <= index);
        first + after.saturating_sub(1) as Node
    }

    /// By node, the shortest way to the end of its function, calls included; at most `FAR`.
    pub fn to_return(&self) -> Vec<u32> {
        let returns = self.nodes.iter().enumerate().filter(|(_, piece)| piece.returns);
        let sources = returns.map(|(node, piece)| (node as Node, piece.cost)).collect();
        self.distances(sources, |known, reached, relax| {
            // A call and what follows it are passed together, whichever is known last.
            let distance = known[reached as usize];
            if let Some(call) = self.call_before(reached) {
                relax(call, distance + known[self.nodes[call as usize].callee as usize]);
            }
            for &call in self.calls.of(reached) {
                relax(call, distance + known[call as usize + 1]);
            }
        })
    }

    /// By node, the shortest way to one of `goals` in its function or in those it calls.
    pub fn to_goals(&self, goals: Vec<(Node, u32)>, to_return: &[u32]) -> Vec<u32> {
        self.distances(goals, |known, reached, relax| {
            let distance = known[reached as usize];
            if let Some(call) = self.call_before(reached) {
                relax(call, distance + to_return[self.nodes[call as usize].callee as usize]);
            }
            for &call in self.calls.of(reached) {
                relax(call, distance);
            }
        })
    }

    /// The node that goes on with `node` once its call has returned.
    fn call_before(&self, node: Node) -> Option<Node> {
        let before = node.checked_sub(1)?;
        (self.nodes[before as usize].callee != NONE).then_some(before)
    }

    /// Distances to the sources, nearest first. `calls` is told of every node whose distance is
    /// known, and says which calls are as far from where they end as what it passes on.
    fn distances(
        &self,
        sources: Vec<(Node, u32)>,
        calls: impl Fn(&[u32], Node, &mut dyn FnMut(Node, u32)),
    ) -> Vec<u32> {
        let mut known = vec![FAR; self.nodes.len()];
        let mut waiting: Vec<Vec<Node>> = vec![Vec::new(); FAR as usize];
        for (node, distance) in sources {
            known[node as usize] = distance.min(FAR);
            waiting[distance.min(FAR - 1) as usize].push(node);
        }
        let mut nearer: Vec<(Node, u32)> = Vec::new();
        for distance in 0..FAR {
            while let Some(node) = waiting[distance as usize].pop() {
                if known[node as usize] != distance {
                    continue;
                }
                nearer.extend(self.jumps.of(node).iter().map(|&from| (from, distance)));
                calls(&known, node, &mut |from, distance| nearer.push((from, distance)));
                for (from, beyond) in nearer.drain(..) {
                    let distance = beyond + self.nodes[from as usize].cost;
                    if distance < known[from as usize] {
                        known[from as usize] = distance;
                        waiting[distance as usize].push(from);
                    }
                }
            }
        }
        known
    }
}

/// Cuts a function where control enters, leaves or calls.
fn pieces(function: &Function) -> Vec<Piece> {
    let n = function.code.len();
    let mut begins = vec![false; n + 1];
    let mut mark = |at: usize| begins[at.min(n)] = true;
    mark(0);
    for block in &function.blocks {
        mark(block.start as usize);
    }
    for (at, inst) in function.code.iter().enumerate() {
        let next = function.successors(at);
        if next != [at + 1] || matches!(inst.op, Op::Call | Op::CallIndirect) {
            mark(at + 1);
            next.into_iter().for_each(&mut mark);
        }
    }
    let starts: Vec<usize> = (0..n).filter(|&at| begins[at]).collect();
    let ends = starts.iter().skip(1).copied().chain([n]);
    let piece = |(&start, end): (&usize, usize)| Piece {
        start: start as u32,
        cost: (end - start) as u32,
        callee: NONE,
        returns: function.returns(end - 1),
    };
    starts.iter().zip(ends).map(piece).collect()
}

/// The function that an instruction calls by name, if it has a body.
fn called(program: &Program, inst: &Inst) -> Option<FuncId> {
    let callee = FuncId(inst.a);
    (inst.op == Op::Call && program.functions[callee].is_defined()).then_some(callee)
}

/// Functions whose address the program takes: what a pointer may lead to.
struct Pointers {
    /// By the number of slots their parameters take.
    functions: BTreeMap<u32, Vec<FuncId>>,
    /// The nodes that stand for them, likewise.
    nodes: BTreeMap<u32, Node>,
}

impl Pointers {
    fn new(program: &Program) -> Self {
        let mut taken = vec![false; program.functions.len()];
        let mut see = |word: u64| {
            if let Some(function) = program.function_at(word) {
                taken[function.index()] = true;
            }
        };
        for function in program.functions.iter() {
            function.code.iter().for_each(|inst| see(inst.imm));
        }
        for global in program.globals.iter() {
            for word in global.init.chunks_exact(8) {
                see(u64::from_le_bytes(word.try_into().expect("8 bytes")));
            }
        }
        let mut functions: BTreeMap<u32, Vec<FuncId>> = BTreeMap::new();
        for (id, function) in program.functions.iter_enumerated() {
            if taken[id.index()] && function.is_defined() {
                functions.entry(function.param_slots).or_default().push(id);
            }
        }
        Self { functions, nodes: BTreeMap::new() }
    }

    /// The node that stands for all of them that take so many argument slots.
    fn node(&mut self, n_args: u32, nodes: &mut Vec<Piece>) -> Node {
        *self.nodes.entry(n_args).or_insert_with(|| {
            nodes.push(Piece { start: 0, cost: 0, callee: NONE, returns: false });
            (nodes.len() - 1) as Node
        })
    }
}

/// Edges by the node they lead to.
#[derive(Default)]
struct Incoming {
    /// By node, where its edges begin in `from`; one more at the end.
    first: Vec<u32>,
    from: Vec<Node>,
}

impl Incoming {
    fn new(mut edges: Vec<Edge>, n_nodes: usize) -> Self {
        edges.sort_unstable_by_key(|&(from, to)| (to, from));
        edges.dedup();
        let mut first = vec![0; n_nodes + 1];
        for &(_, to) in &edges {
            first[to as usize + 1] += 1;
        }
        for node in 0..n_nodes {
            first[node + 1] += first[node];
        }
        Self { first, from: edges.into_iter().map(|(from, _)| from).collect() }
    }

    fn of(&self, node: Node) -> &[Node] {
        let [first, end] = [node, node + 1].map(|at| self.first[at as usize] as usize);
        &self.from[first..end]
    }
}
