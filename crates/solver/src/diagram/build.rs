//! Terms as decision diagrams.

use fathom_expr::{ArrayId, ArrayView, BinaryOp, ExprId, Pool, UnaryOp, Var, View};
use rustc_hash::FxHashMap;

use super::nodes::{Nodes, OutOfSteps, Ref, Run, forget};
use super::scalar::{binary, mask, signed};
use crate::byteset::ByteSet;
use crate::slice::{Slice, SliceByte};

/// Diagrams with more edges than this in all are forgotten before the next query.
const MAX_RUNS: usize = 1 << 18;

/// Why a term has no diagram.
pub(super) enum NoDiagram {
    OutOfSteps,
    /// Floating point, or wider than 64 bits.
    Unsupported,
}

impl From<OutOfSteps> for NoDiagram {
    fn from(_: OutOfSteps) -> Self {
        Self::OutOfSteps
    }
}

/// Diagrams of terms, kept from one query to the next while the domains stay the same.
///
/// Values outside a byte's domain go where the domain's value before them goes (the first, before
/// it): every run holds a value of the domain, and no value appears that the domains rule out.
pub(super) struct Builder {
    pub nodes: Nodes,
    /// Bytes by level, in the order in which they were first needed.
    pub order: Vec<Var>,
    levels: FxHashMap<Var, u16>,
    domains: FxHashMap<Var, ByteSet>,
    done: FxHashMap<ExprId, Ref>,
    conjunctions: FxHashMap<(Ref, Ref), Ref>,
}

impl Builder {
    pub fn new() -> Self {
        Self {
            nodes: Nodes::new(),
            order: Vec::new(),
            levels: FxHashMap::default(),
            domains: FxHashMap::default(),
            done: FxHashMap::default(),
            conjunctions: FxHashMap::default(),
        }
    }

    /// Makes ready for terms over the bytes of `slice`. Forgets everything if a domain has changed,
    /// or if a hub of the slice is tested after a byte that is none.
    pub fn enter(&mut self, pool: &Pool, slice: &Slice) {
        let hubs = hubs(pool, slice);
        let has_changed = |byte: &SliceByte| {
            self.domains.get(&byte.var).is_some_and(|domain| *domain != byte.domain)
        };
        let is_full = self.nodes.n_runs() > MAX_RUNS;
        if is_full || slice.bytes().iter().any(has_changed) || !self.has_first(&hubs, slice) {
            self.nodes.reset();
            self.order.clear();
            forget(&mut self.levels);
            forget(&mut self.domains);
            forget(&mut self.done);
            forget(&mut self.conjunctions);
        }
        self.domains.extend(slice.bytes().iter().map(|byte| (byte.var, byte.domain)));
        for var in hubs {
            self.level(var);
        }
    }

    /// Whether no byte of `slice` has a level before one of `hubs`, or before `hubs` have theirs.
    fn has_first(&self, hubs: &[Var], slice: &Slice) -> bool {
        let level_of = |var: &Var| self.levels.get(var).copied();
        let last_hub = hubs.iter().map(|hub| level_of(hub).unwrap_or(u16::MAX)).max();
        let others = slice.bytes().iter().filter(|byte| !hubs.contains(&byte.var));
        others.filter_map(|byte| level_of(&byte.var)).all(|level| Some(level) > last_hub)
    }

    /// The diagram of `expr`, a term over bytes of slices entered.
    pub fn term(&mut self, pool: &mut Pool, expr: ExprId) -> Result<Ref, NoDiagram> {
        let mut todo = vec![expr];
        while let Some(&expr) = todo.last() {
            if self.done.contains_key(&expr) {
                todo.pop();
                continue;
            }
            if let Some(diagram) = self.leaf_term(pool, expr)? {
                self.done.insert(expr, diagram);
                continue;
            }
            let n_todo = todo.len();
            let operands = self.operands(pool, expr)?;
            todo.extend(
                operands.into_iter().rev().filter(|operand| !self.done.contains_key(operand)),
            );
            if todo.len() == n_todo {
                let diagram = self.combine(pool, expr)?;
                self.done.insert(expr, diagram);
            }
        }
        Ok(self.done[&expr])
    }

    pub fn and(&mut self, a: Ref, b: Ref) -> Result<Ref, OutOfSteps> {
        if let Some(&known) = self.conjunctions.get(&(a, b)) {
            return Ok(known);
        }
        let both = self.nodes.ite(a, b, Ref::FALSE)?;
        self.conjunctions.insert((a, b), both);
        Ok(both)
    }

    /// The level of a byte; the next free one if it has none yet.
    fn level(&mut self, var: Var) -> u16 {
        *self.levels.entry(var).or_insert_with(|| {
            self.order.push(var);
            u16::try_from(self.order.len() - 1).expect("fewer bytes than runs")
        })
    }

    /// Gives the bytes of `expr` their levels.
    fn order_bytes(&mut self, pool: &Pool, expr: ExprId) {
        for var in pool.support(expr).iter() {
            self.level(var);
        }
    }

    /// Terms of no byte or one byte need no operands: the latter have a table.
    fn leaf_term(&mut self, pool: &mut Pool, expr: ExprId) -> Result<Option<Ref>, NoDiagram> {
        if pool.width(expr) > 64 {
            return Err(NoDiagram::Unsupported);
        }
        let support = pool.support(expr);
        if support.is_empty() {
            return Ok(pool.as_const(expr).map(|value| self.nodes.leaf(value)));
        }
        match support.only() {
            Some(var) => self.one_byte_term(pool, expr, var),
            None => Ok(None),
        }
    }

    fn one_byte_term(
        &mut self,
        pool: &mut Pool,
        expr: ExprId,
        var: Var,
    ) -> Result<Option<Ref>, NoDiagram> {
        let domain = self.domains[&var];
        let level = if domain.len() == 1 { 0 } else { self.level(var) };
        let Some(table) = pool.table_of(expr) else {
            return Ok(None);
        };
        let mut runs = Vec::with_capacity(domain.len() as usize);
        for byte in domain.iter() {
            let next = byte.checked_add(1).and_then(|from| domain.next_from(from));
            let child = self.nodes.leaf(table.get(byte));
            runs.push(Run { last: next.map_or(255, |next| next - 1), child });
        }
        Ok(Some(self.nodes.node(level, runs)?))
    }

    /// The terms whose diagrams `combine` needs.
    fn operands(&mut self, pool: &mut Pool, expr: ExprId) -> Result<Vec<ExprId>, NoDiagram> {
        if let Some(pieces) = self.compared_bytes(pool, expr) {
            for &piece in &pieces {
                self.order_bytes(pool, piece);
            }
            return Ok(pieces);
        }
        match pool.view(expr) {
            View::Float(..) => Err(NoDiagram::Unsupported),
            View::Read { mut array, index } => {
                let mut operands = vec![index];
                while let ArrayView::Write { base, index, value } = pool.array(array) {
                    operands.extend([index, value]);
                    array = base;
                }
                Ok(operands)
            }
            _ => Ok(pool.operands(expr).collect()),
        }
    }

    fn combine(&mut self, pool: &mut Pool, expr: ExprId) -> Result<Ref, NoDiagram> {
        if let Some(pieces) = self.compared_bytes(pool, expr) {
            return self.compare(pool, expr, &pieces);
        }
        let done = |operand: ExprId| self.done[&operand];
        let nodes = &mut self.nodes;
        let result = match pool.view(expr) {
            View::Const { .. } | View::Var(_) => unreachable!("a leaf term"),
            View::Float(..) => return Err(NoDiagram::Unsupported),
            View::Unary(op, a) => {
                let ones = mask(pool.width(a));
                match op {
                    UnaryOp::Not => nodes.map(done(a), &|a| !a & ones),
                    UnaryOp::Neg => nodes.map(done(a), &|a| a.wrapping_neg() & ones),
                }
            }
            View::Binary(op, a, b) => apply(nodes, op, pool.width(a), done(a), done(b)),
            View::Ite(condition, then, other) => {
                nodes.ite(done(condition), done(then), done(other))
            }
            View::Extract { of, low, width } => nodes.map(done(of), &|a| a >> low & mask(width)),
            View::ZExt { of, .. } => Ok(done(of)),
            View::SExt { of, width } => {
                let from = pool.width(of);
                nodes.map(done(of), &|a| signed(a, from) as u64 & mask(width))
            }
            View::Concat(high, low) => {
                let shift = pool.width(low);
                nodes.apply(done(high), done(low), &|high, low| high << shift | low, &|_, _| None)
            }
            View::Read { array, index } => return self.read(pool, array, index),
        };
        Ok(result?)
    }

    /// The byte of `array` at `index`: the newest update at that place, or the table's byte.
    fn read(&mut self, pool: &mut Pool, array: ArrayId, index: ExprId) -> Result<Ref, NoDiagram> {
        let index = self.done[&index];
        let mut updates = Vec::new();
        let mut base = array;
        let table = loop {
            match pool.array(base) {
                ArrayView::Table(bytes) => break bytes,
                ArrayView::Write { base: older, index, value } => {
                    updates.push((self.done[&index], self.done[&value]));
                    base = older;
                }
            }
        };
        let byte_at =
            |index: u64| usize::try_from(index).ok().and_then(|index| table.get(index)).copied();
        let mut result = self.nodes.map(index, &|index| u64::from(byte_at(index).unwrap_or(0)))?;
        for (place, value) in updates.into_iter().rev() {
            let is_here = apply(&mut self.nodes, BinaryOp::Eq, 64, index, place)?;
            result = self.nodes.ite(is_here, value, result)?;
        }
        Ok(result)
    }

    /// For a comparison of words made of bytes: their bytes, `a`'s and `b`'s in turn, highest first.
    fn compared_bytes(&mut self, pool: &mut Pool, expr: ExprId) -> Option<Vec<ExprId>> {
        let View::Binary(op, a, b) = pool.view(expr) else {
            return None;
        };
        let width = pool.width(a);
        if !op.is_comparison() || width <= 8 || !width.is_multiple_of(8) {
            return None;
        }
        if !is_made_of_bytes(pool, a) || !is_made_of_bytes(pool, b) {
            return None;
        }
        let places = (0..width / 8).rev().flat_map(|byte| [(a, byte), (b, byte)]);
        Some(places.map(|(word, byte)| pool.extract(word, byte * 8, 8)).collect())
    }

    /// Compares words byte by byte, from the lowest to the highest.
    fn compare(
        &mut self,
        pool: &mut Pool,
        expr: ExprId,
        bytes: &[ExprId],
    ) -> Result<Ref, NoDiagram> {
        let View::Binary(op, ..) = pool.view(expr) else {
            unreachable!("a comparison");
        };
        let mut result =
            if matches!(op, BinaryOp::Ult | BinaryOp::Slt) { Ref::FALSE } else { Ref::TRUE };
        for (n_above, pair) in bytes.chunks_exact(2).enumerate().rev() {
            let [a, b] = [self.done[&pair[0]], self.done[&pair[1]]];
            let is_equal = apply(&mut self.nodes, BinaryOp::Eq, 8, a, b)?;
            let unless_equal = match op {
                BinaryOp::Eq => Ref::FALSE,
                BinaryOp::Slt | BinaryOp::Sle if n_above == 0 => {
                    apply(&mut self.nodes, BinaryOp::Slt, 8, a, b)?
                }
                _ => apply(&mut self.nodes, BinaryOp::Ult, 8, a, b)?,
            };
            result = self.nodes.ite(is_equal, result, unless_equal)?;
        }
        Ok(result)
    }
}

/// Bytes that at least twice as many constraints depend on as on most others: tested first, they
/// leave the others independent of each other.
fn hubs(pool: &Pool, slice: &Slice) -> Vec<Var> {
    let mut n_constraints = vec![0; slice.bytes().len()];
    for &constraint in slice.constraints() {
        for var in pool.support(constraint).iter() {
            n_constraints[slice.position(var)] += 1;
        }
    }
    let mut sorted = n_constraints.clone();
    sorted.sort_unstable();
    let enough = 2 * sorted[sorted.len() / 2].max(1);
    let is_hub = |(byte, &n): (&SliceByte, &usize)| (n >= enough).then_some(byte.var);
    slice.bytes().iter().zip(&n_constraints).filter_map(is_hub).collect()
}

/// Whether every byte of `expr` is a constant or a term of one byte's width.
fn is_made_of_bytes(pool: &Pool, expr: ExprId) -> bool {
    let mut todo = vec![expr];
    while let Some(expr) = todo.pop() {
        match pool.view(expr) {
            View::Const { .. } => {}
            _ if pool.width(expr) == 8 => {}
            View::Concat(high, low) if pool.width(low).is_multiple_of(8) => {
                todo.extend([high, low])
            }
            View::ZExt { of, .. } if pool.width(of).is_multiple_of(8) => todo.push(of),
            _ => return false,
        }
    }
    true
}

/// `op` on operands of `width` bits.
fn apply(nodes: &mut Nodes, op: BinaryOp, width: u32, a: Ref, b: Ref) -> Result<Ref, OutOfSteps> {
    if let Some(result) = nodes.compare_flat(op, a, b)? {
        return Ok(result);
    }
    let zero = Ref::FALSE;
    let shortcut = |a: Ref, b: Ref| match op {
        BinaryOp::And | BinaryOp::Mul if a == zero || b == zero => Some(zero),
        BinaryOp::And | BinaryOp::Or if a == b => Some(a),
        BinaryOp::And if width == 1 && a == Ref::TRUE => Some(b),
        BinaryOp::And if width == 1 && b == Ref::TRUE => Some(a),
        BinaryOp::Or if width == 1 && (a == Ref::TRUE || b == Ref::TRUE) => Some(Ref::TRUE),
        BinaryOp::Or | BinaryOp::Xor | BinaryOp::Add if a == zero => Some(b),
        BinaryOp::Or | BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub if b == zero => Some(a),
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr if b == zero => Some(a),
        BinaryOp::Sub | BinaryOp::Xor | BinaryOp::Ult | BinaryOp::Slt if a == b => Some(zero),
        BinaryOp::Eq | BinaryOp::Ule | BinaryOp::Sle if a == b => Some(Ref::TRUE),
        _ => None,
    };
    nodes.apply(a, b, &|a, b| binary(op, width, a, b), &shortcut)
}
