//! Test cases, findings and statistics on disk.
//!
//! A run writes through [`RunDir`]; everything it writes can be read back with [`Pack`],
//! [`load_test`] and [`open_tests`]. `docs/FORMATS.md` describes every file. Nothing here depends
//! on the engine: callers convert to the plain data of this crate.

pub mod codec;
mod error;
mod finding;
mod html;
mod klee;
mod ktest;
mod lcov;
mod load;
mod pack;
mod plain;
mod quote;
mod records;
mod run_dir;
mod sarif;
mod suite_dir;
mod test_case;
mod testcomp;
mod tree;
mod write;
mod zip;

pub use error::{Error, Result};
pub use finding::{Finding, Frame, ObjectInfo, Replay};
pub use html::{Html, write_page};
pub use klee::{from_ktest, to_ktest};
pub use ktest::{KObject, KTest};
pub use lcov::{Coverage, FunctionHits, SourceFile};
pub use load::{NamedTest, RunPlace, Tests, find_run, is_test_dir, load_test, open_tests};
pub use pack::{Pack, PackWriter};
pub use plain::{read_plain, write_plain};
pub use quote::{command_line, shell_quote};
pub use records::{
    Cover, FaultCounts, FileCover, FunctionCover, LedgerEntry, PendingCounts, Sample, SolverCounts,
    Summary, Timing,
};
pub use run_dir::{Place, RunDir, total_timing};
pub use sarif::sarif;
pub use suite_dir::SuiteDir;
pub use test_case::{EnvVar, InputKind, InputValue, Outcome, Site, TestCase};
pub use testcomp::{Suite, testcase_xml};
pub use tree::{Node, StateNumbers, Tree, TreeEnd, TreePart, TreeWriter, What};
pub use write::{replace_file, replace_private_file};
