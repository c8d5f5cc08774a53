//! Tests of the crate as a whole.

mod properties;
mod reader;
mod recipe;
mod reference;
mod scripts;
mod snapshots;
