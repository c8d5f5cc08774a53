//! What the solver replies.

use std::fmt;

use fathom_expr::Model;

/// The reply to a query that was decided.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Satisfiable, by this model.
    Sat(Model),
    Unsat,
}

impl Answer {
    pub fn is_sat(&self) -> bool {
        matches!(self, Self::Sat(_))
    }

    pub fn model(self) -> Option<Model> {
        match self {
            Self::Sat(model) => Some(model),
            Self::Unsat => None,
        }
    }
}

/// Why a query was not decided. Never to be read as `Unsat`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    Timeout,
    Unknown(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Timeout => f.write_str("the solver ran out of time"),
            Self::Unknown(reason) => write!(f, "the solver does not know: {reason}"),
        }
    }
}

impl std::error::Error for Failure {}
