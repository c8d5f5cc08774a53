//! Terms as S-expressions, for people and for tests.

use std::fmt;

use crate::{ArrayId, ArrayView, BinaryOp, ExprId, FloatOp, Pool, Rounding, UnaryOp, View};

/// Terms deeper than this print as `…`.
const MAX_DEPTH: u32 = 64;

impl Pool {
    /// `expr` as an S-expression: `(add in[0]:8 5:8)`, deep terms cut short.
    pub fn display(&self, expr: ExprId) -> impl fmt::Display + '_ {
        Printed { pool: self, expr }
    }
}

struct Printed<'a> {
    pool: &'a Pool,
    expr: ExprId,
}

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pool.print(self.expr, MAX_DEPTH, f)
    }
}

impl Pool {
    fn print(&self, expr: ExprId, depth: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.view(expr) {
            View::Const { width: 1, value } => {
                return f.write_str(if value == 1 { "true" } else { "false" });
            }
            View::Const { width, value } if value < 10 => return write!(f, "{value}:{width}"),
            View::Const { width, value } => return write!(f, "{value:#x}:{width}"),
            View::Var(var) => {
                let (input, offset) = self.var_owner(var);
                return write!(f, "{}[{offset}]", self.input_info(input).name);
            }
            _ if depth == 0 => return f.write_str("…"),
            View::Unary(op, _) => write!(f, "({}", unary_name(op))?,
            View::Binary(op, ..) => write!(f, "({}", binary_name(op))?,
            View::Ite(..) => f.write_str("(ite")?,
            View::Extract { low, width, .. } => write!(f, "(extract {low} {width}")?,
            View::ZExt { width, .. } => write!(f, "(zext {width}")?,
            View::SExt { width, .. } => write!(f, "(sext {width}")?,
            View::Concat(..) => f.write_str("(concat")?,
            View::Read { array, .. } => {
                f.write_str("(read ")?;
                self.print_array(array, depth, f)?;
            }
            View::Float(op, _) => write!(f, "({} {}", float_name(op), self.width(expr))?,
        }
        for operand in self.operands(expr) {
            f.write_str(" ")?;
            self.print(operand, depth - 1, f)?;
        }
        f.write_str(")")
    }

    fn print_array(&self, array: ArrayId, depth: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.array(array) {
            ArrayView::Table(bytes) if bytes.len() <= 16 => {
                f.write_str("#")?;
                bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
            ArrayView::Table(_) => write!(f, "{array:?}"),
            ArrayView::Write { .. } if depth <= 1 => f.write_str("…"),
            ArrayView::Write { base, index, value } => {
                f.write_str("(write ")?;
                self.print_array(base, depth - 1, f)?;
                for operand in [index, value] {
                    f.write_str(" ")?;
                    self.print(operand, depth - 1, f)?;
                }
                f.write_str(")")
            }
        }
    }
}

pub(crate) fn unary_name(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Not => "not",
        UnaryOp::Neg => "neg",
    }
}

pub(crate) fn binary_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mul => "mul",
        BinaryOp::UDiv => "udiv",
        BinaryOp::SDiv => "sdiv",
        BinaryOp::URem => "urem",
        BinaryOp::SRem => "srem",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Xor => "xor",
        BinaryOp::Shl => "shl",
        BinaryOp::LShr => "lshr",
        BinaryOp::AShr => "ashr",
        BinaryOp::Eq => "eq",
        BinaryOp::Ult => "ult",
        BinaryOp::Ule => "ule",
        BinaryOp::Slt => "slt",
        BinaryOp::Sle => "sle",
    }
}

pub(crate) fn float_name(op: FloatOp) -> &'static str {
    match op {
        FloatOp::Add => "fadd",
        FloatOp::Sub => "fsub",
        FloatOp::Mul => "fmul",
        FloatOp::Div => "fdiv",
        FloatOp::Rem => "frem",
        FloatOp::Sqrt => "fsqrt",
        FloatOp::Fma => "ffma",
        FloatOp::Round(Rounding::Even) => "fround-even",
        FloatOp::Round(Rounding::Away) => "fround-away",
        FloatOp::Round(Rounding::Floor) => "fround-floor",
        FloatOp::Round(Rounding::Ceil) => "fround-ceil",
        FloatOp::Round(Rounding::Trunc) => "fround-trunc",
        FloatOp::Eq => "feq",
        FloatOp::Lt => "flt",
        FloatOp::Le => "fle",
        FloatOp::ToSigned => "f-to-signed",
        FloatOp::ToUnsigned => "f-to-unsigned",
        FloatOp::FromSigned => "signed-to-f",
        FloatOp::FromUnsigned => "unsigned-to-f",
        FloatOp::Convert => "f-convert",
    }
}
