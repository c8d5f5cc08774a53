//! The packed record of a term, its operators, and the view callers match on.

use std::ops::Deref;

use crate::{ArrayId, ExprId, Var};

/// Operators of one operand that keep the width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Not,
    Neg,
}

/// Operators of two operands of one width. The last five give one bit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
    Eq,
    Ult,
    Ule,
    Slt,
    Sle,
}

impl BinaryOp {
    pub const ALL: [Self; 18] = [
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::UDiv,
        Self::SDiv,
        Self::URem,
        Self::SRem,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Shl,
        Self::LShr,
        Self::AShr,
        Self::Eq,
        Self::Ult,
        Self::Ule,
        Self::Slt,
        Self::Sle,
    ];

    /// Whether the result is one bit whatever the width of the operands.
    pub fn is_comparison(self) -> bool {
        matches!(self, Self::Eq | Self::Ult | Self::Ule | Self::Slt | Self::Sle)
    }

    pub fn is_commutative(self) -> bool {
        matches!(self, Self::Add | Self::Mul | Self::And | Self::Or | Self::Xor | Self::Eq)
    }
}

/// How [`FloatOp::Round`] picks an integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rounding {
    /// To nearest, ties to even.
    Even,
    /// To nearest, ties away from zero.
    Away,
    Floor,
    Ceil,
    /// Towards zero.
    Trunc,
}

/// Floating-point operators over bit patterns of 32 or 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    /// C's `fmod`.
    Rem,
    Sqrt,
    /// `a * b + c`, rounded once.
    Fma,
    /// To an integer, kept as a float.
    Round(Rounding),
    Eq,
    Lt,
    Le,
    /// Float to integer as x86-64 converts.
    ToSigned,
    ToUnsigned,
    FromSigned,
    FromUnsigned,
    /// Between the two formats.
    Convert,
}

impl FloatOp {
    /// How many operands it takes.
    pub fn arity(self) -> usize {
        match self {
            Self::Fma => 3,
            Self::Add | Self::Sub | Self::Mul | Self::Div | Self::Rem => 2,
            Self::Eq | Self::Lt | Self::Le => 2,
            Self::Sqrt | Self::Round(_) | Self::Convert => 1,
            Self::ToSigned | Self::ToUnsigned | Self::FromSigned | Self::FromUnsigned => 1,
        }
    }
}

/// What a term is, to match on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    Const { width: u32, value: u128 },
    Var(Var),
    Unary(UnaryOp, ExprId),
    Binary(BinaryOp, ExprId, ExprId),
    Ite(ExprId, ExprId, ExprId),
    Extract { of: ExprId, low: u32, width: u32 },
    ZExt { of: ExprId, width: u32 },
    SExt { of: ExprId, width: u32 },
    Concat(ExprId, ExprId),
    Read { array: ArrayId, index: ExprId },
    Float(FloatOp, Args),
}

/// The operands of a float operator: a slice of one to three terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Args {
    ids: [ExprId; 3],
    len: u8,
}

impl Args {
    pub(crate) fn new(args: &[ExprId]) -> Self {
        let mut ids = [args[0]; 3];
        ids[..args.len()].copy_from_slice(args);
        Self { ids, len: args.len() as u8 }
    }
}

impl Deref for Args {
    type Target = [ExprId];
    fn deref(&self) -> &[ExprId] {
        &self.ids[..self.len as usize]
    }
}

/// The operator of a packed node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Kind {
    /// The value is in `args[0]` (low half) and `args[1]`.
    Const,
    /// Wider than 64 bits: `args[0]` indexes `Pool::wide`.
    WideConst,
    /// `args[0]` is the variable.
    Var,
    Unary(UnaryOp),
    Binary(BinaryOp),
    Ite,
    /// From bit `low` of the operand.
    Extract,
    ZExt,
    SExt,
    Concat,
    /// `args[0]` is the array, `args[1]` the index.
    Read,
    Float(FloatOp),
}

/// One term in 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Node {
    pub kind: Kind,
    pub width: u8,
    pub low: u8,
    pub args: [u32; 3],
}

const _: () = assert!(size_of::<Node>() == 16);
const _: () = assert!(size_of::<Option<ExprId>>() == 4);

impl Node {
    pub fn new(kind: Kind, width: u32, operands: &[ExprId]) -> Self {
        let mut args = [0; 3];
        for (slot, operand) in args.iter_mut().zip(operands) {
            *slot = operand.raw();
        }
        Self { kind, width: width as u8, low: 0, args }
    }

    pub fn constant(width: u32, value: u64) -> Self {
        let args = [value as u32, (value >> 32) as u32, 0];
        Self { kind: Kind::Const, width: width as u8, low: 0, args }
    }

    pub fn constant_value(&self) -> u64 {
        u64::from(self.args[0]) | u64::from(self.args[1]) << 32
    }

    /// The `n`th operand, which must be a term.
    pub fn arg(&self, n: usize) -> ExprId {
        ExprId::from_raw(self.args[n]).expect("the operand is a term")
    }

    /// The operands that are terms.
    pub fn operands(&self) -> impl DoubleEndedIterator<Item = ExprId> + use<> {
        let range = match self.kind {
            Kind::Const | Kind::WideConst | Kind::Var => 0..0,
            Kind::Unary(_) | Kind::Extract | Kind::ZExt | Kind::SExt => 0..1,
            Kind::Binary(_) | Kind::Concat => 0..2,
            Kind::Ite => 0..3,
            Kind::Read => 1..2,
            Kind::Float(op) => 0..op.arity(),
        };
        let node = *self;
        range.map(move |n| node.arg(n))
    }
}
