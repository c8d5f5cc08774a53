//! Reads of constant tables as if-then-else terms, never as SMT arrays.
//!
//! Where the values the index can take are few, one comparison per distinct byte read; otherwise a
//! multiplexer over the bits of the index, whose equal subtrees are one.

use std::collections::BTreeMap;

use super::encode::CLOCK_INTERVAL;
use super::ffi::{Kind, Term};
use super::terms::Terms;
use super::watch::Watch;

/// Up to this many values of the index are compared one by one.
const MAX_COMPARED: usize = 48;

/// What is known about the values of an index.
pub(super) struct Index {
    pub(super) width: u32,
    pub(super) range: (u64, u64),
    pub(super) known_zeros: u64,
    pub(super) known_ones: u64,
    /// All its values, sorted, where they are known one by one.
    pub(super) values: Option<Vec<u64>>,
}

impl Index {
    /// Whether the index can lie in the aligned span of 2^`bits` values from `base` on.
    pub(super) fn meets(&self, base: u64, bits: u32) -> bool {
        let fixed = if bits >= 64 { 0 } else { u64::MAX << bits };
        let last = base | !fixed;
        self.range.0 <= last
            && base <= self.range.1
            && base & self.known_zeros & fixed == 0
            && !base & self.known_ones & fixed == 0
            && self.values.as_ref().is_none_or(|values| {
                values
                    .get(values.partition_point(|&value| value < base))
                    .is_some_and(|&v| v <= last)
            })
    }

    /// Its values if there are few: a superset of the real ones.
    fn few_values(&self) -> Option<Vec<u64>> {
        if let Some(values) = &self.values {
            return (values.len() <= MAX_COMPARED).then(|| values.clone());
        }
        let (low, high) = self.range;
        if high - low >= 4 * MAX_COMPARED as u64 {
            return None;
        }
        let values: Vec<u64> = (low..=high).filter(|&value| self.meets(value, 0)).collect();
        (values.len() <= MAX_COMPARED).then_some(values)
    }
}

/// The byte of `bytes` at `index`, which is `term`; 0 beyond the end. Anything if the time is up
/// before all is built.
pub(super) fn read(
    terms: &mut Terms,
    bytes: &[u8],
    index: &Index,
    term: Term,
    watch: &Watch,
) -> Term {
    match index.few_values() {
        Some(values) => compare(terms, bytes, index.width, term, &values),
        None => {
            let next_look = terms.n_built() + CLOCK_INTERVAL;
            Multiplexer { terms, bytes, index, term, watch, next_look, is_over: false }.whole()
        }
    }
}

/// The byte at `index`; 0 beyond the end.
pub(super) fn byte_at(bytes: &[u8], index: u64) -> u8 {
    usize::try_from(index).ok().and_then(|index| bytes.get(index)).copied().unwrap_or(0)
}

/// One comparison per run of values that read the same byte; the most frequent byte needs none.
fn compare(terms: &mut Terms, bytes: &[u8], width: u32, term: Term, values: &[u64]) -> Term {
    let mut by_byte: BTreeMap<u8, Vec<u64>> = BTreeMap::new();
    for &value in values {
        by_byte.entry(byte_at(bytes, value)).or_default().push(value);
    }
    let default =
        by_byte.iter().max_by_key(|(_, values)| values.len()).map_or(0, |(&byte, _)| byte);
    let mut result = terms.value(8, default.into());
    for (&byte, values) in by_byte.iter().filter(|&(&byte, _)| byte != default) {
        let is_one_of = one_of(terms, width, term, values);
        let byte = terms.value(8, byte.into());
        result = terms.ite(is_one_of, byte, result);
    }
    result
}

/// Whether `term` is one of the sorted `values`.
fn one_of(terms: &mut Terms, width: u32, term: Term, values: &[u64]) -> Term {
    let mut result = None;
    for run in values.chunk_by(|a, b| b - a == 1) {
        let (first, last) = (run[0], run[run.len() - 1]);
        let low = terms.value(width, first.into());
        let is_in_run = if first == last {
            terms.equal(term, low)
        } else {
            let offset = terms.apply(Kind::BvSub, [term, low]);
            let length = terms.value(width, (last - first).into());
            terms.apply(Kind::BvUle, [offset, length])
        };
        result = Some(result.map_or(is_in_run, |others| terms.or(others, is_in_run)));
    }
    result.expect("a group of values is not empty")
}

/// What a subtree of a multiplexer yields.
#[derive(Clone, Copy, PartialEq)]
enum Leaf {
    /// The index is never in this span.
    Never,
    Byte(u8),
    Choice(Term),
}

struct Multiplexer<'a> {
    terms: &'a mut Terms,
    bytes: &'a [u8],
    index: &'a Index,
    term: Term,
    watch: &'a Watch,
    /// When so many terms are built, the clock is looked at.
    next_look: u64,
    is_over: bool,
}

impl Multiplexer<'_> {
    fn whole(&mut self) -> Term {
        let bits = self.bytes.len().next_power_of_two().trailing_zeros().min(self.index.width);
        let inside = self.span(0, bits);
        let inside = self.term_of(inside);
        let size = 1u128 << bits;
        if u128::from(self.index.range.1) < size {
            return inside;
        }
        let size = self.terms.value(self.index.width, size);
        let is_inside = self.terms.apply(Kind::BvUlt, [self.term, size]);
        let zero = self.terms.value(8, 0);
        self.terms.ite(is_inside, inside, zero)
    }

    /// The byte read when the index is one of 2^`bits` values from `base` on.
    fn span(&mut self, base: u64, bits: u32) -> Leaf {
        if self.is_over() || !self.index.meets(base, bits) {
            return Leaf::Never;
        }
        let start =
            usize::try_from(base).map_or(self.bytes.len(), |base| base.min(self.bytes.len()));
        let end = start.saturating_add(1 << bits).min(self.bytes.len());
        let covered = &self.bytes[start..end];
        if covered.is_empty() {
            return Leaf::Byte(0);
        }
        if covered.len() == 1 << bits && covered.iter().all(|&byte| byte == covered[0]) {
            return Leaf::Byte(covered[0]);
        }
        let low = self.span(base, bits - 1);
        let high = self.span(base + (1 << (bits - 1)), bits - 1);
        match (low, high) {
            (Leaf::Never, only) | (only, Leaf::Never) => only,
            _ if low == high => low,
            _ => {
                let (low, high) = (self.term_of(low), self.term_of(high));
                let bit = self.terms.bit(self.term, bits - 1);
                Leaf::Choice(self.terms.ite(bit, high, low))
            }
        }
    }

    fn is_over(&mut self) -> bool {
        if self.terms.n_built() >= self.next_look {
            self.next_look = self.terms.n_built() + CLOCK_INTERVAL;
            self.is_over = self.watch.is_over();
        }
        self.is_over
    }

    fn term_of(&mut self, leaf: Leaf) -> Term {
        match leaf {
            Leaf::Never => self.terms.value(8, 0),
            Leaf::Byte(byte) => self.terms.value(8, byte.into()),
            Leaf::Choice(term) => term,
        }
    }
}
