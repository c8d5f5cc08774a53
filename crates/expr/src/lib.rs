//! Hash-consed bit-vector expressions, their simplifier and their concrete evaluator.
//!
//! A [`Pool`] owns every term. Constructors such as [`Pool::add`] fold constants and rewrite
//! before they intern, so equal ids mean equal terms and many equal terms have equal ids.
//! Leaves are constants and input bytes ([`Var`]); everything wider is built from bytes.

mod array;
mod build;
mod built;
mod eval;
mod facts;
mod float;
mod fold;
mod id;
mod model;
mod node;
mod pool;
mod print;
mod rebuild;
pub mod rewrites;
mod smtlib;

mod support;
mod table;
mod values;

#[cfg(test)]
mod tests;

pub use array::ArrayView;
pub use facts::KnownBits;
pub use id::{ArrayId, ExprId, InputId, Var};
pub use model::Model;
pub use node::{Args, BinaryOp, FloatOp, Rounding, UnaryOp, View};
pub use pool::{Input, Pool};

pub use smtlib::{Script, TableStyle};
pub use support::Support;
pub use table::ByteTable;
pub use values::{Exclusion, Finding, Notes, Reason};

/// The widest term, in bits.
pub const MAX_WIDTH: u32 = 128;
