//! The lowered program: flat bytecode, resolved once from LLVM bitcode. Only [`lower`] knows LLVM.

pub mod inst;
pub mod layout;
pub mod program;

pub use program::*;
