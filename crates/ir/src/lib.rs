//! The lowered program: flat bytecode, resolved once from LLVM bitcode. Only [`lower`] knows LLVM.

mod dump;
mod faults;
mod flow;
pub mod inst;
pub mod layout;
mod lower;
pub mod program;

pub use dump::dump;
pub use lower::{Error, Options, llvm_version, load};
pub use program::*;
