//! Any solver that reads SMT-LIB from its standard input, for a second opinion.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use fathom_expr::{ExprId, Model, Pool, Var};

use super::session::support;
use super::{Backend, Budget};
use crate::{Answer, Failure};

/// How long the flag and the clock are not looked at.
const POLL: Duration = Duration::from_millis(10);
/// What the solver prints after each reply.
const END: &str = "fathom-end-of-reply";

/// Runs a command such as `z3 -in`, one process for query after query. It knows no steps, only
/// time.
pub struct Pipe {
    command: Vec<String>,
    interrupt: Arc<AtomicBool>,
    process: Option<Process>,
}

impl Pipe {
    /// `command` is a program and its arguments.
    pub fn new(command: &[&str], interrupt: Arc<AtomicBool>) -> Self {
        let command = command.iter().map(|&word| word.to_owned()).collect();
        Self { command, interrupt, process: None }
    }

    /// The lines that the command prints when given `script`. A process that did not reply to the
    /// end is not asked again.
    fn run(&mut self, script: String, deadline: Option<Instant>) -> Result<Vec<String>, Failure> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => Process::start(&self.command).map_err(|error| {
                Failure::Unknown(format!("`{}` cannot be run: {error}", self.command.join(" ")))
            })?,
        };
        let is_over = || {
            deadline.is_some_and(|deadline| Instant::now() >= deadline)
                || self.interrupt.load(Ordering::Relaxed)
        };
        let reply = process.ask(script, is_over).ok_or(Failure::Timeout)?;
        if reply.is_whole {
            self.process = Some(process);
        }
        Ok(reply.lines)
    }
}

impl Backend for Pipe {
    fn solve(
        &mut self,
        pool: &mut Pool,
        constraints: &[ExprId],
        budget: Budget,
    ) -> Result<Answer, Failure> {
        let deadline = budget.time.and_then(|time| Instant::now().checked_add(time));
        let lines = self.run(script(pool, constraints), deadline)?;
        match lines.join("\n").trim() {
            "sat" => {
                let vars = support(pool, constraints);
                self.model(pool, vars, deadline).map(Answer::Sat)
            }
            "unsat" => Ok(Answer::Unsat),
            other => Err(Failure::Unknown(format!("the solver says `{other}`"))),
        }
    }
}

impl Pipe {
    /// The bytes of `vars` in the model just found.
    fn model(
        &mut self,
        pool: &Pool,
        vars: Vec<Var>,
        deadline: Option<Instant>,
    ) -> Result<Model, Failure> {
        if vars.is_empty() {
            return Ok(Model::new());
        }
        let names: Vec<String> = vars.iter().map(|&var| pool.smtlib_name(var)).collect();
        let reply = self.run(format!("(get-value ({}))\n", names.join(" ")), deadline)?.join("\n");
        // Pairs of a name and a byte, in the order of `vars`.
        let bytes: Vec<u8> = reply.split_whitespace().filter_map(byte).collect();
        if bytes.len() != vars.len() {
            return Err(Failure::Unknown(format!("the solver's model cannot be read: {reply}")));
        }
        Ok(vars.into_iter().zip(bytes).collect())
    }
}

/// The query in a scope of its own, which the next one leaves: z3 takes ten times as long to
/// `(reset)`. The logic can be set only once and is left open.
fn script(pool: &Pool, constraints: &[ExprId]) -> String {
    let script = pool.smtlib(constraints).to_string();
    let (_logic, rest) = script.split_once('\n').expect("a script starts with its logic");
    format!("(pop 1)\n(push 1)\n{rest}")
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

/// A solver that is running. Killed when dropped.
struct Process {
    child: Child,
    scripts: Sender<String>,
    lines: Receiver<String>,
}

/// What a process printed.
struct Reply {
    lines: Vec<String>,
    /// It said that this was all; otherwise it has ended.
    is_whole: bool,
}

impl Process {
    fn start(command: &[String]) -> std::io::Result<Self> {
        let (program, args) = command.split_first().expect("a command has a program");
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // SAFETY: one system call: the solver ends with us, however we end.
        unsafe {
            command.pre_exec(|| {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                Ok(())
            });
        }
        let mut child = command.spawn()?;
        let mut stdin = child.stdin.take().expect("standard input is a pipe");
        let stdout = child.stdout.take().expect("standard output is a pipe");
        let (scripts, to_write) = mpsc::channel::<String>();
        // A solver that ends early does not take the rest; what it printed tells.
        thread::spawn(move || {
            while let Ok(script) = to_write.recv()
                && stdin.write_all(script.as_bytes()).is_ok()
            {}
        });
        let (read, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let Ok(line) = line else { return };
                // Nobody listens any more after a deadline.
                if read.send(line).is_err() {
                    return;
                }
            }
        });
        // The scope that the first query leaves.
        let _ = scripts.send("(push 1)\n".to_owned());
        Ok(Self { child, scripts, lines })
    }

    /// What it prints when given `script`; none if `is_over` comes first.
    fn ask(&mut self, script: String, is_over: impl Fn() -> bool) -> Option<Reply> {
        // Fails if it has ended, which the reply shows.
        let _ = self.scripts.send(format!("{script}(echo \"{END}\")\n"));
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(POLL) {
                Ok(line) if line.contains(END) => return Some(Reply { lines, is_whole: true }),
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => {
                    return Some(Reply { lines, is_whole: false });
                }
                Err(RecvTimeoutError::Timeout) if is_over() => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail only if it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
