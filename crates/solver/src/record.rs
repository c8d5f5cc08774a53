//! The recording layer: queries as SMT-LIB files with their answers.

use std::fs;
use std::io;
use std::path::PathBuf;

use fathom_expr::{ExprId, Pool};

use crate::answer::Answer;
use crate::layer::{Context, Decision, Layer, Query};

/// Writes each query down as `<n>.smt2`, numbered in the order they are asked.
pub(crate) struct Recorder {
    directory: PathBuf,
    n_written: u32,
    below: Box<dyn Layer>,
}

impl Recorder {
    pub fn new(directory: PathBuf, below: Box<dyn Layer>) -> Self {
        Self { directory, n_written: 0, below }
    }

    fn write(&mut self, pool: &Pool, constraints: &[ExprId], status: &str) -> io::Result<()> {
        if self.n_written == 0 {
            fs::create_dir_all(&self.directory)?;
        }
        let script = pool.smtlib(constraints);
        let file = self.directory.join(format!("{:06}.smt2", self.n_written));
        fs::write(file, format!("(set-info :status {status})\n{script}"))?;
        self.n_written += 1;
        Ok(())
    }
}

impl Layer for Recorder {
    fn decide(&mut self, context: &mut Context<'_>, query: &Query<'_>) -> Decision {
        let decision = self.below.decide(context, query);
        let status = match &decision {
            Ok(None) => return decision,
            Ok(Some(Answer::Sat(_))) => "sat",
            Ok(Some(Answer::Unsat)) => "unsat",
            Err(_) => "unknown",
        };
        let constraints = query.original_constraints(context.pool);
        if self.write(context.pool, &constraints, status).is_err() {
            context.stats.unrecorded += 1;
        }
        decision
    }
}
