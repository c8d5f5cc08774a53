//! Reads SMT-LIB 2 scripts over bit-vectors, byte arrays and floats into the terms of a pool.
//!
//! A [`Reader`] gives one [`Command`] after the other; whoever runs them keeps the assertions and
//! asks a solver. A bit-vector of n bits is an input of as many bytes as it needs, lowest first; each
//! byte of a declared array is an input of its own, made when it is first read.
//! Nothing here recurses over terms, so depth is limited by memory only.

mod array;
mod command;
mod error;
mod float;
mod lex;
mod ops;
mod print;
mod sort;
mod term;
mod unspecified;
mod value;

pub use command::{Asked, Command, Reader};
pub use error::Error;
pub use sort::Sort;
pub use value::Value;
