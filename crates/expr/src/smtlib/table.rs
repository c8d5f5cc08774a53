//! Reads in SMT-LIB.

use std::fmt;

use super::{Literal, TableStyle, Writer};
use crate::{ArrayId, ArrayView, ExprId};

impl Writer<'_, '_> {
    /// `(define-fun eN …)` of a read.
    pub(super) fn define_read(
        &mut self,
        expr: ExprId,
        array: ArrayId,
        index: ExprId,
    ) -> fmt::Result {
        if self.tables == TableStyle::Array {
            self.define_array(array)?;
            write!(self.out, "(define-fun {expr:?} () (_ BitVec 8) (select {array:?}")?;
            self.terms([index])?;
            return self.out.write_str("))\n");
        }
        write!(self.out, "(define-fun {expr:?} () (_ BitVec 8) (let ((i ")?;
        self.term(index)?;
        self.out.write_str(")) ")?;
        let mut n_open = 0;
        let mut base = array;
        let bytes = loop {
            match self.pool.array(base) {
                ArrayView::Table(bytes) => break bytes,
                ArrayView::Write { base: next, index: at, value } => {
                    self.out.write_str("(ite (= i")?;
                    self.terms([at])?;
                    self.out.write_str(")")?;
                    self.terms([value])?;
                    self.out.write_str(" ")?;
                    n_open += 1;
                    base = next;
                }
            }
        };
        let (min, max) = self.pool.range(index);
        self.search(&runs(bytes, min, max))?;
        self.out.write_str(&")".repeat(n_open))?;
        self.out.write_str("))\n")
    }

    /// A balanced tree of comparisons over runs of equal bytes.
    fn search(&mut self, runs: &[(u128, u8)]) -> fmt::Result {
        if let &[(_, byte)] = runs {
            return write!(self.out, "#x{byte:02x}");
        }
        let (low, high) = runs.split_at(runs.len() / 2);
        write!(self.out, "(ite (bvult i {}) ", Literal(64, high[0].0))?;
        self.search(low)?;
        self.out.write_str(" ")?;
        self.search(high)?;
        self.out.write_str(")")
    }

    /// Defines `array` and what it updates, unless that is done.
    fn define_array(&mut self, array: ArrayId) -> fmt::Result {
        let mut pending = Vec::new();
        let mut next = Some(array);
        while let Some(array) = next.filter(|array| self.uses.arrays.remove(array)) {
            pending.push(array);
            next = match self.pool.array(array) {
                ArrayView::Table(_) => None,
                ArrayView::Write { base, .. } => Some(base),
            };
        }
        for array in pending.into_iter().rev() {
            let sort = "(Array (_ BitVec 64) (_ BitVec 8))";
            write!(self.out, "(define-fun {array:?} () {sort} ")?;
            match self.pool.array(array) {
                ArrayView::Table(bytes) => self.stores(bytes, sort)?,
                ArrayView::Write { base, index, value } => {
                    write!(self.out, "(store {base:?}")?;
                    self.terms([index, value])?;
                    self.out.write_str(")")?;
                }
            }
            self.out.write_str(")\n")?;
        }
        Ok(())
    }

    fn stores(&mut self, bytes: &[u8], sort: &str) -> fmt::Result {
        let stored = || bytes.iter().enumerate().filter(|(_, byte)| **byte != 0);
        self.out.write_str(&"(store ".repeat(stored().count()))?;
        write!(self.out, "((as const {sort}) #x00)")?;
        for (at, byte) in stored() {
            write!(self.out, " {} #x{byte:02x})", Literal(64, at as u128))?;
        }
        Ok(())
    }
}

/// Where runs of equal bytes start, within what an index from `min` to `max` can reach.
fn runs(bytes: &[u8], min: u128, max: u128) -> Vec<(u128, u8)> {
    let byte = |at: u128| bytes.get(at as usize).copied().unwrap_or(0);
    let end = max.min(bytes.len() as u128).max(min);
    let mut runs = vec![(min, byte(min))];
    for at in min..=end {
        if byte(at) != runs[runs.len() - 1].1 {
            runs.push((at, byte(at)));
        }
    }
    runs
}
