//! Float operators in SMT-LIB, with x86-64's NaNs and conversions.

use std::fmt;

use super::Writer;
use crate::{ExprId, FloatOp, Rounding};

/// The sort's parameters, as `to_fp` takes them.
fn format(width: u32) -> &'static str {
    if width == 32 { "8 24" } else { "11 53" }
}

impl Writer<'_, '_> {
    /// The definition of a comparison or of a conversion to an integer; for an operator that
    /// gives a float a constant and the assertions on its bits.
    pub(super) fn define_float(
        &mut self,
        expr: ExprId,
        op: FloatOp,
        args: &[ExprId],
    ) -> fmt::Result {
        let width = self.pool.width(expr);
        match op {
            FloatOp::Eq | FloatOp::Lt | FloatOp::Le => self.define_comparison(expr, op, args),
            FloatOp::ToSigned | FloatOp::ToUnsigned => {
                write!(self.out, "(define-fun {expr:?} () (_ BitVec {width}) ")?;
                self.float_as_integer(op, width, args[0])?;
                self.out.write_str(")\n")
            }
            _ => {
                writeln!(self.out, "(declare-fun {expr:?} () (_ BitVec {width}))")?;
                self.out.write_str("(assert ")?;
                self.tie(expr, op, args)?;
                self.out.write_str(")\n")
            }
        }
    }

    fn define_comparison(&mut self, expr: ExprId, op: FloatOp, args: &[ExprId]) -> fmt::Result {
        let name = match op {
            FloatOp::Eq => "fp.eq",
            FloatOp::Lt => "fp.lt",
            _ => "fp.leq",
        };
        write!(self.out, "(define-fun {expr:?} () (_ BitVec 1) (ite ({name}")?;
        self.floats(args)?;
        self.out.write_str(") #b1 #b0))\n")
    }

    /// The terms as floats, each after a space.
    fn floats(&mut self, args: &[ExprId]) -> fmt::Result {
        for &arg in args {
            write!(self.out, " ((_ to_fp {}) ", format(self.pool.width(arg)))?;
            self.term(arg)?;
            self.out.write_str(")")?;
        }
        Ok(())
    }

    /// The condition that the bits of `expr` are the result of `op`.
    fn tie(&mut self, expr: ExprId, op: FloatOp, args: &[ExprId]) -> fmt::Result {
        let width = self.pool.width(expr);
        let from_integer = matches!(op, FloatOp::FromSigned | FloatOp::FromUnsigned);
        // The first of several NaNs wins; of a fused operation's, the second does.
        let nan_operands = match args {
            _ if from_integer => vec![],
            &[a, b, c] => vec![b, a, c],
            _ => args.to_vec(),
        };
        for &arg in &nan_operands {
            self.out.write_str("(ite (fp.isNaN")?;
            self.floats(&[arg])?;
            write!(self.out, ") (= {expr:?} ")?;
            self.propagated(op, arg, width)?;
            self.out.write_str(") ")?;
        }
        write!(self.out, "(let ((r ")?;
        self.result(op, width, args)?;
        write!(self.out, ")) (ite (fp.isNaN r) (= {expr:?} ")?;
        let default_nan = if width == 32 { "#xffc00000" } else { "#xfff8000000000000" };
        write!(self.out, "{default_nan}) (= ((_ to_fp {}) {expr:?}) r)))", format(width))?;
        self.out.write_str(&")".repeat(nan_operands.len()))
    }

    /// The NaN that `op` gives for the NaN `arg`: rounding keeps it, but for ties away from zero.
    fn propagated(&mut self, op: FloatOp, arg: ExprId, width: u32) -> fmt::Result {
        match op {
            FloatOp::Round(Rounding::Away) => self.quieted(arg, width),
            FloatOp::Round(_) => self.term(arg),
            _ => self.quieted(arg, width),
        }
    }

    /// The NaN `arg` as a quiet one of `width` bits with the same sign and leading payload.
    fn quieted(&mut self, arg: ExprId, width: u32) -> fmt::Result {
        match (self.pool.width(arg), width) {
            (32, 64) => self.widened_nan(arg),
            (64, 32) => self.narrowed_nan(arg),
            (32, _) => {
                self.out.write_str("(bvor #x00400000")?;
                self.terms([arg])?;
                self.out.write_str(")")
            }
            _ => {
                self.out.write_str("(bvor #x0008000000000000")?;
                self.terms([arg])?;
                self.out.write_str(")")
            }
        }
    }

    fn widened_nan(&mut self, arg: ExprId) -> fmt::Result {
        self.out.write_str("(concat ((_ extract 31 31)")?;
        self.terms([arg])?;
        self.out.write_str(") #b111111111111 ((_ extract 21 0)")?;
        self.terms([arg])?;
        write!(self.out, ") #b{:029b})", 0)
    }

    fn narrowed_nan(&mut self, arg: ExprId) -> fmt::Result {
        self.out.write_str("(concat ((_ extract 63 63)")?;
        self.terms([arg])?;
        self.out.write_str(") #b111111111 ((_ extract 50 29)")?;
        self.terms([arg])?;
        self.out.write_str("))")
    }

    /// The result of `op` as a float.
    fn result(&mut self, op: FloatOp, width: u32, args: &[ExprId]) -> fmt::Result {
        let head = match op {
            FloatOp::Add => "fp.add RNE",
            FloatOp::Sub => "fp.sub RNE",
            FloatOp::Mul => "fp.mul RNE",
            FloatOp::Div => "fp.div RNE",
            FloatOp::Sqrt => "fp.sqrt RNE",
            FloatOp::Fma => "fp.fma RNE",
            FloatOp::Round(Rounding::Even) => "fp.roundToIntegral RNE",
            FloatOp::Round(Rounding::Away) => "fp.roundToIntegral RNA",
            FloatOp::Round(Rounding::Floor) => "fp.roundToIntegral RTN",
            FloatOp::Round(Rounding::Ceil) => "fp.roundToIntegral RTP",
            FloatOp::Round(Rounding::Trunc) => "fp.roundToIntegral RTZ",
            FloatOp::Convert if width == 32 => "(_ to_fp 8 24) RNE",
            FloatOp::Convert => "(_ to_fp 11 53) RNE",
            FloatOp::Rem => return self.remainder(args),
            _ => return self.integer_as_float(op, width, args[0]),
        };
        write!(self.out, "({head}")?;
        self.floats(args)?;
        self.out.write_str(")")
    }

    fn integer_as_float(&mut self, op: FloatOp, width: u32, arg: ExprId) -> fmt::Result {
        let to = if op == FloatOp::FromSigned { "to_fp" } else { "to_fp_unsigned" };
        write!(self.out, "((_ {to} {}) RNE", format(width))?;
        self.terms([arg])?;
        self.out.write_str(")")
    }

    /// C's `fmod` from IEEE's remainder of the magnitudes, which may be one divisor too low.
    fn remainder(&mut self, args: &[ExprId]) -> fmt::Result {
        self.out.write_str("(let ((x")?;
        self.floats(&args[..1])?;
        self.out.write_str(") (d (fp.abs")?;
        self.floats(&args[1..])?;
        self.out.write_str("))) (let ((q (fp.rem (fp.abs x) d))) ")?;
        self.out.write_str(
            "(let ((m (fp.abs (ite (fp.lt q (fp.sub RNE d d)) (fp.add RNE q d) q)))) ",
        )?;
        self.out.write_str("(ite (fp.isNegative x) (fp.neg m) m))))")
    }

    /// As clang compiles it for x86-64: a value out of range gives the least integer, unsigned
    /// goes through the 64-bit signed conversion.
    fn float_as_integer(&mut self, op: FloatOp, width: u32, arg: ExprId) -> fmt::Result {
        self.out.write_str("(let ((x")?;
        self.floats(&[arg])?;
        self.out.write_str(")) ")?;
        let from = format(self.pool.width(arg));
        let integer = match (op, width) {
            (FloatOp::ToSigned, 0..=32) | (FloatOp::ToUnsigned, 0..=16) => truncated("x", 32, from),
            (FloatOp::ToSigned, _) | (FloatOp::ToUnsigned, 17..=32) => truncated("x", 64, from),
            _ => {
                let half = format!("((_ to_fp {from}) RNE 9223372036854775808.0)");
                let low = truncated("x", 64, from);
                let high = truncated(&format!("(fp.sub RNE x {half})"), 64, from);
                format!(
                    "(let ((low {low}) (high {high})) \
                     (bvor low (bvand high (bvashr low #x000000000000003f))))"
                )
            }
        };
        write!(self.out, "((_ extract {} 0) {integer}))", width - 1)
    }
}

/// cvttsd2si and its like: towards zero, or the least integer of `bits` bits.
fn truncated(x: &str, bits: u32, from: &str) -> String {
    let limit = format!("{}.0", 1u128 << (bits - 1));
    let digits = bits as usize / 4 - 1;
    format!(
        "(let ((t (fp.roundToIntegral RTZ {x}))) \
         (ite (and (fp.leq ((_ to_fp {from}) RNE (- {limit})) t) \
         (fp.lt t ((_ to_fp {from}) RNE {limit}))) \
         ((_ fp.to_sbv {bits}) RTZ t) #x8{:0digits$}))",
        0
    )
}
