//! The results of the workers become those of the run.

use std::path::PathBuf;

use fathom_report::{Pack, Result, TreePart};

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
        let pack = Pack::open(&out.join("tests.pack"))?;
        let mut tests = Vec::new();
        for test in pack.iter() {
            let mut test = test?;
            let number = if test.outcome.is_bug() {
                0
            } else {
                test.path = journal.dir.n_tests();
                journal.dir.test(&test)?
            };
            tests.push(number);
        }
        trees.push(TreePart { path, first_state: *first_state, tests: Some(tests) });
    }
    journal.dir.merge_trees(trees)
}
