//! `fathom amplify`: a test suite runs as it always does, and every run of a program in it becomes
//! a symbolic one.

mod baseline;
mod change;
mod crew;
mod findings;
mod job;
mod junit;
mod outcome;
mod page;
mod plan;
mod results;
mod subject;
mod suite;
mod summary;
mod world;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::interrupt;
use crate::run::{parse_seconds, say};
use plan::Schedule;
use results::Results;
use subject::Subjects;

/// Turn a test suite into a symbolic one
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "Examples:\n  \
    fathom amplify -- make check                 record the suite, then analyse every run\n  \
    fathom amplify --program cut --budget 10m -- make check TESTS=tests/cut/cut.pl\n  \
    fathom amplify --record-only --recording rec -- ./test.sh\n  \
    fathom amplify --from rec --jobs 8           analyse it, here or on another machine\n  \
    fathom amplify --baseline known.txt -- make check     exit status 1 for new bugs only\n\n\
    The programs must have been built with fathom-cc (`CC=fathom-cc ./configure && make`). Nothing \
    else changes: the suite sees their true output, status and side effects.\n\
    Exit status: 0 nothing new, 1 bugs that are not in the baseline, 2 something is wrong.")]
pub struct Args {
    /// Analyse only runs of programs called NAME
    #[arg(long, value_name = "NAME")]
    program: Vec<String>,
    /// Time for the analysis: seconds, or 90s, 5m, 2h
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = parse_seconds)]
    budget: f64,
    /// Leave a test's path at most D branches before a sensitive operation
    #[arg(long, value_name = "D", default_value_t = 12)]
    max_distance: u32,
    /// Analyse this share of the recorded runs, chosen at random
    #[arg(long, value_name = "K%", value_parser = percentage)]
    sample: Option<f64>,
    /// Time for one test at one distance [default: what four tests have on average,
    /// at most a quarter of what is left, 2 to 60 s]
    #[arg(long, value_name = "TIME", value_parser = parse_seconds)]
    max_test_time: Option<f64>,
    /// Time for one question to the solver [default: a tenth of a test's, at most 5 s]
    #[arg(long, value_name = "TIME", value_parser = parse_seconds)]
    max_solver_time: Option<f64>,
    /// Time for all checks at one place of a test [default: a fifth of a test's, at most 10 s]
    #[arg(long, value_name = "TIME", value_parser = parse_seconds)]
    max_check_time: Option<f64>,
    /// Time for one excursion from a test's path [default: a fifth of a test's, at most 5 s]
    #[arg(long, value_name = "TIME", value_parser = parse_seconds)]
    max_excursion_time: Option<f64>,
    /// Bytes of a test's input that are symbolic, at most
    #[arg(long, value_name = "N", default_value_t = 1 << 16)]
    max_symbolic: usize,
    /// Analyse so many tests at once [default: one per processor]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Record the suite and stop there
    #[arg(long)]
    record_only: bool,
    /// Where the recording goes [default: `recording` among the results]
    #[arg(long, value_name = "DIR")]
    recording: Option<PathBuf>,
    /// Analyse this recording instead of running a suite
    #[arg(long, value_name = "DIR", conflicts_with_all = ["record_only", "recording"])]
    from: Option<PathBuf>,
    /// Where results go [default: fathom-out/N]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Bugs listed in FILE are known: they do not make the exit status 1
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write the bugs found to FILE, as a baseline for later
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
    /// Do not run inputs of bugs natively
    #[arg(long)]
    no_replay: bool,
    /// Where chance begins
    #[arg(long, value_name = "N", default_value_t = 1)]
    rng_seed: u64,
    /// The command that runs the test suite
    #[arg(last = true, value_name = "CMD")]
    command: Vec<OsString>,
}

fn percentage(text: &str) -> Result<f64> {
    let number: f64 = text.trim_end_matches('%').parse().context("a percentage, such as 10%")?;
    if !(number > 0.0 && number <= 100.0) {
        bail!("a percentage above 0 and at most 100");
    }
    Ok(number / 100.0)
}

pub fn main(args: &Args) -> Result<ExitCode> {
    if args.from.is_none() == args.command.is_empty() {
        bail!(
            "say how to run the test suite, `fathom amplify -- make check`, or name a recording: `fathom amplify --from DIR`"
        );
    }
    let interrupt = interrupt::flag();
    let known = args.baseline.as_deref().map(baseline::read).transpose()?.unwrap_or_default();
    let mut results = Results::create(args.out.as_deref())?;
    let recording = match &args.from {
        Some(from) => from.clone(),
        None => {
            let place = args.recording.clone().unwrap_or_else(|| results.path().join("recording"));
            let place = record(args, &place, &interrupt, &mut results)?;
            if args.record_only {
                return Ok(ExitCode::SUCCESS);
            }
            place
        }
    };
    let subjects = Subjects::read(&recording, args)?;
    subjects.tell();
    if subjects.is_empty() {
        let why = "no run of a program built with fathom-cc was recorded";
        bail!(
            "{}: {why}; build the programs with CC=fathom-cc, and see `fathom amplify --help`",
            recording.display()
        );
    }
    let budget = Duration::from_secs_f64(args.budget);
    let mut schedule = Schedule::new(args, &subjects, Instant::now() + budget, interrupt);
    schedule.run(&mut results)?;
    results.finish(args, &subjects, schedule.outcome(), &known)
}

/// Runs the suite; where its recording is.
fn record(
    args: &Args,
    place: &Path,
    interrupt: &std::sync::atomic::AtomicBool,
    results: &mut Results,
) -> Result<PathBuf> {
    let blobs = place.join("blobs");
    std::fs::create_dir_all(&blobs).with_context(|| blobs.display().to_string())?;
    let place = place.canonicalize().with_context(|| place.display().to_string())?;
    let begun = Instant::now();
    let status = suite::record(&args.command, &place, interrupt)?;
    let seconds = begun.elapsed().as_secs_f64();
    results.suite(status, seconds);
    let (programs, n_runs) = subject::programs(&place)?;
    for failure in suite::Programs::of(&place)?.keep(&programs)? {
        say(&format!("fathom: {failure}\n"));
        results.note(&failure, 1);
    }
    let programs: BTreeSet<_> = programs.into_iter().map(|(program, _)| program).collect();
    say(&format!(
        "fathom: the suite ended with {status} after {seconds:.1} s; {n_runs} runs of {} programs recorded in {}\n",
        programs.len(),
        place.display()
    ));
    Ok(place)
}
