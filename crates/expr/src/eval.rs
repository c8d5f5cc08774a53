//! The value of a term under a model.

use fathom_index::Id;

use crate::array::{Array, Arrays};
use crate::node::{Kind, Node};
use crate::{ArrayId, ExprId, Model, Pool, Var, float, fold};

/// Terms of at most this size as a tree are evaluated without the memo.
const TINY: u8 = 24;

/// So many places of updates are evaluated before the walk over them begins again.
const AT_ONCE: u32 = 64;

/// Values of terms under one model, valid where the stamp is the current generation. They are kept
/// for as long as the same model is asked about: a path has one for many branches.
#[derive(Default)]
pub(crate) struct Memo {
    model: Model,
    generation: u32,
    stamps: Vec<u32>,
    values: Vec<u128>,
    stack: Vec<ExprId>,
}

impl Memo {
    /// Makes it one of `model`, with room for so many terms.
    fn prepare(&mut self, model: &Model, len: usize) {
        if self.generation == 0 || !self.model.is_same(model) {
            self.model = model.clone();
            self.generation = self.generation.wrapping_add(1);
        }
        if self.generation == 0 {
            self.stamps.fill(0);
            self.generation = 1;
        }
        if self.stamps.len() < len {
            let len = len.next_power_of_two();
            self.stamps.resize(len, 0);
            self.values.resize(len, 0);
        }
    }

    fn get(&self, expr: ExprId) -> Option<u128> {
        let index = expr.index();
        (self.stamps[index] == self.generation).then(|| self.values[index])
    }

    fn set(&mut self, expr: ExprId, value: u128) {
        self.stamps[expr.index()] = self.generation;
        self.values[expr.index()] = value;
    }
}

impl Pool {
    /// The value of `expr` if the input bytes are as in `model`.
    pub fn eval(&self, expr: ExprId, model: &Model) -> u128 {
        if self.tree_size(expr) <= TINY {
            return self.eval_tiny(expr, model);
        }
        let mut memo = self.memo.borrow_mut();
        memo.prepare(model, self.len());
        self.eval_memo(expr, model, &mut memo)
    }

    /// Whether `expr`, which is one bit wide, is 1.
    pub fn eval_bool(&self, expr: ExprId, model: &Model) -> bool {
        debug_assert_eq!(self.width(expr), 1, "a condition is one bit");
        self.eval(expr, model) != 0
    }

    /// Whether all `conditions` hold; values of shared subterms are computed once.
    pub fn eval_all(&self, conditions: impl IntoIterator<Item = ExprId>, model: &Model) -> bool {
        let mut memo = self.memo.borrow_mut();
        memo.prepare(model, self.len());
        conditions.into_iter().all(|condition| {
            if self.tree_size(condition) <= TINY {
                self.eval_tiny(condition, model) != 0
            } else {
                self.eval_memo(condition, model, &mut memo) != 0
            }
        })
    }

    fn eval_tiny(&self, expr: ExprId, model: &Model) -> u128 {
        let node = &self.nodes[expr];
        match node.kind {
            Kind::Ite => {
                let taken = if self.eval_tiny(node.arg(0), model) != 0 { 1 } else { 2 };
                self.eval_tiny(node.arg(taken), model)
            }
            _ => self.apply(node, model, |operand| self.eval_tiny(operand, model)),
        }
    }

    fn eval_memo(&self, root: ExprId, model: &Model, memo: &mut Memo) -> u128 {
        let mut stack = std::mem::take(&mut memo.stack);
        stack.push(root);
        while let Some(&expr) = stack.last() {
            if memo.get(expr).is_some() {
                stack.pop();
                continue;
            }
            if self.tree_size(expr) <= TINY {
                memo.set(expr, self.eval_tiny(expr, model));
                stack.pop();
                continue;
            }
            let node = &self.nodes[expr];
            let ready = match node.kind {
                Kind::Ite => self.eval_ite(node, memo, &mut stack),
                Kind::Read => self.eval_read(node, memo, &mut stack),
                _ => {
                    let before = stack.len();
                    stack.extend(node.operands().filter(|&operand| memo.get(operand).is_none()));
                    (stack.len() == before).then(|| {
                        self.apply(node, model, |operand| {
                            memo.get(operand).expect("operands come first")
                        })
                    })
                }
            };
            if let Some(value) = ready {
                memo.set(expr, value);
                stack.pop();
            }
        }
        memo.stack = stack;
        memo.get(root).expect("the root was evaluated")
    }

    /// The chosen arm's value, or `None` after pushing what must be evaluated first.
    fn eval_ite(&self, node: &Node, memo: &Memo, stack: &mut Vec<ExprId>) -> Option<u128> {
        let needed = match memo.get(node.arg(0)) {
            None => {
                stack.push(node.arg(0));
                return None;
            }
            Some(0) => node.arg(2),
            Some(_) => node.arg(1),
        };
        let value = memo.get(needed);
        if value.is_none() {
            stack.push(needed);
        }
        value
    }

    /// The byte read, or `None` after pushing what must be evaluated first.
    fn eval_read(&self, node: &Node, memo: &Memo, stack: &mut Vec<ExprId>) -> Option<u128> {
        let mut known = |expr: ExprId| {
            let value = memo.get(expr);
            if value.is_none() {
                stack.push(expr);
            }
            value
        };
        let index = known(node.arg(1))?;
        let mut array = ArrayId(node.args[0]);
        let mut n_unknown = 0;
        loop {
            match self.arrays.get(array) {
                Array::Table(_) if n_unknown > 0 => return None,
                Array::Table(bytes) => return Some(Arrays::table_byte(bytes, index).into()),
                &Array::Write { base, index: at, value } => {
                    let at = known(at);
                    n_unknown += u32::from(at.is_none());
                    if at == Some(index) || n_unknown == AT_ONCE {
                        return if n_unknown == 0 { known(value) } else { None };
                    }
                    array = base;
                }
            }
        }
    }

    /// The value of `node`, which is neither an `ite` nor reads a written array.
    fn apply(&self, node: &Node, model: &Model, of: impl Fn(ExprId) -> u128) -> u128 {
        let width = u32::from(node.width);
        match node.kind {
            Kind::Const => node.constant_value().into(),
            Kind::WideConst => self.wide_value(node),
            Kind::Var => model.get(Var(node.args[0])).into(),
            Kind::Unary(op) => fold::unary(op, width, of(node.arg(0))),
            Kind::Binary(op) => {
                let (a, b) = (node.arg(0), node.arg(1));
                fold::binary(op, self.width(a), of(a), of(b))
            }
            Kind::Extract => fold::extract(of(node.arg(0)), node.low.into(), width),
            Kind::ZExt => of(node.arg(0)),
            Kind::SExt => fold::sext(of(node.arg(0)), self.width(node.arg(0)), width),
            Kind::Concat => fold::concat(of(node.arg(0)), of(node.arg(1)), self.width(node.arg(1))),
            Kind::Read => match self.arrays.get(ArrayId(node.args[0])) {
                Array::Table(bytes) => Arrays::table_byte(bytes, of(node.arg(1))).into(),
                Array::Write { .. } => unreachable!("reads of written arrays are not tiny"),
            },
            Kind::Float(op) => {
                let args = [0, 1, 2].map(|n| if n < op.arity() { of(node.arg(n)) } else { 0 });
                float::apply(op, self.width(node.arg(0)), width, args)
            }
            Kind::Ite => unreachable!("callers choose the arm"),
        }
    }
}
