//! Any solver that reads SMT-LIB from its standard input, for a second opinion.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use fathom_expr::{ExprId, Model, Pool, Var};

use super::session::support;
use super::{Backend, Budget};
use crate::{Answer, Failure};

/// How long the flag and the clock are not looked at.
const POLL: Duration = Duration::from_millis(10);

/// Runs a command for each query, such as `z3 -in`. It knows no steps, only time.
pub struct Pipe {
    command: Vec<String>,
    interrupt: Arc<AtomicBool>,
}

impl Pipe {
    /// `command` is a program and its arguments.
    pub fn new(command: &[&str], interrupt: Arc<AtomicBool>) -> Self {
        Self { command: command.iter().map(|&word| word.to_owned()).collect(), interrupt }
    }

    /// What the command prints when given `script`.
    fn run(&self, script: String, budget: Budget) -> Result<String, Failure> {
        let deadline = budget.time.and_then(|time| Instant::now().checked_add(time));
        let mut child = self.spawn().map_err(|error| {
            Failure::Unknown(format!("`{}` cannot be run: {error}", self.command.join(" ")))
        })?;
        let output = exchange(&mut child, script);
        let printed = loop {
            match output.recv_timeout(POLL) {
                Ok(printed) => break Ok(printed),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    break Err(Failure::Unknown("the solver's output cannot be read".into()));
                }
            }
            let is_late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if is_late || self.interrupt.load(Ordering::Relaxed) {
                break Err(Failure::Timeout);
            }
        };
        // Both fail only if it has ended already.
        let _ = child.kill();
        let _ = child.wait();
        printed
    }

    fn spawn(&self) -> std::io::Result<Child> {
        let (program, args) = self.command.split_first().expect("a command has a program");
        Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
    }
}

/// Writes `script` to the child and sends on what it prints, both without waiting here.
fn exchange(child: &mut Child, script: String) -> mpsc::Receiver<String> {
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let mut stdout = child.stdout.take().expect("standard output is a pipe");
    // A solver that ends early does not take the rest; what it printed tells.
    thread::spawn(move || drop(stdin.write_all(script.as_bytes())));
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut printed = String::new();
        if stdout.read_to_string(&mut printed).is_ok() {
            // Nobody listens any more after the deadline.
            let _ = sender.send(printed);
        }
    });
    receiver
}

impl Backend for Pipe {
    fn solve(
        &mut self,
        pool: &mut Pool,
        constraints: &[ExprId],
        budget: Budget,
    ) -> Result<Answer, Failure> {
        let vars = support(pool, constraints);
        let printed = self.run(script(pool, constraints, &vars), budget)?;
        let (verdict, rest) = printed.split_once('\n').unwrap_or((&printed, ""));
        match verdict.trim() {
            "sat" => model(rest, &vars).map(Answer::Sat),
            "unsat" => Ok(Answer::Unsat),
            _ => Err(Failure::Unknown(format!("the solver says `{}`", verdict.trim()))),
        }
    }
}

/// The query, followed by the question for the bytes of `vars`.
fn script(pool: &Pool, constraints: &[ExprId], vars: &[Var]) -> String {
    let mut script = pool.smtlib(constraints).to_string();
    if !vars.is_empty() {
        let names: Vec<String> = vars.iter().map(|&var| pool.smtlib_name(var)).collect();
        script.push_str(&format!("(get-value ({}))\n", names.join(" ")));
    }
    script
}

/// The model in the reply to `get-value`: pairs of a name and a byte, in the order of `vars`.
fn model(reply: &str, vars: &[Var]) -> Result<Model, Failure> {
    let bytes: Vec<u8> = reply.split_whitespace().filter_map(byte).collect();
    if bytes.len() != vars.len() {
        return Err(Failure::Unknown(format!("the solver's model cannot be read: {reply}")));
    }
    Ok(vars.iter().copied().zip(bytes).collect())
}

/// The byte that `#x41)` or `#b01000001)` is.
fn byte(word: &str) -> Option<u8> {
    let digits = word.trim_end_matches(')').strip_prefix('#')?;
    match digits.split_at_checked(1)? {
        ("x", digits) => u8::from_str_radix(digits, 16).ok(),
        ("b", digits) => u8::from_str_radix(digits, 2).ok(),
        _ => None,
    }
}
