//! Answers "is this satisfiable, and by what?" through a chain of layers.

mod answer;
pub mod backend;

pub use answer::{Answer, Failure};
