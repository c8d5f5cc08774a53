//! `fathom run`: executes a program as the processor would, with every operation checked.

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Parser;
use fathom_engine::hooks::{Dfs, Hooks, Searcher};
use fathom_engine::outcome::{Limit, Stop};
use fathom_engine::{Config, Engine, Entry};
use serde_json::json;

use crate::{TOOL_ERROR, interrupt, load, render};

/// Run a program in the engine: it prints what it prints and exits as it exits.
///
/// PROGRAM is an executable made by fathom-cc, LLVM bitcode, or a C file. fathom's own options
/// stand before it; everything after it goes to the program.
///
/// Exit status: the program's own; 134 where a detected bug stopped it; 2 when fathom could not
/// run it or a limit was reached; 130 after Ctrl-C.
#[derive(Parser)]
#[command(after_help = "Examples:\n  \
    fathom run ./sort -n numbers.txt\n  \
    fathom run --stats hello.c\n  \
    fathom run --report out.json --allow-read /srv/data ./tool /srv/data/input\n  \
    fathom run --entry fib fib.c 30")]
pub struct Args {
    /// Show instructions, rate, memory and the ledger on standard error at the end
    #[arg(long)]
    stats: bool,
    /// Write the outcome as JSON to FILE
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Let the program's writes reach the host's files
    #[arg(long)]
    host_writes: bool,
    /// Let the program read PATH too, besides the working directory, the files named on its
    /// command line and the system's data
    #[arg(long, value_name = "PATH")]
    allow_read: Vec<PathBuf>,
    /// What the program's clock shows at the start: seconds since 1970, or `now`
    #[arg(long, value_name = "SECONDS|now", value_parser = start_time)]
    time: Option<Duration>,
    /// Skip the passes: every source variable stays in memory at every statement
    #[arg(long)]
    exact: bool,
    /// Call this function instead of running the program; ARGS are integers
    #[arg(long, value_name = "FUNCTION")]
    entry: Option<String>,
    /// Stop after this many LLVM instructions
    #[arg(long, value_name = "N")]
    max_instructions: Option<u64>,
    /// Stack the program may use, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 8)]
    max_stack: u64,
    /// The program and its arguments
    #[arg(
        value_names = ["PROGRAM", "ARGS"], num_args = 1.., required = true,
        trailing_var_arg = true, allow_hyphen_values = true
    )]
    command: Vec<OsString>,
}

impl Args {
    fn program(&self) -> &Path {
        Path::new(&self.command[0])
    }

    fn args(&self) -> &[OsString] {
        &self.command[1..]
    }
}

pub fn main(args: Args) -> Result<ExitCode> {
    let started = Instant::now();
    let loaded = load::load(args.program(), args.exact)?;
    let program = &loaded.program;
    let load_seconds = started.elapsed().as_secs_f64();

    let config = Config {
        max_stack: args.max_stack << 20,
        max_instructions: args.max_instructions,
        interrupt: interrupt::flag(),
    };
    let entry = entry(&args)?;
    let system = fathom_kernel::Linux::new(system(&args, &entry)?);
    let mut engine = Engine::new(program, config, Box::new(system), Hooks::default());
    for input in &loaded.native_inputs {
        let what = format!("{} is native code only ({})", input.input, input.reason);
        engine.ledger.record(fathom_engine::ledger::NOWHERE, what);
    }

    let mut searcher = Dfs::default();
    searcher.add(engine.start(&entry)?);
    let running = Instant::now();
    let mut outcome = None;
    engine.explore(&mut searcher, |stop, state, _| outcome = Some((stop, state)));
    let (stop, state) = outcome.expect("one state was started");
    let run_seconds = running.elapsed().as_secs_f64();

    let stack = engine.stack(&state);
    let written = args.report.as_ref().map_or(Ok(()), |path| {
        let mut report = render::json(program, &stop, &stack, &engine.ledger);
        report["instructions"] = json!(state.instructions);
        report["seconds"] = json!(run_seconds);
        report["load_seconds"] = json!(load_seconds);
        report["peak_bytes"] = json!(state.memory.live_bytes().1);
        let text = serde_json::to_string_pretty(&report).expect("plain data");
        std::fs::write(path, text + "\n").with_context(|| path.display().to_string())
    });
    if args.stats {
        say(&stats(&state, load_seconds, run_seconds));
        say(&render::ledger(program, &engine.ledger));
    }
    if let Some(text) = render::outcome(program, &stop, &stack) {
        say(&text);
    }
    if let Some(text) = render::returned(&stop) {
        std::io::stdout().write_all(text.as_bytes()).context("standard output")?;
    }
    written?;
    Ok(exit_as(stop))
}

/// Prints to standard error, wherever that leads: a closed one must not end us.
fn say(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// What the program gets to see of the system.
fn system(args: &Args, entry: &Entry) -> Result<fathom_kernel::Config> {
    let cwd = std::env::current_dir().context("the working directory")?;
    let (argv, env) = match entry {
        Entry::Program { argv, env } => (argv.clone(), env.clone()),
        Entry::Function { .. } => Default::default(),
    };
    Ok(fathom_kernel::Config {
        host_writes: args.host_writes,
        allow_read: args.allow_read.clone(),
        named: args.command.iter().map(PathBuf::from).collect(),
        program: args.program().to_owned(),
        argv,
        env,
        start_time: args.time.unwrap_or(fathom_kernel::START_TIME),
        ..fathom_kernel::Config::new(cwd)
    })
}

fn start_time(text: &str) -> Result<Duration> {
    if text == "now" {
        return std::time::UNIX_EPOCH.elapsed().context("the clock");
    }
    let seconds = text.parse().context("a number of seconds since 1970, or `now`")?;
    Ok(Duration::from_secs(seconds))
}

fn entry(args: &Args) -> Result<Entry> {
    if let Some(name) = &args.entry {
        let parse = |word: &OsString| {
            let text = word.to_string_lossy();
            let Ok(value) = text.parse::<i128>() else {
                bail!("argument {text:?} of --entry {name} is not an integer");
            };
            Ok(value as u64)
        };
        let args = args.args().iter().map(parse).collect::<Result<_>>()?;
        return Ok(Entry::Function { name: name.clone(), args });
    }
    let mut argv = vec![args.program().as_os_str().as_bytes().to_vec()];
    argv.extend(args.args().iter().map(|arg| arg.as_bytes().to_vec()));
    let variable = |(name, value): (OsString, OsString)| {
        [name.into_vec(), b"=".to_vec(), value.into_vec()].concat()
    };
    Ok(Entry::Program { argv, env: std::env::vars_os().map(variable).collect() })
}

/// Ends as the program ended.
fn exit_as(stop: Stop) -> ExitCode {
    match stop {
        Stop::Exit(status) => ExitCode::from(status as u8),
        Stop::Killed(signal) => die_by(signal),
        Stop::Bug(_) => ExitCode::from(134),
        Stop::Exhausted(Limit::Interrupted) => ExitCode::from(130),
        Stop::Unsupported(_) | Stop::Exhausted(_) => ExitCode::from(TOOL_ERROR),
        Stop::Returned(_) => ExitCode::SUCCESS,
    }
}

/// Ends this process by the signal that ended the program.
fn die_by(signal: i32) -> ExitCode {
    // SAFETY: resetting a signal and raising it has no precondition.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
    ExitCode::from((128 + signal) as u8)
}

fn stats(state: &fathom_engine::State, load_seconds: f64, run_seconds: f64) -> String {
    let instructions = state.instructions;
    let rate = instructions as f64 / run_seconds.max(1e-9) / 1e6;
    let (live, peak) = state.memory.live_bytes();
    format!(
        "instructions  {}\n\
         rate          {rate:.0} M/s\n\
         time          {run_seconds:.3} s, after {load_seconds:.3} s of loading\n\
         objects       {} live\n\
         memory        {} bytes live, {} at most\n\
         resident      {} MiB at most\n",
        grouped(instructions),
        grouped(state.memory.n_live()),
        grouped(live),
        grouped(peak),
        peak_resident() >> 10,
    )
}

/// Peak resident size of this process in KiB.
fn peak_resident() -> u64 {
    // SAFETY: `usage` is plain data that getrusage fills in.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage.ru_maxrss as u64
    }
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|chunk| std::str::from_utf8(chunk).expect("digits"))
        .collect();
    groups.join(",")
}
