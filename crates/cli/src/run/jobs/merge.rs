//! The results of the workers become those of the run.

use std::path::PathBuf;

use fathom_engine::StateId;
use fathom_engine::route::{Route, To};
use fathom_ir::Program;
use fathom_report::{Result, StateNumbers, TreePart};

use crate::run::journal::Journal;

/// Adds the tests and trees in the workers' directories, each with the first number of its states.
/// Tests that show bugs have been taken over before. Returns the numbers that states have now.
pub fn merge(
    journal: &mut Journal,
    workers: &[(PathBuf, u32)],
    program: &Program,
) -> Result<StateNumbers> {
    let mut trees = Vec::new();
    for (out, first_state) in workers {
        let path = out.join("tree.bin");
        if !path.exists() {
            continue;
        }
        let tests = journal.dir.take_over(&out.join("tests.pack"))?;
        trees.push(TreePart { path, first_state: *first_state, tests: Some(tests) });
    }
    journal.merge_trees(trees, program)
}

/// Gives states that are left and those that were not finished the numbers they have in the tree;
/// new ones where it does not know them. Returns the next number.
pub fn renumber(left: &mut [Route], journal: &mut Journal, mut numbers: StateNumbers) -> u32 {
    let mut number = |id: &mut StateId| id.0 = numbers.number(id.0);
    journal.unfinished_states().for_each(&mut number);
    for route in left {
        match &mut route.to {
            To::State { id, .. } => number(id),
            To::Forks(forks) => forks.iter_mut().for_each(|fork| number(&mut fork.id)),
        }
    }
    numbers.next()
}
