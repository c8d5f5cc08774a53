//! Native execution: runs a program on given inputs and compares its end with what was predicted.
//!
//! The program is one that `fathom-cc` linked: its C library can replay symbolic objects and has a
//! guard mode, in which a memory error faults where it happens (`docs/REPLAY.md`). Where there is
//! a build with sanitizers, it is asked first.

mod confine;
mod error;
mod outcome;
mod report;
mod run;
mod sanitizer;
mod scratch;
mod symbols;
mod test_case;
mod tree;
mod unwind;
mod verdict;
mod world;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub use error::Error;
pub use outcome::{End, NativeOutcome};
pub use report::{Access, Block, BlockKind, BlockState, Event, GuardReport};
pub use run::{Program, run};
pub use sanitizer::SanitizerReport;
pub use scratch::make_directory;
pub use symbols::Frame;
pub use test_case::{unreproducible, unreproducible_in};
pub use verdict::{Checked, Object, Predicted, PredictedBug, Verdict, check, verdict};
pub use world::{Stream, World};

/// Everything a program can read.
#[derive(Clone, Debug, Default)]
pub struct NativeInput {
    /// The command line, program name first.
    pub argv: Vec<Vec<u8>>,
    /// The whole environment.
    pub env: Vec<(Vec<u8>, Vec<u8>)>,
    pub stdin: Vec<u8>,
    /// Files to be there, relative to the working directory; in a world, absolute ones too.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// Symbolic objects in the order in which the program asks for them.
    pub objects: Vec<(String, Vec<u8>)>,
    /// Runs in the copy of a recorded world, instead of an empty directory.
    pub world: Option<Arc<World>>,
}

/// Where a block's inaccessible pages are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guard {
    /// The C library's ordinary allocator.
    #[default]
    Off,
    /// Right behind each block's last byte.
    End,
    /// Right before each block's first byte.
    Start,
    /// Behind each block, which starts on 16 bytes: for programs that rely on malloc's alignment.
    Aligned,
    /// None, in a program made with `fathom-cc --asan`: its sanitizers watch.
    Asan,
}

/// How a program is run.
#[derive(Clone, Debug)]
pub struct Options {
    pub guard: Guard,
    pub timeout: Duration,
    /// Bytes of private writable memory.
    pub memory: u64,
    /// Bytes it may write to one file, standard output included.
    pub file_size: u64,
    /// Bytes of stack.
    pub stack: u64,
    /// Raised from outside, it ends the running program.
    pub interrupt: Arc<AtomicBool>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            guard: Guard::Off,
            timeout: Duration::from_secs(10),
            memory: 2 << 30,
            file_size: 64 << 20,
            stack: 8 << 20,
            interrupt: Arc::default(),
        }
    }
}
