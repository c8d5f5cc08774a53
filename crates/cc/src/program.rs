//! Whole programs for the engine alone: there is no native half, so functions that only the engine
//! knows need no definition, and every function of the user's can be an entry point.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::args::{Args, Item};
use crate::compile::{BITCODE_FLAGS, compile_sources};
use crate::error::Error;
use crate::inventory::symbols;
use crate::link::Link;
use crate::process::{Run, Signals, exit_code};
use crate::refusal_text;
use crate::response;
use crate::section::NativeInput;
use crate::sysroot::Toolchain;
use crate::temp::TempDir;

/// A program for execution by the engine alone.
pub struct Program {
    /// The whole program, C library included.
    pub bitcode: Vec<u8>,
    pub native_inputs: Vec<NativeInput>,
}

/// Compiles one source file, with `flags` as for a compile and link, and leaves nothing behind.
pub fn compile_program(source: &Path, flags: &[OsString]) -> Result<Program, Error> {
    fs::File::open(source).map_err(|error| Error::io(source, error))?;
    let _signals = Signals::forward();
    let tools = Toolchain::find()?;
    let temp = TempDir::new()?;
    let words: Vec<OsString> =
        response::expand(flags.to_vec()).into_iter().chain(["--".into(), source.into()]).collect();
    let args = Args::parse(&words);
    if let Some(refusal) = args.refused {
        return Err(Error::Refused(refusal_text(refusal).into()));
    }
    let objects = compile_sources(&tools, &temp, &args)?;
    link(&tools, &temp, source, &args, &objects)
}

/// Links one module of any clang up to ours, bitcode or assembly, with the C library.
///
/// The module should have been read once: the linker's words for a damaged one are not clear.
pub fn link_bitcode(module: &Path) -> Result<Program, Error> {
    fs::File::open(module).map_err(|error| Error::io(module, error))?;
    let _signals = Signals::forward();
    let tools = Toolchain::find()?;
    let temp = TempDir::new()?;
    let read = temp.join("module.bc");
    assemble(&tools, &temp, module, &read)?;
    let mut args = Args::parse(&[]);
    args.output = Some(module.into());
    args.items.push(Item::Object(read.clone()));
    let undefined = symbols(&tools, &temp, &["-u"], &read)?;
    if undefined.iter().any(|name| is_glibc_only(name)) {
        let compat = compile_glibc(&tools, &temp)?;
        args.items.extend(["--start-lib".into(), compat, "--end-lib".into()].map(Item::Linker));
    }
    link(&tools, &temp, module, &args, &[]).map_err(|error| match error {
        Error::Bitcode(text) => {
            let reason = link_failure(&text).replace(&*read.to_string_lossy(), "the module");
            Error::Bitcode(format!("{}: {reason}", module.display()))
        }
        error => error,
    })
}

/// One line of what the linker said.
fn link_failure(text: &str) -> String {
    if text.contains("is incompatible with") {
        return "bitcode for another processor; only x86_64-linux is supported".into();
    }
    let mut errors = text.lines().filter_map(|line| line.split_once("error: "));
    let reason = errors.next().map_or("the linker crashed", |(_, reason)| reason);
    format!("it does not link with the C library: {reason}")
}

fn link(
    tools: &Toolchain,
    temp: &TempDir,
    input: &Path,
    args: &Args,
    objects: &[PathBuf],
) -> Result<Program, Error> {
    let mut keep = Vec::new();
    let inputs = args.items.iter().filter_map(|item| match item {
        Item::Object(path) => Some(path),
        _ => None,
    });
    for object in objects.iter().chain(inputs) {
        keep.extend(symbols(tools, temp, &["--defined-only", "--extern-only"], object)?);
    }
    let link = Link { tools, temp, args, words: &[], objects, partial: false, keep: &keep };
    let linked = link.bitcode()?;
    let bitcode = linked.bitcode.ok_or(Error::NoBitcode(input.into(), "no input has any"))?;
    Ok(Program { bitcode, native_inputs: linked.native })
}

/// Brings the module into the form the linker reads: not assembly, not wrapped, not of old times.
fn assemble(tools: &Toolchain, temp: &TempDir, module: &Path, to: &Path) -> Result<(), Error> {
    let args = vec!["-passes=verify".into(), module.into(), "-o".into(), to.into()];
    let output = Run { tool: &tools.opt, args, stdin: None }.output(temp)?;
    match exit_code(&output) {
        0 => Ok(()),
        _ => Err(Error::Bitcode(format!(
            "{}: {}",
            module.display(),
            String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or("does not read")
        ))),
    }
}

/// Is this a name that only glibc's headers make a program use?
fn is_glibc_only(name: &str) -> bool {
    name.starts_with("__isoc23_")
        || name.ends_with("_chk")
        || matches!(name, "error" | "error_at_line" | "_IO_putc")
}

fn compile_glibc(tools: &Toolchain, temp: &TempDir) -> Result<OsString, Error> {
    let object = temp.join("glibc.bc");
    let mut args = tools.base_args();
    args.extend(BITCODE_FLAGS.iter().map(OsString::from));
    args.extend(["-x", "c", "-c", "-", "-o"].map(OsString::from));
    args.push(object.clone().into());
    let source = Some(include_bytes!("glibc.c").as_slice());
    let output = Run { tool: &tools.clang, args, stdin: source }.output(temp)?;
    match exit_code(&output) {
        0 => Ok(object.into()),
        _ => Err(Error::Bitcode(String::from_utf8_lossy(&output.stderr).into_owned())),
    }
}
