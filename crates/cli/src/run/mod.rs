//! `fathom run`: executes a program as the processor would, with every operation checked; with
//! symbolic input, on all paths.

mod closing;
mod coverage;
mod decisions;
mod forks;
mod guards;
mod inputs;
mod jobs;
mod journal;
mod resume;
mod routes;
mod search;
mod seeds;
mod status;
mod symbolic;
mod tally;
mod test_case;
mod usage;
mod watch;

pub use decisions::explanation;
pub use inputs::{arg_name, separated};
pub use search::help as search_help;
pub use status::StatusLine;
pub use tally::solver_seconds;
pub use test_case::{Writer, frame, ledger, outcome};
pub use usage::physical;
pub use watch::{Limits, Watch};

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::{CommandFactory, Parser};
use fathom_engine::hooks::Hooks;
use fathom_engine::outcome::{Limit, Stop};
use fathom_engine::{Config, Engine, Entry};
use serde_json::json;

use crate::{TOOL_ERROR, load, render};
use search::{Fork, Revive, Search};
use symbolic::Start;

/// Run a program in the engine, on one path or, with symbolic input, on all of them.
///
/// PROGRAM is an executable made by fathom-cc, LLVM bitcode, or a C file. fathom's own options
/// stand before it; everything after it goes to the program, but for symbolic inputs, which may
/// be written in place (`--sym-arg 3`).
///
/// Without symbolic input the program prints what it prints and exits as it exits. With symbolic
/// input fathom explores its paths, and writes test cases and bugs to fathom-out/N.
///
/// Exit status: with symbolic input 0 no bug, 1 bugs found, 2 usage or tool error. Without, the
/// program's own; 134 where a detected bug stopped it; 2 when fathom could not run it or a limit
/// was reached; 130 after Ctrl-C.
#[derive(Parser)]
#[command(after_help = "Examples:\n  \
    fathom run ./tr --sym-arg 3 --sym-arg 3 --sym-stdin 8\n  \
    fathom run --max-time 60 --sym-stdin 20 ./bc\n  \
    fathom run harness.c                 (calls klee_make_symbolic)\n  \
    fathom run --jobs 2 --max-time 10m --sym-stdin 20 ./bc\n  \
    fathom run --resume fathom-out/1     (goes on where that run was stopped)\n  \
    fathom run ./sort -n numbers.txt\n  \
    fathom run --stats hello.c\n  \
    fathom run --report out.json --allow-read /srv/data ./tool /srv/data/input\n  \
    fathom run --entry fib fib.c 30")]
pub struct Args {
    /// Show instructions, rate, memory and the ledger on standard error at the end
    #[arg(long)]
    stats: bool,
    /// Write the outcome as JSON to FILE; with symbolic input what summary.json has
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
    /// Stop after this many LLVM instructions, all paths together
    #[arg(long, value_name = "N", help_heading = "Limits")]
    max_instructions: Option<u64>,
    /// Stack the program may use, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 8,
        value_parser = clap::value_parser!(u64).range(1..=1 << 20), help_heading = "Limits")]
    max_stack: u64,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, help_heading = "Limits")]
    max_time: Option<f64>,
    /// Stop after this many seconds of processor time
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, help_heading = "Limits")]
    max_cpu: Option<f64>,
    /// Stop when fathom itself takes more than this, in MiB; from 85 % of it on, pending paths make
    /// room [default with symbolic input: a third of the machine's memory, or three
    /// quarters with --fork eager]
    #[arg(long, value_name = "MIB", help_heading = "Limits")]
    max_memory: Option<u64>,
    /// Do not fork on a path that has forked so often
    #[arg(long, value_name = "N", help_heading = "Limits")]
    max_depth: Option<u32>,
    /// Fork no more than so often in the whole run
    #[arg(long, value_name = "N", help_heading = "Limits")]
    max_forks: Option<u64>,
    /// Stop after this many test cases
    #[arg(long, value_name = "N", help_heading = "Limits")]
    max_tests: Option<u64>,
    /// Give up on a solver query after this many seconds [default: 30]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, help_heading = "Limits")]
    max_solver_time: Option<f64>,
    /// Give up on a solver query after this many steps instead: the same on every machine
    #[arg(long, value_name = "N", help_heading = "Limits")]
    max_solver_steps: Option<u64>,
    #[command(flatten)]
    symbolic: inputs::Flags,
    /// How branches fork
    #[arg(long, value_enum, default_value_t = Fork::Pending, help_heading = "Exploration")]
    fork: Fork,
    /// Which path that is known to be possible is followed next; several names take turns (see
    /// `fathom help search`)
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        value_name = "NAME,…",
        default_value = "random-path,md2u",
        help_heading = "Exploration"
    )]
    search: Vec<Search>,
    /// Which pending path is asked about next [default: as --search]
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        value_name = "NAME,…",
        help_heading = "Exploration"
    )]
    pending_search: Vec<Search>,
    /// Which pending paths come before those that --pending-search chooses
    #[arg(long, value_enum, default_value_t = Revive::NewCode, help_heading = "Exploration")]
    revive: Revive,
    /// Let pending paths that turn out to be possible go on with other values in the bytes they
    /// leave free, half of the time: values that the program tells apart elsewhere
    #[arg(long, help_heading = "Exploration")]
    vary: bool,
    /// An input to start from: a test directory, a .ktest, a file, `argv:WORDS`, `NAME=FILE`, or a
    /// directory of these, of AFL++ too (docs/seeds.md)
    #[arg(long, value_name = "PATH", help_heading = "Exploration")]
    seed: Vec<PathBuf>,
    /// Follow the paths of the seeds and nothing else: what is covered is what these inputs cover
    #[arg(long, requires = "seed", help_heading = "Exploration")]
    only_seeds: bool,
    /// Make checks of memory and arithmetic pending, too: more code is covered, bugs are found
    /// later or missed
    #[arg(long, help_heading = "Exploration")]
    relaxed_checks: bool,
    /// Where random choices begin
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Exploration")]
    rng_seed: u64,
    /// Report heap objects that nothing points to at exit
    #[arg(long, help_heading = "Exploration")]
    check_leaks: bool,
    /// Report decisions that hang on bytes nobody has written; implies --exact
    #[arg(long, help_heading = "Exploration")]
    check_uninit: bool,
    /// For experiments: put a division by zero of its own into every basic block of the program's
    /// own code, and count how many are found (docs/run.md)
    #[arg(long, help_heading = "Exploration")]
    inject_faults: bool,
    /// Directory for the results, which must not exist or be empty [default: fathom-out/N]
    #[arg(long, value_name = "DIR", help_heading = "Exploration")]
    out: Option<PathBuf>,
    /// Do not run test cases natively as they are found
    #[arg(long, help_heading = "Exploration")]
    no_replay: bool,
    /// A build of the program by `fathom-cc --asan`, to confirm bugs [default: PROGRAM.asan if
    /// there is one]
    #[arg(long, value_name = "FILE", help_heading = "Exploration")]
    asan: Option<PathBuf>,
    /// Write every solver query to DIR as SMT-LIB
    #[arg(long, value_name = "DIR", help_heading = "Exploration")]
    record_queries: Option<PathBuf>,
    /// Ask this solver every query too, over SMT-LIB (`z3 -in`)
    #[arg(long, value_name = "COMMAND", help_heading = "Exploration")]
    cross_check: Option<String>,
    /// Explore with so many processes; limits are those of all together
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256),
        help_heading = "Exploration")]
    jobs: Option<u32>,
    /// Be one of those processes
    #[arg(long, hide = true, conflicts_with = "command")]
    worker: bool,
    /// Go on with the run in DIR, which was stopped; its program and options stay, limits are new
    #[arg(long, value_name = "DIR", conflicts_with = "command", help_heading = "Exploration")]
    resume: Option<PathBuf>,
    /// The program and its arguments
    #[arg(
        value_names = ["PROGRAM", "ARGS"], num_args = 1.., required_unless_present_any = ["resume", "worker"],
        trailing_var_arg = true, allow_hyphen_values = true
    )]
    command: Vec<OsString>,
    /// All of it as it was given, after `fathom run`
    #[arg(skip)]
    words: Vec<OsString>,
}

impl Args {
    fn program(&self) -> &Path {
        Path::new(&self.command[0])
    }

    fn limits(&self) -> watch::Limits {
        watch::Limits {
            time: self.max_time,
            cpu: self.max_cpu,
            memory: self.max_memory.map(|mib| mib << 20),
        }
    }

    fn jobs(&self) -> u32 {
        self.jobs.unwrap_or(1)
    }

    /// What each process has of what the whole run may take.
    fn share(&self, limit: Option<u64>) -> Option<u64> {
        limit.map(|limit| limit.div_ceil(self.jobs().into()))
    }

    /// What else the run depends on, as it is now.
    fn setting(&self, spec: &inputs::Spec) -> Result<resume::Setting> {
        Ok(resume::Setting {
            words: self.words_but_out(),
            directory: std::env::current_dir().context("the working directory")?,
            environment: environment(),
            time: self.time,
            seeds: seeds::read(&self.seed, spec)?,
            stdin: match spec.system().stdin {
                Some(_) => Vec::new(),
                None => fathom_kernel::host_stdin()?,
            },
        })
    }

    fn args(&self) -> &[OsString] {
        &self.command[1..]
    }

    /// A word with a dash where the program should stand is a mistyped option, unless `--` is
    /// before it.
    fn refuse_unknown_option(&self) -> Result<()> {
        let word = self.command[0].to_string_lossy();
        let before = self.words.len().checked_sub(self.command.len() + 1);
        let insisted = before.is_some_and(|idx| self.words[idx] == "--");
        if !word.starts_with('-') || insisted {
            return Ok(());
        }
        let name = word.split('=').next().unwrap_or_default();
        let command = Args::command();
        let known = command.get_arguments().filter_map(|arg| arg.get_long());
        let alike = known
            .map(|known| (strsim::jaro(name.trim_start_matches('-'), known), known))
            .filter(|(likeness, _)| *likeness > 0.8)
            .max_by(|a, b| a.0.total_cmp(&b.0));
        match alike {
            Some((_, known)) => bail!("{name}: no such option; did you mean --{known}?"),
            None => bail!("{name}: no such option; `fathom run --help` lists them"),
        }
    }

    fn refuse_missing_paths(&self) -> Result<()> {
        for path in &self.allow_read {
            std::fs::metadata(path).with_context(|| format!("--allow-read {}", path.display()))?;
        }
        Ok(())
    }

    /// With `--fork eager` no path is pending, unless seeds come first or checks wait.
    fn refuse_without_pending(&self) -> Result<()> {
        if self.fork == Fork::Pending || self.relaxed_checks || !self.seed.is_empty() {
            return Ok(());
        }
        let options =
            [("--vary", self.vary), ("--pending-search", !self.pending_search.is_empty())];
        match options.into_iter().find(|(_, given)| *given) {
            Some((name, _)) => bail!("{name}: with --fork eager no path is pending; leave one out"),
            None => Ok(()),
        }
    }

    /// The options as they were given, but for the directory of the results.
    fn options(&self) -> Vec<String> {
        let mut options = self.words_but_out();
        options.truncate(options.len().saturating_sub(self.command.len()));
        let options = options.iter().map(|word| word.to_string_lossy().into_owned());
        options.filter(|word| word != "--").collect()
    }

    /// The words after `fathom run`, without where the results go.
    fn words_but_out(&self) -> Vec<OsString> {
        let n_options = self.words.len().saturating_sub(self.command.len());
        let (options, command) = self.words.split_at(n_options);
        let mut options = options.iter();
        let mut kept = Vec::new();
        while let Some(word) = options.next() {
            match word.to_string_lossy() {
                it if it == "--out" => drop(options.next()),
                it if it.starts_with("--out=") => {}
                _ => kept.push(word.clone()),
            }
        }
        kept.extend_from_slice(command);
        kept
    }
}

pub fn main(args: Args) -> Result<ExitCode> {
    let started = Instant::now();
    usage::fill_large_blocks_late();
    let args = Args { words: std::env::args_os().skip(2).collect(), ..args };
    let (args, start) = if args.worker {
        let (task, socket) = jobs::Task::receive()?;
        (task.args()?, Start::Worker(Box::new(task), socket))
    } else if let Some(dir) = &args.resume {
        let resumed = resume::open(dir)?;
        (resumed.args(&args)?, Start::Resumed(Box::new(resumed)))
    } else {
        args.refuse_unknown_option()?;
        args.refuse_missing_paths()?;
        (args, Start::New)
    };
    if args.only_seeds && args.fork == Fork::Eager {
        bail!("--only-seeds: --fork eager follows other paths, too; leave it out");
    }
    args.refuse_without_pending()?;
    let mut loaded = load::load(args.program(), args.exact || args.check_uninit)?;
    if args.inject_faults {
        loaded.program.inject_faults();
    }
    let program = &loaded.program;
    let load_seconds = started.elapsed().as_secs_f64();

    let spec = inputs::Spec::new(&args.symbolic, args.command[0].as_os_str(), args.args())?;
    if let Some(name) = &args.entry
        && spec.is_symbolic()
    {
        bail!("--entry {name}: a function called on its own has no symbolic input; leave one out");
    }
    let checks = args.check_leaks || args.check_uninit;
    if args.entry.is_none()
        && (spec.is_symbolic() || checks || fathom_engine::makes_inputs(program))
    {
        return symbolic::main(&args, &loaded, &spec, start, started);
    }
    for (name, given) in
        [("--seed", !args.seed.is_empty()), ("--inject-faults", args.inject_faults)]
    {
        if given {
            bail!("{name}: nothing is symbolic in this run; add --sym-stdin N or another input");
        }
    }

    let watch = watch::Watch::start(args.limits(), started);
    let config = Config {
        max_stack: args.max_stack << 20,
        max_instructions: args.max_instructions,
        interrupt: watch.flag(),
        ..Config::default()
    };
    let entry = entry(&args)?;
    let env = environment();
    let system = fathom_kernel::Linux::new(system_config(&args, &spec, &env)?);
    let mut engine = Engine::new(program, config, Hooks::default());
    for input in &loaded.native_inputs {
        let what = format!("{} is native code only ({})", input.input, input.reason);
        engine.ledger.record(fathom_engine::ledger::NOWHERE, what);
    }

    let mut state = engine.start(&entry, Box::new(system))?;
    let running = Instant::now();
    let stop = engine.run_one(&mut state);
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
    let limit = matches!(watch.reason(), Some(reason) if reason != watch::Reason::Interrupted);
    Ok(if limit { ExitCode::from(TOOL_ERROR) } else { exit_as(stop) })
}

/// Prints to standard error, wherever that leads: a closed one must not end us.
pub fn say(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// What the program gets to see of the system.
fn system_config(
    args: &Args,
    spec: &inputs::Spec,
    env: &[Vec<u8>],
) -> Result<fathom_kernel::Config> {
    let cwd = std::env::current_dir().context("the working directory")?;
    Ok(fathom_kernel::Config {
        host_writes: args.host_writes,
        allow_read: args.allow_read.clone(),
        named: args.command.iter().map(PathBuf::from).collect(),
        program: args.program().to_owned(),
        argv: spec.concrete_args().map(<[u8]>::to_vec).collect(),
        env: env.to_vec(),
        start_time: args.time.unwrap_or(fathom_kernel::START_TIME),
        ..fathom_kernel::Config::new(cwd)
    })
}

/// The environment as the program gets it.
fn environment() -> Vec<Vec<u8>> {
    let variable = |(name, value): (OsString, OsString)| {
        [name.into_vec(), b"=".to_vec(), value.into_vec()].concat()
    };
    std::env::vars_os().map(variable).collect()
}

pub fn parse_seconds(text: &str) -> Result<f64> {
    let (number, unit) = match text.strip_suffix(|c: char| c.is_ascii_alphabetic()) {
        Some(number) => (number, &text[number.len()..]),
        None => (text, "s"),
    };
    let factor = match unit {
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => bail!("a number of seconds, or 90s, 5m, 2h"),
    };
    let number: f64 = number.parse().context("a number of seconds, or 90s, 5m, 2h")?;
    if !number.is_finite() || number < 0.0 {
        bail!("a time is not negative");
    }
    Ok(number * factor)
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
    let mut argv = vec![args.program().as_os_str().as_bytes().to_vec().into()];
    argv.extend(args.args().iter().map(|arg| arg.as_bytes().to_vec().into()));
    Ok(Entry::Program { argv, env: environment().into_iter().map(Into::into).collect() })
}

/// Ends as the program ended.
fn exit_as(stop: Stop) -> ExitCode {
    match stop {
        Stop::Exit(status) => ExitCode::from(status as u8),
        Stop::Killed(signal) => die_by(signal),
        Stop::Bug(_) => ExitCode::from(134),
        Stop::Exhausted(Limit::Interrupted) => ExitCode::from(130),
        Stop::Unsupported(_) | Stop::Exhausted(_) => ExitCode::from(TOOL_ERROR),
        Stop::Returned(_) | Stop::Dropped(_) => ExitCode::SUCCESS,
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
        usage::peak_resident() >> 10,
    )
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
