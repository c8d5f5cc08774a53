//! From what the user names (a program, bitcode, a C file) to a program the engine can run.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use fathom_cc::NativeInput;
use fathom_ir::Program;

/// A program and what is known to be missing from it.
pub struct Loaded {
    pub program: Program,
    /// Parts that exist as native code only.
    pub native_inputs: Vec<NativeInput>,
}

/// Loads `path`: an executable made by fathom-cc, LLVM bitcode, or a C file.
pub fn load(path: &Path, options: &fathom_ir::Options) -> Result<Loaded> {
    let (bitcode, native_inputs) = bitcode_of(path)?;
    let program = fathom_ir::load(&bitcode, options).with_context(|| path.display().to_string())?;
    Ok(Loaded { program, native_inputs })
}

fn bitcode_of(path: &Path) -> Result<(Vec<u8>, Vec<NativeInput>)> {
    if path.extension().is_some_and(|extension| extension == "c") {
        let program = fathom_cc::compile_program(path, &["-g".into()])?;
        return Ok((program.bitcode, program.native_inputs));
    }
    if starts_as_bitcode(path) {
        let bitcode = std::fs::read(path).with_context(|| path.display().to_string())?;
        return Ok((bitcode, Vec::new()));
    }
    if path.is_dir() {
        bail!("{}: is a directory, not a program", path.display());
    }
    Ok((fathom_cc::extract(path)?, fathom_cc::native_inputs(path)?))
}

/// Whether the file begins as LLVM bitcode does. Files that cannot be read are left to the
/// executable reader, which says why.
fn starts_as_bitcode(path: &Path) -> bool {
    let mut magic = [0; 4];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    let bitcode_extension = path.extension().is_some_and(|extension| extension == "bc");
    match read {
        Ok(()) => magic == *b"BC\xc0\xde" || magic == [0xde, 0xc0, 0x17, 0x0b],
        Err(error) => bitcode_extension && error.kind() == std::io::ErrorKind::UnexpectedEof,
    }
}
