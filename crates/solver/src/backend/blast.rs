//! Expressions as circuits.

use fathom_expr::{ArrayId, ArrayView, BinaryOp, ExprId, Pool, UnaryOp, Var, View};
use rustc_hash::FxHashMap;

use super::circuit::{Circuit, FALSE, Lit, TRUE};
use super::encode::index_facts;
use super::table::{Index, byte_at};
use super::watch::Watch;

/// Multipliers of more than this many full adders are left to a solver that reasons about words.
const MAX_ADDERS: u64 = 256;

/// A circuit that is larger is left to others as well: the SAT solver takes in its clauses without
/// a look at the clock.
const MAX_WIRES: usize = 50_000;

/// An expression that has no circuit here, or time that is up.
pub(super) struct Unsupported;

/// Translates the expressions of one pool, each once.
pub(super) struct Blaster {
    pub(super) circuit: Circuit,
    /// Where in `lits` the bits of an expression start, the lowest first.
    done: FxHashMap<ExprId, u32>,
    lits: Vec<Lit>,
    vars: FxHashMap<Var, [Lit; 8]>,
}

impl Blaster {
    pub(super) fn new(circuit: Circuit) -> Self {
        let (done, lits, vars) = Default::default();
        Self { circuit, done, lits, vars }
    }

    /// The bits of an input byte that occurred.
    pub(super) fn var(&self, var: Var) -> Option<[Lit; 8]> {
        self.vars.get(&var).copied()
    }

    /// The wire of a condition.
    pub(super) fn condition(
        &mut self,
        pool: &mut Pool,
        expr: ExprId,
        watch: &Watch,
    ) -> Result<Lit, Unsupported> {
        let mut stack = vec![expr];
        let mut needed = Vec::new();
        while let Some(&expr) = stack.last() {
            if self.done.contains_key(&expr) {
                stack.pop();
                continue;
            }
            needs(pool, expr, &mut needed);
            needed.retain(|need| !self.done.contains_key(need));
            if !needed.is_empty() {
                stack.append(&mut needed);
                continue;
            }
            if self.circuit.n_wires() > MAX_WIRES || watch.is_over() {
                return Err(Unsupported);
            }
            let bits = self.bits(pool, expr)?;
            self.done.insert(expr, self.lits.len() as u32);
            self.lits.extend(bits);
        }
        Ok(self.lits[self.done[&expr] as usize])
    }

    fn get(&self, pool: &Pool, expr: ExprId) -> Vec<Lit> {
        let start = self.done[&expr] as usize;
        self.lits[start..start + pool.width(expr) as usize].to_vec()
    }

    fn bits(&mut self, pool: &mut Pool, expr: ExprId) -> Result<Vec<Lit>, Unsupported> {
        let width = pool.width(expr) as usize;
        Ok(match pool.view(expr) {
            View::Const { width, value } => {
                (0..width).map(|bit| Lit::from(value >> bit & 1 == 1)).collect()
            }
            View::Var(var) => {
                let bits = std::array::from_fn(|_| self.circuit.wire());
                self.vars.insert(var, bits);
                bits.to_vec()
            }
            View::Unary(op, a) => {
                let complement: Vec<Lit> = self.get(pool, a).into_iter().map(|lit| !lit).collect();
                match op {
                    UnaryOp::Not => complement,
                    UnaryOp::Neg => self.add(&complement, &vec![FALSE; width], TRUE),
                }
            }
            View::Binary(op, a, b) => self.binary(pool, op, a, b)?,
            View::Ite(condition, then, otherwise) => {
                let condition = self.get(pool, condition)[0];
                let (then, otherwise) = (self.get(pool, then), self.get(pool, otherwise));
                self.mux(condition, &then, &otherwise)
            }
            View::Extract { of, low, .. } => {
                self.get(pool, of)[low as usize..low as usize + width].to_vec()
            }
            View::ZExt { of, .. } => {
                let mut bits = self.get(pool, of);
                bits.resize(width, FALSE);
                bits
            }
            View::SExt { of, .. } => {
                let mut bits = self.get(pool, of);
                bits.resize(width, bits[bits.len() - 1]);
                bits
            }
            View::Concat(high, low) => {
                let mut bits = self.get(pool, low);
                bits.extend(self.get(pool, high));
                bits
            }
            View::Read { array, index } => self.read(pool, array, index)?,
            View::Float(..) => return Err(Unsupported),
        })
    }

    fn binary(
        &mut self,
        pool: &Pool,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
    ) -> Result<Vec<Lit>, Unsupported> {
        let (left, right) = (self.get(pool, a), self.get(pool, b));
        let circuit = &mut self.circuit;
        let mut bitwise = |gate: fn(&mut Circuit, Lit, Lit) -> Lit| {
            left.iter().zip(&right).map(|(&a, &b)| gate(circuit, a, b)).collect::<Vec<Lit>>()
        };
        Ok(match op {
            BinaryOp::And => bitwise(Circuit::and),
            BinaryOp::Or => bitwise(Circuit::or),
            BinaryOp::Xor => bitwise(Circuit::xor),
            BinaryOp::Add => self.add(&left, &right, FALSE),
            BinaryOp::Sub => {
                let complement: Vec<Lit> = right.iter().map(|&lit| !lit).collect();
                self.add(&left, &complement, TRUE)
            }
            BinaryOp::Mul => self.multiply(&left, &right)?,
            BinaryOp::Shl => self.shift(&left, &right, FALSE, Direction::Up),
            BinaryOp::LShr => self.shift(&left, &right, FALSE, Direction::Down),
            BinaryOp::AShr => self.shift(&left, &right, left[left.len() - 1], Direction::Down),
            BinaryOp::Eq => vec![self.equal(&left, &right)],
            BinaryOp::Ult => vec![self.is_below(&left, &right)],
            BinaryOp::Ule => vec![!self.is_below(&right, &left)],
            BinaryOp::Slt => vec![self.is_below(&flip_sign(&left), &flip_sign(&right))],
            BinaryOp::Sle => vec![!self.is_below(&flip_sign(&right), &flip_sign(&left))],
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => {
                return Err(Unsupported);
            }
        })
    }

    fn mux(&mut self, condition: Lit, then: &[Lit], otherwise: &[Lit]) -> Vec<Lit> {
        let arms = then.iter().zip(otherwise);
        arms.map(|(&then, &otherwise)| self.circuit.mux(condition, then, otherwise)).collect()
    }

    fn add(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Vec<Lit> {
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.circuit.xor(a, b);
            sum.push(self.circuit.xor(half, carry));
            carry = self.circuit.majority(a, b, carry);
        }
        sum
    }

    /// Adds up the first factor where the second has ones.
    fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Result<Vec<Lit>, Unsupported> {
        let n_unknown = |bits: &[Lit]| bits.iter().filter(|&&bit| bit != FALSE).count() as u64;
        if n_unknown(a) * n_unknown(b) > MAX_ADDERS {
            return Err(Unsupported);
        }
        let (a, b) = if n_unknown(a) < n_unknown(b) { (b, a) } else { (a, b) };
        let mut product = vec![FALSE; a.len()];
        for (shift, &bit) in b.iter().enumerate().filter(|&(_, &bit)| bit != FALSE) {
            let mut row = vec![FALSE; shift];
            row.extend(a[..a.len() - shift].iter().map(|&lit| self.circuit.and(lit, bit)));
            product = self.add(&product, &row, FALSE);
        }
        Ok(product)
    }

    /// Shifts by each bit of the amount in turn; what comes in is `fill`.
    fn shift(
        &mut self,
        value: &[Lit],
        amount: &[Lit],
        fill: Lit,
        direction: Direction,
    ) -> Vec<Lit> {
        let width = value.len();
        let mut result = value.to_vec();
        for (bit, &is_shifted) in amount.iter().enumerate() {
            let by = 1usize.checked_shl(bit as u32).map_or(width, |by| by.min(width));
            let mut shifted = vec![fill; by];
            match direction {
                Direction::Up => shifted.extend(&result[..width - by]),
                Direction::Down => shifted.splice(..0, result[by..].iter().copied()).for_each(drop),
            }
            result = self.mux(is_shifted, &shifted, &result);
        }
        result
    }

    fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same: Vec<Lit> = a.iter().zip(b).map(|(&a, &b)| !self.circuit.xor(a, b)).collect();
        self.circuit.all(&same)
    }

    /// Whether `a` is below `b`, unsigned: the borrow of `a - b`.
    fn is_below(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let bits = a.iter().zip(b);
        bits.fold(FALSE, |borrow, (&a, &b)| self.circuit.majority(!a, b, borrow))
    }

    fn read(
        &mut self,
        pool: &mut Pool,
        array: ArrayId,
        index: ExprId,
    ) -> Result<Vec<Lit>, Unsupported> {
        let facts = index_facts(pool, index);
        let at = self.get(pool, index);
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
        let bits = usize::BITS - bytes.len().leading_zeros();
        let inside = self.span(&bytes, &facts, &at, 0, bits)?;
        let mut result = inside.unwrap_or_else(|| vec![FALSE; 8]);
        let above: Vec<Lit> = at[bits as usize..].iter().map(|&bit| !bit).collect();
        let is_inside = self.circuit.all(&above);
        result = self.mux(is_inside, &result, &[FALSE; 8]);
        for &(index, value) in updates.iter().rev() {
            if self.circuit.n_wires() > MAX_WIRES {
                return Err(Unsupported);
            }
            let (index, value) = (self.get(pool, index), self.get(pool, value));
            let is_here = self.equal(&at, &index);
            result = self.mux(is_here, &value, &result);
        }
        Ok(result)
    }

    /// The byte read when the index is one of 2^`bits` values from `base` on. `None`: it never is.
    fn span(
        &mut self,
        bytes: &[u8],
        index: &Index,
        at: &[Lit],
        base: u64,
        bits: u32,
    ) -> Result<Option<Vec<Lit>>, Unsupported> {
        if self.circuit.n_wires() > MAX_WIRES {
            return Err(Unsupported);
        }
        if !index.meets(base, bits) {
            return Ok(None);
        }
        if bits == 0 {
            let byte = byte_at(bytes, base);
            return Ok(Some((0..8).map(|bit| Lit::from(byte >> bit & 1 == 1)).collect()));
        }
        if base >= bytes.len() as u64 {
            return Ok(Some(vec![FALSE; 8]));
        }
        let low = self.span(bytes, index, at, base, bits - 1)?;
        let high = self.span(bytes, index, at, base + (1 << (bits - 1)), bits - 1)?;
        Ok(match (low, high) {
            (None, only) | (only, None) => only,
            (Some(low), Some(high)) => Some(self.mux(at[bits as usize - 1], &high, &low)),
        })
    }
}

#[derive(Clone, Copy)]
enum Direction {
    Up,
    Down,
}

/// Signed numbers with this bit complemented compare as unsigned ones.
fn flip_sign(bits: &[Lit]) -> Vec<Lit> {
    let mut bits = bits.to_vec();
    let last = bits.len() - 1;
    bits[last] = !bits[last];
    bits
}

/// Adds to `needed` what has to be translated before `expr`.
fn needs(pool: &Pool, expr: ExprId, needed: &mut Vec<ExprId>) {
    needed.extend(pool.operands(expr));
    if let View::Read { mut array, .. } = pool.view(expr) {
        while let ArrayView::Write { base, index, value } = pool.array(array) {
            needed.extend([index, value]);
            array = base;
        }
    }
}
