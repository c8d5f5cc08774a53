//! From what the user names (a program, bitcode, a C file) to a program the engine can run.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use fathom_cc::NativeInput;
use fathom_ir::{Options, Program};
use sha2::{Digest, Sha256};

/// A program and what is known to be missing from it.
pub struct Loaded {
    pub program: Program,
    /// Parts that exist as native code only.
    pub native_inputs: Vec<NativeInput>,
    /// Of the bitcode, in hexadecimal.
    pub digest: String,
}

/// Loads `path`: an executable made by fathom-cc, LLVM bitcode or assembly, or a C file.
pub fn load(path: &Path, exact: bool) -> Result<Loaded> {
    // What our own compiler has just made, or keeps in an executable, is sound.
    let trusted = Options { exact, trusted: true };
    if path.is_dir() {
        bail!("{}: is a directory, not a program", path.display());
    }
    if has_extension(path, "c") || has_extension(path, "i") {
        return lowered(path, fathom_cc::compile_program(path, &["-g".into()])?, trusted);
    }
    if is_module(path) {
        return load_module(path, Options { exact, trusted: false });
    }
    let (bitcode, native_inputs) = (fathom_cc::extract(path)?, fathom_cc::native_inputs(path)?);
    lowered(path, fathom_cc::Program { bitcode, native_inputs }, trusted)
}

/// A module of any clang is a part of a program until it is linked with the C library. It is
/// lowered first, because only that explains well what is wrong with one.
fn load_module(path: &Path, options: Options) -> Result<Loaded> {
    let bitcode = std::fs::read(path).with_context(|| path.display().to_string())?;
    let alone = fathom_cc::Program { bitcode, native_inputs: Vec::new() };
    let loaded = lowered(path, alone, options)?;
    let start = loaded.program.function_named("_start_c");
    if start.is_some_and(|id| loaded.program.functions[id].is_defined()) {
        return Ok(loaded);
    }
    lowered(path, fathom_cc::link_bitcode(path)?, Options { trusted: true, ..options })
}

fn lowered(path: &Path, whole: fathom_cc::Program, options: Options) -> Result<Loaded> {
    let program =
        fathom_ir::load(&whole.bitcode, &options).with_context(|| path.display().to_string())?;
    let digest = Sha256::digest(&whole.bitcode);
    let digest = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Loaded { program, native_inputs: whole.native_inputs, digest })
}

/// Whether the file is LLVM bitcode or assembly, by its name or by how it begins. Files that
/// cannot be read are left to the executable reader, which says why.
fn is_module(path: &Path) -> bool {
    const BEGINNINGS: [&[u8]; 4] =
        [b"BC\xc0\xde", b"\xde\xc0\x17\x0b", b"; ModuleID", b"source_filename"];
    let Ok(file) = File::open(path) else { return false };
    let mut head = Vec::new();
    let _ = file.take(16).read_to_end(&mut head);
    has_extension(path, "bc")
        || has_extension(path, "ll")
        || BEGINNINGS.iter().any(|beginning| head.starts_with(beginning))
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension == wanted)
}
