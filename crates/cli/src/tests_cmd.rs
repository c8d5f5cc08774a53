//! `fathom tests`: lists, shows and exports the test cases of a run.

mod export;
mod list;
mod show;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

/// List, show and export the test cases of a run.
///
/// RUN is the directory of a run, its tests.pack, or `last` for the newest run under fathom-out.
/// Wherever all tests of a run can be named, a directory of tests or .ktest files can be too.
///
/// Exit status: 0, or 2 when something is not there or cannot be read or written.
#[derive(Parser)]
#[command(after_help = "Examples:\n  \
    fathom tests list                               all tests of the last run\n  \
    fathom tests list fathom-out/3 --bugs           those of run 3 that show a bug\n  \
    fathom tests show last 17                       test 17 in full\n  \
    fathom tests export last --to out --ktest       all tests, for KLEE's tools\n  \
    fathom tests export last --to out 3 17          tests 3 and 17 as plain files")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    List(list::Args),
    Show(show::Args),
    Export(export::Args),
}

pub fn main(args: &Args) -> Result<ExitCode> {
    let mut out = BufWriter::new(io::stdout().lock());
    let done = match &args.command {
        Command::List(args) => list::main(args, &mut out),
        Command::Show(args) => show::main(args, &mut out),
        Command::Export(args) => export::main(args, &mut out),
    };
    let done = done.and_then(|()| out.flush().context("standard output"));
    match done {
        // Whoever reads has seen enough.
        Err(error) if is_broken_pipe(&error) => Ok(ExitCode::SUCCESS),
        Err(error) => Err(error),
        Ok(()) => Ok(ExitCode::SUCCESS),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let source = error.root_cause().downcast_ref::<io::Error>();
    source.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
