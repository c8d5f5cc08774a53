//! The sorts of terms.

use std::fmt;

use fathom_expr::MAX_WIDTH;

use crate::command::Reader;
use crate::error::Error;
use crate::lex::Token;

/// What a term ranges over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    Bool,
    BitVec(u32),
    /// Bytes at indices of so many bits.
    Array(u32),
    /// By its bits: 32 or 64.
    Float(u32),
    RoundingMode,
    /// Of literals only, which become floats.
    Real,
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("Bool"),
            Self::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Self::Array(index) => write!(f, "(Array (_ BitVec {index}) (_ BitVec 8))"),
            Self::Float(32) => f.write_str("(_ FloatingPoint 8 24)"),
            Self::Float(_) => f.write_str("(_ FloatingPoint 11 53)"),
            Self::RoundingMode => f.write_str("RoundingMode"),
            Self::Real => f.write_str("Real"),
        }
    }
}

/// The bits of the float with so many bits of exponent and significand.
pub(crate) fn float_width(exponent: u32, significand: u32) -> Result<u32, String> {
    match (exponent, significand) {
        (8, 24) => Ok(32),
        (11, 53) => Ok(64),
        _ => Err(format!("floats of {exponent} and {significand} bits are not supported")),
    }
}

impl Reader<'_> {
    pub(crate) fn sort(&mut self) -> Result<Sort, Error> {
        let start;
        let sort = match self.lexer.token()? {
            Token::Symbol(name) => return self.named_sort(name),
            Token::Open => {
                start = self.lexer.start();
                match self.lexer.symbol()? {
                    "_" => self.indexed_sort()?,
                    "Array" => self.array_sort()?,
                    name => return Err(self.lexer.error(format!("`{name}` is no known sort"))),
                }
            }
            found => return Err(self.lexer.unexpected(found, "a sort")),
        };
        self.lexer.expect(Token::Close)?;
        sort.map_err(|message| self.lexer.error_at(start, message))
    }

    fn named_sort(&self, name: &str) -> Result<Sort, Error> {
        let known = match name {
            "Bool" => Some(Sort::Bool),
            "RoundingMode" => Some(Sort::RoundingMode),
            "Float32" => Some(Sort::Float(32)),
            "Float64" => Some(Sort::Float(64)),
            _ => self.sorts.get(name).copied(),
        };
        known.ok_or_else(|| self.lexer.error(format!("`{name}` is no known sort")))
    }

    fn indexed_sort(&mut self) -> Result<Result<Sort, String>, Error> {
        match self.lexer.symbol()? {
            "BitVec" => {
                let width = self.lexer.numeral()?;
                Ok(check_width(width).map(|()| Sort::BitVec(width)))
            }
            "FloatingPoint" => {
                let exponent = self.lexer.numeral()?;
                let significand = self.lexer.numeral()?;
                Ok(float_width(exponent, significand).map(Sort::Float))
            }
            name => Err(self.lexer.error(format!("`{name}` is no known sort"))),
        }
    }

    fn array_sort(&mut self) -> Result<Result<Sort, String>, Error> {
        let index = self.sort()?;
        let element = self.sort()?;
        Ok(match (index, element) {
            (Sort::BitVec(index), Sort::BitVec(8)) if index <= 64 => Ok(Sort::Array(index)),
            _ => Err(format!(
                "arrays of {element} by {index} are not supported: \
                 only arrays of bytes by at most 64 bits"
            )),
        })
    }
}

/// Whether a bit-vector may be so wide.
pub(crate) fn check_width(width: u32) -> Result<(), String> {
    match width {
        0 => Err("a bit-vector has at least one bit".to_owned()),
        1..=MAX_WIDTH => Ok(()),
        _ => Err(format!("bit-vectors of {width} bits are not supported, only up to {MAX_WIDTH}")),
    }
}
