//! Symbolic bytes among concrete ones.

use std::ops::Range;

use fathom_expr::ExprId;

/// One symbolic byte: its offset and what it is, 8 bits wide.
pub(crate) type Symbol = (u64, ExprId);

/// Which bytes of a piece of data are symbolic, in the order of their offsets. The data itself
/// has placeholders there. Nothing is allocated while all is concrete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Symbols(Vec<Symbol>);

impl Symbols {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn as_slice(&self) -> &[Symbol] {
        &self.0
    }

    /// Adds one beyond all there are.
    pub fn push(&mut self, offset: u64, expr: ExprId) {
        debug_assert!(self.0.last().is_none_or(|last| last.0 < offset), "offsets ascend");
        self.0.push((offset, expr));
    }

    /// Where in the list the offsets of `range` are.
    fn span(&self, range: &Range<u64>) -> Range<usize> {
        let before = |end: u64| self.0.partition_point(|symbol| symbol.0 < end);
        before(range.start)..before(range.end)
    }

    pub fn within(&self, range: Range<u64>) -> &[Symbol] {
        &self.0[self.span(&range)]
    }

    /// Makes the bytes of `range` concrete.
    pub fn clear(&mut self, range: Range<u64>) {
        if !self.0.is_empty() {
            self.0.drain(self.span(&range));
        }
    }

    /// Lets the `length` bytes at `to` be what those of `source` at `from` are.
    pub fn copy(&mut self, to: u64, source: &Self, from: u64, length: u64) {
        if self.0.is_empty() && source.0.is_empty() {
            return;
        }
        let new = source.within(from..from + length).iter();
        let new = new.map(|&(offset, expr)| (offset - from + to, expr));
        self.0.splice(self.span(&(to..to + length)), new);
    }
}

impl From<Vec<Symbol>> for Symbols {
    fn from(symbols: Vec<Symbol>) -> Self {
        Self(symbols)
    }
}

impl FromIterator<Symbol> for Symbols {
    fn from_iter<I: IntoIterator<Item = Symbol>>(symbols: I) -> Self {
        Self(symbols.into_iter().collect())
    }
}
