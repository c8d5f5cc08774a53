//! The `fathom` command: parses flags, builds configurations, prints.

mod allocator;
mod amplify;
mod doctor;
mod interrupt;
mod load;
mod native;
mod render;
mod replay;
mod report;
mod run;
mod solve;
mod tests_cmd;

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[global_allocator]
static ALLOCATOR: allocator::Counting = allocator::Counting;

/// Exit status of a usage error or a failure of fathom itself.
const TOOL_ERROR: u8 = 2;

#[derive(Parser)]
#[command(name = "fathom", version, about = "Runs real C programs and finds their deep bugs.")]
#[command(after_help = "Start with `fathom doctor`, then:\n  \
    fathom cc -g prog.c -o prog      compile, keeping the bitcode\n  \
    fathom run ./prog ARGS           run it, every access checked\n  \
    fathom run --sym-stdin 8 ./prog  explore every path that 8 unknown bytes open\n  \
    fathom tests list                the test cases found\n  \
    fathom replay ./prog             the native program on them\n  \
    fathom report                    the run as one page, report.html\n  \
    fathom amplify -- make check     a test suite, made symbolic\n\n\
    `CC=fathom-cc ./configure && make` builds a whole project; see `fathom cc --help`.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compile C, keeping the bitcode in objects and executables (also called as `fathom-cc`).
    #[command(disable_help_flag = true)]
    Cc {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
    Run(Box<run::Args>),
    Amplify(Box<amplify::Args>),
    Tests(tests_cmd::Args),
    Replay(replay::Args),
    Report(report::Args),
    Solve(solve::Args),
    Doctor(doctor::Args),
}

fn main() -> ExitCode {
    interrupt::survive_full_files();
    let argv: Vec<OsString> = std::env::args_os().collect();
    if called_as_compiler(&argv) {
        return exit_code(fathom_cc::main(argv.into_iter().skip(1).collect()));
    }
    // The compiler's own arguments are not ours to parse.
    if argv.get(1).is_some_and(|word| word == "cc") {
        return exit_code(fathom_cc::main(argv.into_iter().skip(2).collect()));
    }
    if let Some(page) = run::search_help(&argv) {
        // Whoever reads it may have read enough.
        let _ = std::io::stdout().write_all(page.as_bytes());
        return ExitCode::SUCCESS;
    }
    let result = match Cli::parse_from(run::separated(argv)).command {
        Command::Cc { args } => Ok(exit_code(fathom_cc::main(args))),
        Command::Run(args) => run::main(*args),
        Command::Amplify(args) => amplify::main(&args),
        Command::Tests(args) => tests_cmd::main(&args),
        Command::Replay(args) => replay::main(&args),
        Command::Report(args) => report::main(&args),
        Command::Solve(args) => solve::main(&args),
        Command::Doctor(args) => doctor::main(&args),
    };
    result.unwrap_or_else(|error| {
        eprintln!("fathom: {error:#}");
        ExitCode::from(TOOL_ERROR)
    })
}

fn called_as_compiler(argv: &[OsString]) -> bool {
    let name = argv.first().and_then(|word| Path::new(word).file_name());
    name.is_some_and(|name| name == "fathom-cc")
}

fn exit_code(status: i32) -> ExitCode {
    ExitCode::from(status as u8)
}
