//! Queries as SMT-LIB scripts, linear in the size of the shared terms.
//!
//! Every term is a bit-vector, conditions too (`(_ BitVec 1)`). A term used more than once, or
//! too large to inline, is a `define-fun` of its own. The result of a float operator is a
//! constant that assertions tie to the operands, as SMT-LIB has no way from a float to its bits.

mod float;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::{ArrayId, ArrayView, BinaryOp, ExprId, Pool, UnaryOp, Var, View};

/// Terms of at most this size as a tree are written in place if they are used once.
const INLINE: u8 = 24;

/// How constant tables are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TableStyle {
    /// As nested `ite` on the index, cut to the range the index can have.
    #[default]
    Ite,
    /// As an array with one `store` per byte that is not 0.
    Array,
}

/// A query to print: are all `conditions` 1 for some input?
pub struct Script<'a> {
    pool: &'a Pool,
    conditions: &'a [ExprId],
    tables: TableStyle,
}

impl Pool {
    /// The script that asks whether all `conditions` (one bit each) can hold.
    pub fn smtlib<'a>(&'a self, conditions: &'a [ExprId]) -> Script<'a> {
        Script { pool: self, conditions, tables: TableStyle::default() }
    }

    /// The symbol that stands for `var` in scripts.
    pub fn smtlib_name(&self, var: Var) -> String {
        let (input, offset) = self.var_owner(var);
        let plain = |c: char| if c == '|' || c == '\\' { '_' } else { c };
        let name: String = self.input_info(input).name.chars().map(plain).collect();
        format!("|{name}[{offset}]|")
    }
}

impl Script<'_> {
    pub fn tables(self, tables: TableStyle) -> Self {
        Self { tables, ..self }
    }
}

impl fmt::Display for Script<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let uses = Uses::count(self.pool, self.conditions);
        let mut writer = Writer { pool: self.pool, tables: self.tables, uses, out: f };
        writer.script(self.conditions)
    }
}

/// What occurs in the conditions, oldest first, and how often.
#[derive(Default)]
struct Uses {
    exprs: BTreeMap<ExprId, u32>,
    arrays: BTreeSet<ArrayId>,
    vars: BTreeSet<Var>,
    has_floats: bool,
}

impl Uses {
    fn count(pool: &Pool, conditions: &[ExprId]) -> Self {
        let mut uses = Self::default();
        let mut stack: Vec<ExprId> = conditions.to_vec();
        while let Some(expr) = stack.pop() {
            let count = uses.exprs.entry(expr).or_default();
            *count += 1;
            if *count > 1 {
                continue;
            }
            match pool.view(expr) {
                View::Var(var) => drop(uses.vars.insert(var)),
                View::Read { array, .. } => uses.count_array(pool, array, &mut stack),
                View::Float(..) => uses.has_floats = true,
                _ => {}
            }
            stack.extend(pool.operands(expr));
        }
        uses
    }

    fn count_array(&mut self, pool: &Pool, mut array: ArrayId, stack: &mut Vec<ExprId>) {
        while self.arrays.insert(array)
            && let ArrayView::Write { base, index, value } = pool.array(array)
        {
            stack.extend([index, value]);
            array = base;
        }
    }
}

struct Writer<'a, 'b> {
    pool: &'a Pool,
    tables: TableStyle,
    uses: Uses,
    out: &'a mut fmt::Formatter<'b>,
}

impl Writer<'_, '_> {
    fn script(&mut self, conditions: &[ExprId]) -> fmt::Result {
        writeln!(self.out, "(set-logic {})", self.logic())?;
        for &var in &self.uses.vars {
            writeln!(self.out, "(declare-fun {} () (_ BitVec 8))", self.pool.smtlib_name(var))?;
        }
        let exprs: Vec<ExprId> = self.uses.exprs.keys().copied().collect();
        for expr in exprs {
            if let View::Read { array, index } = self.pool.view(expr) {
                self.define_read(expr, array, index)?;
            } else if let View::Float(op, args) = self.pool.view(expr) {
                self.define_float(expr, op, &args)?;
            } else if self.is_named(expr) {
                write!(self.out, "(define-fun {expr:?} () (_ BitVec {}) ", self.pool.width(expr))?;
                self.body(expr)?;
                self.out.write_str(")\n")?;
            }
        }
        for &condition in conditions {
            self.out.write_str("(assert ")?;
            self.condition(condition)?;
            self.out.write_str(")\n")?;
        }
        self.out.write_str("(check-sat)\n")
    }

    fn logic(&self) -> &'static str {
        // Constant arrays, the bytes beyond a table, are in no standard logic.
        if self.tables == TableStyle::Array && !self.uses.arrays.is_empty() {
            return "ALL";
        }
        if self.uses.has_floats { "QF_BVFP" } else { "QF_BV" }
    }

    /// Whether `expr` is written once under its name.
    fn is_named(&self, expr: ExprId) -> bool {
        match self.pool.view(expr) {
            View::Const { .. } | View::Var(_) => false,
            View::Read { .. } | View::Float(..) => true,
            _ => self.uses.exprs[&expr] > 1 || self.pool.tree_size(expr) > INLINE,
        }
    }

    /// A term where it is used.
    fn term(&mut self, expr: ExprId) -> fmt::Result {
        match self.is_named(expr) {
            true => write!(self.out, "{expr:?}"),
            false => self.body(expr),
        }
    }

    fn terms(&mut self, exprs: impl IntoIterator<Item = ExprId>) -> fmt::Result {
        for expr in exprs {
            self.out.write_str(" ")?;
            self.term(expr)?;
        }
        Ok(())
    }

    /// A one-bit term as a Boolean.
    fn condition(&mut self, expr: ExprId) -> fmt::Result {
        if !self.is_named(expr)
            && let View::Binary(op, a, b) = self.pool.view(expr)
            && let Some(name) = comparison(op)
        {
            write!(self.out, "({name}")?;
            self.terms([a, b])?;
            return self.out.write_str(")");
        }
        self.out.write_str("(= ")?;
        self.term(expr)?;
        self.out.write_str(" #b1)")
    }

    /// A term by its operator.
    fn body(&mut self, expr: ExprId) -> fmt::Result {
        match self.pool.view(expr) {
            View::Const { width, value } => return write!(self.out, "{}", Literal(width, value)),
            View::Var(var) => return self.out.write_str(&self.pool.smtlib_name(var)),
            View::Binary(op, a, b) if op.is_comparison() => {
                let name = comparison(op).expect("the operator compares");
                write!(self.out, "(ite ({name}")?;
                self.terms([a, b])?;
                return self.out.write_str(") #b1 #b0)");
            }
            View::Ite(condition, a, b) => {
                self.out.write_str("(ite ")?;
                self.condition(condition)?;
                self.terms([a, b])?;
                return self.out.write_str(")");
            }
            View::Unary(UnaryOp::Not, _) => self.out.write_str("(bvnot")?,
            View::Unary(UnaryOp::Neg, _) => self.out.write_str("(bvneg")?,
            View::Binary(op, ..) => write!(self.out, "({}", arithmetic(op))?,
            View::Extract { low, width, .. } => {
                write!(self.out, "((_ extract {} {low})", low + width - 1)?;
            }
            View::ZExt { of, width } => {
                write!(self.out, "((_ zero_extend {})", width - self.pool.width(of))?;
            }
            View::SExt { of, width } => {
                write!(self.out, "((_ sign_extend {})", width - self.pool.width(of))?;
            }
            View::Concat(..) => self.out.write_str("(concat")?,
            View::Read { .. } | View::Float(..) => unreachable!("always named"),
        }
        self.terms(self.pool.operands(expr))?;
        self.out.write_str(")")
    }
}

fn comparison(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::Eq => "=",
        BinaryOp::Ult => "bvult",
        BinaryOp::Ule => "bvule",
        BinaryOp::Slt => "bvslt",
        BinaryOp::Sle => "bvsle",
        _ => return None,
    })
}

fn arithmetic(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "bvadd",
        BinaryOp::Sub => "bvsub",
        BinaryOp::Mul => "bvmul",
        BinaryOp::UDiv => "bvudiv",
        BinaryOp::SDiv => "bvsdiv",
        BinaryOp::URem => "bvurem",
        BinaryOp::SRem => "bvsrem",
        BinaryOp::And => "bvand",
        BinaryOp::Or => "bvor",
        BinaryOp::Xor => "bvxor",
        BinaryOp::Shl => "bvshl",
        BinaryOp::LShr => "bvlshr",
        BinaryOp::AShr => "bvashr",
        _ => unreachable!("comparisons are written elsewhere"),
    }
}

/// A constant: hexadecimal where the width allows it.
struct Literal(u32, u128);

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Literal(width, value) = self;
        if width % 4 == 0 {
            return write!(f, "#x{value:0digits$x}", digits = width as usize / 4);
        }
        write!(f, "#b{value:0digits$b}", digits = width as usize)
    }
}
