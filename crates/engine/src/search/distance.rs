//! How far states are from code that no state has executed.

use std::cell::RefCell;
use std::rc::Rc;

use fathom_ir::{FuncId, Program};

use super::Outlook;
use super::graph::{FAR, Graph, Node};
use super::stacks::{StackId, Stacks};
use crate::coverage::Coverage;
use crate::state::State;

/// Where a state is.
#[derive(Clone, Copy)]
pub struct Place {
    /// `None` in code that is not the program's.
    node: Option<Node>,
    stack: StackId,
}

/// Distances to uncovered code, in instructions. They only grow. Clones share what is known.
#[derive(Clone)]
pub struct Distances(Rc<RefCell<Tables>>);

struct Tables {
    graph: Graph,
    stacks: Stacks,
    /// By node, to the end of its function.
    to_return: Vec<u32>,
    /// By node, to uncovered code, as of the last look at the coverage.
    to_new: Vec<u32>,
    /// Blocks that were uncovered then.
    goals: Vec<Goal>,
    /// By stack, the distance once the innermost frame has returned, and of which look it is.
    on_return: Vec<(u32, u32)>,
    n_looks: u32,
    /// Instructions covered at the last look, and questions since then.
    covered: u64,
    asked: usize,
}

struct Goal {
    function: FuncId,
    block: usize,
    node: Node,
}

impl Distances {
    /// To code of the program's own sources; where none is known, to any code.
    pub fn new(program: &Program) -> Self {
        let graph = Graph::new(program);
        let is_own = |function: FuncId| program.is_own(program.functions[function].loc);
        let has_own = program.functions.ids().any(is_own);
        let wanted = program.functions.iter_enumerated().filter(|(id, _)| !has_own || is_own(*id));
        let goals = wanted.flat_map(|(function, body)| {
            let graph = &graph;
            body.blocks.iter().enumerate().map(move |(block, at)| {
                let node = graph.node(function, at.start as usize);
                Goal { function, block, node }
            })
        });
        let goals = goals.collect();
        let to_return = graph.to_return();
        let to_new = vec![0; graph.n_nodes()];
        Self(Rc::new(RefCell::new(Tables {
            graph,
            stacks: Stacks::default(),
            to_return,
            to_new,
            goals,
            on_return: Vec::new(),
            n_looks: 0,
            covered: 0,
            asked: 0,
        })))
    }

    /// Where `state` is now.
    pub fn place(&self, state: &State, outlook: Outlook<'_>) -> Place {
        let mut tables = self.0.borrow_mut();
        let function = state.frames.last().map(|frame| frame.function);
        let node = function.and_then(|function| {
            let index = outlook.coverage.index_of(function, state.ip)?;
            Some(tables.graph.node(function, index))
        });
        Place { node, stack: tables.stacks.stack_of(state) }
    }

    /// Instructions from `place` to uncovered code, at most 10,000: that is also what it is where
    /// none can be reached.
    pub fn distance(&self, place: Place, outlook: Outlook<'_>) -> u32 {
        let mut tables = self.0.borrow_mut();
        tables.look(outlook.coverage);
        let beyond = tables.on_return(place.stack, outlook.coverage);
        let Some(node) = place.node else { return beyond };
        let node = node as usize;
        tables.to_new[node].min(tables.to_return[node] + beyond).min(FAR)
    }
}

impl Tables {
    /// Looks at the coverage again if it has grown, and has grown by much or been asked about often
    /// since the last time: a look costs about as much as it has nodes.
    fn look(&mut self, coverage: &Coverage) {
        self.asked += 1;
        let grown = coverage.covered - self.covered;
        let often = self.asked >= self.graph.n_nodes() / 4;
        if self.n_looks > 0 && (grown == 0 || grown < coverage.covered / 8 && !often) {
            return;
        }
        self.goals.retain(|goal| !coverage.is_covered(goal.function, goal.block));
        let goals = self.goals.iter().map(|goal| (goal.node, 0)).collect();
        self.to_new = self.graph.to_goals(goals, &self.to_return);
        self.n_looks += 1;
        self.covered = coverage.covered;
        self.asked = 0;
    }

    /// From where the innermost frame returns to.
    fn on_return(&mut self, stack: StackId, coverage: &Coverage) -> u32 {
        let Some(caller) = self.stacks.caller(stack) else { return FAR };
        let index = stack.0 as usize;
        if self.on_return.len() <= index {
            self.on_return.resize(index + 1, (0, FAR));
        }
        let (look, distance) = self.on_return[index];
        if look == self.n_looks {
            return distance;
        }
        let beyond = self.on_return(caller.below, coverage);
        let distance = match coverage.index_of(caller.function, caller.next) {
            Some(next) => {
                let node = self.graph.node(caller.function, next) as usize;
                self.to_new[node].min(self.to_return[node] + beyond)
            }
            None => beyond,
        };
        self.on_return[index] = (self.n_looks, distance.min(FAR));
        distance.min(FAR)
    }
}
