//! `fathom solve`: runs the solver chain on SMT-LIB scripts.

use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use clap::Parser;
use fathom_expr::{Model, Pool};
use fathom_smtlib::{Asked, Command, Error, Reader};
use fathom_solver::backend::Budget;
use fathom_solver::{Answer, Config, LayerKind, Layers, PathCondition, Solver, Stats};
use serde_json::{Value, json};

/// Run the solver on SMT-LIB scripts over bit-vectors, byte arrays and floats.
///
/// Prints `sat`, `unsat` or `unknown` for each `check-sat`, after the file's name if there are
/// several, and what `get-model`, `get-value` and `echo` ask for. Every file is solved on its own.
///
/// Exit status: 0 when every script was run to its end, whatever the answers; 2 otherwise.
#[derive(Parser)]
#[command(after_help = "Examples:\n  \
    fathom solve query.smt2                    the answer\n  \
    fathom solve --model --stats query.smt2    a model, and which layer decided\n  \
    fathom solve --layers none query.smt2      by the SMT solver alone\n  \
    fathom solve --json --timeout 5 q/*.smt2   answers and times, for a script\n  \
    fathom solve - < query.smt2                from standard input\n\n\
    docs/solve.md says which part of SMT-LIB is understood.")]
pub struct Args {
    /// Scripts; `-` is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print a model after each `sat`
    #[arg(long)]
    model: bool,
    /// Print what each layer was asked, answered and took
    #[arg(long)]
    stats: bool,
    /// For each question that reaches the SMT solver
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = parse_seconds)]
    timeout: Duration,
    /// Layers in front of the SMT solver: `all`, `none`, or some of cache,domains,reasons,values,models,diagram
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = parse_layers)]
    layers: Layers,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

fn parse_layers(text: &str) -> Result<Layers, String> {
    let mut layers = match text {
        "all" => return Ok(Layers::ALL),
        _ => Layers::NONE,
    };
    for name in text.split(',').filter(|&name| name != "none") {
        match name {
            "cache" => layers.cache = true,
            "domains" => layers.domains = true,
            "models" => layers.models = true,
            "reasons" => layers.reasons = true,
            "values" => layers.values = true,
            "diagram" => layers.diagram = true,
            _ => return Err(format!("`{name}` is no layer")),
        }
    }
    Ok(layers)
}

pub fn main(args: &Args) -> Result<ExitCode> {
    let mut all_well = true;
    for file in &args.files {
        let ran = run_file(args, file);
        if let Err(error) = &ran.outcome {
            all_well = false;
            eprintln!("fathom: {error:#}");
        }
        let printed = if args.json { format!("{}\n", ran.json(file)) } else { ran.text(args) };
        io::stdout().lock().write_all(printed.as_bytes()).context("standard output")?;
    }
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::from(crate::TOOL_ERROR) })
}

/// What came of one script.
struct Ran {
    outcome: Result<()>,
    printed: String,
    answers: Vec<&'static str>,
    /// Reading the script and building its terms.
    read_time: Duration,
    solve_time: Duration,
    stats: Stats,
}

fn run_file(args: &Args, file: &Path) -> Ran {
    let mut ran = Ran {
        outcome: Ok(()),
        printed: String::new(),
        answers: Vec::new(),
        read_time: Duration::ZERO,
        solve_time: Duration::ZERO,
        stats: Stats::default(),
    };
    ran.outcome = read_text(file).and_then(|text| {
        let mut session = Session::new(args, file, &text, &mut ran);
        let outcome = session.run().map_err(|error| anyhow!("{}:{error}", file.display()));
        session.ran.stats = session.solver.stats;
        outcome
    });
    ran
}

fn read_text(file: &Path) -> Result<String> {
    let text = match file == Path::new("-") {
        true => {
            let mut text = String::new();
            io::stdin().lock().read_to_string(&mut text).map(|_| text)
        }
        false => std::fs::read_to_string(file),
    };
    text.with_context(|| file.display().to_string())
}

/// One script in progress.
struct Session<'a> {
    prefix: String,
    print_models: bool,
    reader: Reader<'a>,
    pool: Pool,
    solver: Solver,
    /// The assertions up to each level.
    levels: Vec<PathCondition>,
    model: Option<Model>,
    ran: &'a mut Ran,
}

impl<'a> Session<'a> {
    fn new(args: &Args, file: &Path, text: &'a str, ran: &'a mut Ran) -> Self {
        let budget = Budget::time(args.timeout);
        let config = Config { layers: args.layers, budget, ..Config::default() };
        let has_name = args.files.len() > 1;
        Self {
            prefix: if has_name { format!("{}: ", file.display()) } else { String::new() },
            print_models: args.model,
            reader: Reader::new(text),
            pool: Pool::new(),
            solver: Solver::new(config),
            levels: vec![PathCondition::new()],
            model: None,
            ran,
        }
    }

    fn run(&mut self) -> Result<(), Error> {
        loop {
            let start = Instant::now();
            let command = self.reader.next(&mut self.pool);
            self.ran.read_time += start.elapsed();
            match command? {
                None | Some(Command::Exit) => return Ok(()),
                Some(command) => self.run_command(command)?,
            }
        }
    }

    fn run_command(&mut self, command: Command) -> Result<(), Error> {
        match command {
            Command::Assert(condition) => {
                let start = Instant::now();
                let path = self.levels.last_mut().expect("there is always a level");
                path.add(&mut self.pool, condition);
                self.ran.solve_time += start.elapsed();
            }
            Command::CheckSat => self.check(&[]),
            Command::CheckSatAssuming(conditions) => self.check(&conditions),
            Command::Push(n_levels) => {
                let path = self.levels.last().expect("there is always a level").clone();
                self.levels.extend((0..n_levels).map(|_| path.clone()));
            }
            Command::Pop(n_levels) => self.levels.truncate(self.levels.len() - n_levels as usize),
            Command::Reset => self.levels = vec![PathCondition::new()],
            Command::GetModel => self.print_model()?,
            Command::GetValue(asked) => self.print_values(&asked)?,
            Command::Echo(text) => self.print(&text),
            Command::Exit => unreachable!("the caller ends the script"),
        }
        Ok(())
    }

    fn check(&mut self, assumptions: &[fathom_expr::ExprId]) {
        let start = Instant::now();
        let mut path = self.levels.last().expect("there is always a level").clone();
        for condition in self.reader.axioms().chain(assumptions.iter().copied()) {
            path.add(&mut self.pool, condition);
        }
        let answer = self.solver.check_whole(&mut self.pool, &path, None);
        self.ran.solve_time += start.elapsed();
        self.model = None;
        let word = match answer {
            Ok(Answer::Sat(model)) => {
                self.model = Some(model);
                "sat"
            }
            Ok(Answer::Unsat) => "unsat",
            Err(reason) => {
                eprintln!("fathom: {}{reason}", self.prefix);
                "unknown"
            }
        };
        self.ran.answers.push(word);
        self.print(word);
        if self.print_models && self.model.is_some() {
            self.print_model().expect("there is a model");
        }
    }

    /// The model found last, with values for all that was read since.
    fn completed_model(&self) -> Result<Model, Error> {
        let Some(model) = &self.model else {
            let message = "there is no model: the last `check-sat` did not say `sat`";
            return Err(self.reader.error(message));
        };
        let mut model = model.clone();
        self.reader.complete(&self.pool, &mut model);
        Ok(model)
    }

    fn print_model(&mut self) -> Result<(), Error> {
        let model = self.completed_model()?;
        let text = self.reader.print_model(&self.pool, &model);
        self.print(&text);
        Ok(())
    }

    fn print_values(&mut self, asked: &[Asked]) -> Result<(), Error> {
        let model = self.completed_model()?;
        let mut text = String::from("(");
        for (n, Asked { text: term, value }) in asked.iter().enumerate() {
            let value = self.reader.print_value(&self.pool, value, &model);
            let _ = write!(text, "{}({term} {value})", if n == 0 { "" } else { " " });
        }
        self.print(&(text + ")"));
        Ok(())
    }

    fn print(&mut self, text: &str) {
        let _ = writeln!(self.ran.printed, "{}{text}", self.prefix);
    }
}

impl Ran {
    fn text(&self, args: &Args) -> String {
        let mut text = self.printed.clone();
        if !args.stats {
            return text;
        }
        for layer in LayerKind::ALL {
            let stats = &self.stats[layer];
            let _ = writeln!(
                text,
                "; {:8} asked {:6}  answered {:6}  {:9.3} ms",
                layer.name(),
                stats.asked,
                stats.answered,
                1e3 * stats.time.as_secs_f64()
            );
        }
        let (read, solve) = (self.read_time.as_secs_f64(), self.solve_time.as_secs_f64());
        let _ = writeln!(text, "; reading {:.3} ms, solving {:.3} ms", 1e3 * read, 1e3 * solve);
        text
    }

    fn json(&self, file: &Path) -> Value {
        let layer = |layer: LayerKind| {
            let stats = &self.stats[layer];
            let seconds = stats.time.as_secs_f64();
            let row = json!({
                "asked": stats.asked, "answered": stats.answered, "seconds": seconds,
            });
            (layer.name().to_owned(), row)
        };
        json!({
            "file": file.display().to_string(),
            "answers": self.answers,
            "error": self.outcome.as_ref().err().map(|error| format!("{error:#}")),
            "read_seconds": self.read_time.as_secs_f64(),
            "solve_seconds": self.solve_time.as_secs_f64(),
            "wrong_models": self.stats.wrong_models,
            "layers": LayerKind::ALL.map(layer).into_iter().collect::<serde_json::Map<_, _>>(),
        })
    }
}
