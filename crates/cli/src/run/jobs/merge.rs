//! The results of the workers become those of the run.

use std::path::PathBuf;

use fathom_report::{Result, TreePart};

use crate::run::journal::Journal;

/// Adds the tests and trees in the workers' directories, each with the first number of its states.
/// Tests that show bugs have been taken over before.
pub fn merge(journal: &mut Journal, workers: &[(PathBuf, u32)]) -> Result<()> {
    let mut trees = Vec::new();
    for (out, first_state) in workers {
        let path = out.join("tree.bin");
        if !path.exists() {
            continue;
        }
        let tests = journal.dir.take_over(&out.join("tests.pack"))?;
        trees.push(TreePart { path, first_state: *first_state, tests: Some(tests) });
    }
    journal.dir.merge_trees(trees)
}
