//! Expressions as Bitwuzla's terms.
//!
//! A term of width 1 is a Boolean there, any other a bit-vector. Input bytes are unknowns.

use fathom_expr::{ArrayView, BinaryOp, ExprId, Pool, UnaryOp, Var, View};
use rustc_hash::FxHashMap;

use super::ffi::{self, Kind, Term};
use super::table::{self, Index};
use super::terms::Terms;
use super::watch::Watch;
use crate::Failure;

/// The clock is looked at whenever so many terms were built: about a microsecond each.
pub(super) const CLOCK_INTERVAL: u64 = 1000;
/// About how many gates a term has that is part of a read from a constant table.
const GATES_PER_TABLE_TERM: u64 = 8;
/// Of an update that is read over: a comparison of 64 bits and a choice of 8.
const GATES_PER_UPDATE: u64 = 4 * 64 + 3 * 8;

/// What about an expression a term stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Form {
    /// Its bits.
    Bits,
    /// The float that its bits are.
    Float,
    /// Its bits in case they are a NaN; anything otherwise.
    Nan,
}

/// Translates the expressions of one pool, each once.
pub(super) struct Encoder {
    pub(super) terms: Terms,
    done: FxHashMap<(ExprId, Form), Term>,
    vars: FxHashMap<Var, Term>,
    /// Conditions on unknowns that are no input bytes; satisfiable whatever the input.
    definitions: Vec<Term>,
    unsolved_gates: u64,
}

impl Encoder {
    pub(super) fn new() -> Self {
        Self {
            terms: Terms::new(),
            done: FxHashMap::default(),
            vars: FxHashMap::default(),
            definitions: Vec::new(),
            unsolved_gates: 0,
        }
    }

    pub(super) fn manager(&self) -> *mut ffi::TermManager {
        self.terms.raw()
    }

    pub(super) fn n_terms(&self) -> usize {
        self.done.len()
    }

    /// The term of an input byte that occurred.
    pub(super) fn var(&self, var: Var) -> Option<Term> {
        self.vars.get(&var).copied()
    }

    /// The conditions that have to be asserted with what was encoded since the last call.
    pub(super) fn take_definitions(&mut self) -> Vec<Term> {
        std::mem::take(&mut self.definitions)
    }

    pub(super) fn define(&mut self, definition: Term) {
        self.definitions.push(definition);
    }

    /// About how large a circuit is that the solver has not seen yet.
    pub(super) fn unsolved_gates(&self) -> u64 {
        self.unsolved_gates
    }

    pub(super) fn mark_solved(&mut self) {
        self.unsolved_gates = 0;
    }

    pub(super) fn add_gates(&mut self, gates: u64) {
        self.unsolved_gates += gates;
    }

    pub(super) fn encode(
        &mut self,
        pool: &mut Pool,
        expr: ExprId,
        watch: &Watch,
    ) -> Result<Term, Failure> {
        let mut stack = vec![(expr, Form::Bits)];
        let mut needed = Vec::new();
        let mut next_look = 0;
        while let Some(&(expr, form)) = stack.last() {
            if self.done.contains_key(&(expr, form)) {
                stack.pop();
                continue;
            }
            self.needs(pool, expr, form, &mut needed);
            needed.retain(|need| !self.done.contains_key(need));
            if !needed.is_empty() {
                stack.append(&mut needed);
                continue;
            }
            let term = match form {
                Form::Bits => self.bits(pool, expr, watch),
                Form::Float => self.float(pool, expr),
                Form::Nan => self.nan(pool, expr),
            };
            self.done.insert((expr, form), term);
            if self.terms.n_built() >= next_look {
                next_look = self.terms.n_built() + CLOCK_INTERVAL;
                if watch.is_over() {
                    return Err(Failure::Timeout);
                }
            }
        }
        Ok(self.get(expr, Form::Bits))
    }

    /// The term made for an operand.
    pub(super) fn get(&self, expr: ExprId, form: Form) -> Term {
        *self.done.get(&(expr, form)).expect("operands are encoded first")
    }

    /// The operand as a bit-vector even if it is one bit wide.
    pub(super) fn vector(&mut self, pool: &Pool, expr: ExprId) -> Term {
        let term = self.get(expr, Form::Bits);
        if pool.width(expr) == 1 { self.terms.bit_of_bool(term) } else { term }
    }

    /// Adds to `needed` what has to be encoded before `expr` in `form`.
    fn needs(
        &mut self,
        pool: &mut Pool,
        expr: ExprId,
        form: Form,
        needed: &mut Vec<(ExprId, Form)>,
    ) {
        let view = pool.view(expr);
        if let View::Float(op, args) = view {
            return self.float_needs(expr, op, &args, form, needed);
        }
        if form != Form::Bits {
            return match view {
                View::Ite(condition, then, otherwise) => {
                    needed.extend([(condition, Form::Bits), (then, form), (otherwise, form)]);
                }
                _ => needed.push((expr, Form::Bits)),
            };
        }
        let bits = |expr| (expr, Form::Bits);
        match view {
            View::Const { .. } | View::Var(_) | View::Float(..) => {}
            View::Unary(_, a)
            | View::Extract { of: a, .. }
            | View::ZExt { of: a, .. }
            | View::SExt { of: a, .. } => needed.push(bits(a)),
            View::Binary(_, a, b) | View::Concat(a, b) => needed.extend([a, b].map(bits)),
            View::Ite(a, b, c) => needed.extend([a, b, c].map(bits)),
            View::Read { mut array, index } => {
                needed.push(bits(index));
                while let ArrayView::Write { base, index, value } = pool.array(array) {
                    needed.extend([index, value].map(bits));
                    array = base;
                }
            }
        }
    }

    fn bits(&mut self, pool: &mut Pool, expr: ExprId, watch: &Watch) -> Term {
        let width = pool.width(expr);
        match pool.view(expr) {
            View::Const { width: 1, value } => self.terms.boolean(value == 1),
            View::Const { width, value } => self.terms.value(width, value),
            View::Var(var) => {
                let term = self.terms.unknown(8);
                self.vars.insert(var, term);
                term
            }
            View::Unary(op, a) => self.unary(pool, op, a),
            View::Binary(op, a, b) => self.binary(pool, op, a, b),
            View::Ite(condition, then, otherwise) => {
                self.add_gates(3 * u64::from(width));
                let [condition, then, otherwise] =
                    [condition, then, otherwise].map(|expr| self.get(expr, Form::Bits));
                self.terms.ite(condition, then, otherwise)
            }
            View::Extract { of, low, width } => {
                let of = self.vector(pool, of);
                match width {
                    1 => self.terms.bit(of, low),
                    _ => self.terms.extract(of, low, width),
                }
            }
            View::ZExt { of, .. } => self.extend(pool, Kind::BvZeroExtend, of, width),
            View::SExt { of, .. } => self.extend(pool, Kind::BvSignExtend, of, width),
            View::Concat(high, low) => {
                let args = [high, low].map(|expr| self.vector(pool, expr));
                self.terms.apply(Kind::BvConcat, args)
            }
            View::Read { array, index } => self.read(pool, array, index, watch),
            View::Float(op, args) => self.float_bits(pool, expr, op, &args),
        }
    }

    fn extend(&mut self, pool: &Pool, kind: Kind, of: ExprId, width: u32) -> Term {
        let by = width - pool.width(of);
        let of = self.vector(pool, of);
        self.terms.apply_indexed(kind, [of], [by.into()])
    }

    fn unary(&mut self, pool: &Pool, op: UnaryOp, a: ExprId) -> Term {
        let width = pool.width(a);
        let a = self.get(a, Form::Bits);
        match op {
            // A bit is its own negative.
            UnaryOp::Neg if width == 1 => a,
            UnaryOp::Not if width == 1 => self.terms.not(a),
            UnaryOp::Neg => {
                self.add_gates(7 * u64::from(width));
                self.terms.apply(Kind::BvNeg, [a])
            }
            UnaryOp::Not => self.terms.apply(Kind::BvNot, [a]),
        }
    }

    fn binary(&mut self, pool: &Pool, op: BinaryOp, a: ExprId, b: ExprId) -> Term {
        let width = pool.width(a);
        self.add_gates(gates(pool, op, a, b));
        if width == 1
            && let Some(kind) = boolean_kind(op)
        {
            let args = [a, b].map(|expr| self.get(expr, Form::Bits));
            return self.terms.apply(kind, args);
        }
        let args = [a, b].map(|expr| self.vector(pool, expr));
        let term = self.terms.apply(vector_kind(op), args);
        if width == 1 && !op.is_comparison() { self.terms.bool_of_bit(term) } else { term }
    }

    /// Something else than the byte if the time is up.
    fn read(
        &mut self,
        pool: &mut Pool,
        array: fathom_expr::ArrayId,
        index: ExprId,
        watch: &Watch,
    ) -> Term {
        let at = self.get(index, Form::Bits);
        let mut updates = Vec::new();
        let mut base = array;
        let bytes = loop {
            match pool.array(base) {
                ArrayView::Write { base: older, index, value } => {
                    updates.push((index, value));
                    base = older;
                }
                ArrayView::Table(bytes) => break bytes.clone(),
            }
        };
        let facts = index_facts(pool, index);
        let n_built = self.terms.n_built();
        let mut result = table::read(&mut self.terms, &bytes, &facts, at, watch);
        self.add_gates(GATES_PER_TABLE_TERM * (self.terms.n_built() - n_built));
        self.add_gates(GATES_PER_UPDATE * updates.len() as u64);
        for (n, &(index, value)) in updates.iter().rev().enumerate() {
            if n % 256 == 255 && watch.is_over() {
                break;
            }
            let [index, value] = [index, value].map(|expr| self.get(expr, Form::Bits));
            let is_here = self.terms.equal(at, index);
            result = self.terms.ite(is_here, value, result);
        }
        result
    }
}

/// The operator on Booleans that is `op` on bits, if there is one.
fn boolean_kind(op: BinaryOp) -> Option<Kind> {
    Some(match op {
        BinaryOp::And | BinaryOp::Mul => Kind::And,
        BinaryOp::Or => Kind::Or,
        BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => Kind::Xor,
        BinaryOp::Eq => Kind::Equal,
        _ => return None,
    })
}

fn vector_kind(op: BinaryOp) -> Kind {
    match op {
        BinaryOp::Add => Kind::BvAdd,
        BinaryOp::Sub => Kind::BvSub,
        BinaryOp::Mul => Kind::BvMul,
        BinaryOp::UDiv => Kind::BvUdiv,
        BinaryOp::SDiv => Kind::BvSdiv,
        BinaryOp::URem => Kind::BvUrem,
        BinaryOp::SRem => Kind::BvSrem,
        BinaryOp::And => Kind::BvAnd,
        BinaryOp::Or => Kind::BvOr,
        BinaryOp::Xor => Kind::BvXor,
        BinaryOp::Shl => Kind::BvShl,
        BinaryOp::LShr => Kind::BvShr,
        BinaryOp::AShr => Kind::BvAshr,
        BinaryOp::Eq => Kind::Equal,
        BinaryOp::Ult => Kind::BvUlt,
        BinaryOp::Ule => Kind::BvUle,
        BinaryOp::Slt => Kind::BvSlt,
        BinaryOp::Sle => Kind::BvSle,
    }
}

/// About how many gates the circuit of an operator has.
fn gates(pool: &Pool, op: BinaryOp, a: ExprId, b: ExprId) -> u64 {
    let width = u64::from(pool.width(a));
    match op {
        BinaryOp::Mul => 14 * significant_bits(pool, a) * significant_bits(pool, b),
        BinaryOp::UDiv | BinaryOp::URem => 20 * width * significant_bits(pool, a),
        BinaryOp::SDiv | BinaryOp::SRem => 20 * width * width,
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr if !pool.is_const(b) => {
            3 * width * u64::from(width.ilog2() + 1)
        }
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => 0,
        BinaryOp::Add | BinaryOp::Sub => 14 * width,
        _ => 4 * width,
    }
}

/// How many low bits of `expr` are not always 0.
fn significant_bits(pool: &Pool, expr: ExprId) -> u64 {
    u64::from(128 - pool.range(expr).1.leading_zeros())
}

/// What is known about the values of `index`.
pub(super) fn index_facts(pool: &mut Pool, index: ExprId) -> Index {
    let (low, high) = pool.range(index);
    let known = pool.known_bits(index);
    let values = pool.table_of(index).map(|table| {
        let mut values = table.values().to_vec();
        values.sort_unstable();
        values.dedup();
        values
    });
    Index {
        width: pool.width(index),
        range: (low as u64, high as u64),
        known_zeros: known.zeros as u64,
        known_ones: known.ones as u64,
        values,
    }
}
