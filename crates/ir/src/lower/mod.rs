//! Lowers LLVM bitcode to a [`Program`]. Nothing outside this module knows LLVM.

mod llvm;
mod load;

pub use load::Error;

use crate::Program;

/// How to load a program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Run no passes, so that every source variable stays in memory at every statement.
    pub exact: bool,
}

/// Parses and lowers bitcode (or LLVM assembly). LLVM's memory is gone when this returns.
pub fn load(bitcode: &[u8], options: &Options) -> Result<Program, Error> {
    let _module = load::parse(bitcode, !options.exact)?;
    Ok(Program::default())
}
