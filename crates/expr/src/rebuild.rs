//! Building a term anew: simplifying an unsimplified one, or putting values for input bytes.

use rustc_hash::FxHashMap;

use crate::{ArrayId, ArrayView, ExprId, Model, Pool, View};

/// The new terms and arrays, by the old ones.
#[derive(Default)]
struct Rebuilt {
    exprs: FxHashMap<ExprId, ExprId>,
    arrays: FxHashMap<ArrayId, ArrayId>,
}

impl Pool {
    /// `expr` with the bytes that `model` assigns replaced by their values, simplified.
    pub fn substitute(&mut self, expr: ExprId, model: &Model) -> ExprId {
        self.rebuild(expr, Some(model))
    }

    /// `expr` built again with the simplifying constructors, for terms made without them.
    pub fn simplify(&mut self, expr: ExprId) -> ExprId {
        self.rebuild(expr, None)
    }

    fn rebuild(&mut self, root: ExprId, model: Option<&Model>) -> ExprId {
        let mut done = Rebuilt::default();
        let mut stack = vec![root];
        while let Some(&expr) = stack.last() {
            if done.exprs.contains_key(&expr) {
                stack.pop();
                continue;
            }
            if let Some(model) = model
                && !self.support(expr).iter().any(|var| model.assigned(var))
            {
                done.exprs.insert(expr, expr);
                continue;
            }
            let before = stack.len();
            stack.extend(self.operands(expr).filter(|operand| !done.exprs.contains_key(operand)));
            self.push_written(expr, &done, &mut stack);
            if stack.len() == before {
                let rebuilt = self.rebuild_node(expr, model, &mut done);
                done.exprs.insert(expr, rebuilt);
            }
        }
        done.exprs[&root]
    }

    /// Pushes the terms in the updates of the array that `expr` reads, if they are not done.
    fn push_written(&self, expr: ExprId, done: &Rebuilt, stack: &mut Vec<ExprId>) {
        let View::Read { mut array, .. } = self.view(expr) else { return };
        while let ArrayView::Write { base, index, value } = self.array(array) {
            stack.extend([index, value].into_iter().filter(|e| !done.exprs.contains_key(e)));
            array = base;
        }
    }

    fn rebuild_node(&mut self, expr: ExprId, model: Option<&Model>, done: &mut Rebuilt) -> ExprId {
        let new = |old: ExprId| done.exprs[&old];
        match self.view(expr) {
            View::Const { .. } => expr,
            View::Var(var) => match model.filter(|model| model.assigned(var)) {
                Some(model) => self.constant(8, model.get(var).into()),
                None => expr,
            },
            View::Unary(op, a) => self.unary(op, new(a)),
            View::Binary(op, a, b) => self.binary(op, new(a), new(b)),
            View::Ite(condition, a, b) => self.ite(new(condition), new(a), new(b)),
            View::Extract { of, low, width } => self.extract(new(of), low, width),
            View::ZExt { of, width } => self.zext(new(of), width),
            View::SExt { of, width } => self.sext(new(of), width),
            View::Concat(high, low) => self.concat(new(high), new(low)),
            View::Read { array, index } => {
                let index = new(index);
                let array = self.rebuild_array(array, done);
                self.read(array, index)
            }
            View::Float(op, args) => {
                let width = self.width(expr);
                let args: Vec<ExprId> = args.iter().map(|&arg| new(arg)).collect();
                self.float(op, width, &args)
            }
        }
    }

    /// The array with its updates rebuilt, oldest first.
    fn rebuild_array(&mut self, array: ArrayId, done: &mut Rebuilt) -> ArrayId {
        let mut pending = Vec::new();
        let mut base = array;
        let mut rebuilt = loop {
            if let Some(&known) = done.arrays.get(&base) {
                break known;
            }
            match self.array(base) {
                ArrayView::Table(_) => break base,
                ArrayView::Write { base: next, index, value } => {
                    pending.push((base, index, value));
                    base = next;
                }
            }
        };
        for (old, index, value) in pending.into_iter().rev() {
            rebuilt = self.write(rebuilt, done.exprs[&index], done.exprs[&value]);
            done.arrays.insert(old, rebuilt);
        }
        rebuilt
    }
}
