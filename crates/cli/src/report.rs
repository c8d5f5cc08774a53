//! `fathom report`: the page of a run, with times.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use fathom_report::{find_run, write_page};

/// Write the page of a run: bugs, annotated sources, execution tree, time line, ledger.
///
/// RUN is the directory of a run, or `last` for the newest run under fathom-out. A run writes its
/// page at its end, without times, so that the same run gives the same page; this one has them.
/// It also makes the page of a run that was killed.
///
/// Exit status: 0, or 2 when something is not there or cannot be read or written.
#[derive(Parser)]
#[command(after_help = "Examples:\n  \
    fathom report                                   report.html of the last run\n  \
    fathom report fathom-out/3 -o /tmp/run3.html    run 3, elsewhere")]
pub struct Args {
    /// A run, or `last`
    #[arg(value_name = "RUN", default_value = "last")]
    run: PathBuf,
    /// Where to write the page [default: report.html in the directory of the run]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn main(args: &Args) -> Result<ExitCode> {
    let run = find_run(&args.run)?;
    let page = args.output.clone().unwrap_or_else(|| run.dir.join("report.html"));
    write_page(&run.dir, &page)?;
    println!("{}", page.display());
    Ok(ExitCode::SUCCESS)
}
