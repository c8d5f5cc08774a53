//! The simplifying constructors.

use crate::node::{Kind, Node};
use crate::{
    ArrayId, BinaryOp, ExprId, FloatOp, MAX_WIDTH, Pool, Rounding, UnaryOp, float, fold, rewrites,
};

/// Rewrites may call constructors, and those rewrite, no deeper than this.
const MAX_DEPTH: u32 = 96;

/// One call of a constructor leads to at most this many others that rewrite: rewrites that
/// distribute over both operands would take exponential time in terms that share much.
const FUEL: u32 = 400;

/// Defines the constructors of binary operators.
macro_rules! binary_constructors {
    ($($(#[$doc:meta])* $name:ident => $op:ident;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(&mut self, a: ExprId, b: ExprId) -> ExprId {
                self.binary(BinaryOp::$op, a, b)
            }
        )*
    };
}

/// Defines the constructors of float operators that keep the format.
macro_rules! float_constructors {
    ($($(#[$doc:meta])* $name:ident($first:ident $(, $arg:ident)*) => $op:ident;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(&mut self, $first: ExprId $(, $arg: ExprId)*) -> ExprId {
                let width = self.width($first);
                self.float(FloatOp::$op, width, &[$first $(, $arg)*])
            }
        )*
    };
}

/// Integers.
impl Pool {
    binary_constructors! {
        add => Add;
        sub => Sub;
        mul => Mul;
        /// Unsigned division; by 0 all ones.
        udiv => UDiv;
        /// Signed division towards zero; by 0 it is -1, or 1 for a negative dividend.
        sdiv => SDiv;
        /// Unsigned remainder; by 0 the dividend.
        urem => URem;
        /// Signed remainder with the dividend's sign; by 0 the dividend.
        srem => SRem;
        and => And;
        or => Or;
        xor => Xor;
        /// Shift left; 0 from the width on.
        shl => Shl;
        /// Logical shift right; 0 from the width on.
        lshr => LShr;
        /// Arithmetic shift right; all sign from the width on.
        ashr => AShr;
        eq => Eq;
        ult => Ult;
        ule => Ule;
        slt => Slt;
        sle => Sle;
    }

    pub fn ne(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    pub fn ugt(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.ult(b, a)
    }

    pub fn uge(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.ule(b, a)
    }

    pub fn sgt(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.slt(b, a)
    }

    pub fn sge(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.sle(b, a)
    }

    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        assert!(width == self.width(b), "{op:?} of {width} and {} bits", self.width(b));
        let result_width = if op.is_comparison() { 1 } else { width };
        let (mut a, mut b) = (a, b);
        if self.rewriting {
            if let (Some(x), Some(y)) = (self.as_const_wide(a), self.as_const_wide(b)) {
                return self.constant_wide(result_width, fold::binary(op, width, x, y));
            }
            if op.is_commutative() && self.out_of_order(a, b) {
                (a, b) = (b, a);
            }
        }
        let node = Node::new(Kind::Binary(op), result_width, &[a, b]);
        self.build(node, |pool| rewrites::binary(pool, op, a, b))
    }

    /// Whether a commutative operator takes these the other way round: constants come last,
    /// and otherwise the older term first.
    fn out_of_order(&self, a: ExprId, b: ExprId) -> bool {
        match (self.is_const(a), self.is_const(b)) {
            (false, false) => a > b,
            (a_is_const, _) => a_is_const,
        }
    }

    pub fn not(&mut self, a: ExprId) -> ExprId {
        self.unary(UnaryOp::Not, a)
    }

    pub fn neg(&mut self, a: ExprId) -> ExprId {
        self.unary(UnaryOp::Neg, a)
    }

    pub fn unary(&mut self, op: UnaryOp, a: ExprId) -> ExprId {
        let width = self.width(a);
        if self.rewriting
            && let Some(value) = self.as_const_wide(a)
        {
            return self.constant_wide(width, fold::unary(op, width, value));
        }
        let node = Node::new(Kind::Unary(op), width, &[a]);
        self.build(node, |pool| rewrites::unary(pool, op, a))
    }

    /// `then` if `condition` (one bit) is 1, `otherwise` if it is 0.
    pub fn ite(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        let width = self.width(then);
        assert!(self.width(condition) == 1, "a condition of {} bits", self.width(condition));
        assert!(width == self.width(otherwise), "arms of {width} and another width");
        if self.rewriting
            && let Some(value) = self.as_const(condition)
        {
            return if value == 1 { then } else { otherwise };
        }
        let node = Node::new(Kind::Ite, width, &[condition, then, otherwise]);
        self.build(node, |pool| rewrites::ite::ite(pool, condition, then, otherwise))
    }

    /// `width` bits of `expr` from bit `low` on.
    pub fn extract(&mut self, expr: ExprId, low: u32, width: u32) -> ExprId {
        let of_width = self.width(expr);
        assert!(width >= 1 && low + width <= of_width, "bits {low}+{width} of {of_width}");
        if self.rewriting {
            if width == of_width {
                return expr;
            }
            if let Some(value) = self.as_const_wide(expr) {
                return self.constant_wide(width, fold::extract(value, low, width));
            }
        }
        let node = Node { low: low as u8, ..Node::new(Kind::Extract, width, &[expr]) };
        self.build(node, |pool| rewrites::slice::extract(pool, expr, low, width))
    }

    /// The bits of `high` above those of `low`.
    pub fn concat(&mut self, high: ExprId, low: ExprId) -> ExprId {
        let low_width = self.width(low);
        let width = self.width(high) + low_width;
        assert!(width <= MAX_WIDTH, "a concatenation of {width} bits");
        if self.rewriting
            && let (Some(x), Some(y)) = (self.as_const_wide(high), self.as_const_wide(low))
        {
            return self.constant_wide(width, fold::concat(x, y, low_width));
        }
        let node = Node::new(Kind::Concat, width, &[high, low]);
        self.build(node, |pool| rewrites::slice::concat(pool, high, low))
    }

    /// `expr` with zeros above, `width` bits in all; `expr` itself if it has that width.
    pub fn zext(&mut self, expr: ExprId, width: u32) -> ExprId {
        let from = self.width(expr);
        assert!((from..=MAX_WIDTH).contains(&width), "zext of {from} bits to {width}");
        if from == width {
            return expr;
        }
        if self.rewriting
            && let Some(value) = self.as_const_wide(expr)
        {
            return self.constant_wide(width, value);
        }
        let node = Node::new(Kind::ZExt, width, &[expr]);
        self.build(node, |pool| rewrites::slice::zext(pool, expr, width))
    }

    /// `expr` with its sign bit repeated above; `expr` itself if it has that width.
    pub fn sext(&mut self, expr: ExprId, width: u32) -> ExprId {
        let from = self.width(expr);
        assert!((from..=MAX_WIDTH).contains(&width), "sext of {from} bits to {width}");
        if from == width {
            return expr;
        }
        if self.rewriting
            && let Some(value) = self.as_const_wide(expr)
        {
            return self.constant_wide(width, fold::sext(value, from, width));
        }
        let node = Node::new(Kind::SExt, width, &[expr]);
        self.build(node, |pool| rewrites::slice::sext(pool, expr, width))
    }

    /// The byte of `array` at `index` (64 bits).
    pub fn read(&mut self, array: ArrayId, index: ExprId) -> ExprId {
        assert!(self.width(index) == 64, "an index of {} bits", self.width(index));
        let args = [array.0, index.raw(), 0];
        let node = Node { kind: Kind::Read, width: 8, low: 0, args };
        self.build(node, |pool| rewrites::read::read(pool, array, index))
    }
}

/// Floating point over bit patterns of 32 or 64 bits, rounding to nearest even.
impl Pool {
    float_constructors! {
        fadd(a, b) => Add;
        fsub(a, b) => Sub;
        fmul(a, b) => Mul;
        fdiv(a, b) => Div;
        /// C's `fmod`.
        frem(a, b) => Rem;
        fsqrt(a) => Sqrt;
        /// `a * b + c`, rounded once.
        ffma(a, b, c) => Fma;
    }

    /// To an integer, kept as a float.
    pub fn fround(&mut self, a: ExprId, rounding: Rounding) -> ExprId {
        let width = self.width(a);
        self.float(FloatOp::Round(rounding), width, &[a])
    }

    /// Equal and neither NaN.
    pub fn feq(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.float(FloatOp::Eq, 1, &[a, b])
    }

    /// Less, and neither NaN.
    pub fn flt(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.float(FloatOp::Lt, 1, &[a, b])
    }

    /// Less or equal, and neither NaN.
    pub fn fle(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.float(FloatOp::Le, 1, &[a, b])
    }

    /// To a signed integer of at most 64 bits, as x86-64 converts.
    pub fn f_to_signed(&mut self, a: ExprId, width: u32) -> ExprId {
        self.float(FloatOp::ToSigned, width, &[a])
    }

    /// To an unsigned integer of at most 64 bits, as clang converts on x86-64.
    pub fn f_to_unsigned(&mut self, a: ExprId, width: u32) -> ExprId {
        self.float(FloatOp::ToUnsigned, width, &[a])
    }

    /// From a signed integer of any width.
    pub fn signed_to_f(&mut self, a: ExprId, float_width: u32) -> ExprId {
        self.float(FloatOp::FromSigned, float_width, &[a])
    }

    /// From an unsigned integer of any width.
    pub fn unsigned_to_f(&mut self, a: ExprId, float_width: u32) -> ExprId {
        self.float(FloatOp::FromUnsigned, float_width, &[a])
    }

    /// To the format of `to_width` bits; `a` itself if it has that format.
    pub fn f_convert(&mut self, a: ExprId, to_width: u32) -> ExprId {
        if self.width(a) == to_width {
            return a;
        }
        self.float(FloatOp::Convert, to_width, &[a])
    }

    /// `op` on `args`, giving `width` bits.
    pub fn float(&mut self, op: FloatOp, width: u32, args: &[ExprId]) -> ExprId {
        assert!(args.len() == op.arity(), "{op:?} of {} operands", args.len());
        let from = self.width(args[0]);
        assert!(args.iter().all(|&arg| self.width(arg) == from), "{op:?} of several widths");
        let is_format = |width: u32| width == 32 || width == 64;
        match op {
            FloatOp::FromSigned | FloatOp::FromUnsigned => assert!(is_format(width)),
            FloatOp::ToSigned | FloatOp::ToUnsigned => assert!(is_format(from) && width <= 64),
            FloatOp::Convert => assert!(from + width == 96, "conversion of {from} to {width}"),
            FloatOp::Eq | FloatOp::Lt | FloatOp::Le => assert!(is_format(from) && width == 1),
            _ => assert!(is_format(from) && width == from, "{op:?} of {from} bits"),
        }
        let mut node = Node::new(Kind::Float(op), width, args);
        if self.rewriting {
            let mut values = [0; 3];
            let all_const = args
                .iter()
                .zip(&mut values)
                .all(|(&arg, slot)| self.as_const_wide(arg).map(|value| *slot = value).is_some());
            if all_const {
                return self.constant_wide(width, float::apply(op, from, width, values));
            }
            if op == FloatOp::Eq && args[0] > args[1] {
                node = Node::new(Kind::Float(op), width, &[args[1], args[0]]);
            }
        }
        self.build(node, |pool| rewrites::float::float(pool, op, width, node))
    }
}

/// Rewriting.
impl Pool {
    /// What `rewrites` make of `node`, or the node itself.
    fn build(&mut self, node: Node, rewrites: impl FnOnce(&mut Self) -> Option<ExprId>) -> ExprId {
        if !self.rewriting {
            return self.intern(node);
        }
        if let Some(built) = self.built.get(&node) {
            return built;
        }
        let n_refused = self.n_refused;
        let built = self.rewrite(rewrites).unwrap_or_else(|| self.intern(node));
        // What was cut short deep in another constructor would go further by itself.
        if self.depth == 0 || self.n_refused == n_refused {
            self.built.insert(node, built);
        }
        built
    }

    /// Runs `rewrites` unless constructors are nested too deeply or were called too often.
    fn rewrite(&mut self, rewrites: impl FnOnce(&mut Self) -> Option<ExprId>) -> Option<ExprId> {
        if self.depth == 0 {
            self.refuel();
        }
        if self.depth >= MAX_DEPTH || self.fuel == 0 {
            self.n_refused += 1;
            return None;
        }
        self.fuel -= 1;
        self.depth += 1;
        let rewritten = rewrites(self);
        self.depth -= 1;
        rewritten
    }

    /// Allows as many constructors again, for a rewrite that goes through a list.
    pub(crate) fn refuel(&mut self) {
        self.fuel = FUEL;
    }

    /// Runs `build` with constructors that only intern: nothing is folded, reordered or rewritten.
    pub fn without_rewriting<R>(&mut self, build: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.rewriting, false);
        let result = build(self);
        self.rewriting = before;
        result
    }
}
