//! `tests.pack`: every test case of a run in one append-only, crash-safe file.
//!
//! A header, then frames: length, checksum, body. What many tests share (names and kinds of
//! inputs, the command line, outcomes) is stored once, in frames of its own, and referred to by
//! number. A file cut anywhere loses at most the frame that was cut.

pub(crate) mod frame;
mod merge;
mod reader;
mod record;
mod writer;

pub(crate) use merge::{Taken, take_over};
pub use reader::Pack;
pub use writer::PackWriter;
