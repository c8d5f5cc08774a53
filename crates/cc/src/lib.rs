//! Stands in for the C compiler and keeps the bitcode.
//!
//! [`main`] is the compiler; [`compile_program`] and [`link_bitcode`] make programs for the engine
//! alone; [`extract`], [`commands`] and [`native_inputs`] read back what it
//! attached to its outputs.

mod archive;
mod args;
mod asan;
mod bitcode;
mod compile;
mod elf;
mod error;
mod inventory;
mod joined;
mod link;
mod options;
mod process;
mod program;
mod response;
mod seal;
mod section;
mod sysroot;
mod temp;

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use args::{Args, Mode, Refusal};
use compile::Compile;
use link::Link;
use process::{Run, Signals};
use sysroot::Toolchain;
use temp::TempDir;

pub use error::Error;
pub use program::{Program, compile_program, link_bitcode};
pub use section::{Command, NativeInput, commands, extract, native_inputs};
pub use sysroot::{LLVM_VERSION, sysroot, tool};

/// Behaves as the compiler; `args` are without the program's own name. Returns the exit status.
pub fn main(args: Vec<OsString>) -> i32 {
    let signals = Signals::forward();
    match dispatch(args) {
        Ok(status) | Err(Error::Status(status)) => status,
        Err(Error::Interrupted(signal)) => signals.die(signal),
        Err(error) => {
            eprintln!("fathom-cc: error: {error}");
            1
        }
    }
}

fn dispatch(args: Vec<OsString>) -> Result<i32, Error> {
    match args.first().and_then(|arg| arg.to_str()) {
        Some("--help") => print(include_str!("help.txt")),
        Some("--asan") => asan::run(&response::expand(args[1..].to_vec())),
        Some("--extract") => extract_to_file(&args[1..]),
        Some("--show-commands") => show_commands(&args[1..]),
        _ => run_compiler(response::expand(args)),
    }
}

fn run_compiler(words: Vec<OsString>) -> Result<i32, Error> {
    let tools = Toolchain::find()?;
    let temp = TempDir::new()?;
    let args = Args::parse(&words);
    if let Some(refusal) = args.refused {
        return Err(Error::Refused(refusal_text(refusal).into()));
    }
    if args.sanitizer && !args.sources().any(|source| compile::is_probe(&source.path)) {
        eprintln!(
            "fathom-cc: warning: -fsanitize is left out, but for checks of undefined behaviour in the \
             bitcode: there is no run-time library here"
        );
    }
    match args.mode {
        Mode::PassThrough => pass_through(&tools, &temp, words),
        Mode::Compile => compile_all(&tools, &temp, &args),
        Mode::Link => compile_and_link(&tools, &temp, &args, &words, false),
        Mode::PartialLink => compile_and_link(&tools, &temp, &args, &words, true),
    }
}

/// clang alone, with our target and headers.
fn pass_through(tools: &Toolchain, temp: &TempDir, words: Vec<OsString>) -> Result<i32, Error> {
    if words
        .iter()
        .any(|word| word == "-print-libgcc-file-name" || word == "--print-libgcc-file-name")
    {
        return print(&format!("{}\n", tools.lib("libbuiltins.a").display()));
    }
    let mut args = tools.base_args();
    args.push(tools.linker_arg());
    args.extend(words);
    Run { tool: &tools.clang, args, stdin: None }.status(temp)
}

fn compile_all(tools: &Toolchain, temp: &TempDir, args: &Args) -> Result<i32, Error> {
    let stdin = compile::read_stdin(args)?;
    let mut result = Ok(0);
    // As clang does, go on with the other sources after an error.
    for source in args.sources() {
        let compile = Compile { tools, temp, args, source, stdin: stdin.as_deref() };
        match compile.to_object() {
            Err(Error::Status(status)) => result = Ok(status),
            other => other?,
        }
    }
    result
}

fn compile_and_link(
    tools: &Toolchain,
    temp: &TempDir,
    args: &Args,
    words: &[OsString],
    partial: bool,
) -> Result<i32, Error> {
    let objects = compile::compile_sources(tools, temp, args)?;
    Link { tools, temp, args, words, objects: &objects, partial, keep: &[] }.run()?;
    Ok(0)
}

fn refusal_text(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Shared => {
            "shared libraries (-shared) are not supported; build static ones \
             (./configure --disable-shared, cmake -DBUILD_SHARED_LIBS=OFF)"
        }
        Refusal::CPlusPlus => "C++ is not supported; only C can be compiled",
        Refusal::OtherLanguage => "this language is not supported; only C can be compiled",
        Refusal::Bits32 => "32-bit code is not supported; only x86-64",
    }
}

/// `--extract PROGRAM [-o FILE]`
fn extract_to_file(args: &[OsString]) -> Result<i32, Error> {
    let usage = || Error::Refused("usage: fathom-cc --extract PROGRAM [-o FILE.bc]".into());
    let (program, output) = match args {
        [program] => {
            let mut output = program.clone();
            output.push(".bc");
            (Path::new(program), PathBuf::from(output))
        }
        [program, o, output] if o == "-o" => (Path::new(program), output.into()),
        [o, output, program] if o == "-o" => (Path::new(program), output.into()),
        _ => return Err(usage()),
    };
    let bitcode = extract(program)?;
    if output == Path::new("-") {
        let written = std::io::stdout().lock().write_all(&bitcode);
        return written.map(|()| 0).map_err(|error| Error::io(&output, error));
    }
    fs::write(&output, bitcode).map_err(|error| Error::io(&output, error))?;
    Ok(0)
}

/// `--show-commands FILE`: one line a command, ready for a shell.
fn show_commands(args: &[OsString]) -> Result<i32, Error> {
    let [file] = args else {
        return Err(Error::Refused("usage: fathom-cc --show-commands FILE".into()));
    };
    let file = Path::new(file);
    let mut text = String::new();
    for command in commands(file)? {
        let directory = process::shell_words(&[command.directory]);
        text += &format!("cd {directory} && {}\n", process::shell_words(&command.arguments));
    }
    for NativeInput { input, reason } in native_inputs(file)? {
        text += &format!("# {input}: native code only ({reason})\n");
    }
    print(&text)
}

/// A reader that closes the pipe early is no error of ours.
fn print(text: &str) -> Result<i32, Error> {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    Ok(0)
}
