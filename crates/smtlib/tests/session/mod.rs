//! Runs scripts in the tests: by the chain, and by z3 where it is installed.

use std::io::Write;
use std::process::{Command as Process, Stdio};

use fathom_expr::{ExprId, Pool, TableStyle};
use fathom_smtlib::{Command, Error, Reader};
use fathom_solver::{Answer, Config, PathCondition, Solver};

/// A `check-sat` and what came of it.
pub struct Check {
    pub answer: &'static str,
    /// The same question as the pool prints it, with tables as choices and as arrays.
    pub scripts: [String; 2],
}

/// Runs a script by the chain. Every model is evaluated.
pub fn run(text: &str) -> Result<Vec<Check>, Error> {
    let mut pool = Pool::new();
    let mut reader = Reader::new(text);
    let mut solver = Solver::new(Config::default());
    let mut levels = vec![PathCondition::new()];
    let mut checks = Vec::new();
    while let Some(command) = reader.next(&mut pool)? {
        match command {
            Command::Assert(condition) => {
                levels.last_mut().expect("a level").add(&mut pool, condition);
            }
            Command::CheckSat => {
                let mut path = levels.last().expect("a level").clone();
                for axiom in reader.axioms() {
                    path.add(&mut pool, axiom);
                }
                let answer = match solver.check_whole(&mut pool, &path, None) {
                    Ok(Answer::Sat(mut model)) => {
                        reader.complete(&pool, &mut model);
                        assert!(pool.eval_all(path.constraints(), &model), "the model is wrong");
                        "sat"
                    }
                    Ok(Answer::Unsat) => "unsat",
                    Err(failure) => panic!("{failure}"),
                };
                let conditions: Vec<ExprId> = path.constraints().collect();
                let scripts = [TableStyle::Ite, TableStyle::Array]
                    .map(|style| pool.smtlib(&conditions).tables(style).to_string());
                checks.push(Check { answer, scripts });
            }
            Command::Push(n_levels) => {
                let path = levels.last().expect("a level").clone();
                levels.extend((0..n_levels).map(|_| path.clone()));
            }
            Command::Pop(n_levels) => levels.truncate(levels.len() - n_levels as usize),
            _ => {}
        }
    }
    Ok(checks)
}

/// What z3 prints when given `text`; none if it is not installed.
pub fn z3(text: &str) -> Option<String> {
    let mut child =
        Process::new("z3").arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let text = text.to_owned();
    let writer = std::thread::spawn(move || drop(stdin.write_all(text.as_bytes())));
    let output = child.wait_with_output().expect("z3 ends");
    writer.join().expect("z3 is written to");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}
