//! What a term read from a script is.

use std::rc::Rc;

use fathom_expr::{ExprId, Pool, Rounding};

use crate::array::Array;
use crate::sort::Sort;

/// A term and its sort.
#[derive(Clone, Debug)]
pub enum Value {
    /// One bit.
    Bool(ExprId),
    BitVec(ExprId),
    /// The bits of a float.
    Float(ExprId),
    Array(Rc<Array>),
    RoundingMode(Rounding),
    /// A decimal literal as Rust reads it.
    Real(Rc<str>),
}

impl Value {
    pub fn sort(&self, pool: &Pool) -> Sort {
        match self {
            Self::Bool(_) => Sort::Bool,
            &Self::BitVec(expr) => Sort::BitVec(pool.width(expr)),
            &Self::Float(expr) => Sort::Float(pool.width(expr)),
            Self::Array(array) => Sort::Array(array.index_width()),
            Self::RoundingMode(_) => Sort::RoundingMode,
            Self::Real(_) => Sort::Real,
        }
    }

    pub(crate) fn bool(&self, pool: &Pool) -> Result<ExprId, String> {
        match self {
            &Self::Bool(expr) => Ok(expr),
            _ => Err(format!("a Bool was expected, not a {}", self.sort(pool))),
        }
    }

    pub(crate) fn bits(&self, pool: &Pool) -> Result<ExprId, String> {
        match self {
            &Self::BitVec(expr) => Ok(expr),
            _ => Err(format!("a bit-vector was expected, not a {}", self.sort(pool))),
        }
    }

    pub(crate) fn float(&self, pool: &Pool) -> Result<ExprId, String> {
        match self {
            &Self::Float(expr) => Ok(expr),
            _ => Err(format!("a float was expected, not a {}", self.sort(pool))),
        }
    }

    pub(crate) fn array(&self, pool: &Pool) -> Result<&Rc<Array>, String> {
        match self {
            Self::Array(array) => Ok(array),
            _ => Err(format!("an array was expected, not a {}", self.sort(pool))),
        }
    }

    pub(crate) fn rounding(&self, pool: &Pool) -> Result<Rounding, String> {
        match self {
            &Self::RoundingMode(rounding) => Ok(rounding),
            _ => Err(format!("a rounding mode was expected, not a {}", self.sort(pool))),
        }
    }
}
